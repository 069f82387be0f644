import { ServiceError } from './errors/serviceError.ts';
import { defaultTimeouts, type Timeouts } from './networkOptions.ts';
import { type Call, type Group, type OperationRule, operations, type UploadSource } from './operations.ts';
import { type KindRules, type ServiceKind, serviceKinds } from './serviceKinds.ts';
import type { WireRequest } from './transport.ts';

/** Keys by group: A and B; C and D; E (contract, "Rules for all"). A service without keys has none. */
export interface ServiceKeys {
	readonly agent?: string;
	readonly messages?: string;
	readonly content?: string;
}

/** What requests are built from; the same for all requests of a client. */
export interface Target {
	readonly baseUrl: URL;
	readonly kind: ServiceKind;
	readonly keys: ServiceKeys;
	/** Extra headers of the connection; they win over the client's own. */
	readonly headers: Readonly<Record<string, string>>;
	readonly timeouts: Timeouts;
}

/** Builds HTTP requests for a kind of service. What is the same for all requests of a group is made once. */
export class RequestBuilder {
	readonly #target: Target;
	readonly #rules: KindRules;
	readonly #origin: string;
	readonly #basePath: string;
	readonly #headers = new Map<string, readonly string[]>();

	constructor(target: Target) {
		this.#target = target;
		this.#rules = serviceKinds[target.kind];
		this.#origin = target.baseUrl.origin;
		this.#basePath = target.baseUrl.pathname.replace(/(?<!\/)\/+$/, '');
	}

	/** Throws `invalid-request` for an operation that the service does not have. */
	build(call: Call): WireRequest {
		const rules = this.#rules;
		const { timeouts } = this.#target;
		const rule: OperationRule = operations[call.operation];
		const template = rules.paths[call.operation];
		if (template === undefined) {
			throw new ServiceError('invalid-request', `${rules.label} has no endpoint for this (${call.operation}). Choose another connection.`);
		}
		const pathOf = (id: Call['id']) => {
			const path = filled(filled(template, '{id}', id), '{part}', call.part);
			return rules.versionInBase && this.#basePath !== '' ? this.#basePath + path.replace(/^\/v1/, '') : joinPaths(this.#basePath, path);
		};
		const path = pathOf(call.id);
		const search = this.#search(rule.group, call.query);
		const headers = [...this.#headersOf(rule.group, call.stream === true), ...Object.entries(call.headers ?? {}).flat()];
		let body: string | Uint8Array | undefined;
		if (call.body !== undefined) {
			const content = bodyOf(call.body, call.file, rules);
			headers.push('content-type', content.type);
			body = content.body;
		}
		return {
			origin: this.#origin,
			method: rule.method,
			path: search === '' ? path : `${path}?${search}`,
			// whoever has the token of a form can answer it
			shownPath: call.operation === 'getForm' || call.operation === 'submitForm' ? pathOf(call.id && { ...call.id, value: '***' }) : path,
			headers,
			body,
			headersTimeout: rule.works ? timeouts.work : timeouts.reply,
			bodyTimeout: !call.stream ? timeouts.work : rule.group === 'agent' ? timeouts.idle : timeouts.quiet,
		};
	}

	#search(group: Group, values: Call['query']): string {
		const query = new URLSearchParams();
		for (const [name, value] of Object.entries(values ?? {})) {
			if (value !== undefined && !this.#rules.drops.includes(name)) {
				query.append(name, String(value));
			}
		}
		const key = this.#target.keys[group];
		for (const credential of key ? this.#rules.credentials[group] : []) {
			if ('query' in credential) {
				query.append(credential.query, key!);
			}
		}
		return query.toString();
	}

	#headersOf(group: Group, stream: boolean): string[] {
		const kind = `${group} ${stream}`;
		let headers = this.#headers.get(kind);
		if (headers === undefined) {
			headers = groupHeaders(this.#target, this.#rules, group, stream);
			this.#headers.set(kind, headers);
		}
		return [...headers];
	}
}

/** A function puts the value in: a text could hold `$&`. */
function filled(template: string, place: string, named: Call['id']): string {
	return named === undefined ? template : template.replace(place, () => encodeURIComponent(named.value));
}

/** The time limits given, and the defaults of those that are not. */
export function completeTimeouts(given: Partial<Timeouts> | undefined): Timeouts {
	return { ...defaultTimeouts, ...given };
}

function groupHeaders(target: Target, rules: KindRules, group: Group, stream: boolean): readonly string[] {
	const headers = new Map<string, string>([
		['accept', stream ? 'text/event-stream' : 'application/json'],
		['accept-encoding', 'identity'],
		['user-agent', 'agent-workbench'],
		...Object.entries(rules.headers[group] ?? {}),
	]);
	const key = target.keys[group];
	for (const credential of key ? rules.credentials[group] : []) {
		if ('header' in credential) {
			headers.set(credential.header, credential.prefix + key);
		}
	}
	for (const [name, value] of Object.entries(target.headers)) {
		headers.set(name.toLowerCase(), value);
	}
	// each body says its own
	headers.delete('content-type');
	return [...headers].flat();
}

interface Content {
	readonly type: string;
	readonly body: string | Uint8Array;
}

function bodyOf(body: NonNullable<Call['body']>, file: UploadSource | undefined, rules: KindRules): Content {
	const fields = fieldsOf(body, rules);
	return file === undefined ? { type: 'application/json', body: JSON.stringify(fields) } : multipartBody(fields, file);
}

/** Fields of a body under the names that the service knows. */
export function fieldsOf(body: NonNullable<Call['body']>, { drops, renames }: KindRules): Readonly<Record<string, unknown>> {
	if (drops.length === 0 && Object.keys(renames).length === 0) {
		return body;
	}
	const kept = Object.entries(body).filter(([name]) => !drops.includes(name));
	return Object.fromEntries(kept.map(([name, value]) => [renames[name] ?? name, value]));
}

function multipartBody(fields: Readonly<Record<string, unknown>>, file: UploadSource): Content {
	const boundary = `agent-workbench-${crypto.randomUUID()}`;
	const parts = Object.entries(fields)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`);
	const disposition = `form-data; name="file"; filename="${quoted(file.name)}"`;
	const type = (file.type ?? 'application/octet-stream').replace(/[\r\n]/g, '');
	const head = `${parts.join('')}--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
	const body = Buffer.concat([Buffer.from(head), file.data, Buffer.from(`\r\n--${boundary}--\r\n`)]);
	return { type: `multipart/form-data; boundary=${boundary}`, body };
}

/** As browsers write names into `Content-Disposition` (WHATWG, multipart/form-data encoding). */
function quoted(text: string): string {
	return text.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22');
}

/** Base path and path; a version that ends the one and begins the other stands once: users write Dify's base URL with `/v1`. */
function joinPaths(base: string, path: string): string {
	const version = path.slice(0, path.indexOf('/', 1));
	return base.endsWith(version) ? base + path.slice(version.length) : base + path;
}
