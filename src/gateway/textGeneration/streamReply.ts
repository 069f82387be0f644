import { once } from 'node:events';
import type { LanguageModelV4StreamPart, SharedV4Warning } from '@ai-sdk/provider';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { toTokenUsage } from '#models/calls/modelUsage.ts';
import { checkFinish } from '#models/failedFinish.ts';
import { toModelFault } from '#models/modelFault.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import type { ReplyLength } from '#models/replyLength.ts';
import type { ReplyWriter } from '#models/translate/replyWriter.ts';
import { createWarningHeader, formatWarnings, toSnakeCase } from '#models/translate/warningHeader.ts';
import type { Exchange } from '../server/exchange.ts';
import type { PreparedCall } from './textGeneration.ts';

/**
 * Silence in milliseconds after which the headers are sent and pings start, in protocols that have them. This is the contract's ping
 * interval.
 */
const pingIntervalMs = 10_000;

/**
 * Streams a model's parts to the caller, no faster than the caller reads. If an error comes before the first part, this rejects with it, so
 * that it becomes a plain error response. A later error ends the stream as the protocol specifies. The `warning` header lists
 * the parts of the request that were dropped.
 * Internal errors always reject, so that the server logs them.
 * @param length limits the stored length of the reply
 */
export async function streamReply(
	exchange: Exchange,
	route: Pick<ModelRoute, 'origin' | 'key'>,
	parts: ReadableStream<LanguageModelV4StreamPart>,
	writer: ReplyWriter,
	{ names, warnings, length }: Pick<PreparedCall, 'names' | 'warnings'> & { readonly length?: ReplyLength },
): Promise<void> {
	const { response, call } = exchange;
	const writeText = (text: string) => {
		const bytes = Buffer.from(text);
		call?.reply.add(bytes);
		response.write(bytes);
	};
	let reported = warnings;
	const sendHeaders = () => {
		if (!response.headersSent) {
			const headers = { 'content-type': writer.contentType, 'cache-control': 'no-cache', ...createWarningHeader(reported) };
			call?.reply.setHeaders(headers);
			response.writeHead(200, { ...headers, ...exchange.idHeaders });
			response.flushHeaders();
		}
	};
	const ping = setInterval(() => {
		sendHeaders();
		const text = writer.writeStart() + (writer.ping ?? '');
		if (text !== '' && !response.writableNeedDrain) {
			writeText(text);
		}
	}, pingIntervalMs);
	try {
		for await (const part of parts) {
			if (part.type === 'stream-start') {
				reported = [...warnings, ...getCallerWarnings(exchange, part.warnings)];
			}
			if (part.type === 'error') {
				throw part.error;
			}
			if (part.type === 'finish' && part.finishReason.unified === 'interrupted') {
				break;
			}
			if (part.type === 'finish') {
				if (call) {
					call.usage = toTokenUsage(part.usage);
				}
				checkFinish(part, route);
			}
			const text = writer.writePart(names.restoreName(part));
			if (text === '' || isStored(part, writer)) {
				length?.add(part);
			}
			if (text === '') {
				continue;
			}
			sendHeaders();
			writeText(text);
			ping.refresh();
			if (response.writableNeedDrain) {
				await once(response, 'drain', { signal: exchange.signal });
			}
		}
		const end = writer.writeEnd();
		if (end === undefined) {
			throw new ServiceFault(
				502,
				route.origin
					? localizable`The response from ${route.origin} ended before it was complete.`
					: localizable`The response ended before it was complete.`,
			);
		}
		sendHeaders();
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
		const fault = toModelFault(error, route);
		if (!response.headersSent || !(fault instanceof ServiceFault)) {
			throw fault;
		}
		if (call) {
			call.fault = fault;
		}
		response.end(writer.writeFault(fault));
	} finally {
		clearInterval(ping);
	}
}

/** True if the writer keeps a part until the end. */
function isStored({ type }: LanguageModelV4StreamPart, { keepsText = false, keepsThinking = false }: ReplyWriter): boolean {
	return keepsText || (type === 'reasoning-delta' ? keepsThinking : type !== 'text-delta');
}

/** Returns the provider's warnings about unsupported settings, with field names in the caller's protocol. */
export function getCallerWarnings({ group }: Exchange, warnings: readonly SharedV4Warning[]): readonly string[] {
	const sentences = formatWarnings(warnings);
	return group === 'content' ? sentences : sentences.map(toSnakeCase);
}
