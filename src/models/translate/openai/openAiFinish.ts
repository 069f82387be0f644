import type { LanguageModelV4FinishReason, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { isPromptBlock } from '../providerMetadata.ts';

/**
 * Returns the finish reason in OpenAI's protocol. For a reply with a call, it's `tool_calls` whatever the service sent, because clients
 * don't run the call after `stop`. Replies that were cut or blocked keep that reason, because their calls may be incomplete.
 */
export function getOpenAiFinish(
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
