import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
	calledTools,
	isAgentCall,
	type OfflineCall,
	observations,
	resultText,
	type ToolAnswer,
	toolFor,
	toolsInPrompt,
} from './offlineAgent.ts';
import { withChoices } from './offlineChoices.ts';
import { directive, type OfflineDirectives } from './offlineDirectives.ts';
import { tokensOf } from './offlineTokens.ts';
import { schemaSample } from './schemaSample.ts';

type OfflineReply =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'tool'; readonly name: string; readonly input: string };

/** Creates the reply to a request. It depends only on the request. */
export function offlineReply(options: LanguageModelV4CallOptions, directives: OfflineDirectives): OfflineReply {
	const written = toolsInPrompt(options);
	if (written) {
		return { type: 'text', text: writtenStep(options.prompt, written) };
	}
	const call = isAgentCall(options) && options.toolChoice?.type !== 'none' ? agentCall(options) : undefined;
	if (call) {
		return { type: 'tool', name: call.name, input: JSON.stringify(call.input) };
	}
	const tool = toolToCall(options, directives);
	if (tool) {
		return { type: 'tool', name: tool.name, input: JSON.stringify(schemaSample(tool.inputSchema)) };
	}
	const { responseFormat } = options;
	if (responseFormat?.type === 'json') {
		const schema = responseFormat.schema ?? { type: 'object', properties: { model: { const: 'offline' } }, required: ['model'] };
		return { type: 'text', text: JSON.stringify(withChoices(schemaSample(schema), schema, lastUserText(options.prompt))) };
	}
	const text = sentences(options.prompt, resultsOf(options));
	return { type: 'text', text: directives.tokens === undefined ? text : toLength(text, directives.tokens) };
}

/** Returns all texts of a prompt, for counting. */
export function promptTexts(prompt: LanguageModelV4Prompt): string[] {
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

export function lastUserText(prompt: LanguageModelV4Prompt): string {
	const message = prompt.findLast(({ role }) => role === 'user');
	return message ? promptTexts([message]).join('') : '';
}

/** Counts the files of a prompt. */
export function fileCount(prompt: LanguageModelV4Prompt): number {
	return prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content.filter(part => part.type === 'file'))).length;
}

const maxQuote = 200;

/** Returns tool results: for an agent all since the question, otherwise the last one. */
function resultsOf(options: LanguageModelV4CallOptions): readonly ToolAnswer[] {
	return isAgentCall(options) ? observations(options.prompt) : lastMessageOf(options.prompt);
}

function lastMessageOf(prompt: LanguageModelV4Prompt): readonly ToolAnswer[] {
	const last = prompt.at(-1);
	const result = last?.role === 'tool' ? last.content.find(part => part.type === 'tool-result') : undefined;
	return result ? [[result.toolName, resultText(result.output)]] : [];
}

function agentCall({ prompt, tools = [] }: LanguageModelV4CallOptions): OfflineCall | undefined {
	const offered = tools.flatMap(tool =>
		tool.type === 'function'
			? [{ name: tool.name, schema: tool.inputSchema, ...(tool.description && { description: tool.description }) }]
			: [],
	);
	return toolFor(lastUserText(prompt), offered, calledTools(prompt));
}

/** Writes the next step of an agent that writes its actions (ReAct). Earlier steps are in the last but one message. */
function writtenStep(prompt: LanguageModelV4Prompt, tools: NonNullable<ReturnType<typeof toolsInPrompt>>): string {
	const before = prompt.at(-2);
	const scratchpad = before?.role === 'assistant' && lastUserText(prompt) === 'continue' ? promptTexts([before]).join('') : undefined;
	const asked = scratchpad === undefined ? prompt : prompt.slice(0, -2);
	const steps = [...(scratchpad ?? '').matchAll(/(?<![^\n])Action: \{"action":"([^"\n]*)"[^\n]*\n\nObservation: ([^\n]*)/g)];
	const call = toolFor(lastUserText(asked), tools, new Set(steps.map(([, name = '']) => name)));
	if (call) {
		return `Thought: The offline model calls ${call.name}, whose words the question has.\nAction: ${JSON.stringify({ action: call.name, action_input: call.input })}`;
	}
	return `Thought: There is nothing more to call.\nFinalAnswer: ${sentences(
		asked,
		steps.map(([, name = '', result = '']) => [name, result] as const),
	)}`;
}

function sentences(prompt: LanguageModelV4Prompt, results: readonly ToolAnswer[]): string {
	const parts = ["This is the offline model, which is built in and isn't a language model."];
	if (results.length > 0) {
		parts.push(...results.map(([tool, value]) => `The tool ${tool} answered: ${quote(value)}`));
	} else {
		parts.push(`You wrote: ${quote(lastUserText(prompt).replace(directive, '').trim())}`);
	}
	const files = fileCount(prompt);
	if (files > 0) {
		parts.push(`With it came ${files} ${files === 1 ? 'file' : 'files'}.`);
	}
	const context = contextIn(prompt);
	if (context !== undefined) {
		parts.push(`The context begins: ${quote(context)}`);
	}
	const system = prompt.find(({ role }) => role === 'system');
	if (system) {
		parts.push(`The system prompt has ${String(system.content).length} characters.`);
	}
	return parts.join(' ');
}

/** Returns the context of a prompt, which Dify puts between these marks. */
function contextIn(prompt: LanguageModelV4Prompt): string | undefined {
	for (const text of promptTexts(prompt)) {
		const from = text.indexOf('<context>');
		const to = from < 0 ? -1 : text.indexOf('</context>', from);
		const context = to < 0 ? '' : text.slice(from + '<context>'.length, to).trim();
		if (context !== '') {
			return context;
		}
	}
	return undefined;
}

function quote(text: string): string {
	return `"${text.length > maxQuote ? `${text.slice(0, maxQuote)}…` : text}".`;
}

function toLength(text: string, tokens: number): string {
	const pieces = tokensOf(text);
	return Array.from({ length: tokens }, (_, i) => (i < pieces.length ? pieces[i] : ` word${i}`.slice(0, 7))).join('');
}

/** Returns the tool to call: forced by the caller, named by a directive, or requested in the text ("call NAME", "use NAME"). */
function toolToCall(options: LanguageModelV4CallOptions, directives: OfflineDirectives): LanguageModelV4FunctionTool | undefined {
	const { toolChoice, prompt } = options;
	const tools = (options.tools ?? []).filter(tool => tool.type === 'function');
	if (toolChoice?.type === 'none') {
		return undefined;
	}
	if (toolChoice?.type === 'tool') {
		return tools.find(({ name }) => name === toolChoice.toolName);
	}
	const answered = prompt.at(-1)?.role === 'tool';
	const wanted = wordsAfterCall(lastUserText(prompt));
	const asked = tools.find(({ name }) => directives.tool === name || wanted.has(name.toLowerCase()));
	return toolChoice?.type === 'required' ? (asked ?? tools[0]) : answered ? undefined : asked;
}

/**
 * Returns the names after "call" or "use" in lower case. Names with dots are also added up to the first dot, which may have ended a
 * sentence.
 */
function wordsAfterCall(text: string): ReadonlySet<string> {
	const names = new Set<string>();
	for (const [, name = ''] of text.toLowerCase().matchAll(/\b(?:call|use)\s+(?:the\s+tool\s+)?([\w.:/-]+)/g)) {
		names.add(name);
		names.add(name.replace(/[^\w-].*/, ''));
	}
	return names;
}
