import { isHeaderValue } from '#network/fetchThrough.ts';
import { isSecretName, Redactor } from '#network/redaction.ts';
import { createTextResolver, resolveText } from '../../variables/references.ts';
import type { VariablePool } from '../../variables/variables.ts';
import { NodeError } from '../nodeError.ts';
import { type HttpSettings, parseKeyValueLines } from './httpSchema.ts';

/** URL and headers of a request, and the values to mask in them. */
interface HttpMessage {
	readonly url: URL;
	readonly headers: Record<string, string>;
	/** Lowercase names of the headers that contain the node's key or a secret of the agent. */
	readonly secretHeaders: ReadonlySet<string>;
	/** Masks the key and the agent's secrets in strings. */
	readonly redactor: Redactor;
}

/**
 * Builds the URL, parameters and headers of a request. Lines are split before values are inserted, so that a value can't add a parameter
 * or header.
 * @throws {NodeError} for an invalid URL or header
 */
export function buildHttpMessage(
	settings: HttpSettings,
	variables: VariablePool,
	secrets: readonly string[],
	contentType?: string,
): HttpMessage {
	const key = resolveKey(settings, variables);
	const redactor = new Redactor(key ? [...secrets, key.key, key.value] : secrets);
	const headers = Object.fromEntries(resolveHeaders(settings, variables, contentType, key).values());
	return {
		url: resolveAddress(settings, variables, redactor),
		headers,
		secretHeaders: new Set(findSecretHeaders(headers, redactor, key?.header)),
		redactor,
	};
}

function findSecretHeaders(headers: Readonly<Record<string, string>>, redactor: Redactor, own: string | undefined): string[] {
	const names = Object.keys(headers).filter(name => name === own || redactor.redactText(headers[name] ?? '') !== headers[name]);
	return names.map(name => name.toLowerCase());
}

/** Formats the request for the record, with keys and secrets masked. */
export function formatRequest(method: string, { url, headers, secretHeaders, redactor }: HttpMessage, body: Buffer | undefined): string {
	const isSecretHeader = (name: string) => isSecretName(name) || secretHeaders.has(name.toLowerCase());
	const shown = Object.entries(headers).map(([name, value]) => `${name}: ${isSecretHeader(name) ? mask : value}`);
	const query = [...url.searchParams].map(([name, value]) => `${name}=${isSecretName(name) ? mask : value}`).join('&');
	// mask before truncating: a cut-off secret wouldn't be found
	const text = body ? `\r\n\r\n${redactor.redactText(body.toString()).slice(0, longestBody)}` : '';
	return redactor.redactText(
		`${method} ${url.pathname}${query ? `?${query}` : ''} HTTP/1.1\r\nHost: ${url.host}\r\n${shown.join('\r\n')}${text}`,
	);
}

const mask = '******';
/** Maximum number of recorded characters of a body. */
const longestBody = 10_000;

function resolveAddress(settings: HttpSettings, variables: VariablePool, redactor: Redactor): URL {
	const text = resolveText(settings.url, variables).trim();
	if (text === '') {
		throw new NodeError('url is required', 'InvalidURLError');
	}
	if (!/^https?:\/\//.test(text)) {
		throw new NodeError('url should start with http:// or https://', 'InvalidURLError');
	}
	if (!URL.canParse(text)) {
		throw new NodeError(`'${redactor.redactText(text)}' isn't a valid URL. Expected http:// or https:// at the start.`, 'InvalidURLError');
	}
	const url = new URL(text);
	const parameters = parseKeyValueLines(settings.params).filter(([name]) => name !== '');
	if (parameters.length > 0) {
		// parameters of the node replace those of the URL
		url.search = '';
	}
	const resolve = createTextResolver(variables);
	for (const [name, value] of parameters) {
		url.searchParams.append(resolve(name), resolve(value));
	}
	return url;
}

/** Headers by lowercase name, each with its original name. */
type Headers = Map<string, readonly [name: string, value: string]>;

function resolveHeaders(settings: HttpSettings, variables: VariablePool, contentType: string | undefined, key: Key | undefined): Headers {
	const headers: Headers = new Map();
	const resolve = createTextResolver(variables);
	for (const [name, value] of parseKeyValueLines(settings.headers)) {
		setHeader(headers, resolve(name), resolve(value));
	}
	if (contentType && (!headers.has('content-type') || contentType.startsWith('multipart/'))) {
		setHeader(headers, 'Content-Type', contentType);
	}
	if (key) {
		setHeader(headers, key.header, key.value);
	}
	return headers;
}

/** Sets a header, replacing one of the same name in any case. */
function setHeader(headers: Headers, name: string, value: string): void {
	if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
		throw new NodeError(`'${name}' isn't a valid header name`, 'HttpRequestNodeError');
	}
	const text = value.trim();
	if (!isHeaderValue(text)) {
		throw new NodeError(
			`Couldn't send the header '${name}': its value contains a line break or another invalid character`,
			'HttpRequestNodeError',
		);
	}
	headers.delete(name.toLowerCase());
	headers.set(name.toLowerCase(), [name, text]);
}

/** A node's key, the header that carries it, and that header's value. */
interface Key {
	readonly key: string;
	readonly header: string;
	readonly value: string;
}

function resolveKey({ authorization }: HttpSettings, variables: VariablePool): Key | undefined {
	if (authorization?.type !== 'api-key') {
		return undefined;
	}
	if (!authorization.config) {
		throw new NodeError('authorization config is required', 'AuthorizationConfigError');
	}
	const { type, api_key } = authorization.config;
	const header = authorization.config.header || 'Authorization';
	const key = resolveText(api_key, variables).trim();
	if (key === '') {
		throw new NodeError('API key is required for authorization but was empty. Please provide a valid API key.', 'AuthorizationConfigError');
	}
	switch (type) {
		case 'custom':
			return { key, header, value: key };
		case 'basic':
			return { key, header, value: `Basic ${key.includes(':') ? Buffer.from(key).toString('base64') : key}` };
		default:
			return { key, header, value: `Bearer ${key}` };
	}
}
