import { ServiceFault } from '#contract/faults/serviceFault.ts';

/**
 * Fault for a request that got no reply, or only a part of one: 504 for a time-out, 502 for everything else on the way (refused, unknown host,
 * TLS, broken off). `origin` is the upstream's.
 */
export function connectionFault(error: unknown, origin: string): ServiceFault {
	const code = faultCode(error) ?? 'no reason given';
	const reason =
		reasons[code] ?? (isCertificateFault(code) ? `its certificate is not trusted (${code})` : `the connection failed (${code})`);
	const status = timeouts.has(code) ? 504 : 502;
	return new ServiceFault(status, `The service at ${origin} did not answer: ${reason}.`, {
		reason: status === 504 ? 'timeout' : 'network',
	});
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

const reasons: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens there',
	ENOTFOUND: 'the host is unknown',
	EAI_AGAIN: 'the name service did not answer',
	ECONNRESET: 'the connection was reset',
	EPIPE: 'the connection was closed',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ETIMEDOUT: 'the connection timed out',
	UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
	UND_ERR_HEADERS_TIMEOUT: 'no reply came in time',
	UND_ERR_BODY_TIMEOUT: 'the reply went silent',
	UND_ERR_SOCKET: 'the connection was closed before the reply was complete',
	UND_ERR_CLOSED: 'the gateway is ending',
	UND_ERR_DESTROYED: 'the gateway is ending',
	ERR_PROXY_ADDRESS: 'its proxy in the settings or the environment is no address of a proxy (http://, https:// or socks5://)',
	HTTPParserError: 'its reply is not HTTP',
	ERR_BAD_REPLY: 'its reply is not HTTP as this service speaks it',
	EPROTO: 'it does not speak TLS at this address',
	ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS at this address',
};

function isCertificateFault(code: string): boolean {
	return /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_/.test(code);
}

/**
 * Code of an error, or of the innermost cause that has one: fetch and its like wrap the error that tells. Undefined for one without, which
 * is no fault of a connection.
 */
export function faultCode(error: unknown): string | undefined {
	let code: string | undefined;
	for (let current = error, depth = 0; current instanceof Error && depth < 6; current = innerOf(current), depth++) {
		if ('code' in current && typeof current.code === 'string') {
			code = current.code;
		} else if (current.name === 'HTTPParserError') {
			// undici gives some of them no code
			code = current.name;
		}
	}
	return code;
}

function innerOf(error: Error): unknown {
	return error instanceof AggregateError ? error.errors[0] : error.cause;
}
