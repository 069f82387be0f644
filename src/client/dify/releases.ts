import { localizable } from '#base/text/localizableMessage.ts';
import { isAtLeast, parseRelease } from '#contract/dify/releaseNumbers.ts';
import { ServiceError } from '../errors/serviceError.ts';
import type { DifyDeployment, DifyGeneration } from './management.ts';

/** How to sign in to a release's console: with a bearer token up to 1.9.1, cookies after that, and the password in base64 from 1.11.2. */
export interface ConsoleRelease {
	readonly sends: 'bearer' | 'cookies';
	readonly password: 'plain' | 'base64';
}

/**
 * Returns how to sign in to a version's console, or `undefined` if the version can't be parsed: a wrong guess of the password's encoding
 * would count as a failed login.
 */
export function findConsoleRelease(version: string | undefined): ConsoleRelease | undefined {
	if (parseRelease(version) === undefined) {
		return undefined;
	}
	return {
		sends: isAtLeast(version, '1.9.2') ? 'cookies' : 'bearer',
		password: isAtLeast(version, '1.11.2') ? 'base64' : 'plain',
	};
}

/** Returns how to sign in to a deployment's console. Throws `protocol` if the release is unknown. */
export function getConsoleRelease({ origin, version }: DifyDeployment): ConsoleRelease {
	const release = findConsoleRelease(version);
	if (release === undefined) {
		const message = localizable`Can't sign in to the console of ${origin} because it doesn't report its Dify version. Its proxy must pass on the X-Version header.`;
		throw new ServiceError('protocol', message, { code: 'unknown_release' });
	}
	return release;
}

/** Returns the generation of a deployment that has `/openapi/v1`. */
export function getOpenapiGeneration(version: string | undefined, hasCatalog: boolean): Exclude<DifyGeneration, 'console'> {
	if (hasCatalog || isAtLeast(version, '1.18.0')) {
		return 'openapi-1.18';
	}
	return parseRelease(version) === undefined || isAtLeast(version, '1.16.0') ? 'openapi-1.16' : 'openapi-1.15';
}
