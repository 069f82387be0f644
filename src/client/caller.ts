import type Dispatcher from 'undici/types/dispatcher';
import { localizable } from '#base/text/localizableMessage.ts';
import type { Operation } from '#contract/endpoints/endpoints.ts';
import type { RecordingUse } from '#contract/recordings/recordings.ts';
import { recordingHeader } from '#contract/recordings/scanRecording.ts';
import { priceHeader, readPriceLine, type TokenPrice } from '#contract/text/tokenPrice.ts';
import type { Redactor } from '#network/redaction.ts';
import { getBackoffMs, waitMilliseconds } from './backoff.ts';
import type { Call } from './call.ts';
import { CallChecker } from './checks.ts';
import { formatCurlCommand } from './curl.ts';
import { shortenServiceText } from './errors/errorBodies.ts';
import { createConnectionFault, createHttpFault, createProtocolFault, getRequestId } from './errors/faults.ts';
import type { ServiceError, ServiceErrorReason } from './errors/serviceError.ts';
import { longestBody, type Reply, ReplyCollector, readJson } from './replyCollector.ts';
import { RequestBuilder, type Target } from './requestBuilder.ts';
import type { StreamRules } from './streams/eventReader.ts';
import { EventStream } from './streams/eventStream.ts';
import { AbortedError, sendRequest, type WireRequest } from './transport.ts';

/** Options that every method of the client accepts. */
export interface CallOptions {
	/** Aborts the request, which then rejects with the reason `aborted`. */
	readonly signal?: AbortSignal | undefined;
	/** Reads and saves model replies in the service's cache, regardless of its routes' settings (built-in gateway). */
	readonly cache?: boolean | undefined;
	/** Recording that replaces or stores the reply (built-in gateway). */
	readonly recording?: RecordingUse | undefined;
	/** Called with the stream's token price before its first event, if the service reports one (built-in gateway). */
	readonly priced?: ((price: TokenPrice) => void) | undefined;
}

/** A request and its outcome, for logs. Contains no key, query or body. */
export interface RequestReport<Name extends string = Operation> {
	readonly operation: Name;
	readonly method: string;
	readonly path: string;
	/** Absent if no response came. */
	readonly status: number | undefined;
	readonly durationMs: number;
	readonly requestId: string | undefined;
	/** Number of events received, for a stream. */
	readonly events: number | undefined;
	readonly error: ServiceError | undefined;
}

/** Options for reading a response. */
interface AnswerForm<T, R> {
	readonly read?: (value: T) => R;
	readonly empty?: R;
}

/** A response that isn't JSON: its bytes and its media type, in lower case and without parameters. */
export interface Bytes {
	readonly type: string;
	readonly data: Uint8Array;
}

/** Outcome of one attempt: `value` or `fault`. `final` is true if a retry can't help. */
interface Attempt<T> {
	readonly reply?: Reply;
	readonly value?: T;
	readonly fault?: ServiceError;
	readonly final?: boolean;
}

const getTries = 3;
const longestPoliteWaitMs = 20_000;
const transientReasons: ReadonlySet<ServiceErrorReason> = new Set(['rate-limited', 'overloaded', 'server', 'network', 'timeout']);

/** Sends calls and reads their responses, as whole JSON or as a stream of events. */
export class Caller {
	readonly #target: Target;
	readonly #checker = new CallChecker();
	readonly #builder: RequestBuilder;
	readonly #open: () => Dispatcher;
	readonly #redactor: Redactor;
	readonly #report: (report: RequestReport) => void;
	#opened: Dispatcher | undefined;

	/** `open` creates the dispatcher; it's called before the first request. */
	constructor(target: Target, open: () => Dispatcher, redactor: Redactor, report: (report: RequestReport) => void) {
		this.#target = target;
		this.#builder = new RequestBuilder(target);
		this.#open = open;
		this.#redactor = redactor;
		this.#report = report;
	}

	/**
	 * Reads a JSON response with `read`, or returns `empty` for a response without a body. Errors thrown by `read` become protocol errors.
	 * GETs are tried three times on transient failures. Retries wait as long as the service asks, but if that's more than 20 s, this rejects
	 * immediately.
	 */
	requestJson<T, R = T>(call: Call, options: CallOptions = {}, { read, empty }: AnswerForm<T, R> = {}): Promise<R> {
		return this.#requestResponse(call, options, reply => {
			const body = reply.body;
			return body === '' && empty !== undefined ? empty : (readJson(body, read) as R);
		});
	}

	/** Returns the bytes of a response that isn't JSON. Retries like {@link requestJson}. */
	requestBytes(call: Call, options: CallOptions = {}): Promise<Bytes> {
		return this.#requestResponse(call, options, ({ headers, bytes }) => ({
			type: (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase(),
			data: bytes,
		}));
	}

	async #requestResponse<R>(asked: Call, options: CallOptions, read: (reply: Reply) => R): Promise<R> {
		const { signal } = options;
		const call = addHeaders(asked, options);
		const checked = this.#checker.checkCall(call);
		const request = this.#builder.buildRequest(checked instanceof Promise ? await checked : checked);
		for (let tries = 1; ; tries++) {
			const started = performance.now();
			const { reply, value, fault, final } = await this.#sendAttempt(request, signal, read);
			this.#reportRequest(call, request, started, reply, fault);
			if (fault === undefined) {
				return value!;
			}
			const delay = fault.retryAfterMs ?? getBackoffMs(tries);
			if (request.method !== 'GET' || tries === getTries || final || !transientReasons.has(fault.reason) || delay > longestPoliteWaitMs) {
				throw fault;
			}
			await waitMilliseconds(delay, signal).catch(() => {
				throw createConnectionFault(new AbortedError(), request.origin, this.#redactor);
			});
		}
	}

	/** Streams the events of a response. The call is checked and sent at the first `next`. */
	streamEvents<T extends object>(rules: StreamRules<T>, call: Call, { signal, priced }: CallOptions = {}): EventStream<T> {
		let opened: { request: WireRequest; started: number } | undefined;
		return new EventStream(rules, {
			redactor: this.#redactor,
			kind: this.#target.kind,
			open: async sink => {
				const checked = this.#checker.checkCall(call);
				const request = this.#builder.buildRequest(checked instanceof Promise ? await checked : checked);
				opened = { request, started: performance.now() };
				return { flow: sendRequest(this.#dispatcher, request, signal, sink), origin: request.origin };
			},
			onStart: headers => {
				const price = readPriceLine(headers[priceHeader]);
				if (price) {
					priced?.(price);
				}
			},
			onClose: ({ status, events, error, requestId }) => {
				if (opened) {
					const { request, started } = opened;
					this.#report({ ...describeCall(call, request, started), status, requestId, events, error });
				}
			},
		});
	}

	/** Returns the request as a shell command, without sending it. */
	async formatCurl(call: Call): Promise<string> {
		return this.#redactor.redactText(formatCurlCommand(await this.#checker.checkCall(call), this.#target));
	}

	/** Aborts all requests and closes all connections. */
	async close(): Promise<void> {
		await this.#opened?.destroy();
	}

	get #dispatcher(): Dispatcher {
		this.#opened ??= this.#open();
		return this.#opened;
	}

	#sendAttempt<T>(request: WireRequest, signal: AbortSignal | undefined, read: (reply: Reply) => T): Promise<Attempt<T>> {
		return new Promise(resolve => {
			const flow = sendRequest(
				this.#dispatcher,
				request,
				signal,
				new ReplyCollector({
					onDone: reply => resolve({ reply, ...this.#readReply(reply, read) }),
					// undici has already retried a request that couldn't be sent
					onFailure: (error, sent) => resolve({ fault: createConnectionFault(error, request.origin, this.#redactor), final: !sent }),
					onTooLong: () => {
						flow.cancel();
						resolve({
							fault: createProtocolFault(localizable`The response is larger than ${longestBody / 1024 / 1024} MB`, this.#redactor),
						});
					},
				}),
			);
		});
	}

	#readReply<T>(reply: Reply, read: (reply: Reply) => T): { value: T } | { fault: ServiceError } {
		const { status, headers } = reply;
		if (status >= 300) {
			return { fault: createHttpFault(status, headers, reply.body, this.#redactor, this.#target.kind) };
		}
		try {
			return { value: read(reply) };
		} catch (error) {
			const text = shortenServiceText(reply.body.trim(), this.#redactor);
			const what =
				text === ''
					? localizable`The service sent an empty response (status ${status})`
					: error instanceof SyntaxError
						? localizable`The response from the service isn't valid JSON (status ${status}): '${text}'`
						: localizable`The response from the service has unexpected content (status ${status}): '${text}'`;
			return { fault: createProtocolFault(what, this.#redactor, { status, requestId: getRequestId(headers) }) };
		}
	}

	#reportRequest(call: Call, request: WireRequest, started: number, reply: Reply | undefined, error: ServiceError | undefined): void {
		const requestId = reply === undefined ? undefined : getRequestId(reply.headers);
		this.#report({
			...describeCall(call, request, started),
			status: reply?.status ?? error?.status,
			requestId: requestId === undefined ? error?.requestId : this.#redactor.redactText(requestId),
			events: undefined,
			error,
		});
	}
}

function describeCall({ operation }: Call, { method, shownPath }: WireRequest, started: number) {
	return { operation, method, path: shownPath, durationMs: performance.now() - started };
}

/** Adds the headers that control the cache and recordings of the built-in gateway. */
function addHeaders(call: Call, { cache, recording }: CallOptions): Call {
	const headers = {
		...(cache && { 'x-agent-workbench-cache': 'on' }),
		...(recording && { [recordingHeader]: encodeURIComponent(JSON.stringify(recording)) }),
	};
	return cache || recording ? { ...call, headers: { ...call.headers, ...headers } } : call;
}
