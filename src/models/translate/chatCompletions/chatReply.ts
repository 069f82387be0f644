import type { LanguageModelV4GenerateResult, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import type { ChatCompletion } from '#contract/openai/chatCompletions.ts';
import { createId } from '../newId.ts';
import { getOpenAiFinish } from '../openai/openAiFinish.ts';
import { toOpenAiUsage } from '../openai/openAiUsage.ts';
import { getSignature } from '../providerMetadata.ts';

/**
 * Converts a complete reply to a chat completion.
 * @param model name to use if the upstream sent none
 */
export function createChatReply(result: LanguageModelV4GenerateResult, model: string): ChatCompletion {
	const { content, finishReason, providerMetadata, usage } = result;
	const calls = content.filter(part => part.type === 'tool-call').filter(({ providerExecuted }) => !providerExecuted);
	const text = content.map(part => (part.type === 'text' ? part.text : '')).join('');
	const thoughts = content.map(part => (part.type === 'reasoning' ? part.text : '')).join('');
	return {
		...createChatHead(result.response?.modelId ?? model),
		object: 'chat.completion',
		choices: [
			{
				index: 0,
				message: {
					role: 'assistant',
					content: text === '' && calls.length > 0 ? null : text,
					refusal: null,
					...(calls.length > 0 && { tool_calls: calls.map(toChatCall) }),
					...(thoughts !== '' && createReasoningFields(thoughts)),
				},
				logprobs: null,
				finish_reason: getOpenAiFinish(finishReason, providerMetadata, calls.length > 0),
			},
		],
		usage: toOpenAiUsage(usage),
	};
}

/** Creates the fields that a reply and its chunks share. */
export function createChatHead(model: string): Pick<ChatCompletion, 'id' | 'created' | 'model'> {
	return { id: createId('chatcmpl-'), created: Math.floor(Date.now() / 1000), model };
}

/** Returns thinking under both names that clients read: DeepSeek's name, and that of newer servers. */
export function createReasoningFields(text: string): { reasoning_content: string; reasoning: string } {
	return { reasoning_content: text, reasoning: text };
}

/**
 * Returns Gemini's signature of a call in the field that Google's service for OpenAI's protocol uses. Clients that know it send it back.
 */
export function createSignatureFields(metadata: LanguageModelV4ToolCall['providerMetadata']): { extra_content?: unknown } {
	const signature = getSignature(metadata);
	return signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
}

function toChatCall({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall) {
	return {
		id: toolCallId,
		type: 'function' as const,
		function: { name: toolName, arguments: input === '' ? '{}' : input },
		...createSignatureFields(providerMetadata),
	};
}
