import type { ModelConfig } from '#agentFile/modelConfigSchema.ts';
import type { ModelMessage } from '../run/engineTypes.ts';
import { formatHistory, toHistoryMessages } from './history.ts';
import { fillPromptPlaceholders } from './placeholders.ts';
import type { Prompt, PromptParts } from './prompt.ts';

/** The text around the content found in datasets. */
const contextBlock = `What follows inside the <context></context> tags is what you know about the subject.

<context>
{{#context#}}
</context>

Answer from it. If it does not hold the answer, say that you do not know; if you are not sure, ask back.
Do not mention the context, and answer in the language of the question.

`;

const historyBlock = `What was said so far stands inside the <histories></histories> tags.

<histories>
{{#histories#}}
</histories>

`;

/** Speaker names in prompts that are a single text. */
const user = 'Human';
const assistant = 'Assistant';
/** Stop sequences: the text with which a completion model would start to write the user's next message. */
const completionStops = [`\n${user}:`, '</histories>'];

/** Builds the prompt of an app in simple mode, whose author wrote one text, `pre_prompt`. */
export function buildSimplePrompt(config: ModelConfig, parts: PromptParts): Prompt {
	return config.model.mode === 'completion'
		? buildCompletionPrompt(config, parts)
		: { messages: buildChatMessages(config, parts), stop: [] };
}

/** Sends `pre_prompt` as the system message if the user asks a question, otherwise as the user message. */
function buildChatMessages(
	config: ModelConfig,
	{ inputs, query, context, history, selectHistory: remember }: PromptParts,
): readonly ModelMessage[] {
	const prompt = fillPromptPlaceholders(buildTemplate(config, context), inputs, getSpecialValues(context));
	const asked: ModelMessage = { role: 'user', content: query === '' ? prompt : query };
	const system: readonly ModelMessage[] = query === '' ? [] : [{ role: 'system', content: prompt }];
	return [...system, ...toHistoryMessages(remember(history, [...system, asked])), asked];
}

function buildCompletionPrompt(config: ModelConfig, { inputs, query, context, history, selectHistory: remember }: PromptParts): Prompt {
	const question = query === '' ? '' : `\n\n${user}: {{#query#}}\n\n${assistant}: `;
	const buildMessage = (histories: string): ModelMessage => ({
		role: 'user',
		content: fillPromptPlaceholders(`${buildTemplate(config, context)}${histories === '' ? '' : historyBlock}${question}`, inputs, {
			...getSpecialValues(context),
			...(query !== '' && { query }),
			...(histories !== '' && { histories }),
		}),
	});
	const remembered = remember(history, [buildMessage('')]);
	return { messages: [buildMessage(formatHistory(remembered, user, assistant))], stop: query === '' ? [] : completionStops };
}

function buildTemplate({ pre_prompt: prompt }: ModelConfig, context: string | undefined): string {
	return `${context === undefined ? '' : contextBlock}${prompt === '' ? '' : `${prompt}\n`}`;
}

function getSpecialValues(context: string | undefined): { readonly context?: string } {
	return context === undefined ? {} : { context };
}
