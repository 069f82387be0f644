import type { IncomingHttpHeaders } from 'node:http';
import type { FileValue } from '../fileValue.ts';
import { buildBody } from '../httpBody.ts';
import { guardedRequest, type IncomingReply, TooLargeError } from '../net/guardedRequest.ts';
import { PrivateAddressError } from '../net/privateNetwork.ts';
import { resolveText } from '../references.ts';
import { type HttpSettings, httpSchema, keyValueLines } from './httpSchema.ts';
import { checkStatus } from './httpStatus.ts';
import { type NodeContext, NodeError, nodeType } from './nodeType.ts';

/** Bytes of a text and of anything else, and seconds, that the hosted service takes at most (workflow DSL, "http-request"). */
const maxTextBytes = 1024 * 1024;
const maxFileBytes = 10 * 1024 * 1024;
const maxConnectSeconds = 10;
const maxReadSeconds = 600;

/** Sends a request to a service outside. Private networks are refused unless the gateway's user allows them. */
export const httpRequest = nodeType({
	type: 'http-request',
	schema: httpSchema,
	async run(context) {
		const { settings, variables, services, signal, record, node } = context;
		const url = addressOf(context);
		const body = await buildBody(settings.body, variables, services.files, signal);
		const headers = headersOf(context, body.contentType);
		record.inputs = {};
		record.processData = { request: requestText(settings.method, url, headers, body.bytes) };
		let reply: IncomingReply;
		try {
			reply = await guardedRequest({
				url,
				method: settings.method,
				headers,
				body: body.bytes,
				allowPrivateNetwork: services.settings.allowPrivateNetwork,
				verifyCertificates: settings.ssl_verify ?? true,
				connectTimeoutMs: Math.min(settings.timeout?.connect ?? maxConnectSeconds, maxConnectSeconds) * 1000,
				readTimeoutMs: Math.min(settings.timeout?.read ?? maxReadSeconds, maxReadSeconds) * 1000,
				maxBytes: replyHeaders => (isText(replyHeaders) ? maxTextBytes : maxFileBytes),
				signal,
			});
		} catch (error) {
			signal.throwIfAborted();
			throw new NodeError(`${settings.method} ${url.origin}: ${messageOf(error)}`, errorType(error), { cause: error });
		}
		checkStatus(node, reply.status);
		return { outputs: outputsOf(reply) };
	},
});

type Context = NodeContext<HttpSettings>;

function addressOf({ settings, variables }: Context): URL {
	const text = resolveText(settings.url, variables).trim();
	if (!URL.canParse(text)) {
		throw new NodeError(`"${text}" is no address; one begins with http:// or https://`, 'InvalidURLError');
	}
	const url = new URL(text);
	for (const [key, value] of keyValueLines(resolveText(settings.params, variables))) {
		url.searchParams.append(key, value);
	}
	return url;
}

function headersOf({ settings, variables }: Context, contentType: string | undefined): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const [key, value] of keyValueLines(resolveText(settings.headers, variables))) {
		if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key)) {
			throw new NodeError(`"${key}" is no name of a header`, 'HttpRequestNodeError');
		}
		headers[key] = value;
	}
	const has = (name: string) => Object.keys(headers).some(key => key.toLowerCase() === name);
	if (contentType && (!has('content-type') || contentType.startsWith('multipart/'))) {
		headers['Content-Type'] = contentType;
	}
	const { authorization } = settings;
	if (authorization?.type === 'api-key' && authorization.config) {
		const { type, api_key, header } = authorization.config;
		const key = resolveText(api_key, variables);
		if (type === 'custom') {
			headers[header || 'Authorization'] = key;
		} else {
			headers['Authorization'] =
				type === 'basic' ? `Basic ${key.includes(':') ? Buffer.from(key).toString('base64') : key}` : `Bearer ${key}`;
		}
	}
	return headers;
}

/** The request as it is recorded: what can be a key is not told. */
function requestText(method: string, url: URL, headers: Readonly<Record<string, string>>, body: Buffer | undefined): string {
	const shown = Object.entries(headers).map(([name, value]) => `${name}: ${/auth|key|token|secret|cookie/i.test(name) ? '******' : value}`);
	const query = [...url.searchParams]
		.map(([key, value]) => `${key}=${/key|token|secret|password/i.test(key) ? '******' : value}`)
		.join('&');
	const text = body ? `\r\n\r\n${body.subarray(0, 10_000).toString()}` : '';
	return `${method} ${url.pathname}${query ? `?${query}` : ''} HTTP/1.1\r\nHost: ${url.host}\r\n${shown.join('\r\n')}${text}`;
}

function outputsOf({ status, headers, body, url }: IncomingReply): Record<string, unknown> {
	const plain = Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
	);
	if (isText(headers)) {
		return { status_code: status, body: textOf(headers, body), headers: plain, files: [] };
	}
	return { status_code: status, body: '', headers: plain, files: body.length > 0 ? [fileOf(headers, body, url)] : [] };
}

function isText(headers: IncomingHttpHeaders): boolean {
	const type = headers['content-type']?.toLowerCase() ?? 'text/plain';
	return (
		!/^attachment/i.test(headers['content-disposition'] ?? '') &&
		/^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|yaml|x-yaml|graphql|[\w.-]+\+(json|xml)))/.test(type)
	);
}

function textOf(headers: IncomingHttpHeaders, body: Buffer): string {
	const charset = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
	try {
		return new TextDecoder(charset).decode(body);
	} catch {
		return body.toString();
	}
}

/** A reply that is no text becomes a file that carries its bytes in its address. */
function fileOf(headers: IncomingHttpHeaders, body: Buffer, url: URL): FileValue {
	const mimeType = headers['content-type']?.split(';')[0]?.trim() || 'application/octet-stream';
	const name = /filename="?([^";]+)/i.exec(headers['content-disposition'] ?? '')?.[1] ?? url.pathname.split('/').at(-1) ?? '';
	const data = `data:${mimeType};base64,${body.toString('base64')}`;
	const kind = mimeType.split('/')[0] ?? '';
	return {
		dify_model_identity: '__dify__file__',
		type: ['image', 'audio', 'video'].includes(kind) ? kind : 'document',
		transfer_method: 'remote_url',
		url: data,
		remote_url: data,
		related_id: null,
		name,
		extension: /\.[^.]+$/.exec(name)?.[0] ?? '',
		mime_type: mimeType,
		size: body.length,
	};
}

function messageOf(error: unknown): string {
	const { message, code } = error as NodeJS.ErrnoException;
	return message || code || 'the request failed';
}

function errorType(error: unknown): string {
	return error instanceof TooLargeError || error instanceof PrivateAddressError ? error.name : 'HttpRequestNodeError';
}
