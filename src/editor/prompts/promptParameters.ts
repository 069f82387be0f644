import { toFields } from '#base/records/plainValues.ts';
import type { EndpointKind, EndpointSettings } from '#pages/chat/transcript/transcript.ts';
import type { PromptParameters } from '#pages/prompt/promptMessages.ts';

type ParameterName = keyof PromptParameters;

/** Names of the parameters in the requests of each endpoint. An endpoint doesn't support the absent ones. */
const requestNames: Readonly<Record<EndpointKind, Partial<Record<ParameterName, string>>>> = {
	messages: { temperature: 'temperature', topP: 'top_p', topK: 'top_k', maxTokens: 'max_tokens', stop: 'stop_sequences' },
	content: { temperature: 'temperature', topP: 'topP', topK: 'topK', maxTokens: 'maxOutputTokens', stop: 'stopSequences' },
	chatCompletions: { temperature: 'temperature', topP: 'top_p', maxTokens: 'max_tokens', stop: 'stop' },
	completions: { temperature: 'temperature', topP: 'top_p', topK: 'top_k', maxTokens: 'max_tokens_to_sample', stop: 'stop_sequences' },
	agent: {},
};

/** Names of the parameters in `completion_params` of an agent file. The first is written if the file has none of them. */
export const fileNames: Readonly<Record<ParameterName, readonly string[]>> = {
	temperature: ['temperature'],
	topP: ['top_p'],
	topK: ['top_k'],
	maxTokens: ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_tokens_to_sample'],
	stop: ['stop'],
};

/** Converts parameters to the settings of an endpoint's requests. */
export function toEndpointSettings(endpoint: EndpointKind, parameters: PromptParameters): EndpointSettings {
	const names = requestNames[endpoint];
	return Object.fromEntries(
		(Object.entries(parameters) as [ParameterName, unknown][]).flatMap(([name, value]) => {
			const sent = names[name];
			const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
			return sent === undefined || isEmpty ? [] : [[sent, value]];
		}),
	);
}

/** Reads the parameters from the settings of an endpoint's requests. */
export function readEndpointSettings(endpoint: EndpointKind, settings: EndpointSettings): PromptParameters {
	return readParameters(settings, name => [requestNames[endpoint][name]].filter(sent => sent !== undefined));
}

/** Reads the parameters from a model's `completion_params` in an agent file. */
export function readFileParameters(given: unknown): PromptParameters {
	return readParameters(toFields(given), name => fileNames[name]);
}

function readParameters(given: Readonly<Record<string, unknown>>, listNames: (name: ParameterName) => readonly string[]): PromptParameters {
	const readNumber = (name: ParameterName) => {
		const values = listNames(name).map(each => given[each]);
		return values.map(value => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value)).find(isNumber);
	};
	const numbers = (['temperature', 'topP', 'topK', 'maxTokens'] as const).flatMap(name => {
		const value = readNumber(name);
		return value === undefined ? [] : [[name, value] as const];
	});
	const stop = listNames('stop')
		.flatMap(name => [given[name]].flat())
		.filter(each => typeof each === 'string' && each !== '') as string[];
	return { ...Object.fromEntries(numbers), ...(stop.length > 0 && { stop }) };
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}
