import { once } from 'node:events';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Exchange } from '../server/exchange.ts';
import { ServiceFault } from '../server/serviceFault.ts';
import { modelFault } from './modelFault.ts';
import type { ModelRoute } from './modelRoute.ts';
import type { PreparedCall } from './textGeneration.ts';
import type { ReplyWriter } from './translate/replyWriter.ts';
import { providerSentences, warningHeader } from './translate/warningHeader.ts';

/** Silence after which the head goes out and, in protocols that have them, pings begin: the contract's interval of pings. */
const pingIntervalMs = 10_000;

/**
 * Streams a model's parts to the caller, no faster than it reads. A fault before the first part becomes a plain error response (this rejects with
 * it); after that it ends the stream in the protocol's way. The head tells in `warning` what the call lost. Mistakes of our own reject in any case, for the server to log.
 */
export async function streamReply(
	exchange: Exchange,
	route: ModelRoute,
	parts: ReadableStream<LanguageModelV4StreamPart>,
	writer: ReplyWriter,
	{ names, warnings }: Pick<PreparedCall, 'names' | 'warnings'>,
): Promise<void> {
	const { response } = exchange;
	let told = warnings;
	const begin = () => {
		if (!response.headersSent) {
			response.writeHead(200, {
				'content-type': writer.contentType,
				'cache-control': 'no-cache',
				...exchange.idHeaders,
				...warningHeader(told),
			});
			response.flushHeaders();
		}
	};
	const ping = setInterval(() => {
		begin();
		const text = writer.start() + (writer.ping ?? '');
		if (text !== '' && !response.writableNeedDrain) {
			response.write(text);
		}
	}, pingIntervalMs);
	try {
		for await (const part of parts) {
			if (part.type === 'stream-start') {
				told = [...warnings, ...providerSentences(part.warnings)];
			}
			if (part.type === 'error') {
				throw part.error;
			}
			if (part.type === 'finish' && part.finishReason.unified === 'interrupted') {
				break;
			}
			const text = writer.part(names.restore(part));
			if (text === '') {
				continue;
			}
			begin();
			response.write(text);
			ping.refresh();
			if (response.writableNeedDrain) {
				await once(response, 'drain', { signal: exchange.signal });
			}
		}
		const end = writer.end();
		if (end === undefined) {
			throw new ServiceFault(502, `The reply${route.origin && ` of the service at ${route.origin}`} ended before it was complete.`);
		}
		begin();
		response.end(end);
	} catch (error) {
		if (exchange.signal.aborted) {
			return;
		}
		const fault = modelFault(error, route);
		if (!response.headersSent || !(fault instanceof ServiceFault)) {
			throw fault;
		}
		response.end(writer.fault(fault));
	} finally {
		clearInterval(ping);
	}
}
