import type Dispatcher from 'undici/types/dispatcher';
import { proxyPasswords } from '../../../network/proxies.ts';
import { backoffMs, wait } from '../../backoff.ts';
import type { CallOptions, RequestReport } from '../../caller.ts';
import { shorten } from '../../errors/errorBodies.ts';
import { connectionFault, protocolFault, requestIdOf } from '../../errors/faults.ts';
import { ServiceError, type ServiceErrorReason } from '../../errors/serviceError.ts';
import type { NetworkOptions, Timeouts } from '../../networkOptions.ts';
import { longestBody, type Reply, ReplyCollector, readJson } from '../../replyCollector.ts';
import { completeTimeouts } from '../../requestBuilder.ts';
import { openDispatcher } from '../../serviceTarget.ts';
import type { StreamRules } from '../../streams/eventReader.ts';
import { EventStream } from '../../streams/eventStream.ts';
import { AbortedError, type Flow, type ResponseSink, send, type WireRequest } from '../../transport.ts';
import type { Ask, Credentials } from './credentials.ts';
import { managementFault } from './managementFaults.ts';
import { type MadeRequest, type ManagementPurpose, type ManagementRequest, made } from './managementRequest.ts';
import { Pace } from './pace.ts';
import type { SignInSecrets } from './signInSecrets.ts';
import { StreamHead } from './streamHead.ts';
import { Turns } from './turns.ts';

/** What a request of the management was and how it went, for logs; holds no token, no query and no body. */
export type ManagementReport = RequestReport<ManagementPurpose>;

/** Whom requests go to, and how. */
export interface ManagementTarget {
	readonly origin: string;
	readonly network?: NetworkOptions | undefined;
	/** Hears of every request when it is over, each try of a retried one. */
	readonly onRequest?: ((report: ManagementReport) => void) | undefined;
	/** Ends everything. */
	readonly signal?: AbortSignal | undefined;
	/** Requests that the deployment takes in a minute; default no limit. */
	readonly perMinute?: number;
}

const getTries = 3;
const longestPoliteWaitMs = 60_000;
const transientReasons: ReadonlySet<ServiceErrorReason> = new Set(['rate-limited', 'overloaded', 'server', 'network', 'timeout']);

/**
 * Sends the requests of the management, one after another and no faster than the deployment allows. GETs are tried three times on transient failures.
 * What else is refused before anything was done of it (a stale catalog, a token that has just ended) is sent once more, and nothing ever whose answer
 * was lost.
 */
export class ManagementRequests {
	readonly secrets: SignInSecrets;
	readonly #target: ManagementTarget;
	readonly #credentials: Credentials;
	readonly #timeouts: Timeouts;
	readonly #pace: Pace;
	readonly #turns = new Turns();
	#dispatcher: Dispatcher | undefined;

	constructor(target: ManagementTarget, credentials: Credentials, secrets: SignInSecrets) {
		this.#target = target;
		this.#credentials = credentials;
		this.#timeouts = completeTimeouts(target.network?.timeouts);
		this.#pace = new Pace(target.perMinute ?? Number.POSITIVE_INFINITY);
		this.secrets = secrets;
		secrets.add(...proxyPasswords(target.network ?? {}));
	}

	/** The JSON of an answer, as `read` gives it; an answer without a body is `{}`. What `read` throws is an error of the protocol. */
	async json<T, R = T>(request: MadeRequest, options: CallOptions | undefined, read?: (value: T, reply: Reply) => R): Promise<R> {
		return this.read(await this.reply(request, options), made(request), read);
	}

	/** {@link json} of an answer that is there already. */
	read<T, R = T>(reply: Reply, request: ManagementRequest, read?: (value: T, reply: Reply) => R): R {
		try {
			const body = reply.body.trim() === '' ? '{}' : reply.body;
			return readJson<T, R>(body, value => (read ? read(value, reply) : (value as unknown as R))) as R;
		} catch (error) {
			if (error instanceof ServiceError) {
				throw error;
			}
			throw this.#unexpected(reply, request, error instanceof SyntaxError ? 'JSON' : 'something else');
		}
	}

	/** A whole answer: a success, or one of the statuses that the request takes for answers. */
	async reply(wanted: MadeRequest, options: CallOptions = {}): Promise<Reply> {
		const signal = this.#signal(options);
		const begin = (request: ManagementRequest, headers: Headers) => this.#exchange(request, headers, signal);
		for (let tries = 1; ; tries++) {
			try {
				return await this.#asked(wanted, signal, begin, (reply, request) => (isAnswer(reply.status, request) ? undefined : reply));
			} catch (error) {
				const fault = error as ServiceError;
				const delay = fault.retryAfterMs ?? backoffMs(tries);
				if (made(wanted).method !== 'GET' || tries === getTries || !transientReasons.has(fault.reason) || delay > longestPoliteWaitMs) {
					throw fault;
				}
				await this.#wait(delay, signal);
			}
		}
	}

	/** Events of an answer. The request is made and sent at the first `next`. */
	stream<T extends object>(rules: StreamRules<T>, prepared: () => Promise<MadeRequest>, options: CallOptions = {}): EventStream<T> {
		const signal = this.#signal(options);
		let opened: { request: ManagementRequest; started: number } | undefined;
		return new EventStream(rules, {
			redactor: this.secrets,
			open: async sink => {
				const wanted = await prepared();
				const begin = (request: ManagementRequest, headers: Headers) => {
					opened = { request, started: performance.now() };
					return this.#open(request, headers, sink, signal);
				};
				const flow = await this.#asked(wanted, signal, begin, answer => ('body' in answer ? answer : undefined));
				return { flow: flow as Flow, origin: this.#target.origin };
			},
			closed: outcome => {
				// what was refused or never answered has been told of
				if (opened && outcome.status !== undefined) {
					this.#tell(opened.request, opened.started, outcome);
				}
			},
		});
	}

	/** The error that an answer means; a success that is none of those that were expected is an error of the protocol. */
	fault(reply: Reply, request: ManagementRequest): ServiceError {
		return reply.status < 300 ? this.#unexpected(reply, request, 'something else') : managementFault(reply, request, this.secrets);
	}

	#unexpected(reply: Reply, request: ManagementRequest, expected: string): ServiceError {
		const what = `Dify answered ${reply.status} to ${request.method} ${request.shownPath ?? request.path} with "${shorten(reply.body.trim())}"`;
		const details = { status: reply.status, requestId: requestIdOf(reply.headers) };
		return protocolFault(`${what}, where ${expected} was expected`, this.secrets, details);
	}

	/** Lets go of its connections. */
	async close(): Promise<void> {
		await this.#dispatcher?.destroy();
	}

	/** Gets what the credentials need to be sent at all. */
	async ready(options: CallOptions = {}): Promise<void> {
		await this.#turn(this.#signal(options), ask => this.#credentials.headers(ask));
	}

	/** Sends, and once more, made anew, where the credentials could do something about a refusal. */
	async #asked<T>(
		wanted: MadeRequest,
		signal: AbortSignal | undefined,
		begin: (request: ManagementRequest, headers: Headers) => Promise<T>,
		refusalOf: (answer: T, request: ManagementRequest) => Reply | undefined,
	): Promise<T> {
		for (let tries = 1; ; tries++) {
			const request = made(wanted);
			const { answer: begun, headers } = await this.#begun(request, signal, begin);
			const answer = await begun;
			const refusal = refusalOf(answer, request);
			if (refusal === undefined) {
				return answer;
			}
			if (tries > 1 || !(await this.#turn(signal, ask => this.#credentials.refused(refusal, headers, ask)))) {
				throw this.fault(refusal, request);
			}
		}
	}

	/** The turn is over when the answer is there, or, of what works, when the request has left. */
	#begun<T>(
		request: ManagementRequest,
		signal: AbortSignal | undefined,
		begin: (request: ManagementRequest, headers: Headers) => Promise<T>,
	): Promise<{ readonly answer: Promise<T>; readonly headers: Headers }> {
		return this.#turn(signal, async ask => {
			const headers = await this.#credentials.headers(ask);
			await this.#paced(signal);
			const answer = begin(request, headers);
			const settled = answer.then(
				() => undefined,
				() => undefined,
			);
			if (!request.works) {
				await settled;
			}
			// within an object: a promise alone would be waited for
			return { answer, headers };
		});
	}

	#turn<T>(signal: AbortSignal | undefined, work: (ask: Ask) => Promise<T>): Promise<T> {
		const ask: Ask = async (request, headers = {}) => {
			await this.#paced(signal);
			return this.#exchange(request, headers, signal);
		};
		return this.#turns.take(
			() => work(ask),
			signal,
			() => this.#aborted(),
		);
	}

	async #paced(signal: AbortSignal | undefined): Promise<void> {
		for (let waits = this.#pace.take(); waits > 0; waits = this.#pace.take()) {
			await this.#wait(waits, signal);
		}
	}

	#exchange(request: ManagementRequest, headers: Headers, signal: AbortSignal | undefined): Promise<Reply> {
		const started = performance.now();
		return new Promise((resolve, reject) => {
			const failed = (error: ServiceError) => {
				this.#tell(request, started, { error });
				reject(error);
			};
			const flow = send(
				this.#connections(),
				this.#wire(request, headers),
				signal,
				new ReplyCollector({
					done: reply => resolve(this.#answered(request, started, reply)),
					failed: error => failed(connectionFault(error, this.#target.origin, this.secrets)),
					tooLong: () => {
						flow.cancel();
						failed(tooLong(this.secrets));
					},
				}),
			);
		});
	}

	/** The flow of a stream that begins, or the whole answer of a refusal. */
	#open(request: ManagementRequest, headers: Headers, sink: ResponseSink, signal: AbortSignal | undefined): Promise<Flow | Reply> {
		const started = performance.now();
		return new Promise((resolve, reject) => {
			const failed = (error: ServiceError) => {
				this.#tell(request, started, { error });
				reject(error);
			};
			const flow = send(
				this.#connections(),
				this.#wire(request, { ...headers, accept: 'text/event-stream' }, true),
				signal,
				new StreamHead(sink, {
					begins: () => resolve(flow),
					done: reply => resolve(this.#answered(request, started, reply)),
					failed: error => failed(connectionFault(error, this.#target.origin, this.secrets)),
					tooLong: () => {
						flow.cancel();
						failed(tooLong(this.secrets));
					},
				}),
			);
		});
	}

	#answered(request: ManagementRequest, started: number, reply: Reply): Reply {
		const { status, headers } = reply;
		const error = isAnswer(status, request) ? undefined : this.fault(reply, request);
		if (status === 429) {
			this.#pace.hold(this.fault(reply, request).retryAfterMs ?? 0);
		}
		const requestId = requestIdOf(headers);
		this.#tell(request, started, { status, error, requestId: requestId === undefined ? undefined : this.secrets.text(requestId) });
		return reply;
	}

	#wire({ method, path, shownPath, query, body, works }: ManagementRequest, credentials: Headers, stream = false): WireRequest {
		const search = new URLSearchParams();
		for (const [name, value] of Object.entries(query ?? {})) {
			if (value !== undefined) {
				search.append(name, String(value));
			}
		}
		const headers: Headers = {
			accept: 'application/json',
			'accept-encoding': 'identity',
			'user-agent': 'agent-workbench',
			...credentials,
			...(body !== undefined && { 'content-type': 'application/json' }),
		};
		return {
			origin: this.#target.origin,
			method,
			path: search.size === 0 ? path : `${path}?${search}`,
			shownPath: shownPath ?? path,
			headers: Object.entries(headers).flat(),
			body: body === undefined ? undefined : JSON.stringify(body),
			headersTimeout: works ? this.#timeouts.work : this.#timeouts.reply,
			bodyTimeout: stream ? this.#timeouts.idle : this.#timeouts.work,
		};
	}

	#tell(request: ManagementRequest, started: number, outcome: Partial<Outcome>): void {
		const { purpose: operation, method, path, shownPath } = request;
		const { status, requestId, events, error } = outcome;
		this.#target.onRequest?.({
			operation,
			method,
			path: this.secrets.text(shownPath ?? path),
			status: status ?? error?.status,
			durationMs: performance.now() - started,
			requestId: requestId ?? error?.requestId,
			events,
			error,
		});
	}

	#connections(): Dispatcher {
		this.#dispatcher ??= openDispatcher({ baseUrl: new URL(this.#target.origin), timeouts: this.#timeouts }, this.#target.network ?? {});
		return this.#dispatcher;
	}

	#signal({ signal }: CallOptions): AbortSignal | undefined {
		const ends = this.#target.signal;
		return signal && ends ? AbortSignal.any([signal, ends]) : (signal ?? ends);
	}

	async #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
		await wait(ms, signal).catch(() => {
			throw this.#aborted();
		});
	}

	#aborted(): ServiceError {
		return connectionFault(new AbortedError(), this.#target.origin, this.secrets);
	}
}

type Headers = Readonly<Record<string, string>>;
type Outcome = Pick<ManagementReport, 'status' | 'requestId' | 'events' | 'error'>;

function isAnswer(status: number, { answers }: ManagementRequest): boolean {
	return status < 300 || answers?.includes(status) === true;
}

function tooLong(secrets: SignInSecrets): ServiceError {
	return protocolFault(`The answer is longer than ${longestBody} bytes`, secrets);
}
