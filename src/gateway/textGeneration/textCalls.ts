import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { recordingHeader } from '#contract/recordings/scanRecording.ts';
import { type CallEnd, identifyCaller, TextCall } from '#models/calls/textCall.ts';
import { readTokenUsage } from '#models/calls/tokenUsage.ts';
import { tryRoutes } from '#models/calls/tries.ts';
import { isWholeReply } from '#models/calls/wholeReply.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import { getForwardedHeaders, removeKeyParameter } from '#models/upstreamRequest.ts';
import type { OpenRecordings } from '../recordings/openRecordings.ts';
import type { TextTurn } from '../recordings/recordedTexts.ts';
import type { Exchange } from '../server/exchange.ts';
import type { CallRecorder } from './callRecorder.ts';
import { type CachedReply, type CacheWish, createReplyKey, type ReplyCache } from './replyCache.ts';

/** Header with which callers control the cache (`on`, `off`), and in which they get its result (`hit`, `miss`). */
const cacheHeader = 'x-agent-workbench-cache';

interface TextCallParts {
	readonly recorder?: CallRecorder;
	readonly cache?: ReplyCache;
	readonly recordings?: OpenRecordings;
}

/** Handles what all text generation calls have in common: retries and fallbacks, the cache, the record. */
export class TextCalls {
	/** Undefined in tests that don't record anything. */
	readonly recorder: CallRecorder | undefined;
	readonly cache: ReplyCache | undefined;

	readonly #recordings: OpenRecordings | undefined;

	constructor({ recorder, cache, recordings }: TextCallParts = {}) {
		this.recorder = recorder;
		this.cache = cache;
		this.#recordings = recordings;
	}

	/**
	 * Responds with one of the routes of a plan. `attempt` responds with a single route, or rejects if it hasn't sent anything. Rejects with
	 * the error of the last attempt.
	 * @param mayCache true if the reply may be cached
	 */
	async serveCall(
		exchange: Exchange,
		model: string,
		plan: readonly [ModelRoute, ...ModelRoute[]],
		attempt: (route: ModelRoute) => Promise<void>,
		mayCache = true,
	): Promise<void> {
		const { request, response } = exchange;
		const recorded = await this.#takeRecordedTurn(exchange);
		const usesCache = mayCache && !recorded && (this.cache?.isUsedFor(plan[0], parseCacheHeader(request.headers[cacheHeader])) ?? false);
		const keepsBodies = this.recorder?.keepsBodies ?? false;
		const call = new TextCall(
			exchange.target.path,
			model,
			identifyCaller(request.headers),
			usesCache || keepsBodies || recorded !== undefined,
		);
		exchange.call = call;
		try {
			if (keepsBodies) {
				call.request = await exchange.readBody();
			}
			const key = usesCache ? await createKey(exchange, plan[0]) : undefined;
			const replayed = recorded && 'reply' in recorded ? recorded.reply : undefined;
			const kept = key === undefined ? replayed : this.cache?.get(key, plan[0]);
			if (kept) {
				sendCachedReply(exchange, call, plan[0], kept);
			} else {
				if (key !== undefined) {
					call.addHeader(cacheHeader, 'miss');
				}
				// only create the signal if it's needed, because a passthrough works without one
				const plain = plan.length === 1 && plan[0].retries === 0;
				await (plain
					? attemptWithoutRetry(call, plan[0], attempt)
					: tryRoutes(call, plan, exchange.signal, attempt, () => response.headersSent));
				if (key !== undefined && call.route === plan[0]) {
					await this.#cacheReply(key, call, response.statusCode);
				}
				if (recorded && 'record' in recorded) {
					const whole = await readWholeReply(call, response.statusCode);
					if (whole) {
						recorded.record({ headers: whole.headers, body: whole.text });
					}
				}
			}
			call.finishCall(
				call.reply.isComplete ? { status: response.statusCode, ...getStatusError(response.statusCode) } : getIncompleteEnd(call, response),
			);
		} catch (error) {
			call.finishCall(getErrorEnd(error, exchange));
			throw error;
		} finally {
			this.recorder?.add(call);
		}
	}

	/** Caches the whole reply of a successful call. Errors and replies of fallback routes aren't cached. */
	async #cacheReply(key: string, call: TextCall, status: number): Promise<void> {
		const whole = await readWholeReply(call, status);
		if (!whole || !call.route) {
			return;
		}
		call.usage ??= readTokenUsage([whole.text]);
		this.cache?.add(key, call.route, { headers: whole.headers, body: whole.body, ...(call.usage && { usage: call.usage }) });
	}

	/** Returns what the call does with a recording; undefined if it uses none. */
	async #takeRecordedTurn(exchange: Exchange): Promise<TextTurn | undefined> {
		const { headers } = exchange.request;
		if (!this.#recordings || headers[recordingHeader] === undefined) {
			return undefined;
		}
		const { takeTextTurn } = await import('../recordings/recordedTexts.ts');
		return takeTextTurn(this.#recordings, { path: exchange.target.path, headers, readBody: () => exchange.readBody() });
	}
}

/** Returns the whole reply of a successful call, as sent and as text; undefined if it isn't complete. */
async function readWholeReply(
	{ reply }: TextCall,
	status: number,
): Promise<(Pick<CachedReply, 'headers' | 'body'> & { readonly text: Buffer }) | undefined> {
	const whole = reply.isComplete && status === 200 ? reply.getWholeReply() : undefined;
	if (!whole) {
		return undefined;
	}
	const text = Buffer.concat(reply.isCompressed ? await reply.readChunks() : reply.getPlainChunks());
	return isWholeReply(whole.headers['content-type'], text) ? { ...whole, text } : undefined;
}

async function attemptWithoutRetry(call: TextCall, route: ModelRoute, attempt: (route: ModelRoute) => Promise<void>): Promise<void> {
	call.route = route;
	call.tries = 1;
	await attempt(route);
}

function parseCacheHeader(header: string | string[] | undefined): CacheWish {
	return header === 'on' ? true : header === 'off' ? false : undefined;
}

/** Creates the cache key from everything that a service may use, including all forwarded headers. */
async function createKey(exchange: Exchange, route: ModelRoute): Promise<string> {
	const { headers } = exchange.request;
	const query = removeKeyParameter(exchange.target.search);
	const { [cacheHeader]: _, ...sent } = getForwardedHeaders(headers);
	const keyHeaders = Object.entries({ ...sent, 'provider-version': headers['provider-version'] });
	return createReplyKey(route, exchange.target.path, query, JSON.stringify(keyHeaders.toSorted()), await exchange.readBody());
}

function sendCachedReply(exchange: Exchange, call: TextCall, route: ModelRoute, { headers, usage, body }: CachedReply): void {
	call.route = route;
	call.isHit = true;
	call.usage = usage;
	call.addHeader(cacheHeader, 'hit');
	call.reply.setHeaders(headers);
	call.reply.add(body);
	call.reply.isComplete = true;
	exchange.response.writeHead(200, { ...headers, 'content-length': body.length, ...exchange.idHeaders });
	exchange.response.end(body);
}

function getStatusError(status: number): { readonly error?: string } {
	return status < 400 ? {} : { error: `The service responded with status ${status}.` };
}

function getIncompleteEnd({ fault }: TextCall, response: Exchange['response']): CallEnd {
	if (fault) {
		return { status: fault.status, error: fault.message };
	}
	return response.destroyed && !response.writableEnded
		? { status: 499, error: 'The caller disconnected before the response was complete.' }
		: { status: response.statusCode, error: 'The response ended before it was complete.' };
}

function getErrorEnd(error: unknown, { response }: Exchange): CallEnd {
	if (response.destroyed) {
		return { status: 499, error: 'The caller disconnected before there was a response.' };
	}
	return error instanceof ServiceFault
		? { status: error.status, error: error.message }
		: { status: 500, error: "Internal error. See the gateway's log for details." };
}
