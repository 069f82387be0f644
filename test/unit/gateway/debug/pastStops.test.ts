import assert from 'node:assert/strict';
import type { GateLevel } from '#engine/run/gate.ts';
import type { Branch } from '#gateway/debug/branches.ts';
import { type BreakpointState, Breakpoints } from '#gateway/debug/breakpoints.ts';
import { FailureStops } from '#gateway/debug/failureStops.ts';
import { DebugHistory } from '#gateway/debug/history.ts';
import { PastSearch, PastStops } from '#gateway/debug/pastStops.ts';
import type { Stop } from '#gateway/debug/stopReports.ts';

const branch = { id: 1, level: {} as GateLevel, node: { id: 'n' }, state: 'coming' } as Branch;

/** Returns a history with entries of one node, at which all given breakpoints were hit. */
function createHistory(count: number, hits: readonly object[] = []): DebugHistory {
	const history = new DebugHistory();
	for (let at = 0; at < count; at++) {
		history.add(branch, [branch], { hits });
	}
	return history;
}

/** Searches a history backward. */
function search(history: DebugHistory, breakpoints: Breakpoints): Promise<readonly [number | undefined, Stop | undefined]> {
	const stops = new PastStops(history, breakpoints, new FailureStops(), () => () => Promise.resolve([{ value: true }]));
	return new Promise((resolve, reject) => {
		const past = new PastSearch(history, stops, () => reject(new Error('the search failed')));
		past.findStop(history.length - 1, -1, (...found) => resolve(found));
	});
}

describe('A search in the past of a debugged run', () => {
	it('lets other work run, however many steps and breakpoints there are', async () => {
		const history = createHistory(10_000);
		const breakpoints = new Breakpoints(undefined, () => history.length);
		breakpoints.set(Array.from({ length: 60 }, (_, at) => ({ id: `b${at}`, node: 'n', hit_condition: '== 1000000' })));
		const order: string[] = [];
		const found = search(history, breakpoints).then(each => {
			order.push('found');
			return each;
		});
		await new Promise<void>(resolve => void setImmediate(resolve));
		order.push('other');
		assert.deepEqual(await found, [undefined, undefined]);
		assert.deepEqual(order, ['other', 'found']);
	});

	it('takes as long with ten thousand breakpoints on one node as with as many on others', async () => {
		const hits: readonly object[] = Array.from({ length: 10_000 }, () => ({}));
		const history = createHistory(400, hits);
		const breakpoints = new Breakpoints(undefined, () => 0);
		breakpoints.set(Array.from({ length: 10_000 }, (_, at) => ({ id: `b${at}`, node: 'n' })));
		assert.deepEqual(await search(history, breakpoints), [undefined, undefined]);
	});

	it('finds the hits that were counted when the node started', async () => {
		const breakpoints = new Breakpoints(undefined, () => 0);
		breakpoints.set([
			{ id: 'a', node: 'n' },
			{ id: 'b', node: 'n' },
		]);
		const states = breakpoints.findBreakpoints(undefined, 'n');
		const history = createHistory(2, states.slice(1));
		assert.deepEqual(await search(history, breakpoints), [1, { reason: 'breakpoint', branch: 1, breakpoints: ['b'] }]);
	});
});

describe('The past of a debugged run', () => {
	it('drops its oldest steps if they have very many hits', () => {
		const hits = Array.from({ length: 10_000 }, () => ({}) as BreakpointState);
		const history = createHistory(4_000, hits);
		assert.ok(history.first > 0);
		assert.ok((history.length - history.first) * hits.length <= 20_000_000);
	});
});
