import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { statusOfMessagesType } from '#contract/faults/faultKinds.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { tooLarge } from '#network/replyLimits.ts';
import { retryAfterHeader } from './headerValues.ts';
import { withoutKey } from './keyMask.ts';
import type { ModelRoute } from './modelRoute.ts';
import { connectionFault, faultCode } from './upstreamFault.ts';
import { errorMessageOf } from './upstreamRefusal.ts';

/**
 * Fault for what a language model threw or put into its stream: an upstream's refusal keeps its status, a request that a provider cannot
 * express is the caller's (400), a broken connection is 502 or 504. What is none of these, and so a mistake of ours, comes back as it is.
 */
export function modelFault(error: unknown, route: Pick<ModelRoute, 'origin' | 'key'>): unknown {
	if (error instanceof ServiceFault) {
		return error;
	}
	const large = tooLarge(error);
	if (large) {
		return new ServiceFault(502, `The service at ${route.origin} sent too much: ${lowerFirst(large.message)}.`);
	}
	if (error instanceof Error && refusedByProvider.has(error.name)) {
		return new ServiceFault(400, withoutKey(error.message, route.key));
	}
	if (brokeOff(error)) {
		return connectionFault(error, route.origin);
	}
	// what a service says within its stream comes as it said it: a text, or an object that is no Error
	const status = statusOf(error) ?? (error instanceof Error ? undefined : 502);
	if (status !== undefined) {
		const said = withoutKey(messageOf(error), route.key);
		return new ServiceFault(status, `The service at ${route.origin} answered ${status}: ${said}`, {
			headers: retryAfterHeader(retryAfterOf(error)),
			...((status === 400 || status === 413) && tooLong.test(said) && { reason: 'context-length' }),
		});
	}
	if (error instanceof Error && error.name === 'AI_InvalidResponseDataError') {
		return new ServiceFault(502, `The service at ${route.origin} broke its protocol: ${withoutKey(error.message, route.key)}`);
	}
	if (error instanceof Error && unreadable.has(error.name)) {
		return unreadableReply(route);
	}
	return faultCode(error) === undefined ? error : connectionFault(error, route.origin);
}

/**
 * Awaits a request that a provider makes. Rejects with a fault: a provider that stumbles over a reply throws errors of any kind, and only of the offline
 * model are they mistakes of our own.
 */
export async function awaitProvider<T>(asked: PromiseLike<T>, route: Pick<ModelRoute, 'origin' | 'key' | 'provider'>): Promise<T> {
	try {
		return await asked;
	} catch (error) {
		const fault = modelFault(error, route);
		throw fault instanceof ServiceFault || route.provider === 'offline' ? fault : unreadableReply(route);
	}
}

function unreadableReply({ origin }: Pick<ModelRoute, 'origin'>): ServiceFault {
	return new ServiceFault(502, `The service at ${origin} answered in a form that its protocol does not have.`);
}

/** Names of the AI SDK's errors for what a provider cannot send. Classes are compared by name: they load with their provider. */
const refusedByProvider = new Set([
	'AI_UnsupportedFunctionalityError',
	'AI_InvalidPromptError',
	'AI_InvalidArgumentError',
	'AI_InvalidMessageConversionError',
]);

/** What Anthropic and Google say of a prompt that the model cannot take: neither has a name for it, and clients of OpenAI's protocol shorten a prompt by its name. */
const tooLong = /prompt is too long|input (?:length|token count).{0,200}exceed|context (?:length|window|limit)|maximum number of tokens/i;

const unreadable = new Set(['AI_JSONParseError', 'AI_TypeValidationError', 'AI_EmptyResponseBodyError']);

/** Whether a reply had begun as a success when its connection broke: the SDK tells only that it could not read it. */
function brokeOff(error: unknown): boolean {
	if (!(error instanceof Error) || !('statusCode' in error) || faultCode(error) === undefined) {
		return false;
	}
	return typeof error.statusCode === 'number' && error.statusCode < 300;
}

/** Status of an upstream's error: of its response, or as said inside a stream. 2xx (a body that is no reply) counts as 502. */
function statusOf(error: unknown): number | undefined {
	if (!isRecord(error)) {
		return undefined;
	}
	const status = error['statusCode'] ?? error['code'];
	if (typeof status === 'number' && status >= 200 && status < 600) {
		return status < 400 ? 502 : status;
	}
	const type = error['type'] ?? (isRecord(error['error']) ? error['error']['type'] : undefined);
	return typeof type === 'string' ? statusOfMessagesType(type) : undefined;
}

function messageOf(error: unknown): string {
	if (!isRecord(error)) {
		return String(error);
	}
	const body = typeof error['responseBody'] === 'string' ? tryParseJson(error['responseBody']) : undefined;
	const message = errorMessageOf(body) ?? error['message'] ?? errorMessageOf(error);
	return typeof message === 'string' && message !== '' ? message : 'no reason given';
}

/** Seconds to wait, from the header or from Google's `RetryInfo` (wire facts 4.3). */
function retryAfterOf(error: unknown): string | undefined {
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

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
