import type { ModelConfig } from '#agentFile/modelConfigSchema.ts';
import type { ModelMessage } from '../run/engineTypes.ts';
import { formatHistory, toHistoryMessages } from './history.ts';
import { fillPromptPlaceholders } from './placeholders.ts';
import type { Prompt, PromptParts } from './prompt.ts';

const queryMark = '{{#query#}}';
const historiesMark = '{{#histories#}}';

/** Builds the prompt of an app in advanced mode, whose author wrote all of its messages. */
export function buildAdvancedPrompt(config: ModelConfig, parts: PromptParts): Prompt {
	return {
		messages: config.model.mode === 'completion' ? [buildCompletionMessage(config, parts)] : buildChatMessages(config, parts),
		stop: [],
	};
}

/**
 * Returns the author's messages in order. Earlier turns come before the question, which is last unless a message of the author includes
 * it. If a message has a placeholder for the turns, they are inserted only there.
 */
function buildChatMessages(config: ModelConfig, parts: PromptParts): readonly ModelMessage[] {
	const { query, history, selectHistory: remember } = parts;
	const written = config.chat_prompt_config?.prompt ?? [];
	const fillWithHistories = (histories: string): readonly ModelMessage[] =>
		written.map(({ role, text }) => ({ role, content: fillPromptText(text, parts, histories) }));
	const asking = written.findIndex(({ text }) => text.includes(queryMark));
	const asked: readonly ModelMessage[] = asking < 0 && query !== '' ? [{ role: 'user', content: query }] : [];
	const messages = fillWithHistories('');
	const remembered = remember(history, [...messages, ...asked]);
	if (written.some(({ text }) => text.includes(historiesMark))) {
		return [...fillWithHistories(formatHistories(config, remembered)), ...asked];
	}
	const before = asking < 0 ? messages.length : asking;
	return [...messages.slice(0, before), ...toHistoryMessages(remembered), ...messages.slice(before), ...asked];
}

function buildCompletionMessage(config: ModelConfig, parts: PromptParts): ModelMessage {
	const text = config.completion_prompt_config?.prompt?.text ?? '';
	const fillWithHistories = (histories: string): ModelMessage => ({ role: 'user', content: fillPromptText(text, parts, histories) });
	return text.includes(historiesMark)
		? fillWithHistories(formatHistories(config, parts.selectHistory(parts.history, [fillWithHistories('')])))
		: fillWithHistories('');
}

function fillPromptText(text: string, { inputs, context = '', query }: PromptParts, histories: string): string {
	return fillPromptPlaceholders(text, inputs, { context, query, histories });
}

function formatHistories(config: ModelConfig, history: PromptParts['history']): string {
	const names = config.completion_prompt_config?.conversation_histories_role;
	return formatHistory(history, names?.user_prefix || 'Human', names?.assistant_prefix || 'Assistant');
}
