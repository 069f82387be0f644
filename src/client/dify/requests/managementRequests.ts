import { localizable } from '#base/text/localizableMessage.ts';
import { listProxyPasswords } from '#network/proxies.ts';
import { getBackoffMs, waitMilliseconds } from '../../backoff.ts';
import type { CallOptions } from '../../caller.ts';
import { shortenServiceText } from '../../errors/errorBodies.ts';
import { createConnectionFault, createProtocolFault, getRequestId } from '../../errors/faults.ts';
import { ServiceError, type ServiceErrorReason } from '../../errors/serviceError.ts';
import { type Reply, readJson } from '../../replyCollector.ts';
import type { StreamRules } from '../../streams/eventReader.ts';
import { EventStream } from '../../streams/eventStream.ts';
import { AbortedError, type Flow } from '../../transport.ts';
import type { Ask, Credentials } from './credentials.ts';
import { Exchanges, type Headers, isExpectedStatus, type ManagementTarget } from './exchanges.ts';
import { createManagementFault } from './managementFaults.ts';
import { type MadeRequest, type ManagementRequest, resolveRequest } from './managementRequest.ts';
import { Pace } from './pace.ts';
import type { SignInSecrets } from './signInSecrets.ts';
import { SerialQueue } from './turns.ts';

const getTries = 3;
const longestPoliteWaitMs = 60_000;
const transientReasons: ReadonlySet<ServiceErrorReason> = new Set(['rate-limited', 'overloaded', 'server', 'network', 'timeout']);

/**
 * Sends management requests one after another, no faster than the deployment allows. GETs are tried three times on transient failures.
 * Other requests are sent again once if they were refused before any work was done (outdated catalog, expired token), and never if the
 * response was lost.
 */
export class ManagementRequests {
	readonly secrets: SignInSecrets;
	readonly #target: ManagementTarget;
	readonly #credentials: Credentials;
	readonly #pace: Pace;
	readonly #turns = new SerialQueue();
	readonly #exchanges: Exchanges;

	constructor(target: ManagementTarget, credentials: Credentials, secrets: SignInSecrets) {
		this.#target = target;
		this.#credentials = credentials;
		this.#pace = new Pace(target.perMinute ?? Number.POSITIVE_INFINITY);
		this.secrets = secrets;
		this.#exchanges = new Exchanges(target, secrets, ms => this.#pace.blockRequests(ms));
		secrets.add(...listProxyPasswords(target.network ?? {}));
	}

	/** Reads a JSON response with `read`; a response without a body is `{}`. Errors thrown by `read` become protocol errors. */
	async requestJson<T, R = T>(request: MadeRequest, options: CallOptions | undefined, read?: (value: T, reply: Reply) => R): Promise<R> {
		return this.readReply(await this.requestReply(request, options), resolveRequest(request), read);
	}

	/** Like {@link requestJson}, for a response that has already been received. */
	readReply<T, R = T>(reply: Reply, request: ManagementRequest, read?: (value: T, reply: Reply) => R): R {
		try {
			const body = reply.body.trim() === '' ? '{}' : reply.body;
			return readJson<T, R>(body, value => (read ? read(value, reply) : (value as unknown as R))) as R;
		} catch (error) {
			if (error instanceof ServiceError) {
				throw error;
			}
			throw this.#createUnexpectedError(reply, request, error instanceof SyntaxError);
		}
	}

	/** Returns a complete response: a success, or one of the statuses that the request accepts. */
	async requestReply(wanted: MadeRequest, options: CallOptions = {}): Promise<Reply> {
		const signal = this.#combineSignals(options);
		const sendForReply = (request: ManagementRequest, headers: Headers) => this.#exchanges.requestReply(request, headers, signal);
		for (let tries = 1; ; tries++) {
			try {
				return await this.#requestWithRetry(wanted, signal, sendForReply, (reply, request) =>
					isExpectedStatus(reply.status, request) ? undefined : reply,
				);
			} catch (error) {
				const fault = error as ServiceError;
				const delay = fault.retryAfterMs ?? getBackoffMs(tries);
				if (
					resolveRequest(wanted).method !== 'GET' ||
					tries === getTries ||
					!transientReasons.has(fault.reason) ||
					delay > longestPoliteWaitMs
				) {
					throw fault;
				}
				await this.#waitMilliseconds(delay, signal);
			}
		}
	}

	/** Streams the events of a response. The request is built and sent at the first `next`. */
	streamEvents<T extends object>(rules: StreamRules<T>, prepared: () => Promise<MadeRequest>, options: CallOptions = {}): EventStream<T> {
		const signal = this.#combineSignals(options);
		let opened: { request: ManagementRequest; started: number } | undefined;
		return new EventStream(rules, {
			redactor: this.secrets,
			open: async sink => {
				const wanted = await prepared();
				const begin = (request: ManagementRequest, headers: Headers) => {
					opened = { request, started: performance.now() };
					return this.#exchanges.openStream(request, headers, sink, signal);
				};
				const flow = await this.#requestWithRetry(wanted, signal, begin, answer => ('body' in answer ? answer : undefined));
				return { flow: flow as Flow, origin: this.#target.origin };
			},
			onClose: outcome => {
				// requests that were refused or got no response are already reported
				if (opened && outcome.status !== undefined) {
					this.#exchanges.reportOutcome(opened.request, opened.started, outcome);
				}
			},
		});
	}

	/** Creates the error for a response; an unexpected success is a protocol error. */
	createFault(reply: Reply, request: ManagementRequest): ServiceError {
		return reply.status < 300 ? this.#createUnexpectedError(reply, request, false) : createManagementFault(reply, request, this.secrets);
	}

	#createUnexpectedError(
		{ status, headers, body }: Reply,
		{ method, shownPath, path }: ManagementRequest,
		isBadJson: boolean,
	): ServiceError {
		const text = shortenServiceText(body.trim(), this.secrets);
		const what = isBadJson
			? localizable`Dify's response to ${method} ${shownPath ?? path} isn't valid JSON (status ${status}): '${text}'`
			: localizable`Dify's response to ${method} ${shownPath ?? path} has unexpected content (status ${status}): '${text}'`;
		return createProtocolFault(what, this.secrets, { status, requestId: getRequestId(headers) });
	}

	/** Closes its connections. */
	async close(): Promise<void> {
		await this.#exchanges.close();
	}

	/** Gets the credentials if they are missing. */
	async prepareCredentials(options: CallOptions = {}): Promise<void> {
		await this.#runInTurn(this.#combineSignals(options), ask => this.#credentials.getHeaders(ask));
	}

	/** Sends a request, and again with rebuilt headers if the credentials could be renewed. */
	async #requestWithRetry<T>(
		wanted: MadeRequest,
		signal: AbortSignal | undefined,
		begin: (request: ManagementRequest, headers: Headers) => Promise<T>,
		refusalOf: (answer: T, request: ManagementRequest) => Reply | undefined,
	): Promise<T> {
		for (let tries = 1; ; tries++) {
			const request = resolveRequest(wanted);
			const { answer: begun, headers } = await this.#beginRequest(request, signal, begin);
			const answer = await begun;
			const refusal = refusalOf(answer, request);
			if (refusal === undefined) {
				return answer;
			}
			if (tries > 1 || !(await this.#runInTurn(signal, ask => this.#credentials.onRefused(refusal, headers, ask)))) {
				throw this.createFault(refusal, request);
			}
		}
	}

	/** A request's turn ends when its response is complete or, if it `works`, when the request has been sent. */
	#beginRequest<T>(
		request: ManagementRequest,
		signal: AbortSignal | undefined,
		begin: (request: ManagementRequest, headers: Headers) => Promise<T>,
	): Promise<{ readonly answer: Promise<T>; readonly headers: Headers }> {
		return this.#runInTurn(signal, async ask => {
			const headers = await this.#credentials.getHeaders(ask);
			await this.#waitForPace(signal);
			const answer = begin(request, headers);
			const settled = answer.then(
				() => undefined,
				() => undefined,
			);
			if (!request.works) {
				await settled;
			}
			// wrapped in an object: a bare promise would be awaited
			return { answer, headers };
		});
	}

	#runInTurn<T>(signal: AbortSignal | undefined, work: (ask: Ask) => Promise<T>): Promise<T> {
		const sendPaced: Ask = async (request, headers = {}) => {
			await this.#waitForPace(signal);
			return this.#exchanges.requestReply(request, headers, signal);
		};
		return this.#turns.runInTurn(
			() => work(sendPaced),
			signal,
			() => this.#createAbortError(),
		);
	}

	async #waitForPace(signal: AbortSignal | undefined): Promise<void> {
		for (let waits = this.#pace.takeTurn(); waits > 0; waits = this.#pace.takeTurn()) {
			await this.#waitMilliseconds(waits, signal);
		}
	}

	#combineSignals({ signal }: CallOptions): AbortSignal | undefined {
		const ends = this.#target.signal;
		return signal && ends ? AbortSignal.any([signal, ends]) : (signal ?? ends);
	}

	async #waitMilliseconds(ms: number, signal: AbortSignal | undefined): Promise<void> {
		await waitMilliseconds(ms, signal).catch(() => {
			throw this.#createAbortError();
		});
	}

	#createAbortError(): ServiceError {
		return createConnectionFault(new AbortedError(), this.#target.origin, this.secrets);
	}
}
