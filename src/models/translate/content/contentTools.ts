import type { JSONSchema7, LanguageModelV4FunctionTool, LanguageModelV4ToolChoice } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { CallExtras } from '../modelCall.ts';
import { toJsonSchema } from './googleSchema.ts';
import { type Fields, toCamelCaseFields, toList } from './protoJson.ts';

/** Reads the functions of a content request (E), and whether it requests Google's search. Throws an error (400) for other Google tools. */
export function readContentTools(tools: unknown): {
	functions: LanguageModelV4FunctionTool[];
	webSearch?: NonNullable<CallExtras['webSearch']>;
} {
	let webSearch: CallExtras['webSearch'];
	const functions = toList(tools).flatMap((value, i) => {
		const { functionDeclarations, googleSearch, ...others } = toCamelCaseFields(value);
		const other = Object.keys(others)[0];
		if (other !== undefined) {
			throw new ServiceFault(400, `tools[${i}].${other}: only Google's models support this tool. Remove it, or use a Google model.`);
		}
		if (googleSearch !== undefined) {
			webSearch = { field: `tools[${i}].googleSearch` };
		}
		return toList(functionDeclarations).map(declaration => toFunctionTool(toCamelCaseFields(declaration)));
	});
	return { functions, ...(webSearch && { webSearch }) };
}

function toFunctionTool({ name, description, parameters, parametersJsonSchema }: Fields): LanguageModelV4FunctionTool {
	const schema = parametersJsonSchema ?? parameters;
	return {
		type: 'function',
		name: String(name),
		...(typeof description === 'string' && { description }),
		inputSchema: (schema === undefined ? { type: 'object', properties: {} } : toJsonSchema(schema)) as JSONSchema7,
	};
}

/** Converts the mode of `functionCallingConfig`. */
export function readContentToolChoice(
	mode: unknown,
	tools: readonly LanguageModelV4FunctionTool[],
): { toolChoice?: LanguageModelV4ToolChoice } {
	const [only] = tools;
	switch (mode) {
		case 'ANY':
			return { toolChoice: tools.length === 1 && only ? { type: 'tool', toolName: only.name } : { type: 'required' } };
		case 'NONE':
			return { toolChoice: { type: 'none' } };
		case 'AUTO':
		case 'VALIDATED':
			return { toolChoice: { type: 'auto' } };
		default:
			return {};
	}
}
