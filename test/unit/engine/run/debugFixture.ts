import type { DebugBranch, DebugEvent, DebugOptions } from '#contract/debugging.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { EngineServices, RunOptions, RunOutcome } from '#engine/run/engineTypes.ts';
import { runAgent, runNode } from '#engine/run/run.ts';
import type { Execute } from '#engine/run/runState.ts';
import { DebugSession } from '#gateway/debug/debugSession.ts';
import { Expressions } from '#gateway/debug/expressions.ts';
import { Inspection } from '#gateway/debug/inspection.ts';
import { TimeTravel } from '#gateway/debug/timeTravel.ts';
import { createTestServices } from './engineFixture.ts';

export type Stopped = Extract<DebugEvent, { event: 'debug_stopped' }>['data'];

/** A run debugged without a gateway: its events in order, and its commands. */
export interface DebuggedRun {
	readonly session: DebugSession;
	readonly travel: TimeTravel;
	readonly inspection: Inspection;
	/** Events of the run and of the session. */
	readonly reported: (WorkflowEvent | DebugEvent)[];
	/** Resolves to the next stop that wasn't returned yet. Rejects if the run ends first. */
	stop(): Promise<Stopped>;
	/** Resolves when the run has ended. */
	readonly outcome: Promise<RunOutcome>;
	readonly abort: AbortController;
	/** IDs of nodes that have started so far. */
	listStarted(): readonly string[];
}

let expressions = new Expressions();
let services = createTestServices();

/** Closes the engine. Call it after all tests of a file; the next file creates another engine. */
export async function closeDebugging(): Promise<void> {
	await expressions.close();
	await services.code.close();
	await services.templates.close();
	await services.documents.close();
	expressions = new Expressions();
	services = createTestServices();
}

export function startDebugging(
	agent: LoadedAgent,
	debugOptions: DebugOptions = {},
	{
		execute = runNode,
		more = {},
		settings = {},
		others = {},
		name,
	}: {
		execute?: Execute;
		more?: Partial<RunOptions>;
		settings?: Partial<EngineServices['settings']>;
		others?: Partial<EngineServices>;
		/** Name of the agent. */
		name?: string;
	} = {},
): DebuggedRun {
	const reported: (WorkflowEvent | DebugEvent)[] = [];
	const inspection = new Inspection(expressions);
	const abort = new AbortController();
	let wakeWaiting = () => {};
	const recordEvent = (event: WorkflowEvent | DebugEvent) => {
		reported.push(event);
		wakeWaiting();
	};
	const session = new DebugSession(debugOptions, recordEvent, inspection.evaluateAt, name);
	const travel = new TimeTravel(session, recordEvent, inspection.evaluateAt);
	let ended = false;
	const outcome = runAgent(
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
			signal: abort.signal,
			emit: recordEvent,
			...more,
			gate: session,
		},
		{ ...services, ...others, settings: { ...services.settings, ...settings } },
		execute,
	).finally(() => {
		ended = true;
		session.close();
		wakeWaiting();
	});
	let taken = 0;
	return {
		session,
		travel,
		inspection,
		reported,
		outcome,
		abort,
		async stop() {
			for (;;) {
				const at = reported.findIndex((event, index) => index >= taken && event.event === 'debug_stopped');
				if (at >= 0) {
					taken = at + 1;
					return (reported[at] as { data: Stopped }).data;
				}
				if (ended) {
					throw new Error(`the run ended without a stop: ${JSON.stringify(reported.at(-1))}`);
				}
				await new Promise<void>(resolve => {
					wakeWaiting = resolve;
				});
			}
		},
		listStarted: () =>
			reported.flatMap(event => (event.event === 'node_started' ? [(event as { data: { node_id: string } }).data.node_id] : [])),
	};
}

/** Describes the position of a branch from its innermost frame: `b`, `sort < each[1] < test`, with `…` if the branch is ending. */
export function describePosition({ frames, state }: DebugBranch): string {
	const text = frames
		.filter(({ kind }) => kind !== 'agent')
		.map(({ node, round }) => (round === undefined ? node : `${node}[${round}]`))
		.join(' < ');
	return state === 'standing' ? text : `${text}…`;
}

export function listPositions({ branches }: Stopped): readonly string[] {
	return branches.map(describePosition);
}
