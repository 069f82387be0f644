import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Settings that OpenAI's endpoints have in common. */
interface OpenAiSettings {
	readonly temperature?: number | undefined;
	readonly top_p?: number | undefined;
	readonly top_k?: number | undefined;
	readonly seed?: number | undefined;
	readonly presence_penalty?: number | undefined;
	readonly frequency_penalty?: number | undefined;
	readonly stop?: string | readonly string[] | undefined;
}

/** Converts the caller's settings to those of a call. */
export function readOpenAiSettings(request: OpenAiSettings): Omit<LanguageModelV4CallOptions, 'prompt'> {
	const { temperature, top_p, top_k, seed, presence_penalty, frequency_penalty, stop } = request;
	const stopSequences = typeof stop === 'string' ? [stop] : [...(stop ?? [])];
	return {
		...(stopSequences.length > 0 && { stopSequences }),
		...(temperature !== undefined && { temperature }),
		...(top_p !== undefined && { topP: top_p }),
		...(top_k !== undefined && { topK: top_k }),
		...(seed !== undefined && { seed }),
		...(presence_penalty !== undefined && { presencePenalty: presence_penalty }),
		...(frequency_penalty !== undefined && { frequencyPenalty: frequency_penalty }),
	};
}

/**
 * Throws an error (400) for the first unsupported field that was requested.
 * @param asked true for each field that the caller requested
 */
export function refuseUnsupported(asked: Readonly<Record<string, boolean>>): void {
	const name = Object.keys(asked).find(field => asked[field]);
	if (name !== undefined) {
		throw new ServiceFault(400, `Unsupported parameter: '${name}' is not supported with this model.`, {
			params: name,
		});
	}
}

/** True if a field requests something; null and empty values don't. */
export function hasRequestedValue(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0);
}

/** True if a field requests more than one. */
export function isMoreThanOne(value: unknown): boolean {
	return typeof value === 'number' && value > 1;
}
