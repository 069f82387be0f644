import type { LanguageModelV4FinishReason, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { isPromptBlock } from '../providerMetadata.ts';

/**
 * Why a reply ended, in OpenAI's words. With a call it is `tool_calls`, whatever the service said: clients that are told `stop` do not make the call. A reply
 * that was cut or blocked stays that, for its calls may not be whole.
 */
export function openAiFinish(
	reason: LanguageModelV4FinishReason,
	metadata: SharedV4ProviderMetadata | undefined,
	hasCalls: boolean,
): 'stop' | 'length' | 'tool_calls' | 'content_filter' {
	if (isPromptBlock(metadata) || reason.unified === 'content-filter') {
		return 'content_filter';
	}
	if (reason.unified === 'length') {
		return 'length';
	}
	return hasCalls ? 'tool_calls' : 'stop';
}
