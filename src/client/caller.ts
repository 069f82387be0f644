import type { IncomingHttpHeaders } from 'node:http';
import type Dispatcher from 'undici/types/dispatcher';
import type { Redactor } from '../network/redaction.ts';
import { isTooDeep } from '../protocol/jsonDepth.ts';
import { priceHeader, readPriceLine, type TokenPrice } from '../protocol/tokenPrice.ts';
import { backoffMs, wait } from './backoff.ts';
import { CallChecker } from './checks.ts';
import { curlCommand } from './curl.ts';
import { shorten } from './errors/errorBodies.ts';
import { connectionFault, httpFault, protocolFault, requestIdOf } from './errors/faults.ts';
import type { ServiceError, ServiceErrorReason } from './errors/serviceError.ts';
import type { Call, Operation } from './operations.ts';
import { RequestBuilder, type Target } from './requestBuilder.ts';
import type { StreamRules } from './streams/eventReader.ts';
import { EventStream } from './streams/eventStream.ts';
import { AbortedError, type ResponseSink, send, type WireRequest } from './transport.ts';

/** What every method of the client takes besides its request. */
export interface CallOptions {
	/** Ends the request: it rejects with reason `aborted`. */
	readonly signal?: AbortSignal | undefined;
	/** Replies of models come from the cache of the service and are kept there, whatever its routes say (built-in gateway). */
	readonly cache?: boolean | undefined;
	/** Hears what the tokens of a stream cost, before its first event, where the service tells (built-in gateway). */
	readonly priced?: ((price: TokenPrice) => void) | undefined;
}

/** What a request was and how it went, for logs; holds no key, no query and no body. */
export interface RequestReport {
	readonly operation: Operation;
	readonly method: string;
	readonly path: string;
	/** Absent where no answer came. */
	readonly status: number | undefined;
	readonly durationMs: number;
	readonly requestId: string | undefined;
	/** Events that came, of a stream. */
	readonly events: number | undefined;
	readonly error: ServiceError | undefined;
}

/** What an answer is made into. */
interface AnswerForm<T, R> {
	readonly read?: (value: T) => R;
	readonly empty?: R;
}

interface Reply {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** How one try went: `value`, or `fault`; `final` if another try cannot help. */
interface Attempt<T> {
	readonly reply?: Reply;
	readonly value?: T;
	readonly fault?: ServiceError;
	readonly final?: boolean;
}

const getTries = 3;
const longestPoliteWaitMs = 20_000;
const longestBody = 256 * 1024 * 1024;
const transientReasons: ReadonlySet<ServiceErrorReason> = new Set(['rate-limited', 'overloaded', 'server', 'network', 'timeout']);

/** Sends calls and reads their answers: JSON as a whole, or events as they come. */
export class Caller {
	readonly #target: Target;
	readonly #checker = new CallChecker();
	readonly #builder: RequestBuilder;
	readonly #dispatcher: () => Dispatcher;
	readonly #redactor: Redactor;
	readonly #report: (report: RequestReport) => void;

	constructor(target: Target, dispatcher: () => Dispatcher, redactor: Redactor, report: (report: RequestReport) => void) {
		this.#target = target;
		this.#builder = new RequestBuilder(target);
		this.#dispatcher = dispatcher;
		this.#redactor = redactor;
		this.#report = report;
	}

	/**
	 * The JSON of an answer, as `read` gives it; `empty` for one without a body. What `read` throws for a value without the form that it
	 * expects, is an error of the protocol like any other. GETs are tried three times on transient failures, no sooner than the service
	 * asks; where it asks for more than 20 s, the error says so at once.
	 */
	async json<T, R = T>(asked: Call, { signal, cache }: CallOptions = {}, { read, empty }: AnswerForm<T, R> = {}): Promise<R> {
		const call = cache ? { ...asked, headers: { ...asked.headers, 'x-agent-workbench-cache': 'on' } } : asked;
		const checked = this.#checker.check(call);
		const request = this.#builder.build(checked instanceof Promise ? await checked : checked);
		for (let tries = 1; ; tries++) {
			const started = performance.now();
			const { reply, value, fault, final } = await this.#attempt<R>(request, signal, body =>
				body === '' && empty !== undefined ? empty : (readJson(body, read) as R),
			);
			this.#tell(call, request, started, reply, fault);
			if (fault === undefined) {
				return value!;
			}
			const delay = fault.retryAfterMs ?? backoffMs(tries);
			if (request.method !== 'GET' || tries === getTries || final || !transientReasons.has(fault.reason) || delay > longestPoliteWaitMs) {
				throw fault;
			}
			await wait(delay, signal).catch(() => {
				throw connectionFault(new AbortedError(), request.origin, this.#redactor);
			});
		}
	}

	/** The events of an answer. The call is checked and sent at the first `next`. */
	stream<T extends object>(rules: StreamRules<T>, call: Call, { signal, priced }: CallOptions = {}): EventStream<T> {
		let opened: { request: WireRequest; started: number } | undefined;
		return new EventStream(rules, {
			redactor: this.#redactor,
			open: async sink => {
				const checked = this.#checker.check(call);
				const request = this.#builder.build(checked instanceof Promise ? await checked : checked);
				opened = { request, started: performance.now() };
				return { flow: send(this.#dispatcher(), request, signal, sink), origin: request.origin };
			},
			started: headers => {
				const price = readPriceLine(headers[priceHeader]);
				if (price) {
					priced?.(price);
				}
			},
			closed: ({ status, events, error, requestId }) => {
				if (opened) {
					const { request, started } = opened;
					this.#report({ ...described(call, request, started), status, requestId, events, error });
				}
			},
		});
	}

	/** What would be sent, as a command; nothing is sent. */
	async curl(call: Call): Promise<string> {
		return this.#redactor.text(curlCommand(await this.#checker.check(call), this.#target));
	}

	#attempt<T>(request: WireRequest, signal: AbortSignal | undefined, read: (body: string) => T): Promise<Attempt<T>> {
		return new Promise(resolve => {
			const flow = send(
				this.#dispatcher(),
				request,
				signal,
				new Collector({
					done: reply => resolve({ reply, ...this.#read(reply, read) }),
					// what could not be sent has been tried again already
					failed: (error, sent) => resolve({ fault: connectionFault(error, request.origin, this.#redactor), final: !sent }),
					tooLong: () => {
						flow.cancel();
						resolve({ fault: protocolFault(`The answer is longer than ${longestBody} bytes`, this.#redactor) });
					},
				}),
			);
		});
	}

	#read<T>({ status, headers, body }: Reply, read: (body: string) => T): { value: T } | { fault: ServiceError } {
		if (status >= 300) {
			return { fault: httpFault(status, headers, body, this.#redactor) };
		}
		try {
			return { value: read(body) };
		} catch (error) {
			const excerpt = body.trim() === '' ? 'nothing' : `"${shorten(body.trim())}"`;
			const expected = error instanceof SyntaxError ? 'JSON' : 'the answer that the contract has for this request';
			const what = `The service answered ${status} with ${excerpt} where ${expected} was expected`;
			return { fault: protocolFault(what, this.#redactor, { status, requestId: requestIdOf(headers) }) };
		}
	}

	#tell(call: Call, request: WireRequest, started: number, reply: Reply | undefined, error: ServiceError | undefined): void {
		const requestId = reply === undefined ? undefined : requestIdOf(reply.headers);
		this.#report({
			...described(call, request, started),
			status: reply?.status ?? error?.status,
			requestId: requestId === undefined ? error?.requestId : this.#redactor.text(requestId),
			events: undefined,
			error,
		});
	}
}

/** @throws {SyntaxError} for what is no JSON object or array, and what `read` throws */
function readJson<T, R>(body: string, read: ((value: T) => R) | undefined): T | R {
	const value: unknown = JSON.parse(body);
	if (typeof value !== 'object' || value === null) {
		throw new SyntaxError('neither an object nor a list');
	}
	if (isTooDeep(body, value)) {
		throw new TypeError('nested too deeply');
	}
	return read ? read(value as T) : (value as T);
}

function described({ operation }: Call, { method, shownPath }: WireRequest, started: number) {
	return { operation, method, path: shownPath, durationMs: performance.now() - started };
}

interface CollectorEvents {
	done(reply: Reply): void;
	failed(error: Error, sent: boolean): void;
	tooLong(): void;
}

class Collector implements ResponseSink {
	readonly #events: CollectorEvents;
	readonly #chunks: Buffer[] = [];
	#status = 0;
	#headers: IncomingHttpHeaders = {};
	#bytes = 0;

	constructor(events: CollectorEvents) {
		this.#events = events;
	}

	start(status: number, headers: IncomingHttpHeaders): void {
		this.#status = status;
		this.#headers = headers;
	}

	data(chunk: Buffer): void {
		this.#chunks.push(chunk);
		this.#bytes += chunk.length;
		if (this.#bytes > longestBody) {
			this.#events.tooLong();
		}
	}

	end(): void {
		const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#bytes);
		this.#events.done({ status: this.#status, headers: this.#headers, body: bytes.toString() });
	}

	fail(error: Error, sent: boolean): void {
		this.#events.failed(error, sent);
	}
}
