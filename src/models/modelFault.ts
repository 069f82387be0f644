import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { getMessagesStatus } from '#contract/faults/faultKinds.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { findTooLargeError } from '#network/replyLimits.ts';
import { createRetryAfterHeader } from './headerValues.ts';
import { maskKey } from './keyMask.ts';
import type { ModelRoute } from './modelRoute.ts';
import { createConnectionFault, findErrorCode } from './upstreamFault.ts';
import { readErrorMessage } from './upstreamRefusal.ts';

/**
 * Converts an error of a language model or its stream. An upstream's refusal keeps its status. A request that a provider can't express is
 * the caller's error (400). A broken connection is 502 or 504. Other errors are bugs of ours and returned unchanged.
 */
export function toModelFault(error: unknown, route: Pick<ModelRoute, 'origin' | 'key'>): unknown {
	if (error instanceof ServiceFault) {
		return error;
	}
	const large = findTooLargeError(error);
	if (large) {
		return new ServiceFault(502, localizable`The service at ${route.origin} sent too much data: ${lowerFirstLetter(large.message)}.`);
	}
	if (error instanceof Error && refusedByProvider.has(error.name)) {
		return new ServiceFault(400, maskKey(error.message, route.key));
	}
	if (isBrokenOffReply(error)) {
		return createConnectionFault(error, route.origin);
	}
	const replied = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : Number.NaN;
	if (replied < 300 && readBodyMessage(error) === undefined) {
		return createUnreadableResponseFault(route);
	}
	if (replied >= 300 && replied < 400) {
		return new ServiceFault(
			502,
			localizable`The service at ${route.origin} responded with a redirect (status ${replied}). Check the address.`,
		);
	}
	// errors in a stream have the form that the service sent: a string, or an object that isn't an Error
	const status = getErrorStatus(error) ?? (error instanceof Error ? undefined : 502);
	if (status !== undefined) {
		const said = maskKey(getFaultMessage(error), route.key);
		return new ServiceFault(status, localizable`The service at ${route.origin} responded with ${status}: ${said}`, {
			headers: createRetryAfterHeader(readRetryAfter(error)),
			...((status === 400 || status === 413) && tooLong.test(said) && { reason: 'context-length' }),
		});
	}
	if (error instanceof Error && error.name === 'AI_InvalidResponseDataError') {
		return new ServiceFault(
			502,
			localizable`The service at ${route.origin} sent an invalid response: ${maskKey(error.message, route.key)}`,
		);
	}
	if (error instanceof Error && unreadable.has(error.name)) {
		return createUnreadableResponseFault(route);
	}
	return findErrorCode(error) === undefined ? error : createConnectionFault(error, route.origin);
}

/**
 * Awaits a provider's request. Converts every error to a ServiceFault, because providers throw all kinds of errors for unreadable replies.
 * Unexpected errors of the offline model are thrown unchanged, because they are bugs of ours.
 */
export async function awaitProvider<T>(asked: PromiseLike<T>, route: Pick<ModelRoute, 'origin' | 'key' | 'provider'>): Promise<T> {
	try {
		return await asked;
	} catch (error) {
		const fault = toModelFault(error, route);
		throw fault instanceof ServiceFault || route.provider === 'offline' ? fault : createUnreadableResponseFault(route);
	}
}

function createUnreadableResponseFault({ origin }: Pick<ModelRoute, 'origin'>): ServiceFault {
	return new ServiceFault(502, localizable`The service at ${origin} sent a response that doesn't match its protocol.`);
}

/**
 * Names of the AI SDK's errors for requests that a provider can't send. Compared by name, because each provider's bundle has separate
 * classes.
 */
const refusedByProvider = new Set([
	'AI_UnsupportedFunctionalityError',
	'AI_InvalidPromptError',
	'AI_InvalidArgumentError',
	'AI_InvalidMessageConversionError',
]);

/**
 * Matches messages of Anthropic and Google about prompts that are too long. They have no error code for this, but clients of OpenAI's
 * protocol rely on the code to shorten prompts.
 */
const tooLong = /prompt is too long|input (?:length|token count).{0,200}exceed|context (?:length|window|limit)|maximum number of tokens/i;

const unreadable = new Set(['AI_JSONParseError', 'AI_TypeValidationError', 'AI_EmptyResponseBodyError']);

/** True if the connection broke after a successful start of the reply. The SDK then only reports that it couldn't read the reply. */
function isBrokenOffReply(error: unknown): boolean {
	if (!(error instanceof Error) || !('statusCode' in error) || findErrorCode(error) === undefined) {
		return false;
	}
	return typeof error.statusCode === 'number' && error.statusCode < 300;
}

/**
 * Returns the status of an upstream's error, from its response or from inside a stream, where a success status counts as 502.
 */
function getErrorStatus(error: unknown): number | undefined {
	if (!isRecord(error)) {
		return undefined;
	}
	const status = error['statusCode'] ?? error['code'];
	if (typeof status === 'number' && status >= 200 && status < 600) {
		return status < 400 ? 502 : status;
	}
	const type = error['type'] ?? (isRecord(error['error']) ? error['error']['type'] : undefined);
	return typeof type === 'string' ? getMessagesStatus(type) : undefined;
}

function getFaultMessage(error: unknown): string {
	if (!isRecord(error)) {
		return String(error);
	}
	const message = readBodyMessage(error) ?? error['message'] ?? readErrorMessage(error);
	return typeof message === 'string' && message !== '' ? message : 'no reason given';
}

function readBodyMessage(error: unknown): string | undefined {
	const body = isRecord(error) ? error['responseBody'] : undefined;
	return typeof body === 'string' ? readErrorMessage(tryParseJson(body)) : undefined;
}

/** Returns the seconds to wait, from the header or Google's `RetryInfo` (wire facts 4.3). */
function readRetryAfter(error: unknown): string | undefined {
	if (!isRecord(error)) {
		return undefined;
	}
	const headers = error['responseHeaders'];
	if (isRecord(headers) && typeof headers['retry-after'] === 'string') {
		return headers['retry-after'];
	}
	const delay = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(typeof error['responseBody'] === 'string' ? error['responseBody'] : '')?.[1];
	return delay === undefined ? undefined : String(Math.ceil(Number(delay)));
}

function lowerFirstLetter(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
