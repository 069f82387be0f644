import { isRecord, toFields } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { readErrorBody, shortenServiceText } from '../../errors/errorBodies.ts';
import { createHttpFault, joinSentences, redactMessage } from '../../errors/faults.ts';
import { ServiceError, type ServiceErrorReason } from '../../errors/serviceError.ts';
import type { Reply } from '../../replyCollector.ts';
import type { ManagementRequest } from './managementRequest.ts';
import type { SignInSecrets } from './signInSecrets.ts';

/** A refusal that has one code in this client, whatever code the release sends. */
interface KnownRefusal {
	readonly said: RegExp;
	readonly statuses?: readonly number[];
	readonly reason: ServiceErrorReason;
	readonly code: string;
	/** Says what happened and what to do. */
	readonly message: LocalizableMessage;
}

const insufficientRole: KnownRefusal = {
	said: /insufficient workspace role/i,
	statuses: [403],
	reason: 'auth',
	code: 'insufficient_role',
	message: localizable`Your role in this workspace doesn't allow this. Ask an owner or admin for the editor or admin role.`,
};

const changed: KnownRefusal = {
	said: /draft changed after|draft_changed|draft_workflow_not_sync/i,
	reason: 'invalid-request',
	code: 'draft_changed',
	message: localizable`The draft in Dify has changed in the meantime. Pull it, compare, and push again.`,
};

const knownRefusals: readonly KnownRefusal[] = [
	{
		said: /service_api_disabled|service api (is )?(disabled|not enabled)/i,
		statuses: [403],
		reason: 'auth',
		code: 'service_api_disabled',
		message: localizable`The service API of this app is off, so it can't be managed here. Turn on 'Backend Service API' on its Monitoring page in Dify.`,
	},
	changed,
	{
		said: /import information expired/i,
		reason: 'invalid-request',
		code: 'import_expired',
		message: localizable`The import expired: Dify waits ten minutes for a confirmation. Import the file again.`,
	},
	{
		said: /number of apps has reached the limit/i,
		reason: 'auth',
		code: 'app_limit',
		message: localizable`The plan of this workspace doesn't allow more apps. Delete one in Dify, or change the plan.`,
	},
	{
		said: /insufficient_scope/i,
		statuses: [403],
		reason: 'auth',
		code: 'insufficient_scope',
		message: localizable`This sign-in can run apps but not manage them. Sign in again with a Dify account.`,
	},
	{
		said: /unsupported_token_type/i,
		statuses: [403],
		reason: 'auth',
		code: 'unsupported_token_type',
		message: localizable`Dify doesn't accept this type of token here. Sign in again in the browser.`,
	},
	insufficientRole,
	{
		said: /upgrade_required/i,
		statuses: [426],
		reason: 'protocol',
		code: 'upgrade_required',
		message: localizable`Dify requires a newer client. Update Agent Workbench.`,
	},
];

/** Advice for the user; the last sentence of a message. */
const advice: Readonly<Partial<Record<ServiceErrorReason, LocalizableMessage>>> = {
	auth: localizable`Your role in this workspace may not allow this. If it does, sign in again.`,
	'not-found': localizable`It may have been deleted, or it may be in another workspace.`,
	'rate-limited': localizable`Try again later.`,
	overloaded: localizable`Try again later.`,
	server: localizable`If this happens again, check the Dify server's log.`,
};

/** True if a response is a known refusal, in any of its forms. */
export function isKnownRefusal({ status, body }: Reply): boolean {
	return findKnownRefusal(status, body) !== undefined;
}

function findKnownRefusal(status: number, body: string): KnownRefusal | undefined {
	return knownRefusals.find(({ said, statuses }) => said.test(body) && (statuses === undefined || statuses.includes(status)));
}

/** True if the role doesn't allow an operation. The console gives no other indication of that. */
function isConsoleRole({ status, code }: ServiceError, { path }: ManagementRequest): boolean {
	return status === 403 && code === 'forbidden' && path.startsWith('/console/api/');
}

/** Creates the error for a response with an unexpected status. */
export function createManagementFault({ status, headers, body }: Reply, request: ManagementRequest, secrets: SignInSecrets): ServiceError {
	const fault = createHttpFault(status, headers, body, secrets);
	if (status >= 300 && status < 400) {
		return fault;
	}
	const { requestId, retryAfterMs } = fault;
	const details = { status, requestId, retryAfterMs };
	const known = findKnownRefusal(status, body) ?? (isConsoleRole(fault, request) ? insufficientRole : undefined);
	if (known !== undefined) {
		return new ServiceError(known.reason, known.message, { ...details, code: known.code });
	}
	const { message, hint, field } = readRefusal(body, secrets);
	if (status === 404 && body.trimStart().startsWith('<')) {
		const what = localizable`Dify has no endpoint at ${request.shownPath ?? request.path} (404). Its operator may have turned off OPENAPI_ENABLED.`;
		return new ServiceError('not-found', redactMessage(what, secrets), { ...details, code: 'switched_off' });
	}
	const reason = status === 503 && /bearer/i.test(body) ? 'auth' : fault.reason;
	const wait = fault.retryAfterMs === undefined ? advice[reason] : localizable`Try again in ${Math.ceil(fault.retryAfterMs / 1000)} s.`;
	const sentence = describeResponse(status, fault.code, message);
	const explained = hint === undefined ? sentence : localizable`${sentence} ${hint}`;
	return new ServiceError(reason, redactMessage(joinSentences(explained, wait), secrets), {
		...details,
		code: fault.code,
		field: fault.field ?? field,
	});
}

function describeResponse(status: number, code: string | undefined, message: string): LocalizableMessage {
	if (message === '') {
		return code === undefined
			? localizable`Dify responded with status ${status}.`
			: localizable`Dify responded with status ${status} (${code}).`;
	}
	return code === undefined
		? localizable`Dify responded with status ${status}: ${message}.`
		: localizable`Dify responded with status ${status} (${code}): ${message}.`;
}

/** Creates the error for a draft that has changed since the request was prepared. */
export function createDraftChangedError(status: number | undefined): ServiceError {
	return new ServiceError(changed.reason, changed.message, { status, code: changed.code });
}

/** Creates the error for a session that Dify no longer accepts; the user must sign in again. */
export function createSessionExpiredError(status: number | undefined): ServiceError {
	const message = localizable`The sign-in to Dify expired or was revoked. Sign in again.`;
	return new ServiceError('auth', message, { status, code: 'session_expired' });
}

/** Returns message, hint and first field of a refusal, each as a clause or sentence. `/openapi` lists each problem in `details`. */
function readRefusal(body: string, secrets: SignInSecrets): { message: string; hint: string | undefined; field: string | undefined } {
	const value = tryParseJson(body);
	const record = toFields(value);
	const details = (Array.isArray(record['details']) ? record['details'] : []).filter(isRecord).slice(0, 5);
	const faults = details.map(detail => [formatFieldPath(detail['loc']), detail['msg']].filter(Boolean).join(': '));
	const text = typeof value === 'string' ? value : shortenServiceText(readErrorBody(body).message ?? '', secrets);
	const texts = [text, faults.join('; ')].filter(Boolean);
	const hint = record['hint'];
	return {
		message: texts.join(' – ').replace(/(?<![.\s])[.\s]+$/, ''),
		hint: typeof hint === 'string' ? `${hint.replace(/(?<![.\s])[.\s]+$/, '')}.` : undefined,
		field: secrets.redactText(formatFieldPath(details[0]?.['loc'])) || undefined,
	};
}

/** Formats a location in a request or file, for example `workflow.graph.nodes.0`. */
export function formatFieldPath(loc: unknown): string {
	return Array.isArray(loc) ? loc.join('.') : '';
}
