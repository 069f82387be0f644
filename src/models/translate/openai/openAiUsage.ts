import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { OpenAiUsage } from '#contract/openai/chatCompletions.ts';

/** Converts token counts to the form of chat completions and completions, whose sums include cached and reasoning tokens. */
export function toOpenAiUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): OpenAiUsage {
	const prompt = inputTokens.total ?? 0;
	const completion = outputTokens.total ?? 0;
	return {
		prompt_tokens: prompt,
		completion_tokens: completion,
		total_tokens: prompt + completion,
		prompt_tokens_details: { cached_tokens: inputTokens.cacheRead ?? 0 },
		completion_tokens_details: { reasoning_tokens: outputTokens.reasoning ?? 0 },
	};
}
