import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

/**
 * Merges consecutive messages of one role, because many services require alternating roles. Also merges consecutive texts of the assistant,
 * because Google's SDK keeps each streamed chunk as a turn. Drops empty texts, which Anthropic refuses, and assistant turns that are empty
 * then.
 */
export function mergeTurns(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
	const merged: LanguageModelV4Prompt = [];
	/** Content of the last message if it was merged: copying it for each message would take quadratic time. */
	let joined: unknown[] | undefined;
	for (const message of prompt) {
		const last = merged.at(-1);
		if (message.role === 'system' || last?.role !== message.role) {
			merged.push(message);
			joined = undefined;
			continue;
		}
		if (!joined) {
			joined = [...last.content];
			merged[merged.length - 1] = { ...last, content: joined } as LanguageModelV4Message;
		}
		for (const part of message.content) {
			joined.push(part);
		}
	}
	return merged
		.map(message => (message.role === 'assistant' || message.role === 'user' ? joinTexts(message) : message))
		.filter(message => message.role !== 'assistant' || message.content.length > 0);
}

function joinTexts<M extends Extract<LanguageModelV4Message, { role: 'assistant' | 'user' }>>(message: M): M {
	const content: M['content'][number][] = [];
	for (const part of message.content) {
		const last = content.at(-1);
		if (part.type !== 'text') {
			content.push(part);
		} else if (last?.type === 'text' && message.role === 'assistant') {
			content[content.length - 1] = { ...last, text: last.text + part.text };
		} else if (part.text !== '') {
			content.push(part);
		}
	}
	return { ...message, content };
}
