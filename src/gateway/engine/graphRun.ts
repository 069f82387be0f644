import { setTimeout as delay } from 'node:timers/promises';
import type { AgentNode, Graph } from './agentTypes.ts';
import { GraphProgress, type ReadyNode } from './graphProgress.ts';
import type { NodeContext, NodeResult, RoundEnd } from './nodes/nodeType.ts';
import { ResponseStream } from './responseStream.ts';
import { noRounds, roundRunner } from './rounds.ts';
import type { Execution, NodeEnd, Place } from './runEvents.ts';
import { failureOutputs, mergeOutputs } from './runOutputs.ts';
import type { RunState } from './runState.ts';
import type { VariablePool } from './variables.ts';

/** Milliseconds of work at a stretch before other work of the process gets its turn. */
const sliceMs = 5;
/** Milliseconds that the end of a run waits for work in flight that was told to stop. */
const patienceMs = 1000;

/**
 * Walks one level of a graph: the agent, or one round of a container. Nodes that are ready run at the same time; those that need not wait
 * run at once, in the order in which they became ready.
 */
export class GraphRun {
	readonly #graph: Graph;
	readonly #run: RunState;
	readonly #variables: VariablePool;
	readonly #place: Place;
	/** Whether this is the agent itself and no round. */
	readonly #outermost: boolean;
	readonly #outerSignal: AbortSignal;
	readonly #abort = new AbortController();
	readonly #progress: GraphProgress;
	readonly #responses: ResponseStream;
	readonly #inFlight = new Set<Execution>();
	readonly #settling = new Set<Promise<unknown>>();
	#ready: ReadyNode[] = [];
	#draining = false;
	#tokens = 0;
	#end: Omit<RoundEnd, 'tokens'> | undefined;
	#finish: () => void = () => {};

	/** @param place where it is inside of containers @param outerSignal ends it */
	constructor(graph: Graph, run: RunState, variables: VariablePool, outerSignal: AbortSignal, place?: Place) {
		this.#graph = graph;
		this.#run = run;
		this.#variables = variables;
		this.#outerSignal = outerSignal;
		this.#place = place ?? {};
		this.#outermost = place === undefined;
		this.#responses = new ResponseStream(graph, variables, (text, selector) => run.events.textChunk(text, selector, this.#place));
		this.#progress = new GraphProgress(graph);
	}

	/** Runs it to its end; called once. Nothing is left running when it resolves. */
	async run(): Promise<RoundEnd> {
		const finished = new Promise<void>(resolve => {
			this.#finish = resolve;
		});
		const stop = () => this.#close({ status: 'stopped', error: stopReason(this.#outerSignal), broke: false });
		if (this.#outerSignal.aborted) {
			stop();
		} else {
			this.#outerSignal.addEventListener('abort', stop, { once: true });
			this.#ready.push({ node: this.#graph.root, predecessor: null });
			this.#drain();
		}
		await finished;
		this.#outerSignal.removeEventListener('abort', stop);
		if (this.#settling.size > 0) {
			const patience = new AbortController();
			await Promise.race([Promise.allSettled(this.#settling), delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {})]);
			patience.abort();
		}
		return { ...(this.#end as Omit<RoundEnd, 'tokens'>), tokens: this.#tokens };
	}

	/** IDs of nodes that no taken edge led to; sorted. */
	skippedNodes(): string[] {
		return this.#progress.skippedNodes();
	}

	#drain(): void {
		if (this.#draining) {
			return;
		}
		this.#draining = true;
		const sliceEnd = performance.now() + sliceMs;
		while (!this.#end && this.#ready.length > 0) {
			const batch = this.#ready;
			this.#ready = [];
			for (const [index, { node, predecessor }] of batch.entries()) {
				if (this.#end) {
					break;
				}
				if (performance.now() > sliceEnd) {
					this.#ready = [...batch.slice(index), ...this.#ready];
					setImmediate(() => {
						this.#draining = false;
						this.#drain();
					});
					return;
				}
				this.#start(node, predecessor);
			}
		}
		this.#draining = false;
		if (!this.#end && this.#inFlight.size === 0) {
			this.#close({ status: 'succeeded', broke: false });
		}
	}

	#start(node: AgentNode, predecessor: string | null): void {
		if (node.nodeType?.type === 'container-start') {
			this.#takeEdges(node, undefined);
			return;
		}
		if (!this.#countStep()) {
			return;
		}
		this.#attempt(this.#run.events.nodeStarted(node, predecessor, this.#place));
	}

	/** @returns false if the run is over its limit and has been ended */
	#countStep(): boolean {
		if (!this.#outermost) {
			return true;
		}
		if (this.#run.steps >= this.#run.maxSteps) {
			this.#close({
				status: 'stopped',
				error: new Error(`Maximum execution steps exceeded: ${this.#run.steps + 1} > ${this.#run.maxSteps}`),
				broke: false,
			});
			return false;
		}
		this.#run.steps++;
		return true;
	}

	#attempt(execution: Execution): void {
		try {
			const result = this.#run.execute(this.#context(execution));
			if (result instanceof Promise) {
				this.#wait(execution, result);
			} else {
				this.#succeeded(execution, result);
			}
		} catch (error) {
			this.#failed(execution, error);
		}
	}

	#wait(execution: Execution, result: Promise<NodeResult>): void {
		this.#inFlight.add(execution);
		const settled = result
			.then(
				value => this.#settle(execution, () => this.#succeeded(execution, value)),
				error => this.#settle(execution, () => this.#failed(execution, error)),
			)
			.finally(() => this.#settling.delete(settled));
		this.#settling.add(settled);
	}

	/** What comes after the end of this level is dropped: the node has been told as stopped. */
	#settle(execution: Execution, then: () => void): void {
		if (execution.done) {
			return;
		}
		this.#inFlight.delete(execution);
		try {
			then();
		} catch (error) {
			// a fault of the engine itself must end the run, or it would wait for ever
			this.#close({ status: 'failed', error: asError(error), broke: false });
		}
		this.#drain();
	}

	#succeeded(execution: Execution, result: NodeResult): void {
		const { node } = execution;
		const { outputs } = result;
		this.#count(execution);
		this.#variables.setAll(node.id, node.nodeType?.container ? { ...this.#variables.all(node.id), ...outputs } : outputs);
		mergeOutputs(this.#run.outputs, node, outputs);
		this.#responses.nodeSucceeded(node);
		this.#takeEdges(node, result.handle);
		this.#finished(execution, { status: 'succeeded', outputs, error: null });
		this.#responses.close(node);
		if (node.nodeType?.type === 'loop-end') {
			this.#close({ status: 'succeeded', broke: true });
		}
	}

	#failed(execution: Execution, thrown: unknown): void {
		const { node } = execution;
		const error = asError(thrown);
		if (this.#outermost) {
			this.#run.exceptions++;
		}
		this.#responses.nodeFailed(node);
		if (execution.retries < node.failure.retries) {
			execution.retries++;
			this.#run.events.nodeRetry(execution, { status: 'retry', outputs: {}, error: error.message }, this.#place);
			if (this.#countStep()) {
				this.#wait(execution, this.#later(execution));
			}
			return;
		}
		this.#count(execution);
		if (node.failure.strategy === 'none') {
			this.#finished(execution, { status: 'failed', outputs: {}, error: error.message });
			this.#close({ status: 'failed', error, broke: false });
			return;
		}
		const outputs = failureOutputs(node, error);
		this.#variables.setAll(node.id, outputs);
		this.#takeEdges(node, 'fail-branch');
		this.#finished(execution, { status: 'exception', outputs, error: error.message });
	}

	async #later(execution: Execution): Promise<NodeResult> {
		await delay(execution.node.failure.retryDelayMs, undefined, { signal: this.#abort.signal });
		return this.#run.execute(this.#context(execution));
	}

	/** A container's tokens are those of the nodes inside, which have counted them for the run. */
	#count({ node, draft: { metadata } }: Execution): void {
		const tokens = typeof metadata['total_tokens'] === 'number' ? metadata['total_tokens'] : 0;
		this.#tokens += tokens;
		if (!node.inner) {
			this.#run.tokens += tokens;
		}
	}

	/** @param handle way out of a branching node; with an error strategy, the ways are `source` and `fail-branch` */
	#takeEdges(node: AgentNode, handle: string | undefined): void {
		const chooses = node.nodeType?.branches || node.failure.strategy === 'fail-branch';
		const { taken, skipped, ready } = this.#progress.leave(node, chooses ? (handle ?? 'source') : undefined);
		this.#ready.push(...ready);
		for (const target of skipped) {
			this.#responses.nodeSkipped(target);
		}
		for (const edge of taken) {
			this.#responses.edgeTaken(edge);
		}
	}

	#finished(execution: Execution, end: NodeEnd): void {
		execution.done = true;
		this.#run.events.nodeFinished(execution, end, this.#place);
	}

	/** Ends this level: work in flight is told to stop, and its nodes are told as stopped. */
	#close(end: Omit<RoundEnd, 'tokens'>): void {
		if (this.#end) {
			return;
		}
		this.#end = end;
		this.#ready = [];
		this.#abort.abort(end.error);
		for (const execution of this.#inFlight) {
			this.#finished(execution, { status: 'stopped', outputs: {}, error: end.error?.message ?? null });
		}
		this.#inFlight.clear();
		this.#finish();
	}

	#context(execution: Execution): NodeContext<never> {
		const { node, draft } = execution;
		return {
			node,
			settings: node.settings as never,
			variables: this.#variables,
			services: this.#run.services,
			run: this.#run.options,
			signal: this.#abort.signal,
			record: draft,
			stream: (variable, text, last) => {
				if (!execution.done) {
					this.#responses.chunk(node, variable, text, last);
				}
			},
			rounds: node.inner ? roundRunner(execution, node.inner, this.#run, this.#place, this.#abort.signal) : noRounds,
		};
	}
}

function stopReason(signal: AbortSignal): Error {
	return signal.reason instanceof Error && signal.reason.name === 'Error' ? signal.reason : new Error('Stopped by user.');
}

function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
