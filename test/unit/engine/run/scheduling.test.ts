import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { RunEvents } from '#engine/run/runEvents.ts';
import { Turns } from '#engine/run/turns.ts';
import { createStartNode, createTestAgent, createTestServices, runTestAgent, type TestNode } from './engineFixture.ts';

const add: TestNode = {
	id: 'add',
	parentId: 'lp',
	data: { type: 'assigner', version: '2', items: [{ variable_selector: ['lp', 'n'], input_type: 'constant', operation: '+=', value: 1 }] },
};

/** Creates a loop whose rounds never wait. */
function createCountingLoop(rounds: number) {
	return createTestAgent(
		[
			createStartNode(),
			{
				id: 'lp',
				data: {
					type: 'loop',
					start_node_id: 'lps',
					loop_count: rounds,
					break_conditions: [],
					loop_variables: [{ label: 'n', var_type: 'number', value_type: 'constant', value: '0' }],
				},
			},
			{ id: 'lps', parentId: 'lp', data: { type: 'loop-start' } },
			add,
		],
		['start > lp', 'lps > add'],
	);
}

describe('the scheduling of runs', () => {
	it('lets others run between the rounds of a loop, and applies a stop there', async () => {
		const stop = new AbortController();
		const going = runTestAgent(
			createCountingLoop(1e9),
			{ signal: stop.signal, emit: () => {} },
			createTestServices(undefined, { maxSteps: 1e9 }),
		);
		let turns = 0;
		for (; turns < 20; turns++) {
			await turn();
		}
		stop.abort();
		const { data, events } = await going;
		assert.equal(data.status, 'stopped');
		assert.ok(events.length > 20);
	});

	it('shares the event loop between all runs', async () => {
		const turns = new Turns();
		const rounds = [0, 0, 0];
		const stop = new AbortController();
		const going = rounds.map((_, index) =>
			runTestAgent(
				createCountingLoop(1e9),
				{
					signal: stop.signal,
					emit: event => {
						rounds[index] = (rounds[index] ?? 0) + (event.event === 'loop_next' ? 1 : 0);
						if (rounds.every(count => count > 50)) {
							stop.abort();
						}
					},
				},
				{ ...createTestServices(undefined, { maxSteps: 1e9 }), turns },
			),
		);
		assert.deepEqual(
			(await Promise.all(going)).map(({ data }) => data.status),
			['stopped', 'stopped', 'stopped'],
		);
	});

	it('reports a limited number of rounds, but every failure', () => {
		const reported: string[] = [];
		const events = new RunEvents({ emit: ({ event }: { event: string }) => reported.push(event) } as never);
		const node = { id: 'n', type: 'code', title: 'n', failure: { strategy: 'none' } } as never;
		const end = { status: 'succeeded', outputs: {}, error: null } as const;
		for (let i = 0; i < 60_000; i++) {
			const place = { loop_id: 'lp', loop_index: i };
			events.emitNodeFinished(events.startNode(node, null, place), end, place);
		}
		assert.equal(reported.length, 100_000);
		const place = { loop_id: 'lp', loop_index: 60_000 };
		events.emitNodeFinished(events.startNode(node, null, place), { status: 'failed', outputs: {}, error: 'bad' }, place);
		events.emitNodeFinished(events.startNode(node, null, {}), end, {});
		assert.deepEqual(reported.slice(100_000), ['node_started', 'node_finished', 'node_started', 'node_finished']);
	});

	it('reports rounds with large values up to a limit, but every failure', () => {
		const reported: string[] = [];
		const events = new RunEvents({ emit: ({ event }: { event: string }) => reported.push(event) } as never, { charactersInRounds: 10_000 });
		const node = { id: 'n', type: 'code', title: 'n', failure: { strategy: 'none' } } as never;
		const value = { text: 'x'.repeat(1_000) };
		const emitNode = (place: object, status: 'succeeded' | 'failed') =>
			events.emitNodeFinished(events.startNode(node, null, place), { status, outputs: value, error: null }, place);
		for (let i = 0; i < 100; i++) {
			emitNode({ iteration_id: 'it', iteration_index: i }, 'succeeded');
		}
		assert.ok(reported.length >= 18 && reported.length <= 22, `${reported.length}`);
		reported.length = 0;
		emitNode({ iteration_id: 'it', iteration_index: 100 }, 'failed');
		emitNode({}, 'succeeded');
		assert.equal(reported.length, 4);
	});
});
