import type Dispatcher from 'undici/types/dispatcher';
import type { RequestReport } from '../../caller.ts';
import { connectionFault, protocolFault, requestIdOf } from '../../errors/faults.ts';
import type { ServiceError } from '../../errors/serviceError.ts';
import type { NetworkOptions, Timeouts } from '../../networkOptions.ts';
import { longestBody, type Reply, ReplyCollector } from '../../replyCollector.ts';
import { completeTimeouts } from '../../requestBuilder.ts';
import { openDispatcher } from '../../serviceTarget.ts';
import { type Flow, type ResponseSink, send, type WireRequest } from '../../transport.ts';
import { managementFault } from './managementFaults.ts';
import type { ManagementPurpose, ManagementRequest } from './managementRequest.ts';
import type { SignInSecrets } from './signInSecrets.ts';
import { StreamHead } from './streamHead.ts';

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

/** Headers of a request by their names in lower case. */
export type Headers = Readonly<Record<string, string>>;

type Outcome = Pick<ManagementReport, 'status' | 'requestId' | 'events' | 'error'>;

/** Single requests over the wire and what came of each; knows nothing of turns and credentials. */
export class Exchanges {
	readonly #target: ManagementTarget;
	readonly #secrets: SignInSecrets;
	readonly #hold: (ms: number) => void;
	readonly #timeouts: Timeouts;
	#dispatcher: Dispatcher | undefined;

	/** @param hold is told for how many milliseconds a deployment wants no requests */
	constructor(target: ManagementTarget, secrets: SignInSecrets, hold: (ms: number) => void) {
		this.#target = target;
		this.#secrets = secrets;
		this.#hold = hold;
		this.#timeouts = completeTimeouts(target.network?.timeouts);
	}

	/** Lets go of its connections. */
	async close(): Promise<void> {
		await this.#dispatcher?.destroy();
	}

	/** A whole answer of whatever status; rejects where none came. */
	whole(request: ManagementRequest, headers: Headers, signal: AbortSignal | undefined): Promise<Reply> {
		const started = performance.now();
		return new Promise((resolve, reject) => {
			const failed = (error: ServiceError) => {
				this.tell(request, started, { error });
				reject(error);
			};
			const flow = send(
				this.#connections(),
				this.#wire(request, headers),
				signal,
				new ReplyCollector({
					done: reply => resolve(this.#answered(request, started, reply)),
					failed: error => failed(connectionFault(error, this.#target.origin, this.#secrets)),
					tooLong: () => {
						flow.cancel();
						failed(tooLong(this.#secrets));
					},
				}),
			);
		});
	}

	/** The flow of a stream that begins, or the whole answer of a refusal. */
	stream(request: ManagementRequest, headers: Headers, sink: ResponseSink, signal: AbortSignal | undefined): Promise<Flow | Reply> {
		const started = performance.now();
		return new Promise((resolve, reject) => {
			const failed = (error: ServiceError) => {
				this.tell(request, started, { error });
				reject(error);
			};
			const flow = send(
				this.#connections(),
				this.#wire(request, { ...headers, accept: 'text/event-stream' }, true),
				signal,
				new StreamHead(sink, {
					begins: () => resolve(flow),
					done: reply => resolve(this.#answered(request, started, reply)),
					failed: error => failed(connectionFault(error, this.#target.origin, this.#secrets)),
					tooLong: () => {
						flow.cancel();
						failed(tooLong(this.#secrets));
					},
				}),
			);
		});
	}

	#answered(request: ManagementRequest, started: number, reply: Reply): Reply {
		const { status, headers } = reply;
		const error = isAnswer(status, request) ? undefined : managementFault(reply, request, this.#secrets);
		if (status === 429) {
			this.#hold(managementFault(reply, request, this.#secrets).retryAfterMs ?? 0);
		}
		const requestId = requestIdOf(headers);
		this.tell(request, started, { status, error, requestId: requestId === undefined ? undefined : this.#secrets.text(requestId) });
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

	/** Tells whoever listens how a request went. */
	tell(request: ManagementRequest, started: number, outcome: Partial<Outcome>): void {
		const { purpose: operation, method, path, shownPath } = request;
		const { status, requestId, events, error } = outcome;
		this.#target.onRequest?.({
			operation,
			method,
			path: this.#secrets.text(shownPath ?? path),
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
}

/** Whether a status is one that whoever asks reads as an answer. */
export function isAnswer(status: number, { answers }: ManagementRequest): boolean {
	return status < 300 || answers?.includes(status) === true;
}

function tooLong(secrets: SignInSecrets): ServiceError {
	return protocolFault(`The answer is longer than ${longestBody} bytes`, secrets);
}
