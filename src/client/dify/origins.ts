import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { isLoopback } from '#network/proxies.ts';
import { ServiceError } from '../errors/serviceError.ts';

/** Maps origins of Dify's cloud service API to the origins that manage them. */
const managedElsewhere: Readonly<Record<string, string>> = { 'https://api.dify.ai': 'https://cloud.dify.ai' };

/**
 * Returns the scheme, host and port that manage the deployment at an address. Throws {@link ServiceError} `invalid-request` unless it uses
 * https, or http on this machine: a sign-in must not be sent unencrypted.
 */
export function parseManagedOrigin(address: string): string {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) {
		throw createOriginError(localizable`The address of a Dify server must start with https://.`);
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
		throw createOriginError(localizable`${url.origin} would receive the sign-in without encryption. Use its https:// address.`);
	}
	return managedElsewhere[url.origin] ?? url.origin;
}

function createOriginError(message: LocalizableMessage): ServiceError {
	return new ServiceError('invalid-request', message, { field: 'origin' });
}
