import assert from 'node:assert/strict';
import { findMaxOutput, findModelPrice, providers } from '#contract/text/modelPrices.ts';
import { computeCost, formatPriceLine, readPriceLine } from '#contract/text/tokenPrice.ts';

const anthropic = 'https://api.anthropic.com';

describe('prices of models', () => {
	it('are found by a dated name, but only for the service of their provider', () => {
		const price = { input: 1, output: 5, cached: 0.1, currency: 'USD' };
		assert.deepEqual(findModelPrice([], anthropic, 'claude-haiku-4-5-20251001'), price);
		assert.equal(findModelPrice([], 'https://reseller.example', 'claude-haiku-4-5'), undefined);
		assert.equal(findModelPrice([], anthropic, 'claude-haiku-4-5-next'), undefined);
		assert.equal(findModelPrice([], anthropic, 'constructor'), undefined);
		assert.equal(findModelPrice([], 'https://api.openai.com', 'gpt-5-2025-08-07')?.output, 10);
		assert.equal(findModelPrice([], 'https://generativelanguage.googleapis.com', 'models/gemini-3.5-flash')?.output, 9);
	});

	it('are those of the first matching rule of the user, on any service', () => {
		const rules = [
			{ model: 'claude-*', input: 7, output: 8, currency: 'EUR' },
			{ model: '*', input: 1, output: 1, currency: 'USD' },
		];
		assert.deepEqual(findModelPrice(rules, 'https://reseller.example', 'claude-x'), { input: 7, output: 8, currency: 'EUR' });
		assert.equal(findModelPrice(rules, anthropic, 'other')?.input, 1);
	});

	it('are higher for long prompts of some models', () => {
		const price = findModelPrice([], anthropic, 'claude-haiku-5-5')!;
		assert.equal(computeCost({ input: 100_000, cached: 0, output: 1_000_000 }, price), 0.51);
		assert.equal(computeCost({ input: 100_001, cached: 100_001, output: 1_000_000 }, price), 2.50500005);
	});

	it('survive the header, also those of long prompts', () => {
		for (const price of [
			{ input: 3, output: 15, currency: 'EUR' },
			{ input: 3, output: 15, cached: 1e-7, currency: 'EUR' },
			findModelPrice([], anthropic, 'claude-haiku-5-5')!,
			findModelPrice([], 'https://generativelanguage.googleapis.com', 'gemini-3.1-pro-preview')!,
		]) {
			assert.deepEqual(readPriceLine(formatPriceLine(price)), price);
		}
		for (const line of ['', 'input=., output=1, currency=EUR', 'input=1, output=1, currency=EUR; above=9', undefined, 7]) {
			assert.equal(readPriceLine(line), undefined);
		}
	});

	it('are positive, higher for replies than for prompts, and name their source and day', () => {
		for (const { models, source, asOf } of providers) {
			assert.match(source, /^https:\/\//);
			assert.match(asOf, /^2026-\d\d-\d\d$/);
			for (const [name, { input, output, cached = 0, long }] of Object.entries(models)) {
				assert.ok(input > 0 && output > input && cached < input, name);
				assert.ok(!long || (long.input > input && long.output > output), name);
			}
		}
	});

	it('come with the limit of a reply, if it is known', () => {
		assert.deepEqual([findMaxOutput('claude-haiku-4-5-20251001'), findMaxOutput('llama')], [64_000, undefined]);
	});
});
