import type { ManagedRunDetail } from '#client/dify/management.ts';
import type { NodeResultData, WorkflowEvent } from '#contract/events.ts';

/** Maximum nesting depth of containers. A deeper trace can't come from a valid graph. */
const deepest = 20;

type Execution = NodeResultData;

/**
 * Converts the trace of a run that isn't running into events: the start and end of each node. The events of nodes inside an iteration or
 * loop come between its start and its end. If the run has finished, yields its end last.
 */
export function* toTraceEvents(detail: ManagedRunDetail, nodes: readonly NodeResultData[]): Generator<WorkflowEvent> {
	const ids = { task_id: '', workflow_run_id: detail.id };
	const { id, status, error, createdAt = 0, finishedAt, inputs, outputs } = detail;
	const run = { id, workflow_id: '', created_at: createdAt };
	yield { event: 'workflow_started', ...ids, data: { ...run, inputs: { ...inputs } } };
	const { top, inside } = groupByContainer(nodes);
	function* emitExecutions(executions: readonly Execution[]): Generator<WorkflowEvent> {
		for (const execution of executions) {
			const within = inside.get(execution) ?? [];
			const data = addContainerIds(execution);
			const kind = /^(iteration|loop)$/.exec(execution.node_type)?.[0] as 'iteration' | 'loop' | undefined;
			yield kind ? { event: `${kind}_started`, ...ids, data } : { event: 'node_started', ...ids, data };
			yield* emitExecutions(within);
			if (execution.status !== 'running' && execution.status !== 'paused') {
				yield kind ? { event: `${kind}_completed`, ...ids, data } : { event: 'node_finished', ...ids, data };
			}
		}
	}
	yield* emitExecutions(top);
	if (status !== 'running' && status !== 'paused') {
		const counts = { total_tokens: detail.totalTokens ?? 0, total_steps: detail.totalSteps ?? nodes.length };
		yield {
			event: 'workflow_finished',
			...ids,
			data: {
				...run,
				...counts,
				status,
				outputs: outputs ?? null,
				error: error ?? null,
				elapsed_time: detail.elapsedSeconds ?? 0,
				finished_at: finishedAt ?? null,
			},
		};
	}
}

/** Groups executions by the container execution that they were part of. */
function groupByContainer(nodes: readonly Execution[]): {
	readonly top: readonly Execution[];
	readonly inside: ReadonlyMap<Execution, readonly Execution[]>;
} {
	const ordered = [...nodes].sort((a, b) => (a.index ?? 0) - (b.index ?? 0) || (a.created_at ?? 0) - (b.created_at ?? 0));
	const containers = new Map<string, Execution[]>();
	for (const each of ordered) {
		if (each.node_type === 'iteration' || each.node_type === 'loop') {
			containers.set(each.node_id, [...(containers.get(each.node_id) ?? []), each]);
		}
	}
	const parents = new Map<Execution, Execution>();
	const inside = new Map<Execution, Execution[]>();
	const top: Execution[] = [];
	for (const each of ordered) {
		const candidates = containers.get(getContainerId(each) ?? '') ?? [];
		const parent = candidates.findLast(container => (container.created_at ?? 0) <= (each.created_at ?? 0)) ?? candidates[0];
		if (parent && !isNestingTooDeep(parent, each, parents)) {
			parents.set(each, parent);
			const within = inside.get(parent);
			if (within) {
				within.push(each);
			} else {
				inside.set(parent, [each]);
			}
		} else {
			top.push(each);
		}
	}
	return { top, inside };
}

/** True if adding the execution to the container would create a cycle or exceed the maximum nesting depth. */
function isNestingTooDeep(container: Execution, execution: Execution, parents: ReadonlyMap<Execution, Execution>): boolean {
	let each: Execution | undefined = container;
	for (let depth = 0; each && depth < deepest; depth++) {
		if (each === execution) {
			return true;
		}
		each = parents.get(each);
	}
	return each !== undefined;
}

function getContainerId({ execution_metadata: metadata }: Execution): string | undefined {
	const id = metadata?.['iteration_id'] ?? metadata?.['loop_id'];
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Copies the container IDs to the fields that streamed events use. */
function addContainerIds(execution: Execution): Execution {
	const { iteration_id, loop_id } = (execution.execution_metadata ?? {}) as { iteration_id?: string; loop_id?: string };
	return {
		...execution,
		...(typeof iteration_id === 'string' && { iteration_id }),
		...(typeof loop_id === 'string' && { loop_id }),
	};
}
