import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { normalizeTokenCounts, type TokenUsage } from '#contract/text/tokenPrice.ts';

/** Converts token counts of the AI SDK; undefined if the service sent none or invalid ones. */
export function toTokenUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage | undefined {
	return inputTokens.total === undefined && outputTokens.total === undefined
		? undefined
		: normalizeTokenCounts({ input: inputTokens.total ?? 0, cached: inputTokens.cacheRead ?? 0, output: outputTokens.total ?? 0 });
}
