import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { NodeEventData, WorkflowEvent } from '#contract/events.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { NodeResult } from '#engine/nodes/nodeType.ts';
import { runAgent, runNode } from '#engine/run/run.ts';
import type { Execute } from '#engine/run/runState.ts';
import { createTemplateNode, createTestAgent, createTestServices, type TestNode } from './engineFixture.ts';

/** A random graph: node 0 is the start, edges go from lower to higher numbers. */
interface RandomGraph {
	readonly nodes: readonly ('quick' | 'slow' | 'branch-true' | 'branch-false')[];
	readonly edges: readonly { readonly from: number; readonly to: number; readonly handle: 'true' | 'false' }[];
}

const graphs: fc.Arbitrary<RandomGraph> = fc
	.array(fc.constantFrom('quick', 'slow', 'branch-true', 'branch-false'), { minLength: 2, maxLength: 14 })
	.chain(nodes =>
		fc.record({
			nodes: fc.constant(nodes),
			edges: fc.uniqueArray(
				fc
					.record({
						from: fc.nat(nodes.length - 2),
						to: fc.nat(nodes.length - 1),
						handle: fc.constantFrom('true', 'false'),
					})
					.map(({ from, to, handle }) => ({ from: Math.min(from, to), to: from === to ? to + 1 : Math.max(from, to), handle })),
				{ maxLength: 30, selector: ({ from, to }) => `${from}-${to}` },
			),
		}),
	);

describe('random graphs', () => {
	it('run each reached node once, after its predecessors, and skip all others', () =>
		fc.assert(
			fc.asyncProperty(graphs, async graph => {
				const { events, skipped, status } = await runGraph(graph);
				const expected = predictRun(graph);
				assert.equal(status, 'succeeded');
				assert.deepEqual(listStarted(events).sort(), expected.run, 'each node that is reached, once');
				assert.deepEqual(skipped, expected.skipped, 'nodes that only edges not taken lead to');
				for (const [id, sources] of expected.after) {
					const start = events.findIndex(event => isNodeEvent(event, 'node_started', id));
					for (const source of sources) {
						const end = events.findIndex(event => isNodeEvent(event, 'node_finished', source));
						assert.ok(end >= 0 && end < start, `${source} ends before ${id} starts`);
					}
				}
				assert.equal(events.at(-1)?.event, 'workflow_finished');
			}),
			{ numRuns: 300 },
		));

	it('end immediately when they are stopped, with nothing left running', () =>
		fc.assert(
			fc.asyncProperty(graphs, fc.nat(30), async (graph, after) => {
				const { events, running, status } = await runGraph(graph, after);
				assert.equal(running, 0, 'work in flight has ended');
				assert.ok(status === 'stopped' || status === 'succeeded', status);
				assert.equal(events.at(-1)?.event, 'workflow_finished');
				assert.deepEqual(listStarted(events).sort(), listFinished(events).sort(), 'every started node is reported as ended');
				const reported = events.length;
				await delay(3);
				assert.equal(events.length, reported, 'nothing comes after the end');
			}),
			{ numRuns: 150 },
		));
});

function createAgent({ nodes, edges }: RandomGraph): LoadedAgent {
	const made = nodes.map((kind, index): TestNode => {
		const id = getNodeId(index);
		if (index === 0) {
			return { id, data: { type: 'start', variables: [] } };
		}
		return kind === 'quick'
			? createTemplateNode(id, id)
			: kind === 'slow'
				? { id, data: { type: 'code', code: '', outputs: {} } }
				: {
						id,
						data: {
							type: 'if-else',
							cases: [{ case_id: 'true', logical_operator: kind === 'branch-true' ? 'and' : 'or', conditions: [] }],
						},
					};
	});
	return createTestAgent(
		made,
		edges.map(({ from, to, handle }) => `${getNodeId(from)} [${isBranch(nodes[from]) && from > 0 ? handle : 'source'}] > ${getNodeId(to)}`),
	);
}

async function runGraph(graph: RandomGraph, stopAfter?: number) {
	const events: WorkflowEvent[] = [];
	const stop = new AbortController();
	let running = 0;
	const runSlowly: Execute = context => {
		if (context.node.type !== 'code') {
			return runNode(context);
		}
		const doWork = async (): Promise<NodeResult> => {
			running++;
			try {
				await delay(context.node.id.length % 2, undefined, { signal: context.signal });
				return { outputs: {} };
			} finally {
				running--;
			}
		};
		return doWork();
	};
	const { data, skippedNodes } = await runAgent(
		createAgent(graph),
		{
			runId: 'run',
			taskId: 'task',
			workflowId: 'workflow',
			appId: 'app',
			sequenceNumber: 1,
			inputs: {},
			files: [],
			user: 'ana',
			signal: stop.signal,
			emit: event => {
				events.push(event);
				if (events.length === (stopAfter ?? -1) + 1) {
					stop.abort();
				}
			},
		},
		services,
		runSlowly,
	);
	return { events, skipped: skippedNodes, status: data.status, running };
}

const services = createTestServices();

/** Predicts the events from the rules alone: goes through the nodes in order, and reaches a node if a taken edge leads to it. */
function predictRun({ nodes, edges }: RandomGraph) {
	const run = new Set([0]);
	const skipped = new Set<number>();
	const after = new Map<string, string[]>();
	for (let index = 1; index < nodes.length; index++) {
		const incoming = edges.filter(edge => edge.to === index);
		// a node that waits for an unreachable node waits forever
		if (incoming.length === 0 || incoming.some(({ from }) => !run.has(from) && !skipped.has(from))) {
			continue;
		}
		const taken = incoming.filter(({ from, handle }) => {
			const kind = nodes[from];
			return run.has(from) && (from === 0 || !isBranch(kind) || handle === (kind === 'branch-true' ? 'true' : 'false'));
		});
		if (taken.length > 0) {
			run.add(index);
			// a join waits for all edges that may still come: every source that runs has ended
			after.set(
				getNodeId(index),
				incoming.filter(({ from }) => run.has(from)).map(({ from }) => getNodeId(from)),
			);
		} else {
			skipped.add(index);
		}
	}
	const listIds = (set: Iterable<number>) => [...set].map(getNodeId).sort();
	return { run: listIds(run), skipped: listIds(skipped), after };
}

function isBranch(kind: string | undefined): boolean {
	return kind === 'branch-true' || kind === 'branch-false';
}

function getNodeId(index: number): string {
	return `n${index}`;
}

function isNodeEvent(event: WorkflowEvent, kind: string, id: string): boolean {
	return event.event === kind && (event as { data: NodeEventData }).data.node_id === id;
}

function listStarted(events: readonly WorkflowEvent[]): string[] {
	return events.filter(({ event }) => event === 'node_started').map(event => (event as { data: NodeEventData }).data.node_id);
}

function listFinished(events: readonly WorkflowEvent[]): string[] {
	return events.filter(({ event }) => event === 'node_finished').map(event => (event as { data: NodeEventData }).data.node_id);
}
