import { isRecord, toFields } from '#base/records/plainValues.ts';
import type { ForeignPlace, ForeignValue, ImportReading } from '../importReading.ts';

/** A model of the configuration, with its parameters. */
export interface ImportedModel {
	readonly label: string;
	readonly model: string;
	readonly parameters: Readonly<Record<string, unknown>>;
}

/** Providers that call a model by its name. */
const modelProviders = new Set(
	(
		'openai anthropic google vertex palm ollama mistral openrouter groq deepseek xai cohere together togetherai fireworks perplexity ' +
		'cerebras azure azureopenai bedrock litellm vercel github huggingface nscale cloudflare-ai replicate databricks localai llamafile'
	).split(' '),
);
/** Words between the provider and the model. */
const endpoints = ['chat', 'messages', 'responses', 'completion', 'text'];
const codeProviders = ['exec', 'file', 'python', 'golang', 'ruby', 'package'];
/** Fields of `config`, with the names that they have in a request. */
const parameterNames: Readonly<Record<string, string>> = {
	temperature: 'temperature',
	top_p: 'top_p',
	topP: 'top_p',
	top_k: 'top_k',
	max_tokens: 'max_tokens',
	max_completion_tokens: 'max_tokens',
	max_output_tokens: 'max_tokens',
	maxOutputTokens: 'max_tokens',
	stop: 'stop_sequences',
	stop_sequences: 'stop_sequences',
};
/** Fields with keys and addresses. */
const connectionField = /key|token$|secret|url|host|header|organization|region|endpoint|credential|password/i;

/** Returns the model of a provider's ID such as `openai:chat:gpt-4o`; `undefined` if it isn't one that calls a model by its name. */
export function getModelName(provider: unknown): string | undefined {
	const id = isRecord(provider) ? provider['id'] : provider;
	if (typeof id !== 'string') {
		return undefined;
	}
	const [vendor = '', ...rest] = id.split(':');
	const name = (endpoints.includes(rest[0] ?? '') && rest.length > 1 ? rest.slice(1) : rest).join(':');
	const isOther =
		rest.length > 1 && /^(?:embeddings?|image|realtime|assistant|moderation|transcription|video|speech|agents|live)$/.test(rest[0]!);
	return modelProviders.has(vendor) && name !== '' && !isOther && !name.includes('{{') ? name : undefined;
}

/** Reads the providers of a configuration. Lists those that suites can't call. */
export async function readProviders({ value, place }: ForeignValue, reading: ImportReading): Promise<readonly ImportedModel[]> {
	const models: ImportedModel[] = [];
	const entries = Array.isArray(value)
		? value.map((each, at) => ({ value: each as unknown, place: place.at(at) }))
		: value === undefined
			? []
			: [{ value, place }];
	for (const entry of entries) {
		const model = readProvider(entry, reading);
		if (model) {
			models.push(model);
		}
	}
	return models;
}

function readProvider({ value, place }: ForeignValue, reading: ImportReading): ImportedModel | undefined {
	const { id, options, at } = splitProvider(value, place);
	const model = getModelName(id);
	if (model === undefined) {
		const name = typeof id === 'string' ? id : 'provider';
		if (codeProviders.includes(name.split(':')[0]!)) {
			reading.reportCode(place, name);
		} else {
			reading.reportUnknown(place, name);
		}
		return undefined;
	}
	const { label, config } = options;
	reading.reportOtherFields(options, ['id', 'label', 'config'], at);
	return {
		label: typeof label === 'string' && label !== '' ? label : String(id),
		model,
		parameters: readParameters(toFields(config), at.at('config'), reading),
	};
}

/** Splits the forms of a provider: an ID, `{id, label, config}`, or `{ID: {label, config}}`. */
function splitProvider(value: unknown, place: ForeignPlace) {
	if (!isRecord(value)) {
		return { id: value, options: {}, at: place };
	}
	const [first = ''] = Object.keys(value);
	return 'id' in value || Object.keys(value).length !== 1
		? { id: value['id'], options: value, at: place }
		: { id: first, options: toFields(value[first]), at: place.at(first) };
}

function readParameters(
	config: Readonly<Record<string, unknown>>,
	place: ForeignPlace,
	reading: ImportReading,
): Readonly<Record<string, unknown>> {
	const parameters: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(config)) {
		const parameter = Object.hasOwn(parameterNames, name) ? parameterNames[name] : undefined;
		if (parameter === 'stop_sequences') {
			parameters[parameter] = Array.isArray(value) ? value : [value];
		} else if (parameter !== undefined && typeof value === 'number') {
			parameters[parameter] = value;
		} else if (connectionField.test(name)) {
			reading.report(place.at(name), reading.t("'{0}' isn't imported: keys and addresses come from the connection.", name));
		} else {
			reading.reportUnknown(place.at(name), name);
		}
	}
	return parameters;
}
