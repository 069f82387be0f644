import { getField, isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { getBackoffMs, waitMilliseconds } from '../backoff.ts';
import type { CallOptions } from '../caller.ts';
import { shortenServiceText } from '../errors/errorBodies.ts';
import { createConnectionFault, createProtocolFault } from '../errors/faults.ts';
import { ServiceError, type ServiceErrorReason } from '../errors/serviceError.ts';
import type { Reply } from '../replyCollector.ts';
import { AbortedError } from '../transport.ts';
import type { DeploymentAccess } from './detectDeployment.ts';
import type { DifyDeployment } from './management.ts';
import { parseManagedOrigin } from './origins.ts';
import { readWorkspaces } from './readers/appReaders.ts';
import { type ReplyFields, readString, toOptionalNumber, toOptionalText, toOptionalTime } from './readers/fields.ts';
import { noCredentials } from './requests/credentials.ts';
import type { ManagementRequest } from './requests/managementRequest.ts';
import { ManagementRequests } from './requests/managementRequests.ts';
import { SignInSecrets } from './requests/signInSecrets.ts';
import type { DifySignIn } from './signIn.ts';

interface DeviceLoginOptions extends DeploymentAccess {
	/** ID of a client program that the deployment accepts; by default only `difyctl`. */
	readonly clientId: string;
	/** Name of this login in the account's list. The next login with the same name revokes this one's token. */
	readonly deviceLabel: string;
}

/** A login waiting for approval in the browser. */
export interface DeviceLogin {
	/** Code to type in or compare in the browser: `XXXX-XXXX`. */
	readonly userCode: string;
	/** Approval page; http or https. Show it before opening it: the deployment chose it. */
	readonly verificationUri: string;
	/** Unix milliseconds. */
	readonly expiresAt: number;
	/**
	 * Resolves when the login is approved. Rejects with the code `access_denied` if it is denied, `expired_token` if it isn't approved in
	 * time, and with the reason `aborted` if the signal aborts. Call it once.
	 */
	finish(options?: CallOptions): Promise<DifySignIn>;
}

/** Maximum length of the address of a page that is shown before it is opened. */
const longestPage = 500;

/** Maximum time to wait for a code, regardless of the deployment's value. */
const longestSeconds = 3600;

/** Errors after which polling for approval continues. */
const passing: ReadonlySet<ServiceErrorReason> = new Set(['network', 'timeout', 'server', 'overloaded', 'rate-limited']);

/** Seconds added to the interval at each `slow_down` (RFC 8628, 3.5). */
const slowDownSeconds = 5;

/**
 * Starts a login in the browser (RFC 8628). Rejects with `ServiceError`; if the deployment has it disabled, the message names the setting
 * to enable.
 */
export async function startDeviceLogin(
	deployment: DifyDeployment,
	options: DeviceLoginOptions,
	call: CallOptions = {},
): Promise<DeviceLogin> {
	const origin = parseManagedOrigin(deployment.origin);
	const secrets = new SignInSecrets([]);
	const { network, onRequest, clientId } = options;
	const requests = new ManagementRequests({ origin, network, onRequest }, noCredentials, secrets);
	const request: ManagementRequest = {
		purpose: 'signIn',
		method: 'POST',
		path: '/openapi/v1/oauth/device/code',
		body: { client_id: clientId, device_label: options.deviceLabel },
		answers: [400, 404, 503],
	};
	try {
		const reply = await requests.requestReply(request, call);
		if (reply.status >= 300) {
			throw getDeviceRefusal(reply, request, requests, clientId);
		}
		const code = requests.readReply<ReplyFields, Code>(reply, request, value => readDeviceCode(value, secrets));
		const { userCode, verificationUri, expiresAt } = code;
		return { userCode, verificationUri, expiresAt, finish: finishing => completeLogin(requests, clientId, code, finishing) };
	} catch (error) {
		await requests.close();
		throw error;
	}
}

interface Code {
	readonly userCode: string;
	readonly verificationUri: string;
	readonly expiresAt: number;
	readonly deviceCode: string;
	readonly intervalSeconds: number;
}

function readDeviceCode(value: ReplyFields, secrets: SignInSecrets): Code {
	const deviceCode = readString(value, 'device_code');
	secrets.add(deviceCode);
	return {
		userCode: readUserCode(value, secrets),
		verificationUri: readLoginPage(value, secrets),
		expiresAt: Date.now() + Math.min(toOptionalNumber(value['expires_in']) ?? 900, longestSeconds) * 1000,
		deviceCode,
		intervalSeconds: Math.max(toOptionalNumber(value['interval']) ?? 5, 0),
	};
}

/** Users compare this code with the one in their browser, so it must not contain invisible characters. */
function readUserCode(value: ReplyFields, secrets: SignInSecrets): string {
	const code = readString(value, 'user_code');
	if (!/^[\x21-\x7e]{1,40}$/.test(code)) {
		throw createProtocolFault(localizable`Dify returned a sign-in code that can't be displayed`, secrets);
	}
	return code;
}

/** Returns the page's address as a browser normalizes it: showing a different address than the one that opens would deceive. */
function readLoginPage(value: ReplyFields, secrets: SignInSecrets): string {
	const text = readString(value, 'verification_uri');
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.href.length > longestPage) {
		const message = localizable`Dify returned an invalid address for its sign-in page: '${shortenServiceText(text, secrets)}'.`;
		throw new ServiceError('protocol', message, { code: 'bad_verification_uri' });
	}
	return url.href;
}

/** Polls until the login is approved or has ended, no faster than the deployment allows. */
async function completeLogin(requests: ManagementRequests, clientId: string, code: Code, call: CallOptions = {}): Promise<DifySignIn> {
	const request: ManagementRequest = {
		purpose: 'signIn',
		method: 'POST',
		path: '/openapi/v1/oauth/device/token',
		body: { device_code: code.deviceCode, client_id: clientId },
		answers: [400, 404, 429],
	};
	try {
		let failures = 0;
		for (let seconds = code.intervalSeconds; ; ) {
			const pause = failures === 0 ? seconds * 1000 : Math.max(seconds * 1000, getBackoffMs(failures));
			// don't wait longer than the code is valid, so that its expiry is reported on time
			const left = Math.max(code.expiresAt - Date.now(), 0);
			await waitMilliseconds(Math.min(pause, left), call.signal).catch(() => {
				throw createConnectionFault(new AbortedError(), '', requests.secrets);
			});
			const reply = await requests.requestReply(request, call).catch((error: ServiceError) => {
				if (!passing.has(error.reason)) {
					throw error;
				}
				return undefined;
			});
			if (reply && reply.status < 300) {
				return requests.readReply<ReplyFields, DifySignIn>(reply, request, value => readSignIn(value, requests.secrets));
			}
			const error = reply && getErrorCode(reply);
			failures = reply ? 0 : failures + 1;
			if (error === 'slow_down') {
				seconds += slowDownSeconds;
			} else if (reply && error !== 'authorization_pending' && reply.status !== 429) {
				throw getDeviceRefusal(reply, request, requests, clientId);
			}
			if (Date.now() >= code.expiresAt) {
				throw refusals['expired_token']!(clientId);
			}
		}
	} finally {
		await requests.close();
	}
}

function readSignIn(value: ReplyFields, secrets: SignInSecrets): DifySignIn {
	const token = readString(value, 'token');
	secrets.add(token);
	// the token is printed and written to env files: a line break would add another line
	if (!/^[\x21-\x7e]+$/.test(token)) {
		throw createProtocolFault(localizable`Dify returned a token that can't be sent in a request`, secrets);
	}
	const account = isRecord(value['account']) ? value['account'] : undefined;
	const email = toOptionalText(account?.['email']) ?? toOptionalText(value['subject_email']);
	return {
		session: { kind: 'device', token, expiresAt: toOptionalTime(value['expires_at']), email },
		account: email === undefined ? undefined : { email, name: toOptionalText(account?.['name']) ?? '' },
		workspaces: readWorkspaces({ workspaces: value['workspaces'] ?? [] }),
		defaultWorkspaceId: toOptionalText(value['default_workspace_id']),
	};
}

/** Login errors by their RFC 8628 and Dify codes. */
const refusals: Readonly<Record<string, (clientId: string) => ServiceError>> = {
	access_denied: () => createRefusal(localizable`The sign-in was denied in the browser.`, 'access_denied'),
	expired_token: () => createRefusal(localizable`The code expired before it was confirmed. Sign in again.`, 'expired_token'),
	unsupported_client: clientId =>
		createRefusal(
			localizable`This Dify server doesn't know the client '${clientId}'. Its operator can add it to OPENAPI_KNOWN_CLIENT_IDS.`,
			'unsupported_client',
		),
};

function getDeviceRefusal(reply: Reply, request: ManagementRequest, requests: ManagementRequests, clientId: string): ServiceError {
	const error = getErrorCode(reply);
	const known = error !== undefined && Object.hasOwn(refusals, error) ? refusals[error] : undefined;
	if (known) {
		return known(clientId);
	}
	if (reply.status === 503) {
		return createRefusal(
			localizable`Browser sign-in is off on this Dify server. Its operator can turn it on with ENABLE_OAUTH_BEARER=true.`,
			'switched_off',
			503,
		);
	}
	return requests.createFault(reply, request);
}

function getErrorCode({ body }: Reply): string | undefined {
	return toOptionalText(getField(tryParseJson(body), 'error'));
}

function createRefusal(message: LocalizableMessage, code: string, status = 400): ServiceError {
	return new ServiceError('auth', message, { status, code });
}
