import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { Timeline, type TimelineRow } from '#runs/events/timeline.ts';
import { TimelineHistory } from '#runs/events/timelineHistory.ts';

const ids = { task_id: 't', workflow_run_id: 'r' };

/** Creates the history of a run with these events, ten milliseconds apart, starting at 1,000 ms. */
function createHistory(...events: readonly { readonly event: string; readonly data?: object }[]) {
	const history = new TimelineHistory();
	const timeline = new Timeline(history);
	for (const [place, event] of events.entries()) {
		timeline.addEntry({ at: 1000 + place * 10, event: { ...ids, ...event } as unknown as WorkflowEvent });
	}
	return { history, timeline };
}

const start = (id: string, more: object = {}) => ({
	event: 'node_started',
	data: { id, node_id: `n-${id}`, node_type: 'code', title: id, index: 1, created_at: 1, ...more },
});
const finish = (id: string, more: object = {}) => ({
	event: 'node_finished',
	data: { ...start(id).data, status: 'succeeded', elapsed_time: 0.01, ...more },
});
const write = (text: string) => ({ event: 'text_chunk', data: { text } });
const replace = (text: string) => ({ event: 'text_replace', data: { text } });
const think = (reasoning: string) => ({ event: 'reasoning_chunk', data: { node_id: 'n-a', reasoning } });

/** Folds the moments up to a number, as the page does. */
function listRowsAt(history: TimelineHistory, number: number) {
	const rows = new Map<string, TimelineRow>();
	for (const moment of history.getMoments(0).slice(0, number)) {
		for (const row of moment.rows) {
			rows.set(row.id, row);
		}
	}
	return [...rows.values()].map(({ id, status, retries }) => [id, status, ...(retries === undefined ? [] : [retries])]);
}

describe('the history of a timeline', () => {
	it('has the rows as they were after each event that changed one', () => {
		const { history } = createHistory(
			{ event: 'workflow_started', data: {} },
			start('a'),
			{ event: 'ping' },
			start('b'),
			{ event: 'node_retry', data: { ...start('b').data, retry_index: 1 } },
			finish('a'),
			finish('b', { status: 'failed', error: 'no' }),
		);
		assert.equal(history.count, 5);
		assert.deepEqual(listRowsAt(history, 1), [['a', 'running']]);
		assert.deepEqual(listRowsAt(history, 2).at(-1), ['b', 'running']);
		assert.deepEqual(listRowsAt(history, 3).at(-1), ['b', 'running', 1]);
		assert.deepEqual(listRowsAt(history, 4), [
			['a', 'succeeded'],
			['b', 'running', 1],
		]);
		assert.deepEqual(
			history.getMoments(0).map(({ place }) => place),
			[1, 3, 4, 5, 6],
		);
	});

	it('has all rows that one event changes in one moment', () => {
		const { history } = createHistory(start('a'), start('b'), { event: 'workflow_paused', data: {} });
		assert.equal(history.count, 3);
		assert.deepEqual(listRowsAt(history, 3), [
			['a', 'paused'],
			['b', 'paused'],
		]);
	});

	it("doesn't have the critical path or the missing ends, which no event reports", () => {
		const { history, timeline } = createHistory(start('a'), finish('a'), start('b'));
		timeline.endRun(2000);
		assert.equal(history.count, 3);
		assert.deepEqual(listRowsAt(history, 3), [
			['a', 'succeeded'],
			['b', 'running'],
		]);
		assert.ok(history.getMoments(0).every(({ rows }) => rows.every(({ critical }) => critical === undefined)));
	});

	it('never goes back in time, whatever duration a service reports', () => {
		const { history } = createHistory(start('a'), start('b'), finish('a', { elapsed_time: 500 }), finish('b'), start('c'));
		const times = history.getMoments(0).map(({ at }) => at);
		assert.deepEqual(
			times,
			times.toSorted((a, b) => a - b),
		);
	});

	it('knows the text as of each moment, also of a text that was replaced', () => {
		const { history, timeline } = createHistory(
			start('a'),
			write('Hel'),
			start('b'),
			write('lo'),
			finish('a'),
			replace('Bye'),
			start('c'),
			replace('Bye now'),
			finish('b'),
		);
		const texts = history.getMoments(0).map(({ textLength }, index) => {
			const replaced = history.replacedTexts.find(({ moments }) => moments >= index + 1);
			return (replaced?.text ?? timeline.text).slice(0, textLength);
		});
		assert.deepEqual(texts, ['', 'Hel', 'Hello', 'Bye', 'Bye now']);
	});

	it('knows the thoughts as of each moment', () => {
		const { history, timeline } = createHistory(start('a'), think('o'), think('ne '), start('b'), think('two'), finish('a'));
		assert.deepEqual(
			history.getMoments(0).map(({ place }) => timeline.getThoughts('a', place)),
			['', 'one ', 'one two'],
		);
		assert.equal(timeline.getThoughts('a'), 'one two');
	});

	it('stores nothing for thoughts and replaced texts that no moment shows', () => {
		const { history } = createHistory(start('a'));
		const before = process.memoryUsage().heapUsed;
		for (let place = 1; place <= 1_000_000; place++) {
			history.addThoughts(place, 'a', place);
			history.replaceText('x');
		}
		const grown = process.memoryUsage().heapUsed - before;
		assert.equal(history.replacedTexts.length, 1);
		assert.equal(history.getThoughtsLength('a', 1_000_000), 1_000_000);
		assert.ok(grown < 20_000_000, `${grown} bytes`);
	});

	it('is limited, whatever a service sends', () => {
		const { history, timeline } = createHistory(start('a'));
		const retry = { at: 1, event: { event: 'node_retry', ...ids, data: start('a').data } as unknown as WorkflowEvent };
		const text = 'x'.repeat(900_000);
		for (let i = 0; i < 5; i++) {
			timeline.addEntry({ at: 1, event: { ...ids, ...replace(`${i}${text}`) } as unknown as WorkflowEvent });
			timeline.addEntry(retry);
		}
		for (let i = 0; i < 210_000; i++) {
			timeline.addEntry(retry);
		}
		assert.equal(history.count, 200_000);
		assert.equal(history.replacedTexts.filter(kept => kept.text !== '').length, 2);
	});
});
