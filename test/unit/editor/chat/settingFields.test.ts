import assert from 'node:assert/strict';
import { completionsRequestSchema } from '#contract/text/completions.ts';
import { generationConfigSchema } from '#contract/text/content.ts';
import { messagesRequestSchema } from '#contract/text/messages.ts';
import { findSettingProblems, getSettingFields } from '#editor/chat/settingFields.ts';
import { type EndpointKind, endpointKinds } from '#pages/chat/transcript/transcript.ts';
import { words } from './endpoints/words.ts';

const findProblems = (endpoint: EndpointKind, settings: Record<string, unknown>) => findSettingProblems(words, endpoint, settings);

describe('the settings of an endpoint', () => {
	it('have fields of the request schema', () => {
		const listNames = (kind: EndpointKind) => getSettingFields(words, kind).map(field => field.name);
		const beyondTheContract = ['thinking', 'tools', 'safetySettings'];
		for (const [kind, schema] of [
			['messages', messagesRequestSchema],
			['completions', completionsRequestSchema],
			['content', generationConfigSchema],
		] as const) {
			const unknown = listNames(kind).filter(name => !(name in schema.shape) && !beyondTheContract.includes(name));
			assert.deepEqual(unknown, [], kind);
		}
	});

	it('accept a thinking budget from 1024 to below max_tokens', () => {
		const getThinking = (value: unknown, more = {}) => findProblems('messages', { thinking: value, ...more })['thinking'];
		for (const right of [{ type: 'disabled' }, { type: 'adaptive' }, { type: 'enabled', budget_tokens: 1024 }]) {
			assert.equal(getThinking(right, { max_tokens: 2000 }), undefined);
		}
		for (const wrong of [{ type: 'enabled' }, { type: 'enabled', budget_tokens: 1000 }, { type: 'enabled', budget_tokens: 2000 }]) {
			assert.equal(
				getThinking(wrong, { max_tokens: 2000 }),
				"'thinking' must be a whole number of tokens, at least 1024 and less than max_tokens (2000).",
			);
		}
		assert.equal(getThinking({ type: 'enabled', budget_tokens: 100_000 }), undefined);
		assert.equal(getThinking({ type: 'enabled', budget_tokens: 9 }), "'thinking' must be a whole number of tokens, at least 1024.");
		assert.equal(getThinking({}), "'thinking' needs a type.");
	});

	it('are valid if empty', () => {
		for (const kind of endpointKinds) {
			assert.deepEqual(findProblems(kind, {}), {});
		}
	});

	// the limits of each range, and values just outside (contract, "Limits")
	for (const [kind, name, good, bad] of [
		['messages', 'temperature', [0, 0.5, 1], [-0.1, 1.1, '0.5', Number.NaN]],
		['messages', 'top_p', [0.01, 0.99], [0, 1]],
		['messages', 'top_k', [1, 0.5], [0, -1]],
		['messages', 'max_tokens', [1, 4096], [0, 1.5]],
		['completions', 'temperature', [0.01, 0.99], [0, 1]],
		['completions', 'max_tokens_to_sample', [2], [1, 2.5]],
		['content', 'temperature', [0, 2], [-1, 2.1]],
		['content', 'topP', [0, 1], [1.1]],
		['content', 'stopSequences', [['a', 'b', 'c', 'd', 'e']], [['a', 'b', 'c', 'd', 'e', 'f'], 'a', [1]]],
		['messages', 'tools', [[]], [{}, 'x']],
		['messages', 'metadata', [{ user_id: 'u' }], [[], null]],
	] as const) {
		it(`checks ${name} of ${kind}`, () => {
			for (const value of good) {
				assert.deepEqual(findProblems(kind, { [name]: value }), {}, JSON.stringify(value));
			}
			for (const value of bad) {
				assert.match(findProblems(kind, { [name]: value })[name] ?? '', new RegExp(`'${name}'`), JSON.stringify(value));
			}
		});
	}

	it('names the range in messages', () => {
		assert.equal(
			findProblems('completions', { temperature: 1 })['temperature'],
			"'temperature' isn't valid. Enter a number greater than 0 and less than 1.",
		);
		assert.equal(
			findProblems('messages', { max_tokens: 0 })['max_tokens'],
			"'max_tokens' isn't valid. Enter a whole number of at least 1.",
		);
	});
});
