import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { isAtLeast } from '#contract/dify/releaseNumbers.ts';
import type { CallOptions } from '../caller.ts';
import { ServiceError } from '../errors/serviceError.ts';
import type { NetworkOptions } from '../networkOptions.ts';
import type { Reply } from '../replyCollector.ts';
import type { DifyDeployment } from './management.ts';
import { catalogHeader } from './openapi/catalog.ts';
import { parseManagedOrigin } from './origins.ts';
import { findConsoleRelease, getOpenapiGeneration } from './releases.ts';
import { noCredentials } from './requests/credentials.ts';
import type { ManagementReport } from './requests/exchanges.ts';
import type { ManagementRequest } from './requests/managementRequest.ts';
import { ManagementRequests } from './requests/managementRequests.ts';
import { SignInSecrets } from './requests/signInSecrets.ts';

/** How to reach a deployment before sign-in. */
export interface DeploymentAccess {
	readonly network?: NetworkOptions | undefined;
	/** Called after every request. */
	readonly onRequest?: ((report: ManagementReport) => void) | undefined;
}

/** "Not found" pages and redirects to a login mean that this API doesn't exist. */
const nothingThere = [301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410] as const;
const versionRequest: ManagementRequest = { purpose: 'detect', method: 'GET', path: '/openapi/v1/_version', answers: nothingThere };
const featuresRequest: ManagementRequest = {
	purpose: 'detect',
	method: 'GET',
	path: '/console/api/system-features',
	answers: nothingThere,
};

/**
 * Detects the deployment at an address without credentials: its management API, release and sign-in methods. `address` may be that of a
 * service API (`https://api.dify.ai/v1`). Rejects with `ServiceError`: `invalid-request` if the address has no TLS and isn't local,
 * `not-found` if it isn't Dify.
 */
export async function detectDeployment(address: string, access: DeploymentAccess = {}, options: CallOptions = {}): Promise<DifyDeployment> {
	const origin = parseManagedOrigin(address);
	const requests = new ManagementRequests({ origin, ...access }, noCredentials, new SignInSecrets([]));
	try {
		const openapi = await requests.requestReply(versionRequest, options);
		const said = readRecord(openapi);
		if (said !== undefined && typeof said['version'] === 'string') {
			return await detectWithOpenapi(origin, openapi, said, requests, options);
		}
		return detectConsoleOnly(origin, await requests.requestReply(featuresRequest, options));
	} finally {
		await requests.close();
	}
}

async function detectWithOpenapi(
	origin: string,
	{ headers }: Reply,
	said: Readonly<Record<string, unknown>>,
	requests: ManagementRequests,
	options: CallOptions,
): Promise<DifyDeployment> {
	const version = said['version'] as string;
	const edition = typeof said['edition'] === 'string' ? said['edition'] : undefined;
	// cloud accounts mostly have no password; if the console can't be reached, only password login is unavailable
	const features = edition === 'CLOUD' ? undefined : await requests.requestReply(featuresRequest, options).catch(rethrowAbort);
	const password = features !== undefined && canUsePasswords(readRecord(features)) && findConsoleRelease(version) !== undefined;
	return {
		origin,
		generation: getOpenapiGeneration(version, headers[catalogHeader] !== undefined),
		version,
		edition,
		signIns: password ? ['device', 'password'] : ['device'],
	};
}

function detectConsoleOnly(origin: string, reply: Reply): DifyDeployment {
	const features = readRecord(reply);
	const version = String(reply.headers['x-version'] ?? '') || undefined;
	if (features === undefined && version === undefined) {
		const message = localizable`There's no Dify server at ${origin}: neither /openapi/v1 nor /console/api responds like one. Enter the address of its console.`;
		throw new ServiceError('not-found', message, { status: reply.status, code: 'no_dify' });
	}
	const found = { origin, generation: 'console', version, edition: undefined } as const;
	const closedBecause = findClosedReason(origin, version, features);
	return closedBecause === undefined ? { ...found, signIns: ['password'] } : { ...found, signIns: [], closedBecause };
}

function findClosedReason(
	origin: string,
	version: string | undefined,
	features: Readonly<Record<string, unknown>> | undefined,
): LocalizableMessage | undefined {
	if (findConsoleRelease(version) === undefined) {
		// a password sent in the wrong format would count as a failed sign-in
		return localizable`Can't sign in with a password because ${origin} doesn't report its Dify version. Its proxy must pass on the X-Version header.`;
	}
	if (canUsePasswords(features)) {
		return undefined;
	}
	return isAtLeast(version, '1.15.0')
		? localizable`Dify ${version!} at ${origin} doesn't accept passwords, and browser sign-in is off. Its operator can turn it on with OPENAPI_ENABLED=true and ENABLE_OAUTH_BEARER=true.`
		: localizable`Dify ${version!} at ${origin} doesn't accept passwords. Browser sign-in requires Dify 1.15 or later. Ask its operator to update it.`;
}

/** True if the console accepts passwords, which it also does if the release doesn't report this. */
function canUsePasswords(features: Readonly<Record<string, unknown>> | undefined): boolean {
	return features?.['enable_email_password_login'] !== false && features?.['sso_enforced_for_signin'] !== true;
}

function readRecord({ status, body }: Reply): Readonly<Record<string, unknown>> | undefined {
	const value = status < 300 ? tryParseJson(body) : undefined;
	return isRecord(value) ? value : undefined;
}

function rethrowAbort(error: ServiceError): undefined {
	if (error.reason === 'aborted') {
		throw error;
	}
	return undefined;
}
