import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { createSchemaProblem, parseWithSchema } from '#contract/problems.ts';
import { generateContentRequestSchema } from '#contract/text/content.ts';
import { addExtras, listUnreadFields, type ModelCall } from '../modelCall.ts';
import { createContentPrompt } from './contentPrompt.ts';
import { readContentThinking } from './contentThinking.ts';
import { readContentToolChoice, readContentTools } from './contentTools.ts';
import { toJsonSchema } from './googleSchema.ts';
import { type Fields, toCamelCaseFields, toList } from './protoJson.ts';

/**
 * Converts a parsed content request (E) to a language model call. Only sets what the caller set. Throws an error (400, INVALID_ARGUMENT)
 * that names the field, also for features that other providers don't have.
 */
export function createContentCall(body: unknown): ModelCall {
	const request = readCheckedFields(body);
	const config = toCamelCaseFields(request['generationConfig']);
	const { functions, webSearch } = readContentTools(request['tools']);
	const toolConfig = toCamelCaseFields(request['toolConfig']);
	const calling = toCamelCaseFields(toolConfig['functionCallingConfig']);
	const allowed = new Set(toList(calling['allowedFunctionNames']));
	const offered = allowed.size > 0 ? functions.filter(({ name }) => allowed.has(name)) : functions;
	refuseGoogleFeatures(request, config);
	const { providerOptions, ...thinking } = readContentThinking(toCamelCaseFields(config['thinkingConfig']));
	const lost: string[] = [
		...(request['safetySettings'] === undefined ? [] : ['safety_settings: ignored because other services have different rules']),
		...listUnreadFields(request, readFields),
		...listUnreadFields(config, readConfig, 'generation_config.'),
		...listUnreadFields(toolConfig, new Set(['functionCallingConfig']), 'tool_config.'),
	];
	const call: LanguageModelV4CallOptions = {
		prompt: createContentPrompt(toList(request['contents']), request['systemInstruction'], lost),
		...readNumber('maxOutputTokens', config['maxOutputTokens']),
		...readNumber('temperature', config['temperature']),
		...readNumber('topP', config['topP']),
		...readNumber('topK', config['topK']),
		...readNumber('seed', config['seed']),
		...readNumber('presencePenalty', config['presencePenalty']),
		...readNumber('frequencyPenalty', config['frequencyPenalty']),
		...(toList(config['stopSequences']).length > 0 && { stopSequences: toList(config['stopSequences']).map(String) }),
		...(offered.length > 0 && { tools: offered }),
		...readContentToolChoice(calling['mode'], offered),
		...readResponseFormat(config),
		...thinking,
		providerOptions: { ...providerOptions, offline: { allowUnsafe: isBlockingForbidden(request['safetySettings']) } },
	};
	return addExtras(call, { ...(webSearch && { webSearch }), lost });
}

/** Fields that are converted, refused, or irrelevant to other services. */
const readFields = new Set([
	'contents',
	'systemInstruction',
	'generationConfig',
	'tools',
	'toolConfig',
	'cachedContent',
	'model',
	'labels',
	'serviceTier',
	'safetySettings',
]);

const readConfig = new Set([
	'maxOutputTokens',
	'temperature',
	'topP',
	'topK',
	'seed',
	'presencePenalty',
	'frequencyPenalty',
	'stopSequences',
	'responseMimeType',
	'responseSchema',
	'responseJsonSchema',
	'thinkingConfig',
	'candidateCount',
	'responseModalities',
]);

function readCheckedFields(body: unknown): Fields {
	const fields = toCamelCaseFields(body);
	const config = fields['generationConfig'];
	if (toList(fields['contents']).length === 0) {
		throw new ServiceFault(400, '* GenerateContentRequest.contents: contents is not specified');
	}
	const request = { ...fields, ...(isRecord(config) && { generationConfig: toCamelCaseFields(config) }) };
	const result = parseWithSchema(generateContentRequestSchema, request);
	if (result.success) {
		return fields;
	}
	const { field, message } = createSchemaProblem(result.error, request);
	throw new ServiceFault(400, `* GenerateContentRequest.${field}: ${message}`);
}

/** Throws an error (400) for settings that would change the reply and that only Google has. */
function refuseGoogleFeatures(request: Fields, config: Fields): void {
	if (typeof config['candidateCount'] === 'number' && config['candidateCount'] > 1) {
		throw new ServiceFault(400, "generation_config.candidate_count: this model's route supports only one candidate.");
	}
	if (request['cachedContent'] !== undefined) {
		throw new ServiceFault(
			400,
			"cached_content: this model's route leads to another service, which can't read Google's cache. Send the content.",
		);
	}
	const type = config['responseMimeType'];
	if (type !== undefined && type !== 'text/plain' && type !== 'application/json') {
		const got = typeof type === 'string' ? `, got ${type}` : '';
		throw new ServiceFault(400, `generation_config.response_mime_type: this model's route supports text/plain and application/json${got}.`);
	}
	const other = toList(config['responseModalities']).find(modality => String(modality).toUpperCase() !== 'TEXT');
	if (other !== undefined) {
		throw new ServiceFault(400, `generation_config.response_modalities: this model's route supports only TEXT, got ${String(other)}.`);
	}
}

function readResponseFormat(config: Fields): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
	if (config['responseMimeType'] !== 'application/json') {
		return {};
	}
	const schema = config['responseJsonSchema'] ?? config['responseSchema'];
	return { responseFormat: { type: 'json', ...(isRecord(schema) && { schema: toJsonSchema(schema) as JSONSchema7 }) } };
}

/** True if a safety setting forbids blocking (wire facts 4.1). */
function isBlockingForbidden(settings: unknown): boolean {
	return toList(settings).some(setting => ['BLOCK_NONE', 'OFF'].includes(String(toCamelCaseFields(setting)['threshold'])));
}

function readNumber<K extends string>(name: K, value: unknown): { [P in K]?: number } {
	return (typeof value === 'number' ? { [name]: value } : {}) as { [P in K]?: number };
}
