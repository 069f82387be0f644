import type { JSONSchema7, LanguageModelV4FunctionTool, LanguageModelV4ToolChoice } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponsesRequest, ResponseTool, ResponseToolChoice } from '#contract/openai/responses.ts';

export interface CallerTool {
	readonly kind: 'function' | 'custom';
	readonly name: string;
	/** The namespace that contains the tool. */
	readonly namespace?: string;
}

/**
 * Converts a request's tools to functions. Tools of a namespace get names that include it. Custom tools get their text as the only
 * argument. Other tools belong to OpenAI's service and are removed, which is added to `lost`. Throws an error (400) for a tool without a
 * name.
 */
export class ResponseTools {
	/** Functions that may be called. */
	readonly offered: readonly LanguageModelV4FunctionTool[];
	/** The request's supported tools, unchanged. */
	readonly kept: readonly ResponseTool[];
	readonly #callers = new Map<string, CallerTool>();
	readonly #names = new Map<string, string>();
	/** Number of names that were made from a name that another tool has. */
	readonly #copies = new Map<string, number>();

	constructor({ tools = [], tool_choice: choice }: Pick<ResponsesRequest, 'tools' | 'tool_choice'>, lost: string[]) {
		const offered: LanguageModelV4FunctionTool[] = [];
		this.kept = tools.flatMap((tool, i) => {
			const field = `tools[${i}]`;
			const members = tool.type === 'namespace' ? (tool.tools ?? []) : [tool];
			const namespace = tool.type === 'namespace' ? getToolName(tool, field) : undefined;
			const kept = members.filter((member, j) => {
				const at = namespace === undefined ? field : `${field}.tools[${j}]`;
				if (member.type !== 'function' && member.type !== 'custom') {
					lost.push(`${at} (${member.type}): removed because only functions and custom tools are supported`);
					return false;
				}
				offered.push(this.#addTool(member.type, member, namespace, at));
				return true;
			});
			if (namespace === undefined) {
				return kept.map(completeFunction);
			}
			return [{ ...tool, tools: kept.map(completeFunction) }];
		});
		const allowed = typeof choice === 'object' && choice.type === 'allowed_tools' ? this.#readAllowedNames(choice['tools']) : undefined;
		this.offered = allowed ? offered.filter(({ name }) => allowed.has(name)) : offered;
	}

	/** Returns the function name of a caller's tool, even if the tool isn't offered, because earlier turns may have called others. */
	getFunctionName(name: string, namespace?: string | null): string {
		const flat = namespace ? `${namespace}__${name}` : name;
		return this.#names.get(createToolKey(name, namespace)) ?? flat;
	}

	/** Returns the caller's tool for a function name. */
	getCallerTool(functionName: string): CallerTool {
		return this.#callers.get(functionName) ?? { kind: 'function', name: functionName };
	}

	/** Converts the tool choice. Undefined lets the model decide, also if the chosen tools were removed. */
	readChoice(choice: ResponseToolChoice | undefined, lost: string[]): LanguageModelV4ToolChoice | undefined {
		if (choice === undefined || this.offered.length === 0) {
			return choice === 'none' ? { type: 'none' } : undefined;
		}
		if (typeof choice === 'string') {
			return { type: choice };
		}
		const { type, name, namespace, mode } = choice;
		if (type === 'allowed_tools') {
			return mode === 'required' ? { type: 'required' } : undefined;
		}
		if (type !== 'function' && type !== 'custom') {
			lost.push(`tool_choice (${type}): ignored because this tool was removed`);
			return undefined;
		}
		if (typeof name !== 'string') {
			throw new ServiceFault(400, "Missing required parameter: 'tool_choice.name'.", { params: 'tool_choice.name' });
		}
		const toolName = this.getFunctionName(name, typeof namespace === 'string' ? namespace : undefined);
		if (!this.#callers.has(toolName)) {
			throw new ServiceFault(400, `Tool choice '${name.slice(0, 200)}' not found in 'tools' parameter.`, { params: 'tool_choice' });
		}
		return { type: 'tool', toolName };
	}

	#addTool(kind: CallerTool['kind'], tool: ResponseTool, namespace: string | undefined, field: string): LanguageModelV4FunctionTool {
		const name = getToolName(tool, field);
		const wanted = namespace === undefined ? name : `${namespace}__${name}`;
		let flat = wanted;
		for (let copies = this.#copies.get(wanted) ?? 0; this.#callers.has(flat); this.#copies.set(wanted, copies)) {
			copies++;
			flat = `${wanted}_${copies === 1 ? '' : copies}`;
		}
		this.#callers.set(flat, { kind, name, ...(namespace !== undefined && { namespace }) });
		this.#names.set(createToolKey(name, namespace), flat);
		return kind === 'custom' ? toCustomFunction(flat, tool) : toPlainFunction(flat, tool);
	}

	#readAllowedNames(tools: unknown): ReadonlySet<string> {
		const entries = Array.isArray(tools) ? (tools as readonly Record<string, unknown>[]) : [];
		return new Set(
			entries.map(({ name, namespace }) => this.getFunctionName(String(name), typeof namespace === 'string' ? namespace : undefined)),
		);
	}
}

/** Name of the argument that contains a custom tool's text. */
export const customArgument = 'input';

function createToolKey(name: string, namespace: string | null | undefined): string {
	return JSON.stringify([namespace ?? null, name]);
}

function getToolName({ name }: ResponseTool, field: string): string {
	if (name === undefined) {
		throw new ServiceFault(400, `Missing required parameter: '${field}.name'.`, { params: `${field}.name` });
	}
	return name;
}

function toPlainFunction(name: string, { description, parameters, strict }: ResponseTool): LanguageModelV4FunctionTool {
	return {
		type: 'function',
		name,
		...(description && { description }),
		inputSchema: (parameters ?? { type: 'object', properties: {} }) as JSONSchema7,
		...(typeof strict === 'boolean' && { strict }),
	};
}

/** Converts a custom tool to a function. Describes the tool's grammar, which the model wouldn't know otherwise. */
function toCustomFunction(name: string, tool: ResponseTool): LanguageModelV4FunctionTool {
	const format = tool['format'] as { type?: unknown; syntax?: unknown; definition?: unknown } | null | undefined;
	const grammar =
		format?.type === 'grammar' && typeof format.definition === 'string'
			? `The text follows this grammar (${String(format.syntax ?? 'lark')}):\n${format.definition}`
			: undefined;
	const description = [tool.description, grammar].filter(text => text).join('\n\n');
	return {
		type: 'function',
		name,
		...(description !== '' && { description }),
		inputSchema: {
			type: 'object',
			properties: { [customArgument]: { type: 'string', description: 'The whole text for the tool, as it is.' } },
			required: [customArgument],
			additionalProperties: false,
		},
	};
}

/** Returns a function with all its fields, which replies repeat. */
function completeFunction(tool: ResponseTool): ResponseTool {
	return tool.type === 'function' ? { description: null, parameters: null, strict: true, ...tool } : tool;
}
