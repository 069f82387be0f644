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
 * A request of E, as parsed from JSON, as a call of a language model. Only settings that the caller gave are set. Throws a fault (400,
 * INVALID_ARGUMENT) that names the field, also for what no other provider has.
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
		...(request['safetySettings'] === undefined ? [] : ['safety_settings: not carried over, other services block by rules of their own']),
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

/** Fields that are carried over or refused, and those that change nothing at another service. */
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

/** What would change the reply and has no counterpart elsewhere. */
function refuseGooglesOwn(request: Fields, config: Fields): void {
	if (typeof config['candidateCount'] === 'number' && config['candidateCount'] > 1) {
		throw new ServiceFault(400, 'generation_config.candidate_count: this model’s route gives one candidate.');
	}
	if (request['cachedContent'] !== undefined) {
		throw new ServiceFault(
			400,
			'cached_content: what Google keeps cannot be read by another service, and this model’s route leads elsewhere. Send the content itself.',
		);
	}
	const type = config['responseMimeType'];
	if (type !== undefined && type !== 'text/plain' && type !== 'application/json') {
		const why = typeof type === 'string' ? `${type} is Google’s own, and this model’s route leads elsewhere. Expected` : 'expected';
		throw new ServiceFault(400, `generation_config.response_mime_type: ${why} text/plain or application/json.`);
	}
	const other = listOf(config['responseModalities']).find(modality => String(modality).toUpperCase() !== 'TEXT');
	if (other !== undefined) {
		throw new ServiceFault(400, `generation_config.response_modalities: this model’s route gives TEXT, got ${String(other)}.`);
	}
}

function responseFormat(config: Fields): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
	if (config['responseMimeType'] !== 'application/json') {
		return {};
	}
	const schema = config['responseJsonSchema'] ?? config['responseSchema'];
	return { responseFormat: { type: 'json', ...(isRecord(schema) && { schema: jsonSchemaOf(schema) as JSONSchema7 }) } };
}

/** Whether a safety setting forbids to block (wire facts 4.1). */
function allowsUnsafe(settings: unknown): boolean {
	return listOf(settings).some(setting => ['BLOCK_NONE', 'OFF'].includes(String(camelFields(setting)['threshold'])));
}

function number<K extends string>(name: K, value: unknown): { [P in K]?: number } {
	return (typeof value === 'number' ? { [name]: value } : {}) as { [P in K]?: number };
}
