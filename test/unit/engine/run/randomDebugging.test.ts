import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { DebugBranch } from '#contract/debugging.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { NodeResult } from '#engine/nodes/nodeType.ts';
import type { EngineServices } from '#engine/run/engineTypes.ts';
import { runAgent, runNode } from '#engine/run/run.ts';
import type { Execute } from '#engine/run/runState.ts';
import { createAgentToolNode, createAgentTools } from '../../contract/agentsAsTools.ts';
import { closeDebugging, type DebuggedRun, type Stopped, startDebugging } from './debugFixture.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, createTestServices, type TestNode } from './engineFixture.ts';

const plainServices = createTestServices(undefined, { maxSteps: 2_000 });

type Kind = 'quick' | 'slow' | 'yes' | 'no';

/**
 * A level of nodes by number, each after some of the earlier ones. Containers have an inner level, and agents used as tools have a separate
 * graph.
 */
interface Level {
	readonly nodes: readonly { readonly kind: Kind | Container; readonly after: readonly number[] }[];
}
interface Container {
	readonly type: 'iteration' | 'loop' | 'tool';
	readonly rounds: number;
	readonly parallel: boolean;
	readonly inner: Level;
}

const kinds = fc.constantFrom<Kind>('quick', 'slow', 'yes', 'no');
const sources = fc.uniqueArray(fc.nat(6), { maxLength: 2 });

function createLevels(depth: number): fc.Arbitrary<Level> {
	const kind: fc.Arbitrary<Kind | Container> =
		depth === 0
			? kinds
			: fc.oneof(
					{ weight: 3, arbitrary: kinds },
					{
						weight: 1,
						arbitrary: fc.record({
							type: fc.constantFrom('iteration' as const, 'loop' as const, 'tool' as const),
							rounds: fc.integer({ min: 1, max: 3 }),
							parallel: fc.boolean(),
							inner: createLevels(depth - 1),
						}),
					},
				);
	return fc.array(fc.record({ kind, after: sources }), { minLength: 1, maxLength: depth === 0 ? 3 : 6 }).map(nodes => ({
		nodes: nodes.map(({ kind: made, after: sources }, index) => ({ kind: made, after: sources.filter(source => source < index) })),
	}));
}

/** Command of a client at a stop; `pick` chooses among the paused branches. */
type Move = { readonly does: 'over' | 'into' | 'out' | 'restart' | 'continue' | 'breakpoints' | 'pause'; readonly pick: number };
const moves: fc.Arbitrary<readonly Move[]> = fc.array(
	fc.record({
		does: fc.constantFrom<Move['does']>('over', 'over', 'over', 'into', 'into', 'restart', 'out', 'continue', 'breakpoints', 'pause'),
		pick: fc.nat(10),
	}),
	{ maxLength: 40 },
);

describe('random debugging of random graphs', () => {
	after(closeDebugging);

	it('ends like a run without debugger, and starts only the nodes that a command allows', async () =>
		fc.assert(
			fc.asyncProperty(createLevels(2), moves, async (level, commands) => {
				const { agent, tools } = createAgent(level);
				const plain = await runWithoutDebugger(agent, tools);
				const run: DebuggedRun = startDebugging(
					agent,
					{ stop_on_entry: true, breakpoints: createBreakpoints(level, 1) },
					{
						execute: runDebugNode,
						settings: { maxSteps: 2_000 },
						others: { ...createAgentTools(tools), templates: createReportingTemplates(event => run.reported.push(event)) },
					},
				);
				await driveRun(run, level, commands);
				const { data } = await run.outcome;
				assert.equal(data.status, plain.data.status);
				assert.deepEqual(data.outputs, plain.data.outputs);
				const ran = listNodeEvents(run.reported as WorkflowEvent[]);
				const expected = listNodeEvents(plain.events);
				assert.deepEqual([...new Set(ran)], [...new Set(expected)]);
				assert.ok(ran.length === expected.length || commands.some(({ does }) => does === 'restart'));
				checkStops(run);
			}),
			{ numRuns: 60 },
		)).timeout(120_000);
});

async function driveRun(run: DebuggedRun, level: Level, commands: readonly Move[]): Promise<void> {
	for (let at = 0; ; at++) {
		const stopped = await run.stop().catch(() => undefined);
		if (!stopped) {
			return;
		}
		const standing = stopped.branches.filter(({ state }) => state === 'standing');
		if (standing.length === 0) {
			// wait until the work in progress ends: then the stop is reported again
			continue;
		}
		const move = commands[at] ?? { does: 'continue', pick: 0 };
		const branch = standing[move.pick % standing.length] as DebugBranch;
		if (move.does === 'breakpoints') {
			run.session.breakpoints.set(createBreakpoints(level, move.pick));
		}
		if (at >= commands.length) {
			run.session.breakpoints.set([]);
		}
		const [{ node = '' } = {}, ...outer] = branch.frames;
		const around = outer.find(({ kind }) => kind !== 'agent');
		const isStep = move.does === 'over' || move.does === 'into' || move.does === 'out';
		const inside = move.does === 'out' ? (around?.node === undefined ? '' : `${around.node}_`) : node;
		const moved = move.does === 'restart' ? (branch.restarts?.node ?? 'none') : isStep ? inside : '';
		run.reported.push({ event: 'moved', prefix: moved } satisfies Moved);
		try {
			if (move.does === 'over' || move.does === 'into' || move.does === 'out') {
				run.session.stepBranch(branch.id, move.does);
			} else if (move.does === 'restart') {
				run.session.restartNode(branch.id);
			} else {
				run.session.continueRun();
			}
		} catch (error) {
			// the state of the branch has been reported by now
			assert.match((error as Error).message, /isn't paused|Can't rerun a node/);
			if (!run.session.isIdle) {
				continue;
			}
			run.reported.push({ event: 'moved', prefix: '' } satisfies Moved);
			run.session.continueRun();
		}
		if (move.does === 'pause') {
			run.session.pauseRun();
		}
	}
}

/** Nodes that a command allows to start: those whose IDs have this prefix. */
interface Moved {
	readonly event: 'moved';
	readonly prefix: string;
}

/**
 * Checks that nothing starts after a stop, and that a step starts only its node and the nodes inside it, or inside the surrounding
 * container.
 */
function checkStops({ reported }: DebuggedRun): void {
	let allowed: string[] = [''];
	for (const event of reported as readonly (WorkflowEvent | Moved)[]) {
		if (event.event === 'debug_stopped') {
			const { branches } = (event as unknown as { data: Stopped }).data;
			allowed = branches.every(({ state }) => state === 'standing') ? [] : allowed;
		} else if (event.event === 'moved') {
			allowed.push((event as Moved).prefix);
		} else if (event.event === 'node_started' || event.event === toolNodeStarted) {
			const id = (event as { data: { node_id: string } }).data.node_id;
			assert.ok(
				allowed.some(prefix => id.startsWith(prefix)),
				`${id} starts where ${JSON.stringify(allowed)} may`,
			);
		}
	}
}

const runDebugNode: Execute = context => {
	const { node } = context;
	if (node.type !== 'code') {
		return runNode(context);
	}
	if (node.id === 'items') {
		return { outputs: { l1: [1], l2: [1, 2], l3: [1, 2, 3] } };
	}
	const doWork = async (): Promise<NodeResult> => {
		await delay(node.id.length % 2, undefined, { signal: context.signal });
		return { outputs: { output: node.id } };
	};
	return doWork();
};

/** Name of an event that this test sends for nodes inside tools, because nobody receives the events of tools. */
const toolNodeStarted = 'tool_node_started';

/** Creates templates that report nodes inside tools. Their text contains their duration and ID; other templates are returned unchanged. */
function createReportingTemplates(tell: (event: WorkflowEvent) => void): EngineServices['templates'] {
	return Object.assign(Object.create(plainServices.templates) as EngineServices['templates'], {
		render: (...[template, values, signal]: Parameters<EngineServices['templates']['render']>) => {
			const [, kind, id] = /^tool (quick|slow) (\S+)$/.exec(template.text) ?? [];
			if (id === undefined) {
				return plainServices.templates.render(template, values, signal);
			}
			tell({ event: toolNodeStarted, data: { node_id: id } } as unknown as WorkflowEvent);
			return kind === 'quick' ? id : delay(id.length % 2, id, { signal });
		},
	});
}

async function runWithoutDebugger(agent: LoadedAgent, tools: Readonly<Record<string, LoadedAgent>>) {
	const events: WorkflowEvent[] = [];
	const outcome = await runAgent(
		agent,
		{
			runId: 'run',
			taskId: 'task',
			workflowId: 'workflow',
			appId: 'app',
			sequenceNumber: 1,
			inputs: {},
			files: [],
			user: 'ana',
			signal: new AbortController().signal,
			emit: event => events.push(event),
		},
		{ ...plainServices, ...createAgentTools(tools), templates: createReportingTemplates(event => events.push(event)) },
		runDebugNode,
	);
	return { ...outcome, events };
}

/** Returns the events of each node and container by round, because the order of branches is undefined. */
function listNodeEvents(events: readonly WorkflowEvent[]): readonly string[] {
	return events
		.flatMap(event => {
			const {
				node_id: id,
				status,
				iteration_index: iteration,
				loop_index: loop,
			} = ('data' in event ? event.data : {}) as Record<string, unknown>;
			return event.event.startsWith('debug_') || id === undefined ? [] : [JSON.stringify([event.event, id, status, iteration, loop])];
		})
		.sort();
}

/** Sets breakpoints at about every third node. */
function createBreakpoints(level: Level, seed: number) {
	return listIds(level, 'n')
		.filter((_, index) => (index + seed) % 3 === 0)
		.map(({ id, agent }) => ({ id, node: id, ...(agent !== undefined && { agent }) }));
}

/** Returns all nodes. If their agent is used as a tool, its name is the ID of the node that uses it. */
function listIds(
	{ nodes: made }: Level,
	prefix: string,
	agent?: string,
): readonly { readonly id: string; readonly agent: string | undefined }[] {
	return made.flatMap(({ kind }, index) => {
		const id = `${prefix}${index}`;
		const inside = typeof kind === 'string' ? [] : listIds(kind.inner, `${id}_`, kind.type === 'tool' ? id : agent);
		return [{ id, agent }, ...inside];
	});
}

/** Returns the agent of a level, and the agents that it and they use as tools, by name. */
function createAgent(level: Level): { readonly agent: LoadedAgent; readonly tools: Readonly<Record<string, LoadedAgent>> } {
	const tools: Record<string, LoadedAgent> = {};
	const items = { id: 'items', data: { type: 'code', code: '', code_language: 'javascript', outputs: {} } };
	const agent = createGraph(level, 'n', [createStartNode('t'), items], ['start > items'], tools);
	return { agent, tools };
}

/** @param made initial nodes; the last of them leads to the others @param tools receives the agents that are used as tools */
function createGraph(
	level: Level,
	levelPrefix: string,
	made: TestNode[],
	edges: string[],
	tools: Record<string, LoadedAgent>,
	isTool = false,
): LoadedAgent {
	const buildLevel = ({ nodes: inside }: Level, prefix: string, root: string, parent?: string) => {
		const within = parent === undefined ? {} : { parentId: parent };
		for (const [index, { kind, after: sources }] of inside.entries()) {
			const id = `${prefix}${index}`;
			if (typeof kind !== 'string' && kind.type === 'tool') {
				made.push({ ...createAgentToolNode(id, id), ...within });
				tools[id] = createGraph(kind.inner, `${id}_`, [createStartNode()], [], tools, true);
			} else if (typeof kind !== 'string') {
				const begin = `${id}_begin`;
				// the list of items is created by a node that only the outermost agent has
				const type = isTool ? 'loop' : kind.type;
				const data =
					type === 'loop'
						? { loop_count: kind.rounds, loop_variables: [], break_conditions: [], logical_operator: 'and' }
						: {
								iterator_selector: ['items', `l${kind.rounds}`],
								output_selector: [`${id}_0`, 'output'],
								is_parallel: kind.parallel,
								parallel_nums: 3,
							};
				made.push({ id, ...within, data: { type, start_node_id: begin, ...data } });
				made.push({ id: begin, parentId: id, data: { type: `${type}-start` } });
				buildLevel(kind.inner, `${id}_`, begin, id);
			} else if (isTool && (kind === 'quick' || kind === 'slow')) {
				made.push({ ...createTemplateNode(id, `tool ${kind} ${id}`), ...within });
			} else if (kind === 'quick') {
				made.push({ ...createTemplateNode(id, id), ...within });
			} else if (kind === 'slow') {
				made.push({ id, ...within, data: { type: 'code', code: '', code_language: 'javascript', outputs: {} } });
			} else {
				const join = kind === 'yes' ? 'and' : 'or';
				made.push({ id, ...within, data: { type: 'if-else', cases: [{ case_id: 'true', logical_operator: join, conditions: [] }] } });
			}
			for (const source of sources.length === 0 ? [root] : sources.map(number => `${prefix}${number}`)) {
				const from = inside[Number(source.slice(prefix.length))];
				const isBranch = source !== root && (from?.kind === 'yes' || from?.kind === 'no');
				edges.push(`${source} [${isBranch ? (index % 2 === 0 ? 'true' : 'false') : 'source'}] > ${id}`);
			}
		}
	};
	buildLevel(level, levelPrefix, made.at(-1)?.id ?? '');
	// the end waits for all nodes, so that its output doesn't depend on their order
	made.push(createEndNode(Object.fromEntries(level.nodes.map((_, index) => [`out${index}`, `${levelPrefix}${index}.output`]))));
	for (const [index, { kind }] of level.nodes.entries()) {
		edges.push(`${levelPrefix}${index} [${kind === 'yes' || kind === 'no' ? 'true' : 'source'}] > end`);
	}
	return createTestAgent(made, edges);
}
