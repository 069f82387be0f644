import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/**
 * Creates an error for a request that got no reply, or only part of one: 504 for a timeout, 502 for other connection errors.
 * @param origin the upstream's origin
 */
export function createConnectionFault(error: unknown, origin: string): ServiceFault {
	const code = findErrorCode(error) ?? 'unknown error';
	const message =
		messages[code]?.(origin) ??
		(isCertificateFault(code)
			? localizable`Couldn't reach the service at ${origin}: its certificate isn't trusted (${code}).`
			: localizable`Couldn't reach the service at ${origin}: the connection failed (${code}).`);
	const status = timeouts.has(code) ? 504 : 502;
	return new ServiceFault(status, message, {
		reason: status === 504 ? 'timeout' : 'network',
	});
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

const messages: Readonly<Record<string, (origin: string) => LocalizableMessage>> = {
	ECONNREFUSED: origin => localizable`Couldn't reach the service at ${origin}: the connection was refused.`,
	ENOTFOUND: origin => localizable`Couldn't reach the service at ${origin}: unknown host.`,
	EAI_AGAIN: origin => localizable`Couldn't reach the service at ${origin}: the DNS server didn't respond.`,
	ECONNRESET: origin => localizable`Couldn't reach the service at ${origin}: the connection was reset.`,
	EPIPE: origin => localizable`Couldn't reach the service at ${origin}: the connection was closed.`,
	EHOSTUNREACH: origin => localizable`Couldn't reach the service at ${origin}: the host is unreachable.`,
	ENETUNREACH: origin => localizable`Couldn't reach the service at ${origin}: the network is unreachable.`,
	ETIMEDOUT: origin => localizable`Couldn't reach the service at ${origin}: the connection timed out.`,
	UND_ERR_CONNECT_TIMEOUT: origin => localizable`Couldn't reach the service at ${origin}: the connection timed out.`,
	UND_ERR_HEADERS_TIMEOUT: origin => localizable`The service at ${origin} took too long to reply.`,
	UND_ERR_BODY_TIMEOUT: origin => localizable`The service at ${origin} stopped sending its reply.`,
	UND_ERR_SOCKET: origin => localizable`The service at ${origin} closed the connection before the reply was complete.`,
	UND_ERR_CLOSED: origin => localizable`The request to the service at ${origin} ended because the gateway is shutting down.`,
	UND_ERR_DESTROYED: origin => localizable`The request to the service at ${origin} ended because the gateway is shutting down.`,
	ERR_PROXY_ADDRESS: origin =>
		localizable`Couldn't reach the service at ${origin}: the proxy isn't an http://, https:// or socks5:// URL. Check the settings and the environment.`,
	HTTPParserError: origin => localizable`The service at ${origin} sent a reply that isn't valid HTTP.`,
	ERR_BAD_REPLY: origin => localizable`The service at ${origin} sent a reply with an invalid status or invalid headers.`,
	ERR_UNREADABLE_BODY: origin => localizable`Couldn't decompress the reply from the service at ${origin}.`,
	EPROTO: origin => localizable`The service at ${origin} doesn't support TLS at this address.`,
	ERR_SSL_WRONG_VERSION_NUMBER: origin => localizable`The service at ${origin} doesn't support TLS at this address.`,
};

function isCertificateFault(code: string): boolean {
	return /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_/.test(code);
}

/**
 * Returns the code of an error, or of the innermost of its causes that has a code, because fetch wraps the actual error. Undefined if there
 * is no code, which means that it isn't a connection error.
 */
export function findErrorCode(error: unknown): string | undefined {
	let code: string | undefined;
	for (let current = error, depth = 0; current instanceof Error && depth < 6; current = getInnerError(current), depth++) {
		if ('code' in current && typeof current.code === 'string') {
			code = current.code;
		} else if (current.name === 'HTTPParserError') {
			// undici sets no code for some errors
			code = current.name;
		}
	}
	return code;
}

function getInnerError(error: Error): unknown {
	return error instanceof AggregateError ? error.errors[0] : error.cause;
}
