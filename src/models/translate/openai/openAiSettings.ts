import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Settings that OpenAI's ways to a text share. */
interface OpenAiSettings {
	readonly temperature?: number | undefined;
	readonly top_p?: number | undefined;
	readonly top_k?: number | undefined;
	readonly seed?: number | undefined;
	readonly presence_penalty?: number | undefined;
	readonly frequency_penalty?: number | undefined;
	readonly stop?: string | readonly string[] | undefined;
}

/** The settings that the caller gave, as those of a call. */
export function openAiSettings(request: OpenAiSettings): Omit<LanguageModelV4CallOptions, 'prompt'> {
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

/** Refuses (400, with the field) what would change the reply and has no counterpart elsewhere. `asked`: whether a field asks for it, by name. */
export function refuseAsked(asked: Readonly<Record<string, boolean>>): void {
	const name = Object.keys(asked).find(field => asked[field]);
	if (name !== undefined) {
		throw new ServiceFault(400, `Unsupported parameter: '${name}' is not supported with this model, whose service has no such thing.`, {
			params: name,
		});
	}
}

/** Whether a field asks for anything: null and what is empty do not. */
export function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0);
}

/** Whether a field asks for more than one. */
export function isSeveral(value: unknown): boolean {
	return typeof value === 'number' && value > 1;
}
