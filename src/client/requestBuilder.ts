import { localizable } from '#base/text/localizableMessage.ts';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import { type KeyGroup, type KindRules, type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import type { Call, CheckedCall, UploadSource } from './call.ts';
import { ServiceError } from './errors/serviceError.ts';
import { defaultTimeouts, type Timeouts } from './networkOptions.ts';
import type { WireRequest } from './transport.ts';

/** Keys by group (contract, "Rules for all"). A service without keys has none. */
export type ServiceKeys = Readonly<Partial<Record<KeyGroup, string>>>;

/** Settings that all requests of a client share. */
export interface Target {
	readonly baseUrl: URL;
	readonly kind: ServiceKind;
	readonly keys: ServiceKeys;
	/** Extra headers of the connection; they override the client's. */
	readonly headers: Readonly<Record<string, string>>;
	readonly timeouts: Timeouts;
}

/** Builds HTTP requests for a kind of service. Caches the parts that all requests of a group share. */
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

	/** Throws `invalid-request` for an operation that the service doesn't have. */
	buildRequest(call: CheckedCall): WireRequest {
		const rules = this.#rules;
		const { timeouts, kind } = this.#target;
		const { method, paths, stream, works, secretPath, ...endpoint } = call.endpoint;
		const template = paths[kind];
		if (template === undefined) {
			throw new ServiceError(
				'invalid-request',
				localizable`${rules.label} doesn't support this operation (${call.operation}). Select another connection.`,
			);
		}
		const group = getKeyGroup(endpoint.group);
		const path = this.#buildPath(template, Object.values(call.path ?? {}));
		const search = this.#buildSearch(group, call.query);
		const headers = [...this.#getHeaders(group, call.stream === true), ...Object.entries(call.headers ?? {}).flat()];
		let body: string | Uint8Array | undefined;
		if (call.body !== undefined) {
			const content = buildBody(call.body, call.file, rules);
			headers.push('content-type', content.type);
			body = content.body;
		}
		const silence = group === 'agent' ? 'idle' : 'quiet';
		const silenceTimeout = timeouts[call.stream ? silence : works ? 'work' : 'reply'];
		return {
			origin: this.#origin,
			method,
			path: search === '' ? path : `${path}?${search}`,
			shownPath: secretPath ? this.#buildPath(template, ['***']) : path,
			headers,
			body,
			headersTimeout: works || stream ? timeouts.work : timeouts.reply,
			stream: call.stream === true,
			bodyTimeout: call.stream ? silenceTimeout : timeouts.work,
			silenceTimeout,
		};
	}

	#buildPath(template: string, values: readonly string[]): string {
		const left = [...values];
		const path = template.replace(/\{\w+\+?\}/g, () => encodeURIComponent(left.shift() ?? ''));
		return this.#rules.versionInBase && this.#basePath !== ''
			? this.#basePath + path.replace(/^\/v1/, '')
			: joinPaths(this.#basePath, path);
	}

	#buildSearch(group: KeyGroup, values: Call['query']): string {
		const query = new URLSearchParams();
		for (const [name, value] of Object.entries(values ?? {})) {
			if (value !== undefined && !this.#rules.drops?.includes(name)) {
				query.append(name, String(value));
			}
		}
		const key = this.#target.keys[group];
		for (const credential of (key && this.#rules.credentials[group]) || []) {
			if ('query' in credential) {
				query.append(credential.query, key!);
			}
		}
		return query.toString();
	}

	#getHeaders(group: KeyGroup, stream: boolean): string[] {
		const kind = `${group} ${stream}`;
		let headers = this.#headers.get(kind);
		if (headers === undefined) {
			headers = buildGroupHeaders(this.#target, this.#rules, group, stream);
			this.#headers.set(kind, headers);
		}
		return [...headers];
	}
}

/** Returns the group whose key an endpoint needs; OpenAI's endpoints use the key for messages. */
export function getKeyGroup(group: RouteGroup): KeyGroup {
	return group === 'content' ? 'content' : group === 'messages' || group === 'openai' ? 'messages' : 'agent';
}

/** Adds defaults for missing time limits. */
export function completeTimeouts(given: Partial<Timeouts> | undefined): Timeouts {
	return { ...defaultTimeouts, ...given };
}

function buildGroupHeaders(target: Target, rules: KindRules, group: KeyGroup, stream: boolean): readonly string[] {
	const headers = new Map<string, string>([
		['accept', stream ? 'text/event-stream' : 'application/json'],
		['accept-encoding', 'identity'],
		['user-agent', 'agent-workbench'],
		...Object.entries(rules.headers?.[group] ?? {}),
	]);
	const key = target.keys[group];
	for (const credential of (key && rules.credentials[group]) || []) {
		if ('header' in credential) {
			headers.set(credential.header, credential.prefix + key);
		}
	}
	for (const [name, value] of Object.entries(target.headers)) {
		headers.set(name.toLowerCase(), value);
	}
	// each body sets its content type
	headers.delete('content-type');
	return [...headers].flat();
}

interface Content {
	readonly type: string;
	readonly body: string | Uint8Array;
}

function buildBody(body: NonNullable<Call['body']>, file: UploadSource | undefined, rules: KindRules): Content {
	const fields = getBodyFields(body, rules);
	return file === undefined ? { type: 'application/json', body: JSON.stringify(fields) } : buildMultipartBody(fields, file);
}

/** Returns the fields of a body under the names that the service uses. */
export function getBodyFields(body: NonNullable<Call['body']>, { drops = [], renames = {} }: KindRules): Readonly<Record<string, unknown>> {
	const known = Object.entries(body).filter(([name]) => !drops.includes(name));
	return Object.fromEntries(known.map(([name, value]) => [renames[name] ?? name, value]));
}

function buildMultipartBody(fields: Readonly<Record<string, unknown>>, file: UploadSource): Content {
	const boundary = `agent-workbench-${crypto.randomUUID()}`;
	const parts = Object.entries(fields)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${value}\r\n`);
	const disposition = `form-data; name="file"; filename="${escapeName(file.name)}"`;
	const type = (file.type ?? 'application/octet-stream').replace(/[\r\n]/g, '');
	const head = `${parts.join('')}--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
	const body = Buffer.concat([Buffer.from(head), file.data, Buffer.from(`\r\n--${boundary}--\r\n`)]);
	return { type: `multipart/form-data; boundary=${boundary}`, body };
}

/** Escapes names like browsers do in `Content-Disposition` (WHATWG, multipart/form-data encoding). */
function escapeName(text: string): string {
	return text.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22');
}

/**
 * Joins base path and path. A version that ends the base and starts the path is only used once, because users write Dify's base URL with
 * `/v1`.
 */
function joinPaths(base: string, path: string): string {
	const version = path.slice(0, path.indexOf('/', 1));
	return base.endsWith(version) ? base + path.slice(version.length) : base + path;
}
