import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { isRecord, toFields } from '#base/records/plainValues.ts';
import { createSchemaSample } from './schemaSample.ts';

/** A tool that the offline model is offered, or that the prompt describes. */
interface OfferedTool {
	readonly name: string;
	readonly description?: string;
	readonly schema: unknown;
}

/** A tool call of the offline model for an agent. */
export interface OfflineCall {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

type Values = Readonly<Record<string, unknown>>;

/** Number of characters of a question that are examined. */
const longestQuestion = 4000;
/** Words that don't describe what a tool is for. */
const commonWords = new Set([
	'about',
	'after',
	'agent',
	'answer',
	'comes',
	'default',
	'given',
	'such',
	'tells',
	'there',
	'these',
	'thing',
	'using',
	'value',
	'what',
	'where',
	'which',
	'with',
	'your',
]);

/** True if an agent node makes the call. In other calls, the offline model only calls tools that are named. */
export function isAgentCall({ providerOptions }: LanguageModelV4CallOptions): boolean {
	return providerOptions?.['offline']?.['agent'] === true;
}

/** Returns the tools described in the prompt if the agent calls them by writing actions; otherwise undefined. */
export function getToolsInPrompt({ providerOptions }: LanguageModelV4CallOptions): readonly OfferedTool[] | undefined {
	const tools = providerOptions?.['offline']?.['toolsInPrompt'];
	return Array.isArray(tools)
		? tools
				.map(tool => tool as Values)
				.map(({ name, description, parameters }) => ({ name: String(name), description: String(description ?? ''), schema: parameters }))
		: undefined;
}

/**
 * Chooses a tool for the question that hasn't been called yet. Compares words only: the name or description shares a word with the
 * question, or the question contains a value for its parameters (an expression, a URL).
 * @param called names of the tools called since the question
 */
export function chooseTool(question: string, tools: readonly OfferedTool[], called: ReadonlySet<string>): OfflineCall | undefined {
	const text = question.slice(0, longestQuestion);
	const words = splitWords(text);
	const wanted = tools.find(tool => !called.has(tool.name) && isToolNeeded(tool, text, words));
	return wanted && { name: wanted.name, input: createToolInput(wanted.schema, text) };
}

/** Returns the names of tools called since the last user message. */
export function listCalledTools(prompt: LanguageModelV4Prompt): ReadonlySet<string> {
	const from = prompt.findLastIndex(({ role }) => role === 'user');
	return new Set(
		prompt
			.slice(from + 1)
			.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap(part => ('toolName' in part ? [part.toolName] : [])))),
	);
}

export type ToolAnswer = readonly [tool: string, result: string];

/** Returns the tool results since the last user message. */
export function getToolAnswers(prompt: LanguageModelV4Prompt): readonly ToolAnswer[] {
	const from = prompt.findLastIndex(({ role }) => role === 'user');
	return prompt
		.slice(from + 1)
		.flatMap(message => (message.role === 'tool' ? message.content : []))
		.flatMap(part => (part.type === 'tool-result' ? [[part.toolName, formatResult(part.output)] as const] : []));
}

/** Formats a tool's result as text. */
export function formatResult(output: LanguageModelV4ToolResultOutput): string {
	return 'value' in output ? (typeof output.value === 'string' ? output.value : JSON.stringify(output.value)) : 'nothing';
}

function isToolNeeded({ name, description = '', schema }: OfferedTool, text: string, words: ReadonlySet<string>): boolean {
	const parameters = Object.keys(getProperties(schema));
	const toolWords = [...splitWords(name), ...[...splitWords(description.slice(0, 500))].filter(word => word.length > 4)].filter(
		word => !commonWords.has(word),
	);
	return (
		toolWords.some(word => words.has(word)) ||
		(parameters.includes('expression') && findExpression(text) !== undefined) ||
		(parameters.includes('url') && findAddress(text) !== undefined)
	);
}

function createToolInput(schema: unknown, text: string): Readonly<Record<string, unknown>> {
	const required = isRecord(schema) && Array.isArray(schema['required']) ? schema['required'].map(String) : [];
	const sample = createSchemaSample(schema);
	const numbers = [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => Number(number));
	const entries = Object.entries(getProperties(schema)).flatMap(([name, property]) => {
		const found = findParameterValue(name, property, text, numbers, required.includes(name));
		const value = found ?? (required.includes(name) && isRecord(sample) ? sample[name] : undefined);
		return value === undefined ? [] : [[name, value] as const];
	});
	return Object.fromEntries(entries);
}

/** Returns the value that a question contains for a parameter, if any. */
function findParameterValue(name: string, property: unknown, text: string, numbers: number[], required: boolean): unknown {
	const { type, enum: choices } = toFields(property);
	if (Array.isArray(choices)) {
		return choices.find(choice => typeof choice === 'string' && text.toLowerCase().includes(choice.toLowerCase()));
	}
	if (/zone/i.test(name)) {
		return /\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+\b/.exec(text)?.[0];
	}
	if (/expression/i.test(name)) {
		return findExpression(text);
	}
	if (/url|address/i.test(name)) {
		return findAddress(text);
	}
	if (!required) {
		return undefined;
	}
	return type === 'number' || type === 'integer' ? numbers.shift() : type === undefined || type === 'string' ? text.trim() : undefined;
}

/** Finds the longest arithmetic expression. */
function findExpression(text: string): string | undefined {
	return (text.match(/[\d(][\d\s.()+*/%^×÷-]{0,200}[\d)]/g) ?? [])
		.map(found => found.trim())
		.filter(found => /\d\s*[+*/%^×÷-]+\s*[\d(]/.test(found) && !/^\d{4}-\d{1,2}-\d{1,2}$/.test(found))
		.sort((a, b) => b.length - a.length)[0];
}

function findAddress(text: string): string | undefined {
	return /https?:\/\/[^\s"'<>)\]]+/.exec(text)?.[0];
}

function splitWords(text: string): ReadonlySet<string> {
	return new Set(
		text
			.replace(/([a-z])([A-Z])/g, '$1 $2')
			.toLowerCase()
			.match(/[\p{L}]{3,}/gu) ?? [],
	);
}

function getProperties(schema: unknown): Values {
	return isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
}
