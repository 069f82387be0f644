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
	'stop-refused': ['retry', 'showLog'],
	'stop-unanswered': ['retry', 'showLog'],
};

/** Converts the error of a failed reply to the message and actions that the transcript shows. */
export function toReplyProblem(words: Localization, error: unknown): ReplyProblem {
	const reason = getErrorReason(error) ?? 'unknown';
	// a connection's error wraps the client's error as its cause
	const id = getRequestId(error) ?? getRequestId((error as { cause?: unknown } | undefined)?.cause);
	const message = id
		? words.t({ message: '{0} (request ID: {1})', args: [getErrorMessage(error), id], comment: ['{0} is an error message'] })
		: getErrorMessage(error);
	return { reason, message, actions: actions[reason] ?? ['retry', 'showLog'] };
}

/** Returns the service's request ID, which users can give to the service's support. */
function getRequestId(error: unknown): string | undefined {
	const id = typeof error === 'object' && error !== null && 'requestId' in error ? error.requestId : undefined;
	return typeof id === 'string' ? id : undefined;
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
