import type {
	JSONObject,
	JSONSchema7,
	LanguageModelV4CallOptions,
	LanguageModelV4FunctionTool,
	LanguageModelV4ToolChoice,
} from '@ai-sdk/provider';
import { generateContentRequestSchema } from '../../../protocol/content.ts';
import { ServiceFault } from '../../server/serviceFault.ts';
import { contentPrompt } from './contentPrompt.ts';
import { jsonSchemaOf } from './googleSchema.ts';
import { camelFields, type Fields, isObject, listOf } from './protoJson.ts';

/**
 * A request of E, as parsed from JSON, as a call of a language model. Only settings that the caller gave are set. Throws a fault (400,
 * INVALID_ARGUMENT) that names the field, also for what no other provider has.
 */
export function contentCall(body: unknown): LanguageModelV4CallOptions {
	const request = checkedFields(body);
	const config = camelFields(request['generationConfig']);
	const tools = listOf(request['tools']).flatMap((tool, i) => functionTools(tool, i));
	const calling = camelFields(camelFields(request['toolConfig'])['functionCallingConfig']);
	const allowed = listOf(calling['allowedFunctionNames']);
	const offered = allowed.length > 0 ? tools.filter(({ name }) => allowed.includes(name)) : tools;
	if (typeof config['candidateCount'] === 'number' && config['candidateCount'] > 1) {
		throw new ServiceFault(400, 'generation_config.candidate_count: this model’s route gives one candidate.');
	}
	return {
		prompt: contentPrompt(listOf(request['contents']), request['systemInstruction']),
		...number('maxOutputTokens', config['maxOutputTokens']),
		...number('temperature', config['temperature']),
		...number('topP', config['topP']),
		...number('topK', config['topK']),
		...number('seed', config['seed']),
		...number('presencePenalty', config['presencePenalty']),
		...number('frequencyPenalty', config['frequencyPenalty']),
		...(listOf(config['stopSequences']).length > 0 && { stopSequences: listOf(config['stopSequences']).map(String) }),
		...(offered.length > 0 && { tools: offered }),
		...toolChoice(calling['mode'], offered),
		...responseFormat(config),
		providerOptions: {
			...thinking(camelFields(config['thinkingConfig'])),
			offline: { allowUnsafe: allowsUnsafe(request['safetySettings']) },
		},
	};
}

function checkedFields(body: unknown): Fields {
	const fields = camelFields(body);
	const config = fields['generationConfig'];
	if (listOf(fields['contents']).length === 0) {
		throw new ServiceFault(400, '* GenerateContentRequest.contents: contents is not specified');
	}
	const result = generateContentRequestSchema.safeParse({ ...fields, ...(isObject(config) && { generationConfig: camelFields(config) }) });
	if (result.success) {
		return fields;
	}
	const issue = result.error.issues[0];
	throw new ServiceFault(400, `* GenerateContentRequest.${issue?.path.join('.')}: ${issue?.message}`);
}

function functionTools(value: unknown, index: number): LanguageModelV4FunctionTool[] {
	const { functionDeclarations, ...others } = camelFields(value);
	const other = Object.keys(others)[0];
	if (other !== undefined) {
		throw new ServiceFault(400, `tools[${index}].${other}: a tool of Google’s own, and this model’s route leads elsewhere.`);
	}
	return listOf(functionDeclarations).map(declaration => {
		const { name, description, parameters, parametersJsonSchema } = camelFields(declaration);
		const schema = parametersJsonSchema ?? (parameters === undefined ? { type: 'object', properties: {} } : jsonSchemaOf(parameters));
		return {
			type: 'function',
			name: String(name),
			...(typeof description === 'string' && { description }),
			inputSchema: schema as JSONSchema7,
		};
	});
}

function toolChoice(mode: unknown, tools: readonly LanguageModelV4FunctionTool[]): { toolChoice?: LanguageModelV4ToolChoice } {
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

function responseFormat(config: Fields): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
	if (config['responseMimeType'] !== 'application/json') {
		return {};
	}
	const { responseSchema, responseJsonSchema } = config;
	const schema = responseJsonSchema ?? (responseSchema === undefined ? undefined : jsonSchemaOf(responseSchema));
	return { responseFormat: { type: 'json', ...(isObject(schema) && { schema: schema as JSONSchema7 }) } };
}

function thinking({ thinkingBudget }: Fields): Record<string, JSONObject> {
	return typeof thinkingBudget === 'number' && thinkingBudget >= 1_024
		? { anthropic: { thinking: { type: 'enabled', budgetTokens: thinkingBudget } } }
		: {};
}

/** Whether a safety setting forbids to block (wire facts 4.1). */
function allowsUnsafe(settings: unknown): boolean {
	return listOf(settings).some(setting => ['BLOCK_NONE', 'OFF'].includes(String(camelFields(setting)['threshold'])));
}

function number<K extends string>(name: K, value: unknown): { [P in K]?: number } {
	return (typeof value === 'number' ? { [name]: value } : {}) as { [P in K]?: number };
}
