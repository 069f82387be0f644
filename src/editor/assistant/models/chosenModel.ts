import { isRecord } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import type { EndpointKind } from '#pages/chat/transcript/transcript.ts';

/** Endpoints whose models and agents can be chosen: completions know neither roles nor tools. */
export const chosenEndpoints = ['messages', 'content', 'chatCompletions', 'agent'] as const satisfies readonly EndpointKind[];
export type ChosenEndpoint = (typeof chosenEndpoints)[number];

/** A model or agent that the user wants in VS Code's chat, as the setting `agentWorkbench.assistant.models` holds it. */
export interface ChosenModel {
	/** ID of its connection. */
	readonly connection: string;
	readonly endpoint: ChosenEndpoint;
	/** The service's name of the model or agent. */
	readonly model: string;
	/** What VS Code's chat calls it; default: `model`. */
	readonly name?: string;
	/** Tokens that it reads at most; absent: nobody has told. */
	readonly maxInputTokens?: number;
	/** Tokens that it writes at most with one reply; absent: nobody has told. */
	readonly maxOutputTokens?: number;
	/** Whether it calls tools; default: models do, agents do not. VS Code lists nothing else in agent mode. */
	readonly toolCalling?: boolean;
	/** Whether it sees images; default: true. */
	readonly imageInput?: boolean;
	/** Of an agent: values for its inputs. */
	readonly inputs?: Readonly<Record<string, unknown>>;
}

/** Names a chosen model among all: unique, and the same for as long as it is chosen. */
export function idOfModel({ connection, endpoint, model }: ChosenModel): string {
	return `${connection}/${endpoint}/${model}`;
}

/** What the setting's value holds, and a sentence for each entry that is no model; of two for one model the first counts. */
export function readChosenModels(
	value: unknown,
	t: Translate,
): { readonly models: readonly ChosenModel[]; readonly faults: readonly string[] } {
	const models: ChosenModel[] = [];
	const faults: string[] = [];
	for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
		const read = readChosenModel(item, t);
		if (typeof read === 'string') {
			faults.push(t('agentWorkbench.assistant.models[{0}] is left out: {1}', index, read));
		} else if (!models.some(model => idOfModel(model) === idOfModel(read))) {
			models.push(read);
		}
	}
	return { models, faults };
}

/** A model, or what is wrong with the entry. */
function readChosenModel(item: unknown, t: Translate): ChosenModel | string {
	const fields = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
	const { connection, model, name, inputs, maxInputTokens, maxOutputTokens, toolCalling, imageInput } = fields;
	const endpoint = chosenEndpoints.find(each => each === fields['endpoint']);
	if (typeof connection !== 'string' || connection === '' || typeof model !== 'string' || model === '') {
		return t('expected an object with “connection”, the ID of a connection, and “model”, a name');
	}
	if (!endpoint) {
		return t('“endpoint” is none that is known: expected one of {0}', chosenEndpoints.join(', '));
	}
	return {
		connection,
		endpoint,
		model,
		...(typeof name === 'string' && name.trim() !== '' && { name: name.trim() }),
		...(isTokens(maxInputTokens) && { maxInputTokens }),
		...(isTokens(maxOutputTokens) && { maxOutputTokens }),
		...(typeof toolCalling === 'boolean' && { toolCalling }),
		...(typeof imageInput === 'boolean' && { imageInput }),
		...(isRecord(inputs) && { inputs }),
	};
}

function isTokens(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}
