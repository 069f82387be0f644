import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { mergeTurns } from '../mergeTurns.ts';

interface OpenAiConversation {
	/** Instructions that are separate from the messages. */
	readonly instructions?: string | undefined;
	/** Texts of system and developer messages. */
	readonly systems: readonly string[];
	readonly turns: LanguageModelV4Prompt;
}

/**
 * Builds a prompt from a conversation, with one system message in front. OpenAI accepts system messages alone. Other services require a
 * user message, so they become one in that case, which is added to `lost`. Throws an error (400) for `field` if there is no text at all.
 */
export function createOpenAiPrompt(
	{ instructions = '', systems, turns }: OpenAiConversation,
	field: string,
	lost: string[],
): LanguageModelV4Prompt {
	const joined = joinTexts(systems);
	if (turns.length > 0) {
		return addSystem(joinTexts([instructions, joined]), turns);
	}
	if (joined === '') {
		throw new ServiceFault(400, `Invalid '${field}': expected at least one message with text.`, { params: field });
	}
	lost.push(`${field}: system messages are sent as a user message because the model's service requires one`);
	return addSystem(instructions, [{ role: 'user', content: [{ type: 'text', text: joined }] }]);
}

function addSystem(system: string, turns: LanguageModelV4Prompt): LanguageModelV4Prompt {
	return mergeTurns(system === '' ? turns : [{ role: 'system', content: system }, ...turns]);
}

function joinTexts(texts: readonly string[]): string {
	return texts.filter(text => text !== '').join('\n\n');
}
