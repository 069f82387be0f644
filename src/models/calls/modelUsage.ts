import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { countedTokens, type TokenUsage } from '#contract/text/tokenPrice.ts';

/** Tokens as the AI SDK's providers count them; undefined where the service told none, or what can be no count. */
export function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage | undefined {
	return inputTokens.total === undefined && outputTokens.total === undefined
		? undefined
		: countedTokens({ input: inputTokens.total ?? 0, cached: inputTokens.cacheRead ?? 0, output: outputTokens.total ?? 0 });
}
