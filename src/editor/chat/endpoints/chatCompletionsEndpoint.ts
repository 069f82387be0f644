import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { ChatCompletionsBody, ChatCompletionsMessage } from '#contract/openai/receivedChatCompletions.ts';
import type { AttachedPart, ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { ChatCompletionsReader } from './chatCompletionsReader.ts';
import { type EndpointRequest, getTextRefusal, quoteDocument, quoteFile, type ReplyStep, type TextEndpoint } from './endpoint.ts';
import { readPricedSteps } from './pricedSteps.ts';

/** Sends chats as chat completions in OpenAI's protocol. */
export class ChatCompletionsEndpoint implements TextEndpoint {
	readonly kind = 'chatCompletions';
	readonly #words: Localization;

	constructor(words: Localization) {
		this.#words = words;
	}

	/** Accepts all images, documents with text, and PDFs without text (scans), which are sent as files. */
	async checkAttachments(_client: unknown, _request: unknown, attached: readonly AttachedPart[]): Promise<string | undefined> {
		return getTextRefusal(this.#words, attached, ['application/pdf']);
	}

	async *streamReply(client: ServiceClient, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const reader = new ChatCompletionsReader(this.#words);
		const body = createChatCompletionsBody(request);
		yield* readPricedSteps(
			priced => client.streamChatCompletion(body, { signal, priced }),
			chunk => reader.readChunk(chunk),
		);
		yield* reader.endStream();
	}
}

/** Creates the body of a chat completion. */
export function createChatCompletionsBody({ model, system, settings, turns }: EndpointRequest): ChatCompletionsBody {
	return {
		...settings,
		model,
		messages: [...(system.trim() ? [{ role: 'system' as const, content: system }] : []), ...toMessages(turns)],
		stream: true,
		stream_options: { include_usage: true },
	};
}

/**
 * Converts turns to messages. Joins consecutive turns of the same role, because the templates of many models require alternating roles.
 * Puts tool results directly after their calls.
 */
function toMessages(turns: readonly Turn[]): ChatCompletionsMessage[] {
	const joined: { role: Turn['role']; parts: ChatPart[] }[] = [];
	for (const { role, parts } of turns) {
		const last = joined.at(-1);
		if (last?.role === role) {
			last.parts.push(...parts);
		} else {
			joined.push({ role, parts: [...parts] });
		}
	}
	const messages: ChatCompletionsMessage[] = [];
	let called: string[] = [];
	for (const { role, parts } of joined) {
		if (role === 'assistant') {
			messages.push(...toAssistantMessages(parts));
			called = parts.flatMap(part => (part.kind === 'toolCall' ? [part.id] : []));
		} else {
			messages.push(...toToolMessages(parts, called), ...toUserMessages(parts));
			called = [];
		}
	}
	return messages;
}

function toAssistantMessages(parts: readonly ChatPart[]): ChatCompletionsMessage[] {
	const text = parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('');
	const calls = parts.flatMap(part => (part.kind === 'toolCall' ? [toToolCall(part)] : []));
	if (calls.length > 0) {
		return [{ role: 'assistant', content: text || null, tool_calls: calls }];
	}
	return text ? [{ role: 'assistant', content: text }] : [];
}

function toToolCall({ id, name, input, signature }: Extract<ChatPart, { kind: 'toolCall' }>): object {
	return {
		id,
		type: 'function',
		function: { name, arguments: input || '{}' },
		...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
	};
}

/** Converts tool results. Adds a result for each call without one, because services refuse conversations with missing results. */
function toToolMessages(parts: readonly ChatPart[], called: readonly string[]): ChatCompletionsMessage[] {
	const results = parts.filter(part => part.kind === 'toolResult');
	const unanswered = called.filter(id => !results.some(result => result.id === id));
	return [
		...results.map(({ id, output }) => ({ role: 'tool' as const, tool_call_id: id, content: output })),
		...unanswered.map(id => ({ role: 'tool' as const, tool_call_id: id, content: 'This tool was not run.' })),
	];
}

/** Converts a user turn. Pure text becomes one string, which every service accepts. Other content becomes parts. */
function toUserMessages(parts: readonly ChatPart[]): ChatCompletionsMessage[] {
	const content = parts.flatMap(toContent);
	const texts = content.flatMap(part => ('text' in part ? [part.text] : []));
	if (content.length === 0) {
		return [];
	}
	return [{ role: 'user', content: texts.length === content.length ? texts.join('\n\n') : content }];
}

function toContent(part: ChatPart): ({ type: 'text'; text: string } | { type: 'image_url' | 'file'; [field: string]: unknown })[] {
	switch (part.kind) {
		case 'text':
			return part.text.trim() ? [{ type: 'text', text: part.text }] : [];
		case 'file':
			return [{ type: 'text', text: quoteFile(part) }];
		case 'document': {
			const { name, mimeType, data } = part;
			return part.text
				? [{ type: 'text', text: quoteDocument(part) }]
				: [{ type: 'file', file: { filename: name, file_data: `data:${mimeType};base64,${data}` } }];
		}
		case 'image':
			return [{ type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } }];
		default:
			return [];
	}
}
