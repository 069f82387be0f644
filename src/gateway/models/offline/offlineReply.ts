import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { OfflineDirectives } from './offlineDirectives.ts';
import { tokensOf } from './offlineTokens.ts';
import { schemaSample } from './schemaSample.ts';

/** What the offline model answers: text or one tool call. */
export type OfflineReply =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'tool'; readonly name: string; readonly input: string };

/** The answer to a request, the same each time: it depends on nothing but the request. */
export function offlineReply(options: LanguageModelV4CallOptions, directives: OfflineDirectives): OfflineReply {
	const tool = toolToCall(options, directives);
	if (tool) {
		return { type: 'tool', name: tool.name, input: JSON.stringify(schemaSample(tool.inputSchema)) };
	}
	const { responseFormat } = options;
	if (responseFormat?.type === 'json') {
		const schema = responseFormat.schema ?? { type: 'object', properties: { model: { const: 'offline' } }, required: ['model'] };
		return { type: 'text', text: JSON.stringify(schemaSample(schema)) };
	}
	const text = sentences(options.prompt);
	return { type: 'text', text: directives.tokens === undefined ? text : toLength(text, directives.tokens) };
}

/** All texts of a prompt, for counting. */
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

/** Text of the last user message. */
export function lastUserText(prompt: LanguageModelV4Prompt): string {
	const message = prompt.findLast(({ role }) => role === 'user');
	return message ? promptTexts([message]).join('') : '';
}

/** Files (images, documents) of a prompt. */
export function fileCount(prompt: LanguageModelV4Prompt): number {
	return prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content.filter(part => part.type === 'file'))).length;
}

const maxQuote = 200;

function sentences(prompt: LanguageModelV4Prompt): string {
	const last = prompt.at(-1);
	const parts = ['This is the offline model, which is built in and no language model.'];
	const result = last?.role === 'tool' ? last.content.find(part => part.type === 'tool-result') : undefined;
	if (result) {
		const { output } = result;
		const value = 'value' in output ? (typeof output.value === 'string' ? output.value : JSON.stringify(output.value)) : 'nothing';
		parts.push(`The tool ${result.toolName} answered: ${quote(value)}`);
	} else {
		parts.push(
			`You wrote: ${quote(
				lastUserText(prompt)
					.replace(/\[offline:[^\]]*\]/g, '')
					.trim(),
			)}`,
		);
	}
	const files = fileCount(prompt);
	if (files > 0) {
		parts.push(`With it came ${files} ${files === 1 ? 'file' : 'files'}.`);
	}
	const system = prompt.find(({ role }) => role === 'system');
	if (system) {
		parts.push(`The system prompt has ${String(system.content).length} characters.`);
	}
	return parts.join(' ');
}

function quote(text: string): string {
	return `"${text.length > maxQuote ? `${text.slice(0, maxQuote)}…` : text}".`;
}

function toLength(text: string, tokens: number): string {
	const pieces = tokensOf(text);
	return Array.from({ length: tokens }, (_, i) => (i < pieces.length ? pieces[i] : ` word${i}`.slice(0, 7))).join('');
}

/** The tool that has to be called: forced by the caller, named by a directive, or asked for in words ("call NAME", "use NAME"). */
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
	const text = lastUserText(prompt);
	const asked = tools.find(
		({ name }) =>
			directives.tool === name ||
			new RegExp(`\\b(?:call|use)\\s+(?:the\\s+tool\\s+)?${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'i').test(text),
	);
	return toolChoice?.type === 'required' ? (asked ?? tools[0]) : answered ? undefined : asked;
}
