import type { IncomingHttpHeaders } from 'node:http';
import type Dispatcher from 'undici/types/dispatcher';
import { backoffMs, wait } from './backoff.ts';
import { CallChecker } from './checks.ts';
import { curlCommand } from './curl.ts';
import { shorten } from './errorBodies.ts';
import type { StreamRules } from './eventReader.ts';
import { EventStream } from './eventStream.ts';
import { connectionFault, httpFault, protocolFault, requestIdOf } from './faults.ts';
import type { Call, Operation } from './operations.ts';
import type { Redactor } from './redaction.ts';
import { RequestBuilder, type Target } from './requestBuilder.ts';
import type { ServiceError, ServiceErrorReason } from './serviceError.ts';
import { AbortedError, type ResponseSink, send, type WireRequest } from './transport.ts';

/** What every method of the client takes besides its request. */
export interface CallOptions {
	/** Ends the request: it rejects with reason `aborted`. */
	readonly signal?: AbortSignal | undefined;
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
	 * The JSON of an answer; `empty` for one without a body. GETs are tried three times on transient failures, no sooner than the service
	 * asks; where it asks for more than 20 s, the error says so at once.
	 */
	async json<T>(call: Call, { signal }: CallOptions = {}, empty?: T): Promise<T> {
		const checked = this.#checker.check(call);
		const request = this.#builder.build(checked instanceof Promise ? await checked : checked);
		for (let tries = 1; ; tries++) {
			const started = performance.now();
			const { reply, value, fault, final } = await this.#attempt(request, signal, empty);
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
	stream<T extends object>(rules: StreamRules<T>, call: Call, { signal }: CallOptions = {}): EventStream<T> {
		let opened: { request: WireRequest; started: number } | undefined;
		return new EventStream(rules, {
			redactor: this.#redactor,
			open: async sink => {
				const checked = this.#checker.check(call);
				const request = this.#builder.build(checked instanceof Promise ? await checked : checked);
				opened = { request, started: performance.now() };
				return { flow: send(this.#dispatcher(), request, signal, sink), origin: request.origin };
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

	#attempt<T>(request: WireRequest, signal: AbortSignal | undefined, empty: T | undefined): Promise<Attempt<T>> {
		return new Promise(resolve => {
			const flow = send(
				this.#dispatcher(),
				request,
				signal,
				new Collector({
					done: reply => resolve({ reply, ...this.#read(reply, empty) }),
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

	#read<T>({ status, headers, body }: Reply, empty: T | undefined): { value: T } | { fault: ServiceError } {
		if (status >= 300) {
			return { fault: httpFault(status, headers, body, this.#redactor) };
		}
		if (body === '' && empty !== undefined) {
			return { value: empty };
		}
		let value: unknown;
		try {
			value = JSON.parse(body);
		} catch {}
		if (typeof value === 'object' && value !== null) {
			return { value: value as T };
		}
		const excerpt = body.trim() === '' ? 'nothing' : `"${shorten(body.trim())}"`;
		const what = `The service answered ${status} with ${excerpt} where JSON was expected`;
		return { fault: protocolFault(what, this.#redactor, { status, requestId: requestIdOf(headers) }) };
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
