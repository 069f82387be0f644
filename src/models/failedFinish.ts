import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { maskKey } from './keyMask.ts';
import type { ModelRoute } from './modelRoute.ts';

/** The end of a reply, whole or streamed. */
type Finish = Pick<LanguageModelV4GenerateResult, 'finishReason' | 'providerMetadata'>;

/**
 * Throws an error (502) if a reply ended because the model failed, for example with an unreadable tool call. Only Gemini's protocol has a
 * finish reason for such failures, so other callers would take the reply for a finished one.
 */
export function checkFinish({ finishReason, providerMetadata }: Finish, { origin, key }: Pick<ModelRoute, 'origin' | 'key'>): void {
	const { unified, raw } = finishReason;
	if (unified !== 'error' && !failures.has(raw ?? '')) {
		return;
	}
	const said = providerMetadata?.['google']?.['finishMessage'];
	const reason = raw ?? unified;
	const message = typeof said === 'string' ? maskKey(said, key).slice(0, longestMessage) : '';
	throw new ServiceFault(
		502,
		message === ''
			? localizable`The model at ${origin} failed to finish its reply (${reason}).`
			: localizable`The model at ${origin} failed to finish its reply (${reason}): ${message}`,
	);
}

const longestMessage = 500;

/** Failure reasons that the AI SDK's providers don't map. */
const failures = new Set(['UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE', 'MISSING_THOUGHT_SIGNATURE', 'error']);
