import { joinSentences } from '#base/text/joinSentences.ts';
import type { Localization } from '#base/text/localization.ts';
import type { NumberRange, SettingField } from '#pages/chat/panel/panelProtocol.ts';
import type { EndpointKind, EndpointSettings } from '#pages/chat/transcript/transcript.ts';

/** Minimum thinking budget in tokens, in Anthropic's protocol. */
const leastThinking = 1024;

/** Harm categories and thresholds that current Gemini models accept (wire facts 4.1). */
export const harmCategories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map(
	c => `HARM_CATEGORY_${c}`,
);
export const harmThresholds = ['BLOCK_LOW_AND_ABOVE', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_ONLY_HIGH', 'BLOCK_NONE', 'OFF'];

/** Returns the settings of an endpoint with the names, ranges and defaults of its contract. */
export function getSettingFields(words: Localization, endpoint: EndpointKind): SettingField[] {
	const theirs = words.t('Service default');
	const temperature = words.t('How random the reply is. Higher values give more varied replies.');
	const topK = words.t('Number of most likely tokens that the model samples from.');
	const topP = words.t('The model samples only from the most likely tokens whose combined probability reaches this value.');
	const metadata: SettingField = {
		name: 'metadata',
		kind: 'json',
		holds: 'object',
		help: words.t('Metadata about the request, as a JSON object.'),
		placeholder: '{ }',
	};
	const createStopField = (name: string, most?: number): SettingField => ({
		name,
		kind: 'list',
		help:
			most === undefined
				? words.t('Text that stops the reply, one entry per line.')
				: words.t('Text that stops the reply, one entry per line. Up to {0} entries.', most),
		placeholder: words.t('None'),
		...(most !== undefined && { most }),
	});
	const modelLimit = words.t({ message: 'Limit of the model', comment: ['placeholder of a number: what is used if the field is empty'] });
	switch (endpoint) {
		case 'messages':
			return [
				createNumberField(words, 'max_tokens', words.t('Maximum number of tokens in a reply.'), { integer: true, from: 1 }, modelLimit),
				createNumberField(words, 'temperature', temperature, { from: 0, to: 1 }, theirs),
				createNumberField(words, 'top_p', topP, { above: 0, below: 1 }, theirs),
				createNumberField(words, 'top_k', topK, { above: 0 }, theirs),
				createStopField('stop_sequences'),
				{
					name: 'tools',
					kind: 'json',
					holds: 'array',
					help: words.t('Tools that the model can call: a JSON array of { "name", "description", "input_schema" }.'),
					placeholder: '[ ]',
				},
				{
					name: 'tool_choice',
					kind: 'json',
					holds: 'object',
					help: words.t('How the model uses tools, for example { "type": "auto" }.'),
					placeholder: '{ }',
				},
				{
					name: 'thinking',
					kind: 'thinking',
					help: words.t(
						'Whether the model thinks before it replies, if it supports thinking. The token limit must be at least 1,024 and less than max_tokens.',
					),
					placeholder: '1024',
				},
				metadata,
			];
		case 'chatCompletions':
			return [
				createNumberField(words, 'max_tokens', words.t('Maximum number of tokens in a reply.'), { integer: true, from: 1 }, theirs),
				createNumberField(
					words,
					'max_completion_tokens',
					words.t("Maximum number of tokens in a reply, including thinking. For models that don't accept max_tokens."),
					{ integer: true, from: 1 },
					theirs,
				),
				createNumberField(words, 'temperature', temperature, { from: 0, to: 2 }, theirs),
				createNumberField(words, 'top_p', topP, { from: 0, to: 1 }, theirs),
				createNumberField(
					words,
					'seed',
					words.t('The same seed gives similar replies if the service supports it.'),
					{ integer: true },
					theirs,
				),
				createStopField('stop', 4),
				{
					name: 'tools',
					kind: 'json',
					holds: 'array',
					help: words.t(
						'Tools that the model can call: a JSON array of { "type": "function", "function": { "name", "description", "parameters" } }.',
					),
					placeholder: '[ ]',
				},
				{
					name: 'response_format',
					kind: 'json',
					holds: 'object',
					help: words.t('Format of the reply, for example { "type": "json_object" }.'),
					placeholder: '{ }',
				},
			];
		case 'completions':
			return [
				createNumberField(
					words,
					'max_tokens_to_sample',
					words.t('Maximum number of tokens in a reply.'),
					{ integer: true, above: 1 },
					modelLimit,
				),
				createNumberField(words, 'temperature', temperature, { above: 0, below: 1 }, theirs),
				createNumberField(words, 'top_p', topP, { above: 0, below: 1 }, theirs),
				createNumberField(words, 'top_k', topK, { above: 0 }, theirs),
				createStopField('stop_sequences'),
				createNumberField(
					words,
					'max_tokens',
					words.t('Maximum number of tokens in a reply. For services that support this field.'),
					{ integer: true, from: 1 },
					theirs,
				),
				metadata,
			];
		case 'content':
			return [
				createNumberField(words, 'maxOutputTokens', words.t('Maximum number of tokens in a reply.'), { integer: true, from: 1 }, theirs),
				createNumberField(words, 'temperature', temperature, { from: 0, to: 2 }, theirs),
				createNumberField(words, 'topP', topP, { from: 0, to: 1 }, '0.95'),
				createNumberField(words, 'topK', topK, { integer: true, from: 1 }, theirs),
				createStopField('stopSequences', 5),
				{
					name: 'safetySettings',
					kind: 'safety',
					help: words.t('Content categories that the service blocks, each with a threshold.'),
					placeholder: theirs,
				},
				{
					name: 'tools',
					kind: 'json',
					holds: 'array',
					help: words.t('Tools that the model can call: a JSON array of { "functionDeclarations": [ ] }.'),
					placeholder: '[ ]',
				},
			];
		case 'agent':
			return [
				{
					name: 'inputs',
					kind: 'json',
					holds: 'object',
					help: words.t("Values for agent inputs that the chat message doesn't fill, as a JSON object."),
					placeholder: '{ }',
				},
			];
	}
}

function createNumberField(words: Localization, name: string, help: string, range: NumberRange, placeholder: string): SettingField {
	return { name, kind: 'number', help: joinSentences(help, describeRange(words, range)), range, placeholder };
}

/** Returns a message for each invalid setting, by field name. */
export function findSettingProblems(words: Localization, endpoint: EndpointKind, settings: EndpointSettings): Record<string, string> {
	const problems: Record<string, string> = {};
	for (const field of getSettingFields(words, endpoint)) {
		const value = settings[field.name];
		const problem = value === undefined ? undefined : findSettingProblem(words, field, value, settings['max_tokens']);
		if (problem) {
			problems[field.name] = problem;
		}
	}
	return problems;
}

function findSettingProblem(words: Localization, field: SettingField, value: unknown, most: unknown): string | undefined {
	switch (field.kind) {
		case 'number':
			if (typeof value === 'number' && isInRange(value, field.range ?? {})) {
				return undefined;
			}
			return joinSentences(words.t("'{0}' isn't valid.", field.name), describeRange(words, field.range ?? {}));
		case 'list':
			if (!Array.isArray(value) || value.some(entry => typeof entry !== 'string')) {
				return words.t("'{0}' must be a list of strings.", field.name);
			}
			return field.most !== undefined && value.length > field.most
				? words.t("'{0}' can have up to {1} entries, but has {2}.", field.name, field.most, value.length)
				: undefined;
		case 'safety':
			return Array.isArray(value) && value.every(isSafetySetting)
				? undefined
				: words.t("Each entry in '{0}' needs a category and a threshold.", field.name);
		case 'thinking':
			return findThinkingProblem(words, field.name, value, most);
		case 'json': {
			const isArray = Array.isArray(value);
			const fits = field.holds === 'array' ? isArray : typeof value === 'object' && value !== null && !isArray;
			if (fits) {
				return undefined;
			}
			return field.holds === 'array'
				? words.t("'{0}' must be a JSON array.", field.name)
				: words.t("'{0}' must be a JSON object.", field.name);
		}
	}
}

/** @param most token limit of the reply, which includes thinking; undefined if the reply has the model's limit */
function findThinkingProblem(words: Localization, name: string, value: unknown, most: unknown): string | undefined {
	const { type, budget_tokens: budget } = (value ?? {}) as Record<string, unknown>;
	if (typeof type !== 'string') {
		return words.t("'{0}' needs a type.", name);
	}
	const isNumber = typeof budget === 'number' && Number.isInteger(budget) && budget >= leastThinking;
	if (type !== 'enabled' || (isNumber && (most === undefined || budget < Number(most)))) {
		return undefined;
	}
	return most === undefined
		? words.t("'{0}' must be a whole number of tokens, at least {1}.", name, leastThinking)
		: words.t("'{0}' must be a whole number of tokens, at least {1} and less than max_tokens ({2}).", name, leastThinking, Number(most));
}

function isSafetySetting(value: unknown): boolean {
	const { category, threshold } = (value ?? {}) as Record<string, unknown>;
	return typeof category === 'string' && typeof threshold === 'string';
}

function isInRange(value: number, { integer, from, to, above, below }: NumberRange): boolean {
	return (
		Number.isFinite(value) &&
		(!integer || Number.isInteger(value)) &&
		(from === undefined || value >= from) &&
		(to === undefined || value <= to) &&
		(above === undefined || value > above) &&
		(below === undefined || value < below)
	);
}

/** Describes a range in a sentence, for example `Enter a number above 0 and below 1.` */
function describeRange(words: Localization, { integer, from, to, above, below }: NumberRange): string {
	if (from !== undefined && to !== undefined) {
		return words.t('Enter a number from {0} to {1}.', from, to);
	}
	if (above !== undefined && below !== undefined) {
		return words.t('Enter a number greater than {0} and less than {1}.', above, below);
	}
	if (from !== undefined) {
		return integer ? words.t('Enter a whole number of at least {0}.', from) : words.t('Enter a number of at least {0}.', from);
	}
	if (above !== undefined) {
		return integer ? words.t('Enter a whole number greater than {0}.', above) : words.t('Enter a number greater than {0}.', above);
	}
	return integer ? words.t('Enter a whole number.') : words.t('Enter a number.');
}
