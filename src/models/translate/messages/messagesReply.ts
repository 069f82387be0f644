import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ContentBlock, MessagesResponse } from '#contract/text/messages.ts';
import { getSignature } from '../providerMetadata.ts';
import { markSignature } from '../signature.ts';
import { parseToolInput } from '../toolInput.ts';
import { createMessageHead, createStopFields, toMessagesUsage } from './messagesReplyParts.ts';
import { createSearchBlocks, createServerToolResult, createServerToolUse } from './serverToolBlocks.ts';

/**
 * Converts a complete reply to a message (C).
 * @param model name to use if the upstream sent none
 */
export function createMessagesReply(result: LanguageModelV4GenerateResult, model: string): MessagesResponse {
	return {
		...createMessageHead(result.response?.modelId ?? model),
		content: [...result.content.flatMap(toContentBlocks), ...createSearchBlocks(result.content.filter(part => part.type === 'source'))],
		...createStopFields(
			result.finishReason,
			result.providerMetadata,
			result.content.some(part => part.type === 'tool-call' && !part.providerExecuted),
		),
		usage: toMessagesUsage(result.usage),
	};
}

function toContentBlocks(part: LanguageModelV4GenerateResult['content'][number]): ContentBlock[] {
	switch (part.type) {
		case 'text':
			return [{ type: 'text', text: part.text }];
		case 'reasoning':
			return [{ type: 'thinking', thinking: part.text, signature: markSignature(getSignature(part.providerMetadata)) }];
		case 'tool-result':
			return [createServerToolResult(part)];
		case 'tool-call': {
			if (part.providerExecuted) {
				return [createServerToolUse(part)];
			}
			const signature = getSignature(part.providerMetadata);
			const block = { type: 'tool_use', id: part.toolCallId, name: part.toolName, input: parseToolInput(part.toolName, part.input) };
			return signature === undefined ? [block] : [{ type: 'thinking', thinking: '', signature: markSignature(signature) }, block];
		}
		default:
			return [];
	}
}
