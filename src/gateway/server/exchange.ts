import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import { isRecord } from '#base/records/plainValues.ts';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import { type FaultDetails, ServiceFault } from '#contract/faults/serviceFault.ts';
import { problemOf, wordsOf } from '#contract/problems.ts';
import type { TextCall } from '#models/calls/textCall.ts';
import { readBody } from './body.ts';
import { parseJson } from './parseJson.ts';
import { defaultBodyLimit } from './route.ts';

/** What the server has found out about a request before a route handles it. */
export interface ExchangeTarget {
	/** Path after any prefix was taken off, still percent-encoded. */
	readonly path: string;
	/** Query without its question mark. */
	readonly search: string;
	/** Agent that the path prefix names (`/dify/AGENT/v1`), which stands in for the contract's `model`. */
	readonly agent?: string;
}

/** One request and its response. Bodies are read on demand, within the route's limit. */
export class Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly target: ExchangeTarget;
	/** Values of the placeholders in the route's path, decoded. */
	params: Readonly<Record<string, string>> = {};
	bodyLimit = defaultBodyLimit;
	/** Whose protocol the caller speaks. */
	group: RouteGroup = 'agent';
	/** The call of text generation that it makes. */
	call?: TextCall;
	#id: string | undefined;
	#query: URLSearchParams | undefined;
	#body: Promise<Buffer> | undefined;
	#controller: AbortController | undefined;

	constructor(request: IncomingMessage, response: ServerResponse, target: ExchangeTarget) {
		this.request = request;
		this.response = response;
		this.target = target;
	}

	/** ID for the caller's reports and the log, in Anthropic's form (`req_…`). */
	get id(): string {
		this.#id ??= `req_${randomUUID().replaceAll('-', '')}`;
		return this.#id;
	}

	/** {@link id} under the names that the caller's SDKs read, and what is told of its call. */
	get idHeaders(): Readonly<Record<string, string>> {
		return { 'request-id': this.id, ...(this.group === 'openai' && { 'x-request-id': this.id }), ...this.call?.headers };
	}

	/** Query parameters; `model` is the agent of the path prefix where there is one. */
	get query(): URLSearchParams {
		if (!this.#query) {
			this.#query = new URLSearchParams(this.target.search);
			if (this.target.agent !== undefined) {
				this.#query.set('model', this.target.agent);
			}
		}
		return this.#query;
	}

	/** Aborts when the client goes away before the response has ended. */
	get signal(): AbortSignal {
		if (!this.#controller) {
			const controller = new AbortController();
			this.#controller = controller;
			const { response } = this;
			const gone = () => {
				if (!response.writableFinished) {
					controller.abort();
				}
			};
			if (response.closed) {
				gone();
			} else {
				response.once('close', gone);
			}
		}
		return this.#controller.signal;
	}

	/** The body's bytes. Throws a fault: 413 over the limit, 400 when the client breaks off. */
	body(): Promise<Buffer> {
		this.#body ??= readBody(this.request, this.bodyLimit);
		return this.#body;
	}

	/** The bytes of a body that is said to be JSON. Throws a fault: 415 for another content type, 413 over the limit, 400 when the client breaks off. */
	jsonBody(): Promise<Buffer> {
		const type = this.request.headers['content-type'];
		if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
			throw new ServiceFault(415, `The body must be JSON: expected the content type application/json, got ${type.slice(0, 100)}.`);
		}
		return this.body();
	}

	/** The body as JSON, as it came. Throws a fault: 415 for another content type, 400 for what is no JSON. */
	async rawJson(): Promise<unknown> {
		const body = await this.jsonBody();
		return parseJson(body, new ServiceFault(400, 'Invalid JSON payload received or JSON payload is empty.', this.#badRequest));
	}

	/**
	 * The body checked against its schema. The agent of a path prefix is its `model`; a field that is null counts as absent, as Dify's clients mean it.
	 * Throws a fault (400) that names the field.
	 */
	async json<S extends z.ZodType>(schema: S): Promise<z.output<S>> {
		const value = await this.rawJson();
		if (!isRecord(value)) {
			throw new ServiceFault(400, 'The body must be a JSON object.', this.#badRequest);
		}
		const given = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
		return check(schema, this.target.agent === undefined ? given : { ...given, model: this.target.agent });
	}

	/** The query checked against its schema; whole numbers are turned into numbers first. Throws a fault (400) that names the parameter. */
	checkedQuery<S extends z.ZodType>(schema: S): z.output<S> {
		const entries = [...this.query].map(([name, text]) => [name, /^-?\d{1,15}$/.test(text) && numeric.has(name) ? Number(text) : text]);
		return check(schema, Object.fromEntries(entries.filter(([, value]) => value !== '')));
	}

	/** Dify's code for a body that is none, where its form is asked for (wire facts 1.6). */
	get #badRequest(): FaultDetails {
		return this.target.path.startsWith('/v1/agent/') ? { code: 'bad_request' } : {};
	}

	/** Ends the exchange with a JSON body. */
	sendJson(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
		this.response.end(this.#writeHead(status, value, headers));
	}

	/**
	 * As {@link sendJson}, for a request whose body may not have come whole. The client has its answer at once; the exchange ends when what it still
	 * sends was read and dropped, or after a moment: a connection that is closed on unread bytes loses the answer on its way.
	 */
	refuse(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
		const { request, response } = this;
		if (request.complete) {
			this.sendJson(status, value, headers);
			return;
		}
		response.write(this.#writeHead(status, value, headers));
		const cut = setTimeout(() => request.destroy(), discardMs);
		request.once('close', () => {
			clearTimeout(cut);
			response.end();
		});
		request.resume();
	}

	#writeHead(status: number, value: unknown, headers: Readonly<Record<string, string>>): Buffer {
		const body = Buffer.from(JSON.stringify(value));
		const own = { 'content-type': 'application/json', ...headers };
		this.response.writeHead(status, { ...own, 'content-length': body.length, ...this.idHeaders });
		if (this.call) {
			this.call.reply.begin(own);
			this.call.reply.add(body);
			this.call.reply.isComplete = true;
		}
		return body;
	}
}

/** What a refused client may still send, in milliseconds. */
const discardMs = 10_000;

/** Query parameters that are numbers. */
const numeric = new Set(['page', 'limit', 'pageSize']);

function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
	const result = schema.safeParse(value, { error: wordsOf });
	if (result.success) {
		return result.data;
	}
	const { field, message, isMissing } = problemOf(result.error, value);
	// Dify's words (wire facts 1.6)
	throw new ServiceFault(400, isMissing ? `Arg ${field} must be provided.` : `${field}: ${message}`, { params: field });
}
