import { isCancellation, messageOf, Problem, reasonOf } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ProblemAction, ReplyProblem } from '#pages/chat/transcript/transcript.ts';

/** What a user can do about each reason of the client's ServiceError and of our Problems. */
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

/** What stands in the transcript where a reply failed: what happened, and what to do next. */
export function problemOf(words: Localization, error: unknown): ReplyProblem {
	const reason = reasonOf(error) ?? 'unknown';
	// what connections made of the client's error has it as its cause
	const id = requestIdOf(error) ?? requestIdOf((error as { cause?: unknown } | undefined)?.cause);
	const message = id ? words.t('{0} (request {1})', messageOf(error), id) : messageOf(error);
	return { reason, message, actions: actions[reason] ?? ['retry', 'showLog'] };
}

/** The service's ID of the request, to quote to its support. */
function requestIdOf(error: unknown): string | undefined {
	const id = typeof error === 'object' && error !== null && 'requestId' in error ? error.requestId : undefined;
	return typeof id === 'string' ? id : undefined;
}

/** The problem of a stream that ended without its last event. */
export function cutShort(words: Localization): Problem {
	return new Problem('cut', words.t('The reply broke off: the stream ended before its last event. What came is kept.'));
}

/** Whether a stop that the user asked for did not come about. */
export function isFailedStop(error: unknown): boolean {
	const reason = reasonOf(error);
	return reason === 'stop-refused' || reason === 'stop-unanswered';
}

/** Whether the user called it off: then nothing went wrong. */
export function isStop(error: unknown): boolean {
	return isCancellation(error) || reasonOf(error) === 'aborted';
}
