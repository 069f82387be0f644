import { backoffMs, wait } from '../backoff.ts';
import type { CallOptions } from '../caller.ts';
import { excerptOf, isRecord } from '../errors/errorBodies.ts';
import { connectionFault, protocolFault } from '../errors/faults.ts';
import { ServiceError, type ServiceErrorReason } from '../errors/serviceError.ts';
import type { Reply } from '../replyCollector.ts';
import { AbortedError } from '../transport.ts';
import type { DeploymentAccess } from './detectDeployment.ts';
import type { DifyDeployment } from './management.ts';
import { managedOrigin } from './origins.ts';
import { readWorkspaces } from './readers/appReaders.ts';
import { type Fields, optionalNumber, optionalText, optionalTime, textIn } from './readers/fields.ts';
import { noCredentials } from './requests/credentials.ts';
import type { ManagementRequest } from './requests/managementRequest.ts';
import { ManagementRequests } from './requests/managementRequests.ts';
import { SignInSecrets } from './requests/signInSecrets.ts';
import type { DifySignIn } from './signIn.ts';

/** As what a login in the browser is asked for. */
export interface DeviceLoginOptions extends DeploymentAccess {
	/** Program that the deployment knows; as shipped it knows `difyctl` alone. */
	readonly clientId: string;
	/** Name of this login in the account's list of them. The next login of the same name ends the token of this one. */
	readonly deviceLabel: string;
}

/** A login that waits to be approved in the browser. */
export interface DeviceLogin {
	/** To be typed in, or compared, in the browser: `XXXX-XXXX`. */
	readonly userCode: string;
	/** Page on which it is approved; http or https. Show it before it is opened: the deployment chose it. */
	readonly verificationUri: string;
	/** Unix milliseconds. */
	readonly expiresAt: number;
	/**
	 * Resolves when it was approved, and rejects with the code `access_denied` or `expired_token` when it was denied or not approved in time, with the reason
	 * `aborted` for the signal. To be called once.
	 */
	finish(options?: CallOptions): Promise<DifySignIn>;
}

/** Longest address of a page that is shown before it is opened. */
const longestPage = 500;

/** How long a code is waited for at most, whatever its deployment says. */
const longestSeconds = 3600;

/** Why a question whether a sign-in was approved had no answer that counts: the next one may have. */
const passing: ReadonlySet<ServiceErrorReason> = new Set(['network', 'timeout', 'server', 'overloaded', 'rate-limited']);

/** Seconds that are added to the interval at each `slow_down` (RFC 8628, 3.5). */
const slowDownSeconds = 5;

/** Begins a login in the browser (RFC 8628). Rejects with `ServiceError`, with a sentence that names the switch where the deployment has it off. */
export async function startDeviceLogin(
	deployment: DifyDeployment,
	options: DeviceLoginOptions,
	call: CallOptions = {},
): Promise<DeviceLogin> {
	const origin = managedOrigin(deployment.origin);
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
		const reply = await requests.reply(request, call);
		if (reply.status >= 300) {
			throw refusalOf(reply, request, requests, clientId);
		}
		const code = requests.read<Fields, Code>(reply, request, value => readCode(value, secrets));
		const { userCode, verificationUri, expiresAt } = code;
		return { userCode, verificationUri, expiresAt, finish: finishing => finished(requests, clientId, code, finishing) };
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

function readCode(value: Fields, secrets: SignInSecrets): Code {
	const deviceCode = textIn(value, 'device_code');
	secrets.add(deviceCode);
	return {
		userCode: codeIn(value, secrets),
		verificationUri: pageIn(value, secrets),
		expiresAt: Date.now() + Math.min(optionalNumber(value['expires_in']) ?? 900, longestSeconds) * 1000,
		deviceCode,
		intervalSeconds: Math.max(optionalNumber(value['interval']) ?? 5, 0),
	};
}

/** What people compare with what their browser shows: nothing in it that they would not see. */
function codeIn(value: Fields, secrets: SignInSecrets): string {
	const code = textIn(value, 'user_code');
	if (!/^[\x21-\x7e]{1,40}$/.test(code)) {
		throw protocolFault('Dify names a code for its sign-in that nobody could read off a page', secrets);
	}
	return code;
}

/** The page's address as a browser has it: one that is shown in another way than it is opened would deceive. */
function pageIn(value: Fields, secrets: SignInSecrets): string {
	const text = textIn(value, 'verification_uri');
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.href.length > longestPage) {
		const message = secrets.text(`Dify names "${excerptOf(text, secrets)}" as the page of its sign-in, which no browser should open.`);
		throw new ServiceError('protocol', message, { code: 'bad_verification_uri' });
	}
	return url.href;
}

/** Asks until it is approved or over, no faster than the deployment says. */
async function finished(requests: ManagementRequests, clientId: string, code: Code, call: CallOptions = {}): Promise<DifySignIn> {
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
			const pause = failures === 0 ? seconds * 1000 : Math.max(seconds * 1000, backoffMs(failures));
			// a code that ends before the next question would come is told of when it ends
			const left = Math.max(code.expiresAt - Date.now(), 0);
			await wait(Math.min(pause, left), call.signal).catch(() => {
				throw connectionFault(new AbortedError(), '', requests.secrets);
			});
			const reply = await requests.reply(request, call).catch((error: ServiceError) => {
				if (!passing.has(error.reason)) {
					throw error;
				}
				return undefined;
			});
			if (reply && reply.status < 300) {
				return requests.read<Fields, DifySignIn>(reply, request, value => readSignIn(value, requests.secrets));
			}
			const error = reply && errorOf(reply);
			failures = reply ? 0 : failures + 1;
			if (error === 'slow_down') {
				seconds += slowDownSeconds;
			} else if (reply && error !== 'authorization_pending' && reply.status !== 429) {
				throw refusalOf(reply, request, requests, clientId);
			}
			if (Date.now() >= code.expiresAt) {
				throw refusals['expired_token']!(clientId);
			}
		}
	} finally {
		await requests.close();
	}
}

function readSignIn(value: Fields, secrets: SignInSecrets): DifySignIn {
	const token = textIn(value, 'token');
	secrets.add(token);
	// it is printed and goes into files of variables: a line break would add another one
	if (!/^[\x21-\x7e]+$/.test(token)) {
		throw protocolFault('Dify gave a token for its sign-in that no request can carry', secrets);
	}
	const account = isRecord(value['account']) ? value['account'] : undefined;
	const email = optionalText(account?.['email']) ?? optionalText(value['subject_email']);
	return {
		session: { kind: 'device', token, expiresAt: optionalTime(value['expires_at']), email },
		account: email === undefined ? undefined : { email, name: optionalText(account?.['name']) ?? '' },
		workspaces: readWorkspaces({ workspaces: value['workspaces'] ?? [] }),
		defaultWorkspaceId: optionalText(value['default_workspace_id']),
	};
}

/** What a login ends with, by the name that RFC 8628 and Dify have for it. */
const refusals: Readonly<Record<string, (clientId: string) => ServiceError>> = {
	access_denied: () => refused('The sign-in was denied in the browser.', 'access_denied'),
	expired_token: () => refused('The sign-in was not approved in time: its code has ended. Begin again.', 'expired_token'),
	unsupported_client: clientId =>
		refused(
			`This Dify knows no program named "${clientId}" (OPENAPI_KNOWN_CLIENT_IDS). Its operator can add it there.`,
			'unsupported_client',
		),
};

function refusalOf(reply: Reply, request: ManagementRequest, requests: ManagementRequests, clientId: string): ServiceError {
	const error = errorOf(reply);
	const known = error !== undefined && Object.hasOwn(refusals, error) ? refusals[error] : undefined;
	if (known) {
		return known(clientId);
	}
	if (reply.status === 503) {
		return refused(
			'The sign-in in the browser is off in this Dify. Its operator can switch it on: ENABLE_OAUTH_BEARER=true.',
			'switched_off',
			503,
		);
	}
	return requests.fault(reply, request);
}

function errorOf({ body }: Reply): string | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return isRecord(value) ? optionalText(value['error']) : undefined;
	} catch {
		return undefined;
	}
}

function refused(message: string, code: string, status = 400): ServiceError {
	return new ServiceError('auth', message, { status, code });
}
