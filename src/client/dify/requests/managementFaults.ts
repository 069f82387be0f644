import { fieldsOf, isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { readErrorBody, shorten } from '../../errors/errorBodies.ts';
import { httpFault } from '../../errors/faults.ts';
import { ServiceError, type ServiceErrorReason } from '../../errors/serviceError.ts';
import type { Reply } from '../../replyCollector.ts';
import type { ManagementRequest } from './managementRequest.ts';
import type { SignInSecrets } from './signInSecrets.ts';

/** A refusal to which this client gives a code, regardless of the release's code. */
interface KnownRefusal {
	readonly said: RegExp;
	readonly statuses?: readonly number[];
	readonly reason: ServiceErrorReason;
	readonly code: string;
	/** Says what happened and what to do. */
	readonly message: string;
}

const insufficientRole: KnownRefusal = {
	said: /insufficient workspace role/i,
	statuses: [403],
	reason: 'auth',
	code: 'insufficient_role',
	message: 'Your role in this workspace does not allow this. Its owner or an admin can give you the role of an editor, or of an admin.',
};

const changed: KnownRefusal = {
	said: /draft changed after|draft_changed|draft_workflow_not_sync/i,
	reason: 'invalid-request',
	code: 'draft_changed',
	message: 'The draft in Dify is not the one that this was based on any more: somebody has changed it. Pull it, compare, and push again.',
};

const knownRefusals: readonly KnownRefusal[] = [
	{
		said: /service_api_disabled|service api (is )?(disabled|not enabled)/i,
		statuses: [403],
		reason: 'auth',
		code: 'service_api_disabled',
		message:
			'The service API of this app is off, and Dify manages no such app from outside. Switch it on: in Dify, on the app\'s Monitoring page, "Backend Service API".',
	},
	changed,
	{
		said: /import information expired/i,
		reason: 'invalid-request',
		code: 'import_expired',
		message: 'This import is not kept any more: Dify waits ten minutes for its confirmation. Import the file again.',
	},
	{
		said: /number of apps has reached the limit/i,
		reason: 'auth',
		code: 'app_limit',
		message: "The plan of this workspace allows no more apps. Delete one in Dify, or change the workspace's plan.",
	},
	{
		said: /insufficient_scope/i,
		statuses: [403],
		reason: 'auth',
		code: 'insufficient_scope',
		message: 'This sign-in may run apps, not manage them. Sign in again with an account of Dify itself.',
	},
	{
		said: /unsupported_token_type/i,
		statuses: [403],
		reason: 'auth',
		code: 'unsupported_token_type',
		message: 'Dify does not take this kind of token here. Sign in again in the browser.',
	},
	insufficientRole,
	{
		said: /upgrade_required/i,
		statuses: [426],
		reason: 'protocol',
		code: 'upgrade_required',
		message: 'Dify asks for a newer client. Update this extension.',
	},
];

/** Advice for the user; the last sentence of a message. */
const advice: Readonly<Partial<Record<ServiceErrorReason, string>>> = {
	auth: 'Your role in this workspace may not allow it; else sign in again.',
	'not-found': 'It may have been deleted, or be in another workspace.',
	'rate-limited': 'Try again later.',
	overloaded: 'Try again later.',
	server: 'If it happens again, the log of Dify says more.',
};

/** True if a response has a dedicated error, in any of its forms. */
export function isKnownRefusal({ status, body }: Reply): boolean {
	return refusalOf(status, body) !== undefined;
}

function refusalOf(status: number, body: string): KnownRefusal | undefined {
	return knownRefusals.find(({ said, statuses }) => said.test(body) && (statuses === undefined || statuses.includes(status)));
}

/** The console gives no other indication that the role doesn't allow an operation. */
function isConsoleRole({ status, code }: ServiceError, { path }: ManagementRequest): boolean {
	return status === 403 && code === 'forbidden' && path.startsWith('/console/api/');
}

/** Creates the error for a response with an unexpected status. */
export function managementFault({ status, headers, body }: Reply, request: ManagementRequest, secrets: SignInSecrets): ServiceError {
	const fault = httpFault(status, headers, body, secrets);
	if (status >= 300 && status < 400) {
		return fault;
	}
	const { requestId, retryAfterMs } = fault;
	const details = { status, requestId, retryAfterMs };
	const known = refusalOf(status, body) ?? (isConsoleRole(fault, request) ? insufficientRole : undefined);
	if (known !== undefined) {
		return new ServiceError(known.reason, known.message, { ...details, code: known.code });
	}
	const { message, hint, field } = said(body, secrets);
	if (status === 404 && body.trimStart().startsWith('<')) {
		const what = `Dify has no page at ${request.shownPath ?? request.path} (404). Its operator may have switched its management off (OPENAPI_ENABLED).`;
		return new ServiceError('not-found', secrets.text(what), { ...details, code: 'switched_off' });
	}
	const reason = status === 503 && /bearer/i.test(body) ? 'auth' : fault.reason;
	const code = fault.code === undefined ? '' : ` (${fault.code})`;
	const wait = fault.retryAfterMs === undefined ? advice[reason] : `Try again in ${Math.ceil(fault.retryAfterMs / 1000)} s.`;
	const sentences = [`Dify answered ${status}${code}${message}.`, hint, wait].filter(Boolean);
	return new ServiceError(reason, secrets.text(sentences.join(' ')), {
		...details,
		code: fault.code,
		field: fault.field ?? field,
	});
}

/** Creates the error for a draft that has changed since the request was prepared. */
export function draftChanged(status: number | undefined): ServiceError {
	return new ServiceError(changed.reason, changed.message, { status, code: changed.code });
}

/** Creates the error for a session that Dify no longer accepts; the user must sign in again. */
export function sessionExpired(status: number | undefined): ServiceError {
	const message = 'The sign-in to Dify has ended: it expired, or somebody revoked it. Sign in again.';
	return new ServiceError('auth', message, { status, code: 'session_expired' });
}

/** Returns message, hint and first field of a refusal, each as a clause or sentence. `/openapi` lists each problem in `details`. */
function said(body: string, secrets: SignInSecrets): { message: string; hint: string | undefined; field: string | undefined } {
	const value = tryParseJson(body);
	const record = fieldsOf(value);
	const details = (Array.isArray(record['details']) ? record['details'] : []).filter(isRecord).slice(0, 5);
	const faults = details.map(detail => [pathText(detail['loc']), detail['msg']].filter(Boolean).join(': '));
	const text = typeof value === 'string' ? value : shorten(readErrorBody(body).message ?? '', secrets);
	const texts = [text, faults.join('; ')].filter(Boolean);
	const hint = record['hint'];
	return {
		message: texts.length === 0 ? '' : `: ${texts.join(' – ').replace(/(?<![.\s])[.\s]+$/, '')}`,
		hint: typeof hint === 'string' ? `${hint.replace(/(?<![.\s])[.\s]+$/, '')}.` : undefined,
		field: secrets.text(pathText(details[0]?.['loc'])) || undefined,
	};
}

/** Formats a location in a request or file, for example `workflow.graph.nodes.0`. */
export function pathText(loc: unknown): string {
	return Array.isArray(loc) ? loc.join('.') : '';
}
