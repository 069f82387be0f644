import assert from 'node:assert/strict';
import path from 'node:path';
import type { TextCallEntry, UsageEntry } from '#contract/text/textCalls.ts';
import { getUsageStrings } from '#pages/usage/usageStrings.ts';
import { english } from '../../../support/english.ts';
import { type PageWindow, runPage } from '../graph/nodeForm/pageBundle.ts';
import type * as views from './usageViews.ts';

const strings = getUsageStrings({ t: english });
const model = 'claude-haiku-4-5 → offline';
const route = 'none (offline)';

describe('a call answered by the offline model in place of another', () => {
	let page: PageWindow<typeof views>;
	before(async () => {
		page = await runPage(path.join(import.meta.dirname, 'usageViews.ts'));
	});
	after(() => page.window.close());

	it('shows both models and no route in the request log', () => {
		const call = {
			created_at: 1,
			model,
			route,
			status: 200,
			error: null,
			user: '',
			tries: 1,
			elapsed_time: 0.1,
			input_tokens: null,
			output_tokens: null,
			cost: null,
		} as TextCallEntry;
		const cells = page.exports.renderCallRow(call, strings).querySelectorAll('[role=gridcell]');
		assert.deepEqual(
			[2, 3].map(at => [cells[at]?.textContent, cells[at]?.getAttribute('title')]),
			[
				[model, model],
				[route, route],
			],
		);
	});

	it('is counted under both model names in the usage', () => {
		const entry = {
			name: model,
			calls: 12,
			failed: 0,
			cache_hits: 0,
			input_tokens: 9,
			cached_tokens: 0,
			output_tokens: 9,
			currency: '',
		} as UsageEntry;
		const sums = { day: [{ ...entry, name: '2026-11-23' }], model: [entry], agent: [{ ...entry, name: '' }] };
		const names = page.exports.renderSums(sums, strings).map(row => row.querySelector('[role=gridcell]')?.textContent);
		assert.deepEqual([...names], ['By day', 'Mon, Nov 23, 2026', 'By model', model, 'By agent', 'No agent']);
	});
});
