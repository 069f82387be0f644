import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { listVisibleRows } from '#pages/inspector/visibleRows.ts';
import { Timeline } from '#runs/events/timeline.ts';

const ids = { task_id: 't', workflow_run_id: 'r' };

/** Creates a timeline of these events, ten milliseconds apart, starting at 1,000 ms. */
function createTimeline(...events: { event: string; data?: object; at?: number; [field: string]: unknown }[]): Timeline {
	const timeline = new Timeline();
	for (const [place, { at, ...event }] of events.entries()) {
		timeline.addEntry({ at: at ?? 1000 + place * 10, event: { ...ids, ...event } as WorkflowEvent });
	}
	return timeline;
}

const createNodeStarted = (id: string, more: object = {}) => ({
	event: 'node_started',
	data: { id, node_id: `node-${id}`, node_type: 'code', title: id.toUpperCase(), index: 1, created_at: 1, ...more },
});
const createNodeFinished = (id: string, more: object = {}) => ({
	event: 'node_finished',
	data: { ...createNodeStarted(id).data, status: 'succeeded', error: null, elapsed_time: 0.005, ...more },
});
const createContainerEvent = (event: string, id: string, more: object = {}) => ({
	event,
	data: { id, node_id: `node-${id}`, node_type: event.split('_')[0], title: id, created_at: 1, ...more },
});
const createIterationFields = (id: string, index: number) => ({ iteration_id: `node-${id}`, iteration_index: index });
const listRows = (timeline: Timeline) => timeline.rows.map(({ id, parent, round, status }) => [id, parent, round, status]);

describe('the timeline of a run', () => {
	it('has a limited number of rows, whatever a service sends', () => {
		for (const [event, limit] of [
			['heartbeat', 1001],
			['error', 1001],
			['variable_set', 1001],
			['node_started', 100_000],
			['agent_log', 100_000],
		] as const) {
			const timeline = new Timeline();
			for (let i = 0; i < limit + 12_000; i++) {
				const data = { id: `${i}`, node_id: `n${i}`, node_type: 'code', title: `${i}`, label: '', status: 'start' };
				timeline.addEntry({ at: i, event: { event, ...ids, data } as unknown as WorkflowEvent });
			}
			assert.equal(timeline.rows.length, limit, event);
			assert.equal(timeline.rows[0]?.start, 0);
			if (limit === 1001) {
				assert.equal(timeline.rows.at(-1)?.title, "Further events of this kind aren't shown.");
				assert.ok(timeline.getEntryIndexes(timeline.rows.at(-1)!.id).length <= 10_000);
			}
			timeline.endRun(1);
		}
	});

	it('never puts a row into itself, whatever IDs a service sends', () => {
		const timeline = createTimeline(
			createContainerEvent('iteration_started', 'a'),
			createContainerEvent('iteration_started', 'a'),
			createContainerEvent('iteration_started', 'b', { iteration_id: 'node-a' }),
			createContainerEvent('iteration_started', 'a#1', { node_id: 'node-a', iteration_id: 'node-b' }),
		);
		const parents = new Map(timeline.rows.map(({ id, parent }) => [id, parent]));
		assert.deepEqual([...parents.values()], [undefined, undefined, 'a#1', 'b']);
		for (const [id, parent] of parents) {
			assert.ok(parent === undefined || [...parents.keys()].indexOf(parent) < [...parents.keys()].indexOf(id), id);
		}
	});

	it('has a limited number of rows inside each other, so that they can be listed', () => {
		const timeline = new Timeline();
		for (let i = 0; i < 50_000; i++) {
			const data = { id: `${i}`, parent_id: `${i - 1}`, label: `${i}`, status: 'start' };
			timeline.addEntry({ at: i, event: { event: 'agent_log', ...ids, data } as unknown as WorkflowEvent });
		}
		const listed = listVisibleRows(timeline.rows, new Set(), '');
		assert.equal(listed.length, 50_000);
		assert.equal(listed.at(-1)?.level, 201);
	});

	it('links a limited number of events to a row', () => {
		const timeline = createTimeline(createNodeStarted('a'));
		for (let i = 0; i < 20_000; i++) {
			timeline.addEntry({ at: i, event: { event: 'node_retry', ...ids, data: createNodeStarted('a').data } as unknown as WorkflowEvent });
		}
		assert.equal(timeline.getEntryIndexes('a').length, 10_000);
		assert.equal(timeline.rows[0]?.retries, 20_000);
	});

	it('has a row for each node, with its times, tokens and price', () => {
		const timeline = createTimeline(
			createNodeStarted('a'),
			createNodeFinished('a', { elapsed_time: 0.25, execution_metadata: { total_tokens: 412, total_price: '0.0012', currency: 'USD' } }),
			createNodeStarted('b', { predecessor_node_id: 'node-a' }),
			createNodeFinished('b', { status: 'failed', error: 'it broke' }),
		);
		assert.deepEqual(timeline.rows[0], {
			id: 'a',
			kind: 'code',
			title: 'A',
			nodeId: 'node-a',
			status: 'succeeded',
			start: 1000,
			end: 1250,
			tokens: 412,
			price: 0.0012,
			currency: 'USD',
		});
		assert.deepEqual([timeline.rows[1]?.predecessor, timeline.rows[1]?.error], ['node-a', 'it broke']);
	});

	it('nests iterations, including parallel ones', () => {
		const timeline = createTimeline(
			createContainerEvent('iteration_started', 'each', { metadata: { iteration_length: 2 } }),
			createNodeStarted('x', createIterationFields('each', 0)),
			createNodeStarted('y', createIterationFields('each', 1)),
			createNodeFinished('y', createIterationFields('each', 1)),
			createNodeFinished('x', createIterationFields('each', 0)),
			createContainerEvent('iteration_completed', 'each', { status: 'succeeded', elapsed_time: 0.04 }),
			createNodeStarted('after'),
		);
		assert.deepEqual(listRows(timeline), [
			['each', undefined, undefined, 'succeeded'],
			['x', 'each', 1, 'succeeded'],
			['y', 'each', 2, 'succeeded'],
			['after', undefined, undefined, 'running'],
		]);
		assert.equal(timeline.rows[0]?.rounds, 2);
	});

	it("takes the iteration from the container if a node doesn't report it", () => {
		const timeline = createTimeline(
			createContainerEvent('loop_started', 'again'),
			createNodeStarted('x', { loop_id: 'node-again' }),
			createContainerEvent('loop_next', 'again', { index: 1 }),
			createNodeStarted('y', { loop_id: 'node-again' }),
		);
		assert.deepEqual(
			listRows(timeline).map(([id, , round]) => [id, round]),
			[
				['again', undefined],
				['x', 1],
				['y', 2],
			],
		);
	});

	it('accepts an iteration that is reported only at the end of a node', () => {
		const timeline = createTimeline(
			createContainerEvent('iteration_started', 'each'),
			createNodeStarted('a', { iteration_id: 'node-each' }),
			createNodeFinished('a', { iteration_id: 'node-each', execution_metadata: { iteration_index: 4 } }),
		);
		assert.deepEqual(listRows(timeline)[1], ['a', 'each', 5, 'succeeded']);
	});

	it('marks the node whose output was changed by hand, in the right iteration, and has a row for the change', () => {
		const createVariableSet = (selector: string[], more: object = {}) => ({
			event: 'variable_set',
			data: { selector, value: 'B', previous: 'A', node_id: 'node-z', created_at: 2, ...more },
		});
		const timeline = createTimeline(
			createNodeStarted('a'),
			createNodeFinished('a'),
			createContainerEvent('iteration_started', 'each'),
			createNodeStarted('x', { node_id: 'in', ...createIterationFields('each', 0) }),
			createNodeStarted('y', { node_id: 'in', ...createIterationFields('each', 1) }),
			createNodeFinished('x', { node_id: 'in', ...createIterationFields('each', 0) }),
			createNodeFinished('y', { node_id: 'in', ...createIterationFields('each', 1) }),
			createVariableSet(['in', 'out', 'key'], createIterationFields('each', 0)),
			createNodeStarted('b'),
			createVariableSet(['sys', 'query']),
			createVariableSet(['node-b', 'out'], { agent: 'helper' }),
		);
		assert.deepEqual(
			timeline.rows.map(({ id, kind, title, changedByHand }) => (kind === 'variable_set' ? title : [id, changedByHand])),
			[
				['a', undefined],
				['each', undefined],
				['x', true],
				['y', undefined],
				'in.out.key = "B"',
				['b', undefined],
				'sys.query = "B"',
				'helper › node-b.out = "B"',
			],
		);
		timeline.addEntry({ at: 5000, event: { ...ids, ...createVariableSet(['node-a', 'out']) } as WorkflowEvent });
		assert.equal(timeline.getRow('a')?.changedByHand, true);
	});

	it('puts a loop in parallel iterations under its iteration', () => {
		const timeline = createTimeline(
			createContainerEvent('iteration_started', 'each'),
			createContainerEvent('loop_started', 'l1', { node_id: 'loop', ...createIterationFields('each', 0) }),
			createContainerEvent('loop_started', 'l2', { node_id: 'loop', ...createIterationFields('each', 1) }),
			createNodeStarted('x', { ...createIterationFields('each', 0), loop_id: 'loop', loop_index: 4 }),
			createNodeStarted('y', { ...createIterationFields('each', 1), loop_id: 'loop', loop_index: 0 }),
		);
		assert.deepEqual(listRows(timeline).slice(3), [
			['x', 'l1', 5, 'running'],
			['y', 'l2', 1, 'running'],
		]);
	});

	it('adds a row for a container that runs again under the same ID', () => {
		const timeline = createTimeline(
			createContainerEvent('loop_started', 'l'),
			createContainerEvent('loop_completed', 'l', { status: 'succeeded' }),
			createContainerEvent('loop_started', 'l'),
		);
		assert.deepEqual(
			timeline.rows.map(({ id, status }) => [id, status]),
			[
				['l', 'succeeded'],
				['l#2', 'running'],
			],
		);
	});

	it('counts the retries of a node in one row', () => {
		const timeline = createTimeline(
			createNodeStarted('a'),
			{ event: 'node_retry', data: { ...createNodeFinished('a').data, retry_index: 2, error: 'busy' } },
			createNodeFinished('a'),
		);
		assert.deepEqual([timeline.rows.length, timeline.rows[0]?.retries, timeline.rows[0]?.status], [1, 2, 'succeeded']);
		assert.deepEqual(timeline.getEntryIndexes('a'), [0, 1, 2]);
	});

	it('shows unknown events, errors and notes as rows', () => {
		const timeline = createTimeline(
			{ event: 'agent_log', data: { label: 'thought' } },
			{ event: 'error', status: 500, code: 'oops', message: 'gone' },
		);
		timeline.addEntry({ at: 2000, note: 'The stream ended before the run did.' });
		assert.deepEqual(
			timeline.rows.map(({ kind, title, status }) => [kind, title, status]),
			[
				['agent_log', 'agent_log', 'info'],
				['error', 'oops: gone', 'failed'],
				['note', 'The stream ended before the run did.', 'info'],
			],
		);
	});

	it('shows the steps of an agent as a tree under its node', () => {
		const createAgentLog = (id: string, label: string, status: string, more: object = {}) => ({
			event: 'agent_log',
			data: { id, label, status, node_execution_id: 'a', ...more },
		});
		const timeline = createTimeline(
			createNodeStarted('a'),
			createAgentLog('r', 'ROUND 1', 'start'),
			createAgentLog('c', 'CALL clock', 'start', { parent_id: 'r' }),
			createAgentLog('c', 'CALL clock', 'error', { parent_id: 'r', error: 'broken' }),
			createAgentLog('r', 'ROUND 1', 'success', { metadata: { total_tokens: 7 } }),
			createAgentLog('x', 'of no node', 'start', { node_execution_id: 'ghost', parent_id: 'x' }),
			createNodeFinished('a'),
		);
		timeline.endRun(5000);
		assert.deepEqual(
			timeline.rows.map(({ id, parent, title, status, tokens, error }) => [id, parent, title, status, tokens, error]),
			[
				['a', undefined, 'A', 'succeeded', undefined, undefined],
				['log-r', 'a', 'ROUND 1', 'succeeded', 7, undefined],
				['log-c', 'log-r', 'CALL clock', 'failed', undefined, 'broken'],
				['log-x', undefined, 'of no node', 'unfinished', undefined, undefined],
			],
		);
		assert.deepEqual(timeline.getEntryIndexes('log-c'), [2, 3]);
	});

	it('has a row for a node without a start event', () => {
		const timeline = createTimeline(createNodeFinished('late', { elapsed_time: 0.5 }));
		assert.deepEqual([timeline.rows[0]?.start, timeline.rows[0]?.end], [500, 1000]);
	});

	it('marks nodes without an end event as unfinished', () => {
		const timeline = createTimeline(createNodeStarted('a'), createNodeFinished('a'), createNodeStarted('b'));
		timeline.endRun(5000);
		assert.deepEqual([timeline.rows[1]?.status, timeline.rows[1]?.end], ['unfinished', 5000]);
	});

	it('shows replayed events at their original times', () => {
		const timeline = createTimeline(
			{ event: 'workflow_started', data: { id: 'r', workflow_id: 'w', created_at: 100 }, at: 100_000 },
			{ ...createNodeStarted('a', { created_at: 103 }), at: 160_000 },
		);
		assert.equal(timeline.rows[0]?.start, 103_000);
	});

	it('collects streamed text, and reports changes', () => {
		const timeline = createTimeline(
			createNodeStarted('a'),
			{ event: 'text_chunk', data: { text: 'Hel' } },
			{ event: 'text_chunk', data: { text: 'lo' } },
			{ event: 'ping' },
		);
		assert.equal(timeline.text, 'Hello');
		assert.deepEqual(
			timeline.takeChangedRows().map(({ id }) => id),
			['a'],
		);
		timeline.addEntry({ at: 3000, event: { ...ids, event: 'text_replace', data: { text: 'No' } } });
		assert.equal(timeline.text, 'No');
		assert.deepEqual(timeline.takeChangedRows(), []);
	});

	it('accepts 10,000 node events', () => {
		const events = Array.from({ length: 5000 }, (_, n) => [createNodeStarted(`n${n}`), createNodeFinished(`n${n}`)]).flat();
		const timeline = createTimeline(...events);
		timeline.endRun(200_000);
		assert.equal(timeline.rows.length, 5000);
	});

	for (const [what, eventsOf] of [
		['nested iterations', (n: number) => [createContainerEvent('iteration_started', `${n}`, createIterationFields(`${n - 1}`, 0))]],
		[
			'unfinished iterations of one node',
			(n: number) => [createContainerEvent('iteration_started', `${n}`, { node_id: 'one', iteration_id: 'one' })],
		],
		[
			'reasoning chunks of the first of many nodes',
			(n: number) => [createNodeStarted(`${n}`), { event: 'reasoning_chunk', data: { node_id: 'node-0', reasoning: 'x' } }],
		],
		[
			'values set manually',
			(n: number) => [createNodeStarted(`${n}`), { event: 'variable_set', data: { selector: ['node-0', 'x'], value: 1 } }],
		],
		['pauses', (n: number) => [createNodeStarted(`${n}`), { event: 'workflow_paused', data: {} }]],
	] as const) {
		it(`takes time proportional to the number of ${what}`, () => {
			const measureTime = (count: number) => {
				const events = Array.from({ length: count }, (_, n) => eventsOf(n)).flat();
				const from = process.cpuUsage();
				createTimeline(...events);
				const { user, system } = process.cpuUsage(from);
				return user + system;
			};
			const short = Math.min(...[1, 2, 3].map(() => measureTime(1000)));
			const long = Math.min(...[1, 2].map(() => measureTime(12_000)));
			// with twelve times as many events, it would take 144 times as long if each event looked at all earlier ones
			assert.ok(long < 36 * short + 50_000, `${short} and ${long} µs`);
		});
	}

	it('does not copy the streamed text for each chunk once it is full', () => {
		const began = performance.now();
		const pieces = Array.from({ length: 20_000 }, () => ({ event: 'text_chunk', data: { text: 'é' } }));
		const timeline = createTimeline({ event: 'text_chunk', data: { text: 'x'.repeat(999_999) } }, ...pieces);
		assert.equal(timeline.text.length, 1_000_000);
		assert.ok(performance.now() - began < 2000);
	});

	it('excludes the time that the run was paused', () => {
		const ask = { node_id: 'node-ask', node_type: 'human-input' };
		const day = 86_400_000;
		const timeline = createTimeline(
			{ event: 'workflow_started', data: { created_at: 1 }, at: 1000 },
			{ ...createNodeStarted('ask', ask), at: 1010 },
			{ event: 'human_input_required', data: { node_id: 'node-ask', form_content: '' }, at: 1020 },
			{ event: 'workflow_paused', data: {}, at: 1030 },
		);
		assert.deepEqual(
			timeline.rows.map(({ status, start, end }) => [status, start, end]),
			[['paused', 1010, 1030]],
		);
		const again = [
			{ event: 'workflow_started', data: { created_at: 1, reason: 'resumption' }, at: day },
			{ event: 'human_input_form_filled', data: { node_id: 'node-ask' }, at: day + 1 },
			{ ...createNodeStarted('ask', { ...ask, created_at: day / 1000 }), at: day + 10 },
			{ ...createNodeFinished('ask', ask), at: day + 20 },
		];
		for (const { at, ...event } of again) {
			timeline.addEntry({ at, event: { ...ids, ...event } as WorkflowEvent });
		}
		timeline.endRun(day + 30);
		assert.equal(timeline.waitedMs, day - 1029);
		assert.deepEqual(
			timeline.rows.map(({ status, start, end }) => [status, start, end]),
			[
				['waited', 1010, 1030],
				['succeeded', 1039, 1044],
			],
		);
	});

	it('keeps the reasoning of a node separate from its events', () => {
		const timeline = createTimeline(
			createNodeStarted('llm'),
			{ event: 'reasoning_chunk', data: { node_id: 'node-llm', reasoning: 'So', is_final: false } },
			{ event: 'reasoning_chunk', data: { node_id: 'node-llm', reasoning: ' what', is_final: false } },
			{ event: 'reasoning_chunk', data: { node_id: 'node-llm', reasoning: '', is_final: true } },
			{ event: 'reasoning_chunk', data: { node_id: 'node-gone', reasoning: 'lost', is_final: false } },
			createNodeFinished('llm'),
		);
		assert.equal(timeline.getThoughts('llm'), 'So what');
		assert.equal(timeline.rows.length, 1);
		assert.equal(timeline.getEntryIndexes('llm').length, 2);
	});
});
