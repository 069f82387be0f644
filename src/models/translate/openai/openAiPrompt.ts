import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { mergeTurns } from '../mergeTurns.ts';

/** A conversation of OpenAI's protocol, read. */
interface OpenAiConversation {
	/** Apart from the messages. */
	readonly instructions?: string | undefined;
	/** Texts of the messages of the system and the developer. */
	readonly systems: readonly string[];
	readonly turns: LanguageModelV4Prompt;
}

/**
 * Joins a conversation to a prompt with one system text in front. OpenAI answers messages of the system alone; other services need a message of the user,
 * so they become one, which `lost` says. Throws a fault (400) with the `field` of the messages if there is no text at all.
 */
export function openAiPrompt(
	{ instructions = '', systems, turns }: OpenAiConversation,
	field: string,
	lost: string[],
): LanguageModelV4Prompt {
	const joined = joinTexts(systems);
	if (turns.length > 0) {
		return withSystem(joinTexts([instructions, joined]), turns);
	}
	if (joined === '') {
		throw new ServiceFault(400, `Invalid '${field}': expected at least one message with text.`, { params: field });
	}
	lost.push(`${field}: messages of the system are sent as one of the user, the service behind this model needs one`);
	return withSystem(instructions, [{ role: 'user', content: [{ type: 'text', text: joined }] }]);
}

function withSystem(system: string, turns: LanguageModelV4Prompt): LanguageModelV4Prompt {
	return mergeTurns(system === '' ? turns : [{ role: 'system', content: system }, ...turns]);
}

function joinTexts(texts: readonly string[]): string {
	return texts.filter(text => text !== '').join('\n\n');
}
