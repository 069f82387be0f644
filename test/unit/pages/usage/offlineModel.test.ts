import assert from 'node:assert/strict';
import type { TextCallEntry, UsageEntry } from '#contract/text/textCalls.ts';
import { usageStrings } from '#pages/usage/usageStrings.ts';
import { english } from '../../agentFile/checks/translate.ts';
import { installDom } from '../shared/dom.ts';

const strings = usageStrings({ t: english });
const model = 'claude-haiku-4-5 → offline';
const route = 'none (offline)';

describe('a call that the offline model answered in place of another', () => {
	let dom: ReturnType<typeof installDom>;
	let shown: (template: unknown) => HTMLElement;
	before(async () => {
		dom = installDom();
		const { render } = await import('lit');
		shown = template => {
			const root = document.createElement('div');
			render(template, root);
			return root;
		};
	});
	after(() => dom.restore());

	it('names both models and no route in its row of the request log', async () => {
		const { callsTable } = await import('#pages/usage/callsView.ts');
		const call = {
			created_at: 1,
			model,
			route,
			status: 200,
			error: null,
			tries: 1,
			elapsed_time: 0.1,
			input_tokens: null,
			output_tokens: null,
			cost: null,
		} as TextCallEntry;
		const table = callsTable(strings, { click: () => {}, open: () => {} });
		const cells = shown(table.row(call, { place: 0, top: 0, isActive: false, isSelected: false })).querySelectorAll('[role=gridcell]');
		assert.deepEqual(
			[2, 3].map(at => [cells[at]?.textContent, cells[at]?.getAttribute('title')]),
			[
				[model, model],
				[route, route],
			],
		);
	});

	it('is summed up under both models in the usage', async () => {
		const { sumsView } = await import('#pages/usage/sumsView.ts');
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
		const headers = shown(sumsView({ sums, days: 1 } as never, strings, () => {})).querySelectorAll('tbody th');
		assert.ok([...headers].some(({ textContent }) => textContent === model));
	});
});
