import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { formatQuantity } from '#base/text/quantity.ts';
import {
	chooseTool,
	formatResult,
	getToolAnswers,
	getToolsInPrompt,
	isAgentCall,
	listCalledTools,
	type OfflineCall,
	type ToolAnswer,
} from './offlineAgent.ts';
import { applyChoices } from './offlineChoices.ts';
import { directive, type OfflineDirectives } from './offlineDirectives.ts';
import { splitTokens } from './offlineTokens.ts';
import { createSchemaSample } from './schemaSample.ts';

type OfflineReply =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'tool'; readonly name: string; readonly input: string };

/** Creates the reply to a request. The same request always gets the same reply. */
export function createOfflineReply(options: LanguageModelV4CallOptions, directives: OfflineDirectives): OfflineReply {
	const written = getToolsInPrompt(options);
	if (written) {
		return { type: 'text', text: writeStep(options.prompt, written) };
	}
	const call = isAgentCall(options) && options.toolChoice?.type !== 'none' ? chooseAgentCall(options) : undefined;
	if (call) {
		return { type: 'tool', name: call.name, input: JSON.stringify(call.input) };
	}
	const tool = findToolToCall(options, directives);
	if (tool) {
		return { type: 'tool', name: tool.name, input: JSON.stringify(createSchemaSample(tool.inputSchema)) };
	}
	const { responseFormat } = options;
	if (responseFormat?.type === 'json') {
		const schema = responseFormat.schema ?? { type: 'object', properties: { model: { const: 'offline' } }, required: ['model'] };
		return { type: 'text', text: JSON.stringify(applyChoices(createSchemaSample(schema), schema, getLastUserText(options.prompt))) };
	}
	const text = composeText(options.prompt, getToolResults(options));
	return { type: 'text', text: directives.tokens === undefined ? text : fitReplyLength(text, directives.tokens) };
}

/** Returns all texts of a prompt, for counting. */
export function getPromptTexts(prompt: LanguageModelV4Prompt): string[] {
	return prompt.flatMap(message =>
		typeof message.content === 'string'
			? [message.content]
			: message.content.map(part => {
					switch (part.type) {
						case 'text':
						case 'reasoning':
							return part.text;
						case 'tool-call':
							return JSON.stringify(part.input);
						case 'tool-result':
							return JSON.stringify(part.output);
						default:
							return '';
					}
				}),
	);
}

export function getLastUserText(prompt: LanguageModelV4Prompt): string {
	const message = prompt.findLast(({ role }) => role === 'user');
	return message ? getPromptTexts([message]).join('') : '';
}

/** Counts the files of a prompt. */
export function countFiles(prompt: LanguageModelV4Prompt): number {
	return prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content.filter(part => part.type === 'file'))).length;
}

const maxQuote = 200;

/** Returns the tool results to reply with: for an agent all results since the question, otherwise the last one. */
function getToolResults(options: LanguageModelV4CallOptions): readonly ToolAnswer[] {
	return isAgentCall(options) ? getToolAnswers(options.prompt) : getLastToolResult(options.prompt);
}

function getLastToolResult(prompt: LanguageModelV4Prompt): readonly ToolAnswer[] {
	const last = prompt.at(-1);
	const result = last?.role === 'tool' ? last.content.find(part => part.type === 'tool-result') : undefined;
	return result ? [[result.toolName, formatResult(result.output)]] : [];
}

function chooseAgentCall({ prompt, tools = [] }: LanguageModelV4CallOptions): OfflineCall | undefined {
	const offered = tools.flatMap(tool =>
		tool.type === 'function'
			? [{ name: tool.name, schema: tool.inputSchema, ...(tool.description && { description: tool.description }) }]
			: [],
	);
	return chooseTool(getLastUserText(prompt), offered, listCalledTools(prompt));
}

/** Writes the next step of an agent that writes its actions (ReAct). The last message but one has the earlier steps. */
function writeStep(prompt: LanguageModelV4Prompt, tools: NonNullable<ReturnType<typeof getToolsInPrompt>>): string {
	const before = prompt.at(-2);
	const scratchpad = before?.role === 'assistant' && getLastUserText(prompt) === 'continue' ? getPromptTexts([before]).join('') : undefined;
	const asked = scratchpad === undefined ? prompt : prompt.slice(0, -2);
	const steps = [...(scratchpad ?? '').matchAll(/(?<![^\n])Action: \{"action":"([^"\n]*)"[^\n]*\n\nObservation: ([^\n]*)/g)];
	const call = chooseTool(getLastUserText(asked), tools, new Set(steps.map(([, name = '']) => name)));
	if (call) {
		return `Thought: The offline model calls ${call.name}, whose words the question has.\nAction: ${JSON.stringify({ action: call.name, action_input: call.input })}`;
	}
	return `Thought: There is nothing more to call.\nFinalAnswer: ${composeText(
		asked,
		steps.map(([, name = '', result = '']) => [name, result] as const),
	)}`;
}

function composeText(prompt: LanguageModelV4Prompt, results: readonly ToolAnswer[]): string {
	const parts = ["This is the offline model, which is built in and isn't a language model."];
	if (results.length > 0) {
		parts.push(...results.map(([tool, value]) => `The tool ${tool} returned: ${quoteText(value)}`));
	} else {
		parts.push(`You wrote: ${quoteText(getLastUserText(prompt).replace(directive, '').trim())}`);
	}
	const files = countFiles(prompt);
	if (files > 0) {
		parts.push(`Attached: ${formatQuantity(files, 'file')}.`);
	}
	const context = findContext(prompt);
	if (context !== undefined) {
		parts.push(`The context begins: ${quoteText(context)}`);
	}
	const system = prompt.find(({ role }) => role === 'system');
	if (system) {
		parts.push(`The system prompt has ${formatQuantity(String(system.content).length, 'character')}.`);
	}
	return parts.join(' ');
}

/** Returns the context of a prompt, which Dify puts between these marks. */
function findContext(prompt: LanguageModelV4Prompt): string | undefined {
	for (const text of getPromptTexts(prompt)) {
		const from = text.indexOf('<context>');
		const to = from < 0 ? -1 : text.indexOf('</context>', from);
		const context = to < 0 ? '' : text.slice(from + '<context>'.length, to).trim();
		if (context !== '') {
			return context;
		}
	}
	return undefined;
}

function quoteText(text: string): string {
	return `"${text.length > maxQuote ? `${text.slice(0, maxQuote)}…` : text}".`;
}

function fitReplyLength(text: string, tokens: number): string {
	const pieces = splitTokens(text);
	return Array.from({ length: tokens }, (_, i) => (i < pieces.length ? pieces[i] : ` word${i}`.slice(0, 7))).join('');
}

/** Returns the tool to call: the one that the caller forces, a directive names, or the text requests ("call NAME", "use NAME"). */
function findToolToCall(options: LanguageModelV4CallOptions, directives: OfflineDirectives): LanguageModelV4FunctionTool | undefined {
	const { toolChoice, prompt } = options;
	const tools = (options.tools ?? []).filter(tool => tool.type === 'function');
	if (toolChoice?.type === 'none') {
		return undefined;
	}
	if (toolChoice?.type === 'tool') {
		return tools.find(({ name }) => name === toolChoice.toolName);
	}
	const answered = prompt.at(-1)?.role === 'tool';
	const wanted = findCalledNames(getLastUserText(prompt));
	const asked = tools.find(({ name }) => directives.tool === name || wanted.has(name.toLowerCase()));
	return toolChoice?.type === 'required' ? (asked ?? tools[0]) : answered ? undefined : asked;
}

/**
 * Returns the names after "call" or "use" in lower case. For a name with dots, also returns the part before the first dot, which may have
 * ended a sentence.
 */
function findCalledNames(text: string): ReadonlySet<string> {
	const names = new Set<string>();
	for (const [, name = ''] of text.toLowerCase().matchAll(/\b(?:call|use)\s+(?:the\s+tool\s+)?([\w.:/-]+)/g)) {
		names.add(name);
		names.add(name.replace(/[^\w-].*/, ''));
	}
	return names;
}
