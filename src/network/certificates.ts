import tls from 'node:tls';

let trusted: tls.SecureContext | undefined;

/**
 * Returns TLS options for outgoing connections, which trust Node's certificates, those of `NODE_EXTRA_CA_CERTS`, and the system's. All
 * connections of the process share one context, because loading some hundred certificates blocks the event loop for tens of milliseconds.
 */
export function getTrustOptions(strictSSL: boolean): { readonly secureContext: tls.SecureContext; readonly rejectUnauthorized: boolean } {
	trusted ??= tls.createSecureContext({ ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])] });
	return { secureContext: trusted, rejectUnauthorized: strictSSL };
}
