import type { LanguageModelV4GenerateResult, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import type { ChatCompletion } from '#contract/openai/chatCompletions.ts';
import { newId } from '../newId.ts';
import { openAiFinish } from '../openai/openAiFinish.ts';
import { openAiUsage } from '../openai/openAiUsage.ts';
import { signatureOf } from '../providerMetadata.ts';

/** A whole reply in the form of chat completions. `model`: name to sign with where the upstream gave none. */
export function chatReply(result: LanguageModelV4GenerateResult, model: string): ChatCompletion {
	const { content, finishReason, providerMetadata, usage } = result;
	const calls = content.filter(part => part.type === 'tool-call').filter(({ providerExecuted }) => !providerExecuted);
	const text = content.map(part => (part.type === 'text' ? part.text : '')).join('');
	const thoughts = content.map(part => (part.type === 'reasoning' ? part.text : '')).join('');
	return {
		...chatHead(result.response?.modelId ?? model),
		object: 'chat.completion',
		choices: [
			{
				index: 0,
				message: {
					role: 'assistant',
					content: text === '' && calls.length > 0 ? null : text,
					refusal: null,
					...(calls.length > 0 && { tool_calls: calls.map(wholeCall) }),
					...(thoughts !== '' && reasoningFields(thoughts)),
				},
				logprobs: null,
				finish_reason: openAiFinish(finishReason, providerMetadata, calls.length > 0),
			},
		],
		usage: openAiUsage(usage),
	};
}

/** What a reply and each chunk of one begin with. */
export function chatHead(model: string): Pick<ChatCompletion, 'id' | 'created' | 'model'> {
	return { id: newId('chatcmpl-'), created: Math.floor(Date.now() / 1000), model };
}

/** Thoughts under both names that clients read: DeepSeek's, and the one of newer servers. */
export function reasoningFields(text: string): { reasoning_content: string; reasoning: string } {
	return { reasoning_content: text, reasoning: text };
}

/** Gemini's signature beside a call, where Google's own service for OpenAI's protocol has it: clients that know it send it back. */
export function signatureFields(metadata: LanguageModelV4ToolCall['providerMetadata']): { extra_content?: unknown } {
	const signature = signatureOf(metadata);
	return signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
}

function wholeCall({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall) {
	return {
		id: toolCallId,
		type: 'function' as const,
		function: { name: toolName, arguments: input === '' ? '{}' : input },
		...signatureFields(providerMetadata),
	};
}
