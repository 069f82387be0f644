import tls from 'node:tls';

let trusted: tls.SecureContext | undefined;

/**
 * TLS options for everything that leaves this machine: Node's certificates, those of `NODE_EXTRA_CA_CERTS`, and the system's. One context
 * serves all connections of the process, because to read some hundred certificates holds the event loop for tens of milliseconds.
 */
export function trustOptions(strictSSL: boolean): { readonly secureContext: tls.SecureContext; readonly rejectUnauthorized: boolean } {
	trusted ??= tls.createSecureContext({ ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])] });
	return { secureContext: trusted, rejectUnauthorized: strictSSL };
}
