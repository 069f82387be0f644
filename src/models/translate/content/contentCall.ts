import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { problemOf, wordsOf } from '#contract/problems.ts';
import { generateContentRequestSchema } from '#contract/text/content.ts';
import { type ModelCall, unreadFields, withExtras } from '../modelCall.ts';
import { contentPrompt } from './contentPrompt.ts';
import { contentThinking } from './contentThinking.ts';
import { contentToolChoice, contentTools } from './contentTools.ts';
import { jsonSchemaOf } from './googleSchema.ts';
import { camelFields, type Fields, listOf } from './protoJson.ts';

/**
 * Converts a parsed request of E to a language model call. Sets only the caller's settings. Throws an error (400, INVALID_ARGUMENT) that
 * names the field, also for features that other providers lack.
 */
export function contentCall(body: unknown): ModelCall {
	const request = checkedFields(body);
	const config = camelFields(request['generationConfig']);
	const { functions, webSearch } = contentTools(request['tools']);
	const toolConfig = camelFields(request['toolConfig']);
	const calling = camelFields(toolConfig['functionCallingConfig']);
	const allowed = listOf(calling['allowedFunctionNames']);
	const offered = allowed.length > 0 ? functions.filter(({ name }) => allowed.includes(name)) : functions;
	refuseGooglesOwn(request, config);
	const { providerOptions, ...thinking } = contentThinking(camelFields(config['thinkingConfig']));
	const lost: string[] = [
		...(request['safetySettings'] === undefined ? [] : ['safety_settings: ignored, other services have different rules']),
		...unreadFields(request, readFields),
		...unreadFields(config, readConfig, 'generation_config.'),
		...unreadFields(toolConfig, new Set(['functionCallingConfig']), 'tool_config.'),
	];
	const call: LanguageModelV4CallOptions = {
		prompt: contentPrompt(listOf(request['contents']), request['systemInstruction'], lost),
		...number('maxOutputTokens', config['maxOutputTokens']),
		...number('temperature', config['temperature']),
		...number('topP', config['topP']),
		...number('topK', config['topK']),
		...number('seed', config['seed']),
		...number('presencePenalty', config['presencePenalty']),
		...number('frequencyPenalty', config['frequencyPenalty']),
		...(listOf(config['stopSequences']).length > 0 && { stopSequences: listOf(config['stopSequences']).map(String) }),
		...(offered.length > 0 && { tools: offered }),
		...contentToolChoice(calling['mode'], offered),
		...responseFormat(config),
		...thinking,
		providerOptions: { ...providerOptions, offline: { allowUnsafe: allowsUnsafe(request['safetySettings']) } },
	};
	return withExtras(call, { ...(webSearch && { webSearch }), lost });
}

/** Fields that are converted or refused, or that don't matter to other services. */
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

function checkedFields(body: unknown): Fields {
	const fields = camelFields(body);
	const config = fields['generationConfig'];
	if (listOf(fields['contents']).length === 0) {
		throw new ServiceFault(400, '* GenerateContentRequest.contents: contents is not specified');
	}
	const request = { ...fields, ...(isRecord(config) && { generationConfig: camelFields(config) }) };
	const result = generateContentRequestSchema.safeParse(request, { error: wordsOf });
	if (result.success) {
		return fields;
	}
	const { field, message } = problemOf(result.error, request);
	throw new ServiceFault(400, `* GenerateContentRequest.${field}: ${message}`);
}

/** Refuses settings that would change the reply and have no counterpart elsewhere. */
function refuseGooglesOwn(request: Fields, config: Fields): void {
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
	const other = listOf(config['responseModalities']).find(modality => String(modality).toUpperCase() !== 'TEXT');
	if (other !== undefined) {
		throw new ServiceFault(400, `generation_config.response_modalities: this model's route supports only TEXT, got ${String(other)}.`);
	}
}

function responseFormat(config: Fields): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
	if (config['responseMimeType'] !== 'application/json') {
		return {};
	}
	const schema = config['responseJsonSchema'] ?? config['responseSchema'];
	return { responseFormat: { type: 'json', ...(isRecord(schema) && { schema: jsonSchemaOf(schema) as JSONSchema7 }) } };
}

/** True if a safety setting forbids blocking (wire facts 4.1). */
function allowsUnsafe(settings: unknown): boolean {
	return listOf(settings).some(setting => ['BLOCK_NONE', 'OFF'].includes(String(camelFields(setting)['threshold'])));
}

function number<K extends string>(name: K, value: unknown): { [P in K]?: number } {
	return (typeof value === 'number' ? { [name]: value } : {}) as { [P in K]?: number };
}
