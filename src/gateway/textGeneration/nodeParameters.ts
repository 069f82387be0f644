import type { JSONObject, JSONSchema7, JSONValue, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { ModelRequest } from '#engine/run/engineTypes.ts';
import type { Provider } from '#models/routeConfig.ts';
import { getEffort } from '#models/translate/effort.ts';
import { addExtras, type ModelCall } from '#models/translate/modelCall.ts';

type Reasoning = NonNullable<LanguageModelV4CallOptions['reasoning']>;

const efforts: readonly Reasoning[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Anthropic's minimum thinking budget, also used if a file enables thinking without a budget. */
const minBudget = 1_024;

/** Fields of OpenAI's protocol that aren't model parameters, and names that the AI SDK's provider itself reads. */
const reserved = new Set([
	...['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice', 'n', 'user'],
	...['reasoningEffort', 'textVerbosity', 'strictJsonSchema'],
]);

/**
 * Adds a node's further `completion_params` (`request.parameters`) to a call for a route's service. Their names are those of Dify's model
 * plugins. Services with OpenAI's protocol get unknown parameters unchanged, because each service has additional fields; if one refuses a
 * field, the request is repeated without it. Reports parameters that a service doesn't support.
 */
export function addParameters(call: LanguageModelV4CallOptions, request: ModelRequest, provider: Provider): ModelCall {
	const reader = new ParameterReader(request.parameters ?? {});
	const openai = provider === 'openai-compatible' || provider === 'ollama';
	const seed = reader.takeNumber('seed');
	const presencePenalty = reader.takeNumber('presence_penalty');
	const frequencyPenalty = reader.takeNumber('frequency_penalty');
	// valid numbers are already in the call
	for (const name of [
		'temperature',
		'top_p',
		'top_k',
		'max_tokens',
		'max_completion_tokens',
		'max_output_tokens',
		'max_tokens_to_sample',
	]) {
		reader.takeNumber(name);
	}
	const format = readResponseFormat(reader, openai);
	const thinking = readThinkingOptions(reader, openai);
	const rest = Object.entries(reader.getRemainingParameters());
	const { topK, providerOptions, ...others } = call;
	// the AI SDK's provider doesn't support this parameter, but many services with OpenAI's protocol do
	const top = topK === undefined ? {} : openai ? { body: { top_k: topK } } : { options: { topK } };
	const sent = openai ? rest.filter(([name]) => !reserved.has(name)) : [];
	const body = { ...format.body, ...thinking.body, ...top.body, ...(Object.fromEntries(sent) as JSONObject) };
	const unsent = provider === 'offline' ? [] : rest.filter(([name]) => !sent.some(([each]) => each === name));
	return addExtras(
		{
			...others,
			...top.options,
			...(seed !== undefined && { seed: Math.trunc(seed) }),
			...(presencePenalty !== undefined && { presencePenalty }),
			...(frequencyPenalty !== undefined && { frequencyPenalty }),
			// a schema set by the node itself overrides the parameter
			...(!call.responseFormat && format.options),
			...thinking.options,
			...mergeOptions(
				providerOptions,
				thinking.options.providerOptions,
				Object.keys(body).length > 0 ? { openaiCompatible: body } : undefined,
			),
		},
		{
			lost: [...reader.lost, ...unsent.map(([name]) => `${name}: ignored because the model's service doesn't support it`)],
		},
	);
}

function mergeOptions(
	...options: readonly LanguageModelV4CallOptions['providerOptions'][]
): Pick<LanguageModelV4CallOptions, 'providerOptions'> {
	const all = Object.assign({}, ...options) as NonNullable<LanguageModelV4CallOptions['providerOptions']>;
	return Object.keys(all).length > 0 ? { providerOptions: all } : {};
}

/** Returns parameters by name, and reports those with an invalid value. */
class ParameterReader {
	readonly lost: string[] = [];
	readonly #values: Map<string, unknown>;

	constructor(parameters: Readonly<Record<string, unknown>>) {
		this.#values = new Map(Object.entries(parameters));
	}

	takeParameter(name: string): unknown {
		const value = this.#values.get(name);
		this.#values.delete(name);
		return value;
	}

	takeNumber(name: string): number | undefined {
		const value = this.takeParameter(name);
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		if (value === undefined || (typeof number === 'number' && Number.isFinite(number))) {
			return number as number | undefined;
		}
		return this.refuseParameter(name, 'expected a number');
	}

	refuseParameter(name: string, expected: string): undefined {
		this.lost.push(`${name}: ignored, ${expected}`);
		return undefined;
	}

	getRemainingParameters(): Record<string, unknown> {
		return Object.fromEntries(this.#values);
	}
}

interface Taken {
	readonly options: Partial<LanguageModelV4CallOptions>;
	/** Fields of the body for services with OpenAI's protocol. */
	readonly body: Readonly<Record<string, JSONValue>>;
}

const nothing: Taken = { options: {}, body: {} };

/** Reads `response_format`: text, json_object, json_schema (with the schema in `json_schema`), or JSON as in some plugins. */
function readResponseFormat(reader: ParameterReader, openai: boolean): Taken {
	const given = reader.takeParameter('response_format');
	const type = typeof given === 'object' && given !== null && 'type' in given ? given.type : given;
	const written =
		reader.takeParameter('json_schema') ??
		(typeof given === 'object' && given !== null && 'json_schema' in given ? given.json_schema : undefined);
	switch (type) {
		case undefined:
		case 'text':
			return nothing;
		case 'json_object':
		case 'JSON':
		case 'json':
			return { options: { responseFormat: { type: 'json' } }, body: {} };
		case 'json_schema': {
			const outer = toObject(written);
			const schema = toObject(outer?.['schema']) ?? outer;
			if (!schema || !outer) {
				reader.refuseParameter('json_schema', 'expected a JSON schema as a string or an object');
				return { options: { responseFormat: { type: 'json' } }, body: {} };
			}
			const { name, description, strict } = outer;
			const own = schema !== outer;
			return {
				options: {
					responseFormat: {
						type: 'json',
						schema: schema as JSONSchema7,
						...(own && typeof name === 'string' && { name }),
						...(own && typeof description === 'string' && { description }),
					},
				},
				body: openai && own && typeof strict === 'boolean' ? { strictJsonSchema: strict } : {},
			};
		}
		default:
			reader.refuseParameter('response_format', 'expected text, json_object or json_schema');
			return nothing;
	}
}

/**
 * Reads the thinking parameters: an effort, a budget in tokens, or a switch. Services with OpenAI's protocol get everything except the
 * effort unchanged.
 */
function readThinkingOptions(reader: ParameterReader, openai: boolean): Taken {
	const effort = readEffort(reader);
	const thinking = reader.takeParameter('thinking');
	const enabled = reader.takeParameter('enable_thinking');
	const budget =
		reader.takeNumber('thinking_budget') ??
		(isRecord(thinking) && typeof thinking['budget_tokens'] === 'number' ? thinking['budget_tokens'] : undefined);
	const include = reader.takeParameter('include_thoughts');
	if (openai) {
		const fields = { thinking, enable_thinking: enabled, thinking_budget: budget, include_thoughts: include };
		return {
			options: effort === undefined ? {} : { reasoning: effort },
			body: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, JSONValue>,
		};
	}
	const wanted = isEnabled(thinking) ?? isEnabled(enabled);
	if (wanted === false || (budget === 0 && wanted === undefined)) {
		return { options: { reasoning: 'none' }, body: {} };
	}
	const tokens = budget !== undefined && budget > 0 ? budget : wanted && effort === undefined ? minBudget : undefined;
	if (tokens === undefined && include === undefined) {
		return { options: effort === undefined ? {} : { reasoning: effort }, body: {} };
	}
	return {
		options: {
			...(tokens !== undefined && effort === undefined ? { reasoning: getEffort(tokens) } : effort !== undefined && { reasoning: effort }),
			providerOptions: {
				...(tokens !== undefined && { anthropic: { thinking: { type: 'enabled', budgetTokens: Math.max(tokens, minBudget) } } }),
				google: {
					thinkingConfig: { includeThoughts: isEnabled(include) ?? true, ...(tokens !== undefined && { thinkingBudget: tokens }) },
				},
			},
		},
		body: {},
	};
}

function readEffort(reader: ParameterReader): Reasoning | undefined {
	const given = reader.takeParameter('reasoning_effort') ?? reader.takeParameter('thinking_level');
	const effort = efforts.find(each => each === String(given).toLowerCase());
	return given === undefined || effort !== undefined
		? effort
		: reader.refuseParameter('reasoning_effort', `expected one of ${efforts.join(', ')}`);
}

/** Returns whether a value like `true`, `"enabled"` or `{type: "enabled"}` enables something; undefined if it isn't set. */
function isEnabled(value: unknown): boolean | undefined {
	const said = isRecord(value) ? value['type'] : value;
	return said === undefined || said === null ? undefined : !['false', 'disabled', 'none', 'off', '0'].includes(String(said).toLowerCase());
}

/** Returns an object, parsed if it's a JSON string. */
function toObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
	const parsed = typeof value === 'string' ? tryParseJson(value) : value;
	return isRecord(parsed) ? parsed : undefined;
}
