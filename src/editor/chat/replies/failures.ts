import { getErrorMessage, getErrorReason, isCancellation, Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ProblemAction, ReplyProblem } from '#pages/chat/transcript/transcript.ts';

/** Actions that the user can take, by the error's reason: that of a ServiceError or of a Problem. */
const actions: Readonly<Record<string, readonly ProblemAction[]>> = {
	auth: ['replaceKey', 'retry'],
	'key-missing': ['setKey', 'retry'],
	'run-failed': ['retry', 'showLog'],
	'model-missing': ['pickModel'],
	'not-found': ['pickModel', 'retry'],
	'conversation-gone': ['newConversation', 'retry'],
	'not-published': ['pickModel', 'retry'],
	'invalid-request': ['openSettings', 'retry'],
	'rate-limited': ['retry'],
	overloaded: ['retry'],
	server: ['retry', 'showLog'],
	network: ['retry', 'pickConnection', 'showLog'],
	tls: ['pickConnection', 'showLog'],
	timeout: ['retry', 'showLog'],
	protocol: ['retry', 'pickConnection', 'showLog'],
	blocked: ['openSettings', 'retry'],
	settings: ['openSettings', 'retry'],
	attachment: ['pickModel', 'retry'],
	'no-prefill': ['retry'],
	cut: ['retry'],
	'too-long': ['newChat', 'summarize', 'pickModel'],
	'no-credit': ['pickModel'],
	'stop-refused': ['retry', 'showLog'],
	'stop-unanswered': ['retry', 'showLog'],
};

/** Converts the error of a failed reply to the message and actions that the transcript shows. */
export function toReplyProblem(words: Localization, error: unknown): ReplyProblem {
	const reason = findLimitReason(error) ?? getErrorReason(error) ?? 'unknown';
	const id = getServiceFacts(error).requestId;
	const message = id
		? words.t({ message: '{0} (request ID: {1})', args: [getErrorMessage(error), id], comment: ['{0} is an error message'] })
		: getErrorMessage(error);
	return { reason, message, actions: actions[reason] ?? ['retry', 'showLog'] };
}

/** Details that the client's error has about a response. `requestId` is for the service's support. */
interface ServiceFacts {
	readonly requestId?: string | undefined;
	readonly status?: number | undefined;
	readonly code?: string | undefined;
	readonly retryAfterMs?: number | undefined;
}

/** Returns the details of a client's error, or of its cause, because a connection's error wraps the client's. */
export function getServiceFacts(error: unknown): ServiceFacts {
	if (!(error instanceof Error)) {
		return {};
	}
	return error.name === 'ServiceError' ? (error as ServiceFacts) : getServiceFacts(error.cause);
}

/** Codes that mean that the account can't pay (wire facts 2.3). */
const creditCodes = new Set(['billing_error', 'insufficient_quota']);

/**
 * Returns a more exact reason for two refusals that no setting of the chat can fix. Anthropic, Gemini and many servers of OpenAI's protocol
 * have no code for them, only a message.
 */
function findLimitReason(error: unknown): 'too-long' | 'no-credit' | undefined {
	const { status, code = '' } = getServiceFacts(error);
	if (status === 402 || creditCodes.has(code) || (status === 400 && /credit balance is too low/i.test(getErrorMessage(error)))) {
		return 'no-credit';
	}
	const refused = status === 400 && /prompt is too long|context (length|window)|input token count/i.test(getErrorMessage(error));
	return refused || code === 'context_length_exceeded' ? 'too-long' : undefined;
}

/** Creates the problem for a stream that ended without its last event. */
export function createCutProblem(words: Localization): Problem {
	return new Problem('cut', words.t('The reply is incomplete: the connection closed before the end. The part received so far is saved.'));
}

/** True if the error means that a requested stop failed. */
export function isFailedStop(error: unknown): boolean {
	const reason = getErrorReason(error);
	return reason === 'stop-refused' || reason === 'stop-unanswered';
}

/** True if the error only means that the user canceled. */
export function isUserStop(error: unknown): boolean {
	return isCancellation(error) || getErrorReason(error) === 'aborted';
}
