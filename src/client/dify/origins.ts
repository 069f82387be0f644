import { isLoopback } from '#network/proxies.ts';
import { ServiceError } from '../errors/serviceError.ts';

/** Where Dify's cloud answers keys of apps, and where it is managed. */
const managedElsewhere: Readonly<Record<string, string>> = { 'https://api.dify.ai': 'https://cloud.dify.ai' };

/**
 * Scheme, host and port at which the deployment behind an address is managed. Throws {@link ServiceError} `invalid-request` where a sign-in would cross
 * the network in the open: anything but https, and http on this machine.
 */
export function managedOrigin(address: string): string {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) {
		throw refused('The address of a Dify deployment must begin with https://.');
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
		throw refused(`${url.origin} has no TLS: a sign-in would cross the network in the open. Use its https:// address.`);
	}
	return managedElsewhere[url.origin] ?? url.origin;
}

function refused(message: string): ServiceError {
	return new ServiceError('invalid-request', message, { field: 'origin' });
}
