import assert from 'node:assert/strict';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { getResultsStrings } from '#pages/results/resultsStrings.ts';
import type { ShownEntry, TrendView } from '#pages/results/trend/trendMessages.ts';
import { type PageWindow, runPage } from '../graph/nodeForm/pageBundle.ts';
import type * as views from './trendViews.ts';

const strings = getResultsStrings({ t: fillPlaceholders });

const createEntry = (day: number, passed: number, more: Partial<ShownEntry> = {}): ShownEntry => ({
	at: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
	keys: 'k',
	cases: 10,
	passed,
	failed: 10 - passed,
	notRun: 0,
	score: passed / 10,
	tokens: 1000,
	cost: 0.1,
	currency: 'USD',
	p50: 1,
	p95: 2,
	...more,
});
const createTrend = (entries: readonly ShownEntry[], more: Partial<TrendView> = {}): TrendView => ({
	file: 'a.suite.history.jsonl',
	entries,
	count: entries.length,
	damaged: 0,
	...more,
});
const readText = (element: Element | null | undefined) => element?.textContent?.replaceAll(/\s+/g, ' ').trim();

describe('the trend on the results page', () => {
	let page: PageWindow<typeof views>;
	const show = (trend: TrendView) => {
		page.window.document.body.replaceChildren();
		return page.exports.showTrend(trend, strings);
	};
	beforeEach(async () => {
		page = await runPage(path.join(import.meta.dirname, 'trendViews.ts'));
	});
	afterEach(() => page.window.close());

	it('has a chart for each metric with its interval, range and change, and the entries from new to old', () => {
		const { root, isEmptyFirst } = show(createTrend([createEntry(1, 8, { checks: { polite: 1 } }), createEntry(2, 9)]));
		assert.ok(isEmptyFirst, 'nothing is said before the history was read');
		const charts = [...root.querySelectorAll('.chart')];
		assert.deepEqual(
			charts.map(chart => readText(chart.querySelector('.chartName'))),
			['Pass rate', 'Mean score', 'Duration (p50)', 'Duration (p95)', 'Tokens per case', 'Cost per case', 'Check: polite'],
		);
		assert.equal(readText(charts[0]), 'Pass rate90% (59.6% to 98.2%) 80% to 90%+10 pp');
		assert.equal(charts[0]!.getAttribute('aria-label'), 'Pass rate: 80% at first, 90% now, lowest 80%, highest 90%');
		assert.equal(charts[0]!.querySelector('.line')!.getAttribute('d'), 'M0 8L100 4');
		assert.match(charts[0]!.querySelector('.band')!.getAttribute('d')!, /^M0 [\d.]+L100 [\d.]+L100 [\d.]+L0 [\d.]+Z$/);
		// the second entry has no such check
		assert.equal(charts[6]!.querySelector('.dot')!.getAttribute('d'), 'M0 0h0');
		const rows = [...root.querySelectorAll('.rows .trendRow')].map(readText);
		assert.equal(rows.length, 2);
		assert.match(rows[0]!, /90%.*\$0\.01/);
		assert.match(rows[1]!, /80%/);
	});

	it('interrupts its lines where cases or judges changed, and says so', () => {
		const { root } = show(createTrend([createEntry(1, 8), createEntry(2, 9), createEntry(3, 7, { keys: 'other' })]));
		assert.equal(root.querySelectorAll('.chart')[0]!.querySelectorAll('.break').length, 1);
		assert.equal(root.querySelector('.chart .line')!.getAttribute('d'), 'M0 8L50 4M100 12');
		assert.ok(root.querySelector('[title="The test cases changed, so earlier results aren\'t comparable."]'));
	});

	it('marks the selected entry in all charts, and opens its results if they are stored', () => {
		const { root, press, opened } = show(createTrend([createEntry(1, 8), createEntry(2, 9, { batch: 'b.jsonl' })]));
		press('Home');
		press('Enter');
		assert.equal(opened.join(), 'b.jsonl');
		assert.equal(root.querySelectorAll('.marker').length, root.querySelectorAll('.chart').length);
		press('ArrowDown');
		assert.match(readText(root.querySelector('.chart'))!, /^Pass rate80%/);
		assert.doesNotMatch(root.textContent!, /aren't stored/);
		press('Enter');
		assert.match(root.textContent!, /The results of this entry aren't stored in this workspace\./);
		press('ArrowUp');
		assert.doesNotMatch(root.textContent!, /aren't stored in/);
		assert.equal(opened.length, 1);
	});

	it('has separate lines for each variant', () => {
		const small = [createEntry(1, 5, { variant: 'small' }), createEntry(2, 6, { variant: 'small' })];
		const { root } = show(createTrend([createEntry(1, 8), ...small]));
		assert.equal(root.querySelectorAll('.rows .trendRow').length, 1);
		const select = root.querySelector('select')!;
		assert.deepEqual([...select.options].map(readText), ['No variant', 'small']);
		select.selectedIndex = 1;
		select.dispatchEvent(new page.window.Event('change'));
		assert.equal(root.querySelectorAll('.rows .trendRow').length, 2);
		assert.match(readText(root.querySelector('.chart'))!, /^Pass rate60%/);
	});

	it('says how a history starts, and what it does not show', () => {
		const { root, pane } = show(createTrend([]));
		assert.equal(
			readText(root.querySelector('.empty')),
			'This suite has no history yet. It starts once you add a batch to it here, or run agent-workbench test --history.',
		);
		pane.applyTrend(createTrend([createEntry(1, 8), createEntry(2, 8, { at: '2999-01-01T00:00:00Z' })], { count: 100_000, damaged: 2 }));
		const text = readText(root.querySelector('.statusLine'));
		assert.equal(text, "The last 2 of 100,000 entries 2 lines of a.suite.history.jsonl can't be read 1 entry has a date in the future");
		pane.applyTrend(createTrend([], { problem: 'EISDIR' }));
		assert.equal(readText(root), 'EISDIR');
	});

	it('shows hostile texts as texts, and draws numbers that no batch has within the chart', () => {
		const markup = '<img src=x onerror=alert(1)>';
		const extreme = { cases: 0, passed: 1e308, failed: 0, score: 1e308, cost: 1e308, tokens: 1e308, p50: 1e308, p95: 0 };
		const hostile = createEntry(1, 1, {
			commit: markup,
			currency: markup,
			variant: markup,
			checks: { [markup]: 1e308, '': 0 },
			...extreme,
		});
		const { root } = show(createTrend([hostile, { ...hostile, cases: 1, passed: 0 }], { file: markup, damaged: 1 }));
		assert.equal(root.querySelector('img'), null);
		assert.ok(root.querySelectorAll('.chart').length > 5);
		for (const each of root.querySelectorAll('path')) {
			assert.doesNotMatch(each.getAttribute('d')!, /NaN|Infinity|undefined|-\d/);
		}
	});

	it('shows a thousand entries with fifty checks', () => {
		const checks = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`check ${at}`, at / 50]));
		const entries = Array.from({ length: 1000 }, (_, at) => createEntry(1 + (at % 28), at % 11, { checks }));
		const { root } = show(createTrend(entries));
		assert.equal(root.querySelectorAll('.chart').length, 56);
		const rows = root.querySelectorAll('.rows .trendRow').length;
		assert.ok(rows > 10 && rows < 100, `${rows} rows in the document`);
	});
});
