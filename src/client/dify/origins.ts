import { isLoopback } from '#network/proxies.ts';
import { ServiceError } from '../errors/serviceError.ts';

/** Maps origins of Dify's cloud service API to the origins that manage them. */
const managedElsewhere: Readonly<Record<string, string>> = { 'https://api.dify.ai': 'https://cloud.dify.ai' };

/**
 * Returns the scheme, host and port that manage the deployment at an address. Throws {@link ServiceError} `invalid-request` unless it uses
 * https, or http on this machine: a sign-in must not be sent unencrypted.
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
