import type { ContentModel, MessagesModel } from '#contract/text/models.ts';

/** Token limits of a model. */
interface ModelLimit {
	/** Context window: prompt and reply together. */
	readonly window?: number;
	/** Tokens of a reply. */
	readonly output?: number;
}

/** Token limits by model name. Contains only models for which the service reports some. */
export type ModelLimits = ReadonlyMap<string, ModelLimit>;

/** Field names of the context window in the messages protocol: Anthropic (wire facts 2.1), vLLM, OpenRouter. */
const windowFields = ['max_input_tokens', 'max_model_len', 'context_length'];

/** Returns a model's context window from its entry in the list of models. */
export function getContextWindow(model: MessagesModel): number | undefined {
	return windowFields.map(field => model[field]).find(isTokenCount);
}

/** True if the value is a positive number. */
export function isTokenCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** Returns the limits in a list of models of the messages protocol. */
export function readMessagesLimits(models: readonly MessagesModel[]): ModelLimits {
	return new Map(models.flatMap(model => toEntry(model.id, getContextWindow(model), model['max_tokens'])));
}

/** Returns the limits in a list of models of Gemini's protocol. */
export function readContentLimits(models: readonly ContentModel[]): ModelLimits {
	return new Map(
		models.flatMap(model => toEntry(model.name.replace(/^models\//, ''), model['inputTokenLimit'], model['outputTokenLimit'])),
	);
}

function toEntry(name: string, window: unknown, output: unknown): [string, ModelLimit][] {
	const limit = { ...(isTokenCount(window) && { window }), ...(isTokenCount(output) && { output }) };
	return Object.keys(limit).length > 0 ? [[name, limit]] : [];
}
