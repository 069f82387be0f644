import { isRecord } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import type { EndpointKind } from '#pages/chat/transcript/transcript.ts';

/** Endpoints whose models and agents can be chosen. Completions aren't included, because they support neither roles nor tools. */
export const chosenEndpoints = ['messages', 'content', 'chatCompletions', 'agent'] as const satisfies readonly EndpointKind[];
export type ChosenEndpoint = (typeof chosenEndpoints)[number];

/** An entry of the setting `agentWorkbench.assistant.models`: a model or agent for VS Code's chat. */
export interface ChosenModel {
	/** ID of its connection. */
	readonly connection: string;
	readonly endpoint: ChosenEndpoint;
	/** Name of the model or agent in the service. */
	readonly model: string;
	/** Name in VS Code's chat. Defaults to `model`. */
	readonly name?: string;
	/** Size of the context window in tokens, if known. */
	readonly maxInputTokens?: number;
	/** Maximum number of tokens in a reply, if known. */
	readonly maxOutputTokens?: number;
	/** True if it can call tools. Defaults to true for models and false for agents. VS Code's agent mode lists only models that can. */
	readonly toolCalling?: boolean;
	/** True if it accepts images (default). */
	readonly imageInput?: boolean;
	/** For agents only: values for inputs that the chat message doesn't fill. */
	readonly inputs?: Readonly<Record<string, unknown>>;
}

/** Returns a unique ID that stays the same when the model is renamed. */
export function getModelId({ connection, endpoint, model }: ChosenModel): string {
	return `${connection}/${endpoint}/${model}`;
}

/** Reads the setting's value, with a message for each invalid entry. If entries have the same ID, the first one counts. */
export function readChosenModels(
	value: unknown,
	t: Translate,
): { readonly models: readonly ChosenModel[]; readonly faults: readonly string[] } {
	const models: ChosenModel[] = [];
	const faults: string[] = [];
	for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
		const read = readChosenModel(item, t);
		if (typeof read === 'string') {
			faults.push(t("Ignored entry {0} in the setting 'agentWorkbench.assistant.models'. {1}", index, read));
		} else if (!models.some(model => getModelId(model) === getModelId(read))) {
			models.push(read);
		}
	}
	return { models, faults };
}

/** Returns a model, or a message that says why the entry isn't valid. */
function readChosenModel(item: unknown, t: Translate): ChosenModel | string {
	const fields = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
	const { connection, model, name, inputs, maxInputTokens, maxOutputTokens, toolCalling, imageInput } = fields;
	const endpoint = chosenEndpoints.find(each => each === fields['endpoint']);
	if (typeof connection !== 'string' || connection === '' || typeof model !== 'string' || model === '') {
		return t("Expected an object with 'connection' (ID of a connection) and 'model' (name of a model or agent).");
	}
	if (!endpoint) {
		return t("'endpoint' isn't valid. Expected one of {0}.", chosenEndpoints.join(', '));
	}
	return {
		connection,
		endpoint,
		model,
		...(typeof name === 'string' && name.trim() !== '' && { name: name.trim() }),
		...(isTokenLimit(maxInputTokens) && { maxInputTokens }),
		...(isTokenLimit(maxOutputTokens) && { maxOutputTokens }),
		...(typeof toolCalling === 'boolean' && { toolCalling }),
		...(typeof imageInput === 'boolean' && { imageInput }),
		...(isRecord(inputs) && { inputs }),
	};
}

function isTokenLimit(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}
