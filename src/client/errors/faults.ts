import type { IncomingHttpHeaders } from 'node:http';
import { decodeMessage, formatMessage, type LocalizableMessage, localizable, type MessageArgument } from '#base/text/localizableMessage.ts';
import { messageHeader } from '#contract/faults/serviceFault.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import type { Redactor } from '#network/redaction.ts';
import { type ErrorBody, readErrorBody, shortenServiceText } from './errorBodies.ts';
import { readRetryAfterMs } from './retryAfter.ts';
import { ServiceError, type ServiceErrorReason } from './serviceError.ts';

/** Codes that say more than the HTTP status does (wire facts 1.6, 2.3, 4.3). The editor's advice is in connections/serviceProblem.ts. */
const reasonOfCode: Readonly<Record<string, ServiceErrorReason>> = {
	unauthorized: 'auth',
	authentication_error: 'auth',
	permission_error: 'auth',
	billing_error: 'auth',
	invalid_api_key: 'auth',
	API_KEY_INVALID: 'auth',
	UNAUTHENTICATED: 'auth',
	PERMISSION_DENIED: 'auth',
	not_found: 'not-found',
	not_found_error: 'not-found',
	model_not_found: 'not-found',
	NOT_FOUND: 'not-found',
	workflow_not_published: 'not-published',
	not_published: 'not-published',
	invalid_param: 'invalid-request',
	invalid_request_error: 'invalid-request',
	request_too_large: 'invalid-request',
	INVALID_ARGUMENT: 'invalid-request',
	FAILED_PRECONDITION: 'invalid-request',
	too_many_requests: 'rate-limited',
	rate_limit_error: 'rate-limited',
	rate_limit_exceeded: 'rate-limited',
	insufficient_quota: 'rate-limited',
	RESOURCE_EXHAUSTED: 'rate-limited',
	overloaded_error: 'overloaded',
	UNAVAILABLE: 'overloaded',
	timeout_error: 'timeout',
	DEADLINE_EXCEEDED: 'timeout',
	internal_server_error: 'server',
	api_error: 'server',
	server_error: 'server',
	INTERNAL: 'server',
};

const reasonOfStatus: Readonly<Record<number, ServiceErrorReason>> = {
	401: 'auth',
	402: 'auth',
	403: 'auth',
	404: 'not-found',
	405: 'not-found',
	407: 'network',
	408: 'timeout',
	410: 'not-found',
	429: 'rate-limited',
	503: 'overloaded',
	504: 'timeout',
	529: 'overloaded',
};

/** Error codes of Node and undici; all others are `network`. */
const reasonOfSystemCode: Readonly<Record<string, ServiceErrorReason>> = {
	ABORTED: 'aborted',
	UND_ERR_DESTROYED: 'aborted',
	UND_ERR_CLOSED: 'aborted',
	UND_ERR_CONNECT_TIMEOUT: 'timeout',
	UND_ERR_HEADERS_TIMEOUT: 'timeout',
	UND_ERR_BODY_TIMEOUT: 'timeout',
	ETIMEDOUT: 'timeout',
	UND_ERR_HEADERS_OVERFLOW: 'protocol',
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
	UND_ERR_INVALID_ARG: 'invalid-request',
	UND_ERR_PRX_TLS: 'tls',
	EPROTO: 'tls',
};

/** Codes of certificates whose issuer isn't known on this machine. */
const untrustedCode = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE).*)$/;
const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|CRL_)/;

/** Advice for the user, which follows the cause in each message. */
const advice: Readonly<Partial<Record<ServiceErrorReason, LocalizableMessage>>> = {
	auth: localizable`Check the key.`,
	'not-found': localizable`Check the name or ID, and the base URL.`,
	'not-published': localizable`Publish the agent first, or run its draft.`,
	'rate-limited': localizable`Try again later.`,
	overloaded: localizable`Try again later.`,
	server: localizable`If this happens again, check the service's log.`,
	network: localizable`Check the base URL, the proxy settings, and that the service is running.`,
	tls: localizable`Check the base URL and the certificates of this machine.`,
	protocol: localizable`Check the base URL and the kind of service.`,
};
const trustAdvice = localizable`Install the certificate of its issuer on this machine, or set NODE_EXTRA_CA_CERTS.`;

/**
 * Creates the error for a response whose status isn't 2xx.
 * @param kind kind of service; the built-in gateway's messages can be translated
 */
export function createHttpFault(
	status: number,
	headers: IncomingHttpHeaders,
	text: string,
	redactor: Redactor,
	kind?: ServiceKind,
): ServiceError {
	if (status >= 300 && status < 400) {
		return createRedirectFault(status, headers, redactor);
	}
	// redact before the message is shortened: part of a key wouldn't be recognized any more
	const body = readErrorBody(redactor.redactText(text));
	const retryAfterMs = readRetryAfterMs(headers, body.retryAfterMs);
	return createResponseFault(status, { ...body, requestId: getRequestId(headers) ?? body.requestId, retryAfterMs }, redactor, {
		said: kind === 'gateway' ? readGatewayMessage(headers, readErrorBody(text).message, redactor) : undefined,
	});
}

/** Creates the error for an `error` event of a stream, or an error payload within one. `status` is the event's, if it has one. */
export function createStreamFault(
	body: ErrorBody,
	status: number | undefined,
	received: number,
	requestId: string | undefined,
	redactor: Redactor,
): ServiceError {
	return createResponseFault(status, { ...body, requestId: body.requestId ?? requestId }, redactor, { received });
}

/** Creates the error for a failed connection. The message names `origin`. */
export function createConnectionFault(error: Error, origin: string, redactor: Redactor, received?: number): ServiceError {
	const code = (error as NodeJS.ErrnoException).code ?? '';
	const reason =
		(Object.hasOwn(reasonOfSystemCode, code) ? reasonOfSystemCode[code] : undefined) ??
		(tlsCode.test(code) ? 'tls' : error.name === 'HTTPParserError' ? 'protocol' : 'network');
	if (reason === 'aborted') {
		const what = code === 'ABORTED' ? localizable`The request was canceled.` : localizable`The client was closed.`;
		return new ServiceError(reason, what, { received });
	}
	const what = describeSystemError(code, error);
	const sentence = code === '' ? localizable`${what} (${origin}).` : localizable`${what} (${origin}, ${code}).`;
	return new ServiceError(
		reason,
		redactMessage(joinSentences(sentence, untrustedCode.test(code) ? trustAdvice : advice[reason]), redactor),
		{
			code: code === '' ? undefined : redactor.redactText(code),
			received,
			cause: redactor.redactCause(error),
		},
	);
}

/** Creates the error for a response that breaks the contract. `what` is a sentence without a full stop. */
export function createProtocolFault(
	what: string | LocalizableMessage,
	redactor: Redactor,
	details: { status?: number; requestId?: string | undefined; received?: number } = {},
): ServiceError {
	const requestId = details.requestId === undefined ? undefined : redactor.redactText(details.requestId);
	return new ServiceError('protocol', redactMessage(joinSentences(localizable`${what}.`, advice.protocol), redactor), {
		...details,
		requestId,
	});
}

/** Returns the service's request ID from any of the common headers. */
export function getRequestId(headers: IncomingHttpHeaders): string | undefined {
	const value = headers['request-id'] ?? headers['x-request-id'] ?? headers['x-trace-id'] ?? headers['cf-ray'];
	return Array.isArray(value) ? value[0] : value;
}

/**
 * Creates the error for an unsuccessful response or stream.
 * @param details `said`: the service's message if it can be translated; `received`: events that came before, for an error of a stream
 */
function createResponseFault(
	status: number | undefined,
	body: ErrorBody,
	redactor: Redactor,
	{ said, received }: { said?: LocalizableMessage | undefined; received?: number },
): ServiceError {
	const reason = findFaultReason(status, body);
	const code = body.codes[0];
	const text = shortenServiceText(body.message ?? '', redactor).replace(/(?<![.\s])[.\s]+$/, '');
	const sentence = received === undefined ? formatResponseSentence(status ?? 0, code, said ?? text) : formatStreamSentence(code, text);
	const isPayment = status === 402 || code === 'billing_error' || code === 'insufficient_quota';
	const usual = isPayment ? localizable`Check the balance of the account.` : advice[reason];
	const wait = body.retryAfterMs === undefined ? usual : localizable`Try again in ${Math.ceil(body.retryAfterMs / 1000)} s.`;
	const maskOptionalText = (value: string | undefined) => (value === undefined ? undefined : redactor.redactText(value));
	return new ServiceError(reason, redactMessage(joinSentences(sentence, wait), redactor), {
		status,
		code: maskOptionalText(code),
		requestId: maskOptionalText(body.requestId),
		retryAfterMs: body.retryAfterMs,
		field: maskOptionalText(body.field),
		received,
	});
}

function formatResponseSentence(status: number, code: string | undefined, said: string | LocalizableMessage): LocalizableMessage {
	if (said === '') {
		return code === undefined
			? localizable`The service responded with status ${status}.`
			: localizable`The service responded with status ${status} (${code}).`;
	}
	const end = typeof said === 'string' ? localizable`${said}.` : said;
	return code === undefined
		? localizable`The service responded with status ${status}: ${end}`
		: localizable`The service responded with status ${status} (${code}): ${end}`;
}

function formatStreamSentence(code: string | undefined, said: string): LocalizableMessage {
	if (said === '') {
		return code === undefined
			? localizable`The service ended the stream with an error.`
			: localizable`The service ended the stream with an error (${code}).`;
	}
	return code === undefined
		? localizable`The service ended the stream with an error: ${said}.`
		: localizable`The service ended the stream with an error (${code}): ${said}.`;
}

export function joinSentences(first: LocalizableMessage, second: LocalizableMessage | undefined): LocalizableMessage {
	return second ? localizable`${first} ${second}` : first;
}

/** Masks secrets in the values of a message. */
export function redactMessage({ template, args }: LocalizableMessage, redactor: Redactor): LocalizableMessage {
	const redactValue = (value: MessageArgument) =>
		typeof value === 'object' ? redactMessage(value, redactor) : typeof value === 'string' ? redactor.redactText(value) : value;
	return { template, args: args.map(redactValue) };
}

/** Returns the gateway's message as template and values, or undefined if it doesn't match the body or is too long to show. */
function readGatewayMessage(headers: IncomingHttpHeaders, text: string | undefined, redactor: Redactor): LocalizableMessage | undefined {
	const header = headers[messageHeader];
	const message = typeof header === 'string' ? decodeMessage(header) : undefined;
	const isShown =
		message && text !== undefined && formatMessage(message) === text && /[.!?]$/.test(text) && shortenServiceText(text, redactor) === text;
	return isShown ? message : undefined;
}

function findFaultReason(status: number | undefined, body: ErrorBody): ServiceErrorReason {
	// Dify has no code for this, only a message (wire facts 1.1)
	if (status === 400 && /^workflow (is )?not published/i.test(body.message ?? '')) {
		return 'not-published';
	}
	// a proxy's refusal is about the connection, whatever its page says
	const known =
		status === 407
			? undefined
			: body.codes.map(code => (Object.hasOwn(reasonOfCode, code) ? reasonOfCode[code] : undefined)).find(reason => reason !== undefined);
	const ofStatus = reasonOfStatus[status ?? 500];
	// OpenAI's protocol uses this code for nearly everything, including wrong keys and names
	const isVague = known === 'invalid-request' && body.codes.every(code => code === 'invalid_request_error' || /^\d+$/.test(code));
	if (known !== undefined && !(isVague && ofStatus !== undefined)) {
		return known;
	}
	return ofStatus ?? ((status ?? 500) >= 500 ? 'server' : 'invalid-request');
}

function createRedirectFault(status: number, headers: IncomingHttpHeaders, redactor: Redactor): ServiceError {
	const target = (headers.location ?? '').split('?')[0];
	const message = target
		? localizable`The service redirects to ${target} (status ${status}), but keys are never sent to another address. Set the base URL to the new address.`
		: localizable`The service redirects (status ${status}), but keys are never sent to another address. Set the base URL to the new address.`;
	return new ServiceError('protocol', redactMessage(message, redactor), {
		status,
		requestId: getRequestId(headers) === undefined ? undefined : redactor.redactText(getRequestId(headers)!),
	});
}

function describeSystemError(code: string, error: Error): string | LocalizableMessage {
	switch (code) {
		case 'ECONNREFUSED':
			return localizable`Nothing is listening at this address`;
		case 'ENOTFOUND':
			return localizable`The host doesn't exist`;
		case 'EAI_AGAIN':
			return localizable`The host name can't be looked up right now`;
		case 'ECONNRESET':
		case 'EPIPE':
		case 'UND_ERR_SOCKET':
			return localizable`The connection was lost before the response was complete`;
		case 'UND_ERR_CONNECT_TIMEOUT':
		case 'ETIMEDOUT':
			return localizable`The connection timed out`;
		case 'UND_ERR_HEADERS_TIMEOUT':
			return localizable`The service didn't respond in time`;
		case 'UND_ERR_BODY_TIMEOUT':
			return localizable`The service stopped sending before the response was complete`;
		case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
			return localizable`The length of the response doesn't match its header`;
		case 'EPROTO':
		case 'ERR_SSL_WRONG_VERSION_NUMBER':
			return localizable`The service doesn't support TLS at this address`;
		default: // Node's message about an unknown issuer recommends an option of its command line
			return untrustedCode.test(code)
				? localizable`The service's certificate isn't trusted`
				: error.message.replace(/(?<![.\s])[.\s]+$/, '');
	}
}
