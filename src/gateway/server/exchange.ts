import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import { isRecord } from '#base/records/plainValues.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import { type FaultDetails, ServiceFault } from '#contract/faults/serviceFault.ts';
import { createSchemaProblem, parseWithSchema } from '#contract/problems.ts';
import type { TextCall } from '#models/calls/textCall.ts';
import { readBody } from './body.ts';
import { parseJson } from './parseJson.ts';
import { defaultBodyLimit } from './route.ts';

/** Target of a request, which is known before a route handles it. */
export interface ExchangeTarget {
	/** Path without any prefix, still percent-encoded. */
	readonly path: string;
	/** Query without its question mark. */
	readonly search: string;
	/** Agent named in the path prefix (`/dify/AGENT/v1`), which replaces the contract's `model`. */
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
	/** Protocol group of the caller. */
	group: RouteGroup = 'agent';
	/** The call of text generation made for this request. */
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

	/** ID for error reports and the log, in Anthropic's format (`req_…`). */
	get id(): string {
		this.#id ??= `req_${randomUUID().replaceAll('-', '')}`;
		return this.#id;
	}

	/** Headers with {@link id} under the names that the caller's SDKs read, plus the headers of its call. */
	get idHeaders(): Readonly<Record<string, string>> {
		return { 'request-id': this.id, ...(this.group === 'openai' && { 'x-request-id': this.id }), ...this.call?.headers };
	}

	/** Query parameters. If the path prefix names an agent, `model` is that agent. */
	get query(): URLSearchParams {
		if (!this.#query) {
			this.#query = new URLSearchParams(this.target.search);
			if (this.target.agent !== undefined) {
				this.#query.set('model', this.target.agent);
			}
		}
		return this.#query;
	}

	/** Aborts when the client disconnects before the response has ended. */
	get signal(): AbortSignal {
		if (!this.#controller) {
			const controller = new AbortController();
			this.#controller = controller;
			const { response } = this;
			const onClose = () => {
				if (!response.writableFinished) {
					controller.abort();
				}
			};
			if (response.closed) {
				onClose();
			} else {
				response.once('close', onClose);
			}
		}
		return this.#controller.signal;
	}

	/** Reads the body's bytes. Throws an error: 413 over the limit, 400 if the client disconnects. */
	readBody(): Promise<Buffer> {
		this.#body ??= readBody(this.request, this.bodyLimit);
		return this.#body;
	}

	/** Reads the bytes of a JSON body. Throws an error: 415 for another content type, 413 over the limit, 400 if the client disconnects. */
	readJsonBody(): Promise<Buffer> {
		const type = this.request.headers['content-type'];
		if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
			throw new ServiceFault(
				415,
				localizable`The request body must be JSON. Expected the content type application/json, got '${type.slice(0, 100)}'.`,
			);
		}
		return this.readBody();
	}

	/** Reads the body as unchecked JSON. Throws an error: 415 for another content type, 400 for invalid JSON. */
	async readRawJson(): Promise<unknown> {
		const body = await this.readJsonBody();
		return parseJson(body, new ServiceFault(400, 'Invalid JSON payload received or JSON payload is empty.', this.#badRequest));
	}

	/**
	 * Reads the body and checks it against its schema. The agent of a path prefix becomes its `model`. Null fields count as absent, as Dify's
	 * clients expect. Throws an error (400) that names the field.
	 */
	async readJson<S extends z.ZodType>(schema: S): Promise<z.output<S>> {
		const value = await this.readRawJson();
		if (!isRecord(value)) {
			throw new ServiceFault(400, localizable`The request body must be a JSON object.`, this.#badRequest);
		}
		const given = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
		return checkValue(schema, this.target.agent === undefined ? given : { ...given, model: this.target.agent });
	}

	/** Checks the query against its schema, after converting whole numbers. Throws an error (400) that names the parameter. */
	readQuery<S extends z.ZodType>(schema: S): z.output<S> {
		const entries = [...this.query].map(([name, text]) => [name, /^-?\d{1,15}$/.test(text) && numeric.has(name) ? Number(text) : text]);
		return checkValue(schema, Object.fromEntries(entries.filter(([, value]) => value !== '')));
	}

	/** Fault details with Dify's code for an invalid body, for its endpoints (wire facts 1.6). */
	get #badRequest(): FaultDetails {
		return this.target.path.startsWith('/v1/agent/') ? { code: 'bad_request' } : {};
	}

	sendJson(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
		this.response.end(this.#writeHead(status, value, headers));
	}

	/**
	 * Does the same as {@link sendJson} for a request whose body may be incomplete. Sends the response immediately, then reads and drops the
	 * rest of the body for up to {@link discardMs}, because closing a connection with unread bytes could lose the response.
	 */
	refuseRequest(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
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
			this.call.reply.setHeaders(own);
			this.call.reply.add(body);
			this.call.reply.isComplete = true;
		}
		return body;
	}
}

/** How long to wait for the rest of a refused request, in milliseconds. */
const discardMs = 10_000;

/** Query parameters that are numbers. */
const numeric = new Set(['page', 'limit', 'pageSize']);

function checkValue<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
	const result = parseWithSchema(schema, value);
	if (result.success) {
		return result.data;
	}
	const { field, message, isMissing } = createSchemaProblem(result.error, value);
	// Dify's wording (wire facts 1.6)
	throw new ServiceFault(400, isMissing ? `Arg ${field} must be provided.` : `${field}: ${message}`, { params: field });
}
