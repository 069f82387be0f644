import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ContentBlock, MessagesResponse } from '#contract/text/messages.ts';
import { signatureOf } from '../providerMetadata.ts';
import { markedSignature } from '../signature.ts';
import { toolInput } from '../toolInput.ts';
import { messageHead, messagesUsageOf, stopOf } from './messagesReplyParts.ts';
import { searchBlocks, serverToolResult, serverToolUse } from './serverToolBlocks.ts';

/** Converts a complete reply to C's form. @param model name to use if the upstream sent none */
export function messagesReply(result: LanguageModelV4GenerateResult, model: string): MessagesResponse {
	return {
		...messageHead(result.response?.modelId ?? model),
		content: [...result.content.flatMap(contentBlocks), ...searchBlocks(result.content.filter(part => part.type === 'source'))],
		...stopOf(result.finishReason, result.providerMetadata),
		usage: messagesUsageOf(result.usage),
	};
}

function contentBlocks(part: LanguageModelV4GenerateResult['content'][number]): ContentBlock[] {
	switch (part.type) {
		case 'text':
			return [{ type: 'text', text: part.text }];
		case 'reasoning':
			return [{ type: 'thinking', thinking: part.text, signature: markedSignature(signatureOf(part.providerMetadata)) }];
		case 'tool-result':
			return [serverToolResult(part)];
		case 'tool-call': {
			if (part.providerExecuted) {
				return [serverToolUse(part)];
			}
			const signature = signatureOf(part.providerMetadata);
			const block = { type: 'tool_use', id: part.toolCallId, name: part.toolName, input: toolInput(part.toolName, part.input) };
			return signature === undefined ? [block] : [{ type: 'thinking', thinking: '', signature: markedSignature(signature) }, block];
		}
		default:
			return [];
	}
}
