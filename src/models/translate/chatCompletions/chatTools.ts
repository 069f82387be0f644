import type { JSONSchema7, LanguageModelV4FunctionTool, LanguageModelV4ToolChoice } from '@ai-sdk/provider';
import { isRecord, toFields } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ChatCompletionRequest } from '#contract/openai/chatCompletions.ts';
import { listUnreadFields } from '../modelCall.ts';

/** Reads the offered functions. Throws an error (400) for other tools, which only OpenAI's models support. */
export function readChatTools(tools: NonNullable<ChatCompletionRequest['tools']>, lost: string[]): LanguageModelV4FunctionTool[] {
	const functions = tools.map((tool, i) => {
		if (tool.type !== 'function') {
			throw createToolFault(`tools[${i}].type`, `tools of the type "${tool.type}" are not supported with this model: expected "function"`);
		}
		const { name, description, parameters, strict, ...others } = toFields(tool['function']);
		if (typeof name !== 'string' || name === '') {
			throw new ServiceFault(400, `Missing required parameter: 'tools[${i}].function.name'.`, { params: `tools[${i}].function.name` });
		}
		lost.push(...listUnreadFields(others, new Set(), `tools[${i}].function.`));
		return {
			type: 'function' as const,
			name,
			...(typeof description === 'string' && { description }),
			inputSchema: (isRecord(parameters) ? parameters : { type: 'object', properties: {} }) as JSONSchema7,
			...(typeof strict === 'boolean' && { strict }),
		};
	});
	const names = new Set<string>();
	const twice = functions.findIndex(({ name }) => names.size === names.add(name).size);
	if (twice >= 0) {
		throw createToolFault(`tools[${twice}].function.name`, 'expected a name that no other tool has');
	}
	return functions;
}

/** Reads the tool choice; `allowed_tools` removes all other tools. Throws an error (400) for an impossible choice. */
export function readChatToolChoice(
	choice: ChatCompletionRequest['tool_choice'],
	tools: LanguageModelV4FunctionTool[],
): { tools: LanguageModelV4FunctionTool[]; toolChoice?: LanguageModelV4ToolChoice } {
	if (choice === undefined) {
		return { tools };
	}
	if (typeof choice === 'string') {
		if (choice !== 'none' && choice !== 'auto' && choice !== 'required') {
			throw createToolFault('tool_choice', `expected none, auto, required or an object, got "${choice.slice(0, 100)}"`);
		}
		if (choice === 'required' && tools.length === 0) {
			throw createToolFault('tool_choice', 'is only allowed when tools are specified');
		}
		return { tools, toolChoice: { type: choice } };
	}
	switch (choice.type) {
		case 'function': {
			const name = getFunctionName(choice);
			if (!tools.some(tool => tool.name === name)) {
				throw createToolFault('tool_choice', `the tool "${name}" isn't in the list of tools`);
			}
			return { tools, toolChoice: { type: 'tool', toolName: name } };
		}
		case 'allowed_tools': {
			const { mode, tools: allowed } = toFields(choice['allowed_tools']);
			const names = new Set((Array.isArray(allowed) ? allowed : []).map(tool => getFunctionName(toFields(tool))));
			const known = new Set(tools.map(({ name }) => name));
			const unknown = [...names].find(name => !known.has(name));
			if (unknown !== undefined || names.size === 0) {
				throw createToolFault(
					'tool_choice.allowed_tools.tools',
					`expected names of tools in this request${unknown ? `, got "${unknown}"` : ''}`,
				);
			}
			return {
				tools: tools.filter(({ name }) => names.has(name)),
				toolChoice: { type: mode === 'required' ? 'required' : 'auto' },
			};
		}
		default:
			throw createToolFault(
				'tool_choice.type',
				`"${choice.type.slice(0, 100)}" is not supported with this model: expected "function" or "allowed_tools"`,
			);
	}
}

/** Returns the function name of a choice. The newer form has no nested object. */
function getFunctionName(choice: Readonly<Record<string, unknown>>): string {
	return String(toFields(choice['function'])['name'] ?? choice['name'] ?? '');
}

function createToolFault(param: string, problem: string): ServiceFault {
	return new ServiceFault(400, `Invalid '${param}': ${problem}.`, { params: param });
}
