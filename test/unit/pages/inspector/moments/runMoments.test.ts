import assert from 'node:assert/strict';
import { RunMoments } from '#pages/inspector/moments/runMoments.ts';
import type { ShownRunState } from '#pages/inspector/runState.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import type { TimelineMoment } from '#runs/events/timelineHistory.ts';

const createRow = (id: string, start: number, end?: number): TimelineRow => ({
	id,
	nodeId: id,
	kind: 'code',
	title: id,
	status: end === undefined ? 'running' : 'succeeded',
	start,
	...(end === undefined ? {} : { end }),
});
const moments: readonly TimelineMoment[] = [
	{ place: 1, at: 100, rows: [createRow('a', 100)], textLength: 0 },
	{ place: 3, at: 150, rows: [createRow('a', 100, 150)], textLength: 2 },
	{ place: 4, at: 160, rows: [createRow('b', 160)], textLength: 5 },
	{ place: 9, at: 200, rows: [createRow('b', 160, 200)], textLength: 5 },
];
const present = new Map([createRow('a', 100, 150), createRow('b', 160, 200)].map(row => [row.id, row]));
const state = {
	head: { key: 'k', live: false, status: 'succeeded', moments: 4 },
	rows: present,
	text: 'Hello',
	outputs: [{ name: 'x', text: '1', isText: false, cut: false }],
} as unknown as ShownRunState;

/** Creates moments of a run. `log` has what they asked and reported. */
function createMoments() {
	const log: string[] = [];
	const shown = new RunMoments({
		requestMoments: from => log.push(`request ${from}`),
		onChosen: (moment, isFirst) => log.push(`chosen ${moment}${isFirst ? ' first' : ''}`),
		onShown: () => log.push('shown'),
	});
	const receive = (from: number, to: number, key = 'k') =>
		shown.receiveMoments({ type: 'moments', key, from, moments: moments.slice(from, to), replaced: [] }, 'k');
	const listRows = () => [...shown.applyMoment(state).rows.values()].map(({ id, status }) => `${id} ${status}`);
	return { shown, log, receive, listRows };
}

describe('the moments of an inspected run', () => {
	it('show the run as it was, once the host has sent them', () => {
		const { shown, log, receive, listRows } = createMoments();
		shown.chooseMoment(2, 4);
		assert.equal(shown.applyMoment(state), state);
		receive(0, 4);
		assert.deepEqual(log, ['chosen 2 first', 'request 0', 'shown']);
		assert.deepEqual(listRows(), ['a succeeded']);
		const past = shown.applyMoment(state);
		assert.equal(past.text, 'He');
		assert.equal(past.outputs, undefined);
		assert.equal(past.head.live, true);
		assert.deepEqual([past.moment?.place, past.moment?.elapsedMs, past.moment?.row?.id], [3, 50, 'a']);
	});

	it('go back, forward and to the present', () => {
		const { shown, receive, listRows } = createMoments();
		shown.chooseMoment(3, 4);
		receive(0, 4);
		assert.deepEqual(listRows(), ['a succeeded', 'b running']);
		shown.chooseMoment(1, 4);
		assert.deepEqual(listRows(), ['a running']);
		shown.chooseMoment(0, 4);
		assert.equal(shown.chosen, 1);
		shown.chooseMoment(3, 4);
		assert.deepEqual(listRows(), ['a succeeded', 'b running']);
		shown.chooseMoment(4, 4);
		assert.equal(shown.chosen, undefined);
		assert.equal(shown.applyMoment(state), state);
	});

	it('of a running run stay where they are, and are requested as they come', () => {
		const { shown, log, receive, listRows } = createMoments();
		shown.chooseMoment(1, 2);
		shown.chooseMoment(3, 4);
		receive(0, 2);
		assert.equal(shown.applyMoment(state), state);
		receive(0, 4);
		assert.deepEqual(listRows(), ['a succeeded', 'b running']);
		assert.deepEqual(
			log.filter(line => line.startsWith('request')),
			['request 0', 'request 0'],
		);
	});

	it('are requested again if the text was replaced', () => {
		const { shown, log, receive } = createMoments();
		shown.onTextChanged(true);
		assert.deepEqual(log, []);
		shown.chooseMoment(2, 4);
		receive(0, 4);
		shown.onTextChanged(false);
		shown.onTextChanged(true);
		assert.equal(log.at(-1), 'request 4');
		shown.receiveMoments({ type: 'moments', key: 'k', from: 4, moments: [], replaced: [{ moments: 3, text: 'Other' }] }, 'k');
		assert.equal(shown.applyMoment(state).text, 'Ot');
	});

	it('of another run are ignored', () => {
		const { shown, receive } = createMoments();
		shown.chooseMoment(2, 4);
		receive(0, 4, 'other');
		assert.equal(shown.applyMoment(state), state);
		shown.clear();
		receive(0, 4);
		assert.equal(shown.applyMoment(state), state);
	});

	it('show a run with 10,000 events', () => {
		const many: readonly TimelineMoment[] = Array.from({ length: 10_000 }, (_, at) => ({
			place: at,
			at,
			rows: [createRow(`r${at >> 1}`, at - (at % 2), at % 2 === 1 ? at : undefined)],
			textLength: 0,
		}));
		const { shown } = createMoments();
		shown.chooseMoment(5000, 10_000);
		shown.receiveMoments({ type: 'moments', key: 'k', from: 0, moments: many, replaced: [] }, 'k');
		assert.equal(shown.applyMoment(state).rows.size, 2500);
		shown.chooseMoment(9999, 10_000);
		assert.equal(shown.applyMoment(state).rows.size, 5000);
		shown.chooseMoment(1, 10_000);
		assert.deepEqual([...shown.applyMoment(state).rows.keys()], ['r0']);
	});
});
