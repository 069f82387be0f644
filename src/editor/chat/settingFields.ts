import type { Localization } from '#base/text/localization.ts';
import type { NumberRange, SettingField } from '#pages/chat/panel/panelProtocol.ts';
import type { EndpointKind, EndpointSettings } from '#pages/chat/transcript/transcript.ts';
import { defaultMaxTokensToSample } from './endpoints/completionsEndpoint.ts';
import { defaultMaxTokens } from './endpoints/messagesEndpoint.ts';

/** Fewest tokens that may be set aside for thoughts (wire facts). */
const leastThinking = 1024;

/** Harm categories and thresholds of E (wire facts 4.1), those that current models take. */
export const harmCategories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map(
	c => `HARM_CATEGORY_${c}`,
);
export const harmThresholds = ['BLOCK_LOW_AND_ABOVE', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_ONLY_HIGH', 'BLOCK_NONE', 'OFF'];

/** The settings of an endpoint, with the contract's names, ranges and defaults. */
export function settingFields(words: Localization, endpoint: EndpointKind): SettingField[] {
	const theirs = words.t("the service's default");
	const temperature = words.t('How freely the model chooses its words.');
	const topK = words.t('Choose among this many of the likeliest tokens.');
	const topP = words.t('Choose among the likeliest tokens that together reach this probability.');
	const metadata: SettingField = {
		name: 'metadata',
		kind: 'json',
		holds: 'object',
		help: words.t('Metadata about the request, as a JSON object.'),
		placeholder: '{ }',
	};
	const stops = (name: string, most?: number): SettingField => ({
		name,
		kind: 'list',
		help:
			most === undefined
				? words.t('Texts at which the reply ends, one a line.')
				: words.t('Texts at which the reply ends, one a line, at most {0}.', most),
		placeholder: words.t('none'),
		...(most !== undefined && { most }),
	});
	switch (endpoint) {
		case 'messages':
			return [
				number(words, 'max_tokens', words.t('Most tokens of a reply.'), { integer: true, from: 1 }, String(defaultMaxTokens)),
				number(words, 'temperature', temperature, { from: 0, to: 1 }, theirs),
				number(words, 'top_p', topP, { above: 0, below: 1 }, theirs),
				number(words, 'top_k', topK, { above: 0 }, theirs),
				stops('stop_sequences'),
				{
					name: 'tools',
					kind: 'json',
					holds: 'array',
					help: words.t('Tools that the model may call: a JSON array of { "name", "description", "input_schema" }.'),
					placeholder: '[ ]',
				},
				{
					name: 'tool_choice',
					kind: 'json',
					holds: 'object',
					help: words.t('How the model uses the tools, such as { "type": "auto" }. The contract calls it tool_choices.'),
					placeholder: '{ }',
				},
				{
					name: 'thinking',
					kind: 'thinking',
					help: words.t(
						'Lets models that can think do so before they answer: as long as they see fit, or up to a number of tokens, from 1024 and fewer than max_tokens.',
					),
					placeholder: '1024',
				},
				metadata,
			];
		case 'chatCompletions':
			return [
				number(words, 'max_tokens', words.t('Most tokens of a reply.'), { integer: true, from: 1 }, theirs),
				number(
					words,
					'max_completion_tokens',
					words.t('Most tokens of a reply, thoughts and all, for models that refuse max_tokens.'),
					{ integer: true, from: 1 },
					theirs,
				),
				number(words, 'temperature', temperature, { from: 0, to: 2 }, theirs),
				number(words, 'top_p', topP, { from: 0, to: 1 }, theirs),
				number(words, 'seed', words.t('Replies with the same seed are alike, as far as the service can.'), { integer: true }, theirs),
				stops('stop', 4),
				{
					name: 'tools',
					kind: 'json',
					holds: 'array',
					help: words.t(
						'Tools that the model may call: a JSON array of { "type": "function", "function": { "name", "description", "parameters" } }.',
					),
					placeholder: '[ ]',
				},
				{
					name: 'response_format',
					kind: 'json',
					holds: 'object',
					help: words.t('The form of the reply, such as { "type": "json_object" }.'),
					placeholder: '{ }',
				},
			];
		case 'completions':
			return [
				number(
					words,
					'max_tokens_to_sample',
					words.t('Most tokens of a reply.'),
					{ integer: true, above: 1 },
					String(defaultMaxTokensToSample),
				),
				number(words, 'temperature', temperature, { above: 0, below: 1 }, theirs),
				number(words, 'top_p', topP, { above: 0, below: 1 }, theirs),
				number(words, 'top_k', topK, { above: 0 }, theirs),
				stops('stop_sequences'),
				number(
					words,
					'max_tokens',
					words.t('Most tokens of a reply, for services that read this field.'),
					{ integer: true, from: 1 },
					theirs,
				),
				metadata,
			];
		case 'content':
			return [
				number(words, 'maxOutputTokens', words.t('Most tokens of a reply.'), { integer: true, from: 1 }, theirs),
				number(words, 'temperature', temperature, { from: 0, to: 2 }, theirs),
				number(words, 'topP', topP, { from: 0, to: 1 }, '0.95'),
				number(words, 'topK', topK, { integer: true, from: 1 }, theirs),
				stops('stopSequences', 5),
				{ name: 'safetySettings', kind: 'safety', help: words.t('What the service blocks.'), placeholder: theirs },
				{
					name: 'tools',
					kind: 'json',
					holds: 'array',
					help: words.t('Tools that the model may call: a JSON array of { "functionDeclarations": [ ] }.'),
					placeholder: '[ ]',
				},
			];
		case 'agent':
			return [
				{
					name: 'inputs',
					kind: 'json',
					holds: 'object',
					help: words.t("Values for the agent's variables, as a JSON object. The message goes where the agent expects it."),
					placeholder: '{ }',
				},
			];
	}
}

function upperFirst(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function number(words: Localization, name: string, help: string, range: NumberRange, placeholder: string): SettingField {
	return { name, kind: 'number', help: `${help} ${upperFirst(rangeWords(words, range))}.`, range, placeholder };
}

/** What is wrong with each setting, by field name; empty where nothing is. Checked before anything is sent. */
export function settingProblems(words: Localization, endpoint: EndpointKind, settings: EndpointSettings): Record<string, string> {
	const problems: Record<string, string> = {};
	for (const field of settingFields(words, endpoint)) {
		const value = settings[field.name];
		const problem = value === undefined ? undefined : problemOf(words, field, value, settings['max_tokens'] ?? defaultMaxTokens);
		if (problem) {
			problems[field.name] = problem;
		}
	}
	return problems;
}

function problemOf(words: Localization, field: SettingField, value: unknown, most: unknown): string | undefined {
	switch (field.kind) {
		case 'number':
			return typeof value === 'number' && inRange(value, field.range ?? {})
				? undefined
				: words.t('{0} must be {1}.', field.name, rangeWords(words, field.range ?? {}));
		case 'list':
			if (!Array.isArray(value) || value.some(entry => typeof entry !== 'string')) {
				return words.t('{0} must be a list of texts.', field.name);
			}
			return field.most !== undefined && value.length > field.most
				? words.t('{0} may hold {1} texts at most; there are {2}.', field.name, field.most, value.length)
				: undefined;
		case 'safety':
			return Array.isArray(value) && value.every(isSafetySetting)
				? undefined
				: words.t('{0} must name a category and a threshold each.', field.name);
		case 'thinking':
			return thinkingProblem(words, field.name, value, most);
		case 'json': {
			const isArray = Array.isArray(value);
			const fits = field.holds === 'array' ? isArray : typeof value === 'object' && value !== null && !isArray;
			return fits
				? undefined
				: words.t('{0} must be {1}.', field.name, field.holds === 'array' ? words.t('a JSON array') : words.t('a JSON object'));
		}
	}
}

/** @param most tokens that a reply may have, thoughts and all */
function thinkingProblem(words: Localization, name: string, value: unknown, most: unknown): string | undefined {
	const { type, budget_tokens: budget } = (value ?? {}) as Record<string, unknown>;
	if (typeof type !== 'string') {
		return words.t('{0} must say its type.', name);
	}
	const fits =
		type !== 'enabled' || (typeof budget === 'number' && Number.isInteger(budget) && budget >= leastThinking && budget < Number(most));
	return fits
		? undefined
		: words.t('{0} needs a whole number of tokens, from {1} and below max_tokens ({2}).', name, leastThinking, Number(most));
}

function isSafetySetting(value: unknown): boolean {
	const { category, threshold } = (value ?? {}) as Record<string, unknown>;
	return typeof category === 'string' && typeof threshold === 'string';
}

function inRange(value: number, { integer, from, to, above, below }: NumberRange): boolean {
	return (
		Number.isFinite(value) &&
		(!integer || Number.isInteger(value)) &&
		(from === undefined || value >= from) &&
		(to === undefined || value <= to) &&
		(above === undefined || value > above) &&
		(below === undefined || value < below)
	);
}

/** The range as the end of "… must be": `a whole number from 1`, `a number above 0 and below 1`. */
function rangeWords(words: Localization, { integer, from, to, above, below }: NumberRange): string {
	const kind = integer ? words.t('a whole number') : words.t('a number');
	if (from !== undefined && to !== undefined) {
		return words.t('{0} from {1} to {2}', kind, from, to);
	}
	if (above !== undefined && below !== undefined) {
		return words.t('{0} above {1} and below {2}', kind, above, below);
	}
	if (from !== undefined) {
		return words.t('{0} from {1}', kind, from);
	}
	return above !== undefined ? words.t('{0} above {1}', kind, above) : kind;
}
