import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { DebugBranch } from '#contract/debugging.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { EngineServices } from '#engine/run/engineTypes.ts';
import { runAgent } from '#engine/run/run.ts';
import { createAgentTools } from '../../contract/agentsAsTools.ts';
import { closeDebugging, type DebuggedRun, type Stopped, startDebugging } from './debugFixture.ts';
import { createTestServices } from './engineFixture.ts';
import { createAgent, createLevels, type Level, runDebugNode } from './randomGraphFixture.ts';

const plainServices = createTestServices(undefined, { maxSteps: 2_000 });

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
