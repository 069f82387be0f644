import { once } from 'node:events';
import type { LanguageModelV4StreamPart, SharedV4Warning } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { usageOf } from '#models/calls/modelUsage.ts';
import { checkFinish } from '#models/failedFinish.ts';
import { modelFault } from '#models/modelFault.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import type { ReplyLength } from '#models/replyLength.ts';
import type { ReplyWriter } from '#models/translate/replyWriter.ts';
import { inSnakeCase, providerSentences, warningHeader } from '#models/translate/warningHeader.ts';
import type { Exchange } from '../server/exchange.ts';
import type { PreparedCall } from './textGeneration.ts';

/** Silence after which the head goes out and, in protocols that have them, pings begin: the contract's interval of pings. */
const pingIntervalMs = 10_000;

/**
 * Streams a model's parts to the caller, no faster than it reads. A fault before the first part becomes a plain error response (this rejects with
 * it); after that it ends the stream in the protocol's way. The head tells in `warning` what the call lost. Mistakes of our own reject in any case, for the server to log.
 * `length` limits what is kept of the reply.
 */
export async function streamReply(
	exchange: Exchange,
	route: Pick<ModelRoute, 'origin' | 'key'>,
	parts: ReadableStream<LanguageModelV4StreamPart>,
	writer: ReplyWriter,
	{ names, warnings, length }: Pick<PreparedCall, 'names' | 'warnings'> & { readonly length?: ReplyLength },
): Promise<void> {
	const { response, call } = exchange;
	const write = (text: string) => {
		const bytes = Buffer.from(text);
		call?.reply.add(bytes);
		response.write(bytes);
	};
	let told = warnings;
	const begin = () => {
		if (!response.headersSent) {
			const headers = { 'content-type': writer.contentType, 'cache-control': 'no-cache', ...warningHeader(told) };
			call?.reply.begin(headers);
			response.writeHead(200, { ...headers, ...exchange.idHeaders });
			response.flushHeaders();
		}
	};
	const ping = setInterval(() => {
		begin();
		const text = writer.start() + (writer.ping ?? '');
		if (text !== '' && !response.writableNeedDrain) {
			write(text);
		}
	}, pingIntervalMs);
	try {
		for await (const part of parts) {
			if (part.type === 'stream-start') {
				told = [...warnings, ...callersSentences(exchange, part.warnings)];
			}
			if (part.type === 'error') {
				throw part.error;
			}
			if (part.type === 'finish' && part.finishReason.unified === 'interrupted') {
				break;
			}
			if (part.type === 'finish') {
				if (call) {
					call.usage = usageOf(part.usage);
				}
				checkFinish(part, route);
			}
			const text = writer.part(names.restore(part));
			if (writer.keepsText || text === '' || !isText(part)) {
				length?.add(part);
			}
			if (text === '') {
				continue;
			}
			begin();
			write(text);
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
		const last = Buffer.from(end);
		response.end(last);
		if (call) {
			call.reply.add(last);
			call.reply.isComplete = true;
		}
	} catch (error) {
		if (exchange.signal.aborted) {
			return;
		}
		const fault = modelFault(error, route);
		if (!response.headersSent || !(fault instanceof ServiceFault)) {
			throw fault;
		}
		if (call) {
			call.fault = fault;
		}
		response.end(writer.fault(fault));
	} finally {
		clearInterval(ping);
	}
}

function isText({ type }: LanguageModelV4StreamPart): boolean {
	return type === 'text-delta' || type === 'reasoning-delta';
}

/** What a provider did not send as asked, with the names of fields as the caller's protocol has them. */
export function callersSentences({ group }: Exchange, warnings: readonly SharedV4Warning[]): readonly string[] {
	const sentences = providerSentences(warnings);
	return group === 'content' ? sentences : sentences.map(inSnakeCase);
}
