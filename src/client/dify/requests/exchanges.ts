import type Dispatcher from 'undici/types/dispatcher';
import { localizable } from '#base/text/localizableMessage.ts';
import type { RequestReport } from '../../caller.ts';
import { createConnectionFault, createProtocolFault, getRequestId } from '../../errors/faults.ts';
import type { ServiceError } from '../../errors/serviceError.ts';
import type { NetworkOptions, Timeouts } from '../../networkOptions.ts';
import { longestBody, type Reply, ReplyCollector } from '../../replyCollector.ts';
import { completeTimeouts } from '../../requestBuilder.ts';
import { openDispatcher } from '../../serviceTarget.ts';
import { type Flow, type ResponseSink, sendRequest, type WireRequest } from '../../transport.ts';
import { createManagementFault } from './managementFaults.ts';
import type { ManagementPurpose, ManagementRequest } from './managementRequest.ts';
import type { SignInSecrets } from './signInSecrets.ts';
import { StreamHead } from './streamHead.ts';

/** A management request and its outcome, for logs. Contains no token, query or body. */
export type ManagementReport = RequestReport<ManagementPurpose>;

/** Target of management requests. */
export interface ManagementTarget {
	readonly origin: string;
	readonly network?: NetworkOptions | undefined;
	/** Called after every request, including each retry. */
	readonly onRequest?: ((report: ManagementReport) => void) | undefined;
	/** Aborts all requests. */
	readonly signal?: AbortSignal | undefined;
	/** Maximum number of requests per minute; default no limit. */
	readonly perMinute?: number;
}

/** Request headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

type Outcome = Pick<ManagementReport, 'status' | 'requestId' | 'events' | 'error'>;

/** Sends single requests and reads their responses, without queuing or credentials. */
export class Exchanges {
	readonly #target: ManagementTarget;
	readonly #secrets: SignInSecrets;
	readonly #hold: (ms: number) => void;
	readonly #timeouts: Timeouts;
	#dispatcher: Dispatcher | undefined;

	/** @param hold called with the milliseconds for which the deployment wants no requests */
	constructor(target: ManagementTarget, secrets: SignInSecrets, hold: (ms: number) => void) {
		this.#target = target;
		this.#secrets = secrets;
		this.#hold = hold;
		this.#timeouts = completeTimeouts(target.network?.timeouts);
	}

	/** Closes its connections. */
	async close(): Promise<void> {
		await this.#dispatcher?.destroy();
	}

	/** Returns a complete response with any status; rejects if none came. */
	requestReply(request: ManagementRequest, headers: Headers, signal: AbortSignal | undefined): Promise<Reply> {
		const started = performance.now();
		return new Promise((resolve, reject) => {
			const onFailure = (error: ServiceError) => {
				this.reportOutcome(request, started, { error });
				reject(error);
			};
			const flow = sendRequest(
				this.#getDispatcher(),
				this.#toWireRequest(request, headers),
				signal,
				new ReplyCollector({
					onDone: reply => resolve(this.#onReply(request, started, reply)),
					onFailure: error => onFailure(createConnectionFault(error, this.#target.origin, this.#secrets)),
					onTooLong: () => {
						flow.cancel();
						onFailure(createTooLongError(this.#secrets));
					},
				}),
			);
		});
	}

	/** Starts a stream. Resolves to its flow, or to the complete response if the request is refused. */
	openStream(request: ManagementRequest, headers: Headers, sink: ResponseSink, signal: AbortSignal | undefined): Promise<Flow | Reply> {
		const started = performance.now();
		return new Promise((resolve, reject) => {
			const onFailure = (error: ServiceError) => {
				this.reportOutcome(request, started, { error });
				reject(error);
			};
			const flow = sendRequest(
				this.#getDispatcher(),
				this.#toWireRequest(request, { ...headers, accept: 'text/event-stream' }, true),
				signal,
				new StreamHead(sink, {
					onBegin: () => resolve(flow),
					onDone: reply => resolve(this.#onReply(request, started, reply)),
					onFailure: error => onFailure(createConnectionFault(error, this.#target.origin, this.#secrets)),
					onTooLong: () => {
						flow.cancel();
						onFailure(createTooLongError(this.#secrets));
					},
				}),
			);
		});
	}

	#onReply(request: ManagementRequest, started: number, reply: Reply): Reply {
		const { status, headers } = reply;
		const error = isExpectedStatus(status, request) ? undefined : createManagementFault(reply, request, this.#secrets);
		if (status === 429) {
			this.#hold(createManagementFault(reply, request, this.#secrets).retryAfterMs ?? 0);
		}
		const requestId = getRequestId(headers);
		this.reportOutcome(request, started, {
			status,
			error,
			requestId: requestId === undefined ? undefined : this.#secrets.redactText(requestId),
		});
		return reply;
	}

	#toWireRequest({ method, path, shownPath, query, body, works }: ManagementRequest, credentials: Headers, stream = false): WireRequest {
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
			stream,
			bodyTimeout: stream ? this.#timeouts.idle : this.#timeouts.work,
			silenceTimeout: stream ? this.#timeouts.idle : works ? this.#timeouts.work : this.#timeouts.reply,
		};
	}

	/** Reports a request's outcome to the listener. */
	reportOutcome(request: ManagementRequest, started: number, outcome: Partial<Outcome>): void {
		const { purpose: operation, method, path, shownPath } = request;
		const { status, requestId, events, error } = outcome;
		this.#target.onRequest?.({
			operation,
			method,
			path: this.#secrets.redactText(shownPath ?? path),
			status: status ?? error?.status,
			durationMs: performance.now() - started,
			requestId: requestId ?? error?.requestId,
			events,
			error,
		});
	}

	#getDispatcher(): Dispatcher {
		this.#dispatcher ??= openDispatcher({ baseUrl: new URL(this.#target.origin), timeouts: this.#timeouts }, this.#target.network ?? {});
		return this.#dispatcher;
	}
}

/** True if the caller handles this status as a response rather than an error. */
export function isExpectedStatus(status: number, { answers }: ManagementRequest): boolean {
	return status < 300 || answers?.includes(status) === true;
}

function createTooLongError(secrets: SignInSecrets): ServiceError {
	return createProtocolFault(localizable`The response is larger than ${longestBody / 1024 / 1024} MB`, secrets);
}
