import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { withoutKey } from './keyMask.ts';
import type { ModelRoute } from './modelRoute.ts';

/** How a model's reply ended, whole or streamed. */
type Finish = Pick<LanguageModelV4GenerateResult, 'finishReason' | 'providerMetadata'>;

/**
 * Throws a fault (502) if a reply ended because the model failed, such as with a tool call that can't be read: callers would take the rest for a finished
 * reply, and no protocol but Gemini's has a reason for it.
 */
export function checkFinish({ finishReason, providerMetadata }: Finish, { origin, key }: Pick<ModelRoute, 'origin' | 'key'>): void {
	const { unified, raw } = finishReason;
	if (unified !== 'error' && !failures.has(raw ?? '')) {
		return;
	}
	const said = providerMetadata?.['google']?.['finishMessage'];
	const more = typeof said === 'string' && said !== '' ? `: ${withoutKey(said, key).slice(0, longestMessage)}` : '.';
	throw new ServiceFault(502, `The model of the service at ${origin} failed to finish its reply (${raw ?? unified})${more}`);
}

const longestMessage = 500;

/** Reasons that the AI SDK's providers have no word of their own for. */
const failures = new Set(['UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE', 'MISSING_THOUGHT_SIGNATURE', 'error']);
