import type { Turn } from '#pages/chat/transcript/transcript.ts';
import type { EditedPrompt, PromptMessage } from '#pages/prompt/promptMessages.ts';
import { fillReferences, listReferences } from '#pages/prompt/promptText.ts';

/** The messages of a prompt in the form that endpoints send. */
interface PromptTurns {
	readonly system: string;
	readonly turns: readonly Turn[];
}

/** Converts a prompt to turns, with the values of its variables. */
export function createPromptTurns({ messages, variables }: EditedPrompt): PromptTurns {
	return toTurns(messages.map(message => ({ ...message, text: message.fixed ? message.text : fillReferences(message.text, variables) })));
}

/** Returns a variable without a value that leaves a message empty. Such a message isn't sent, so the model would get another prompt. */
export function findMissingValue({ messages, variables }: EditedPrompt): string | undefined {
	const emptied = messages.find(({ text, fixed }) => !fixed && text.trim() !== '' && fillReferences(text, variables).trim() === '');
	return emptied && listReferences([emptied])[0];
}

/**
 * Converts messages to turns. Empty messages are dropped. A prompt that has only system messages is sent as the user's message, because
 * services need one.
 */
export function toTurns(messages: readonly Pick<PromptMessage, 'role' | 'text'>[]): PromptTurns {
	const filled = messages.filter(({ text }) => text.trim() !== '');
	const system = filled.filter(({ role }) => role === 'system').map(({ text }) => text);
	const others = filled.filter(({ role }) => role !== 'system');
	const sent = others.length > 0 ? others : system.map(text => ({ role: 'user' as const, text }));
	return {
		system: others.length > 0 ? system.join('\n\n') : '',
		turns: sent.map(({ role, text }, index) => ({
			id: String(index),
			parent: index === 0 ? null : String(index - 1),
			role: role === 'assistant' ? 'assistant' : 'user',
			parts: [{ kind: 'text', text }],
			at: 0,
		})),
	};
}
