import { setTimeout as delay } from 'node:timers/promises';
import type { AgentNode, Edge, Graph } from '../agentFile/agentTypes.ts';
import type { NodeContext, NodeResult, RoundEnd, RoundRunner } from '../nodes/nodeType.ts';
import type { VariablePool } from '../variables/variables.ts';
import type { Execution, NodeEnd, Place } from './execution.ts';
import { FormWaits } from './formWaits.ts';
import { GraphProgress, type ReadyNode } from './graphProgress.ts';
import { nodeContext } from './nodeContext.ts';
import type { LeftNode, PausedRun } from './pausedRun.ts';
import { ResponseStream } from './responseStream.ts';
import { noRounds, type RunLevel, roundRunner } from './rounds.ts';
import { failureOutputs, mergeOutputs } from './runOutputs.ts';
import type { RunState } from './runState.ts';

/** Milliseconds that the end of a run waits for work in flight that was told to stop. */
const patienceMs = 1000;

type LevelEnd = Pick<RoundEnd, 'status' | 'error'>;

/**
 * Walks one level of a graph: the agent, or one round of a container. Nodes that are ready run at the same time; those that need not wait
 * run at once, in the order in which they became ready, as long as the run's turn at the event loop lasts.
 */
export class GraphRun {
	readonly #graph: Graph;
	readonly #root: AgentNode;
	readonly #run: RunState;
	readonly #variables: VariablePool;
	readonly #place: Place;
	/** Whether this is the agent itself and no round. */
	readonly #outermost: boolean;
	readonly #outerSignal: AbortSignal;
	readonly #abort = new AbortController();
	readonly #progress: GraphProgress;
	/** Texts of the agent's own end and answer nodes; those in rounds send none. */
	readonly #responses: ResponseStream | undefined;
	/** Outputs of this level as far as end and answer nodes were reached. */
	readonly #outputs: Record<string, unknown> = {};
	readonly #inFlight = new Set<Execution>();
	readonly #settling = new Set<Promise<unknown>>();
	/** Nodes that have ended, of a run that may pause. */
	readonly #left: LeftNode[] = [];
	readonly #forms: FormWaits;
	#ready: ReadyNode[] = [];
	#draining = false;
	#tokens = 0;
	#end: LevelEnd | undefined;
	/** What failed first in this round; what runs beside it is let finish. */
	#failure: Error | undefined;
	/** A loop-end node was reached. */
	#broke = false;
	#finish: () => void = () => {};

	/** @param root the run begins with it @param place where it is inside of containers @param outerSignal ends it */
	constructor(graph: Graph, root: AgentNode, run: RunState, variables: VariablePool, outerSignal: AbortSignal, place?: Place) {
		this.#graph = graph;
		this.#root = root;
		this.#run = run;
		this.#variables = variables;
		this.#outerSignal = outerSignal;
		this.#place = place ?? {};
		this.#outermost = place === undefined;
		this.#responses = this.#outermost
			? new ResponseStream(graph, root, variables, (text, selector) => run.sendText(text, selector))
			: undefined;
		this.#progress = new GraphProgress(graph);
		this.#forms = new FormWaits(run);
	}

	/** Runs it to its end, or to where it waits for a person; called once. Nothing is left running when it resolves. @param paused goes on from there */
	async run(paused?: PausedRun): Promise<RoundEnd> {
		const finished = new Promise<void>(resolve => {
			this.#finish = resolve;
		});
		const stop = () => this.#close({ status: 'stopped', error: stopReason(this.#outerSignal) });
		if (this.#outerSignal.aborted) {
			stop();
		} else {
			this.#outerSignal.addEventListener('abort', stop, { once: true });
			this.#begin(paused);
			this.#drain();
		}
		await finished;
		this.#outerSignal.removeEventListener('abort', stop);
		if (this.#settling.size > 0) {
			const patience = new AbortController();
			await Promise.race([Promise.allSettled(this.#settling), delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {})]);
			patience.abort();
		}
		return { ...(this.#end as LevelEnd), broke: this.#broke, tokens: this.#tokens, outputs: this.#outputs };
	}

	/** IDs of nodes that no taken edge led to; sorted. */
	skippedNodes(): string[] {
		return this.#progress.skippedNodes();
	}

	/** What is needed to go on from where it has paused. */
	pausedState(): Pick<PausedRun, 'root' | 'outputs' | 'left' | 'waiting' | 'texts'> {
		const texts = this.#responses?.state() ?? { sessions: [], queue: [], streams: {} };
		return { root: this.#root.id, outputs: this.#outputs, left: this.#left, waiting: this.#forms.waiting, texts };
	}

	#begin(paused: PausedRun | undefined): void {
		const root = this.#root;
		for (const other of this.#graph.roots) {
			for (const node of other === root ? [] : this.#progress.skipRoot(other)) {
				this.#responses?.nodeSkipped(node);
			}
		}
		if (paused) {
			this.#restore(paused);
			return;
		}
		this.#responses?.begin();
		this.#ready.push({ node: root, predecessor: null });
	}

	/** Decides again what was decided before the run paused, and starts the nodes that wait. */
	#restore({ left, outputs, texts, waiting }: PausedRun): void {
		const taken: Edge[] = [];
		for (const { node: id, handle } of left) {
			const step = this.#progress.leave(this.#nodeOf(id), handle);
			taken.push(...step.taken);
			for (const skipped of step.skipped) {
				this.#responses?.nodeSkipped(skipped);
			}
		}
		this.#left.push(...left);
		this.#responses?.restore(texts, taken);
		Object.assign(this.#outputs, outputs);
		this.#forms.restore(waiting);
		this.#ready.push(...waiting.map(({ node, predecessor }) => ({ node: this.#nodeOf(node), predecessor })));
	}

	/** @throws {Error} if the agent is another than the one that paused */
	#nodeOf(id: string): AgentNode {
		const node = this.#graph.nodes.get(id);
		if (!node) {
			throw new Error(`The agent has no node "${id}" any more: the run can only go on with the agent that it was begun with`);
		}
		return node;
	}

	#drain(): void {
		if (this.#draining) {
			return;
		}
		this.#draining = true;
		while (!this.#end && this.#ready.length > 0) {
			const batch = this.#ready;
			this.#ready = [];
			for (const [index, { node, predecessor }] of batch.entries()) {
				if (this.#end) {
					break;
				}
				if (this.#run.scheduler.turnIsOver()) {
					this.#ready = [...batch.slice(index), ...this.#ready];
					this.#run.scheduler.nextTurn(() => {
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
			this.#close(
				this.#failure ? { status: 'failed', error: this.#failure } : { status: this.#forms.waiting.length > 0 ? 'paused' : 'succeeded' },
			);
		}
	}

	#start(node: AgentNode, predecessor: string | null): void {
		if (!this.#countStep()) {
			return;
		}
		if (node.nodeType?.type === 'container-start') {
			this.#takeEdges(node, undefined);
			return;
		}
		this.#attempt(this.#run.events.nodeStarted(node, predecessor, this.#place));
	}

	/** @returns false if the run is over its limit and has been ended */
	#countStep(): boolean {
		if (!this.#run.scheduler.step()) {
			return false;
		}
		if (this.#outermost) {
			this.#run.steps++;
		}
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
			this.#close({ status: 'failed', error: asError(error) });
		}
		this.#drain();
	}

	#succeeded(execution: Execution, result: NodeResult): void {
		const { node } = execution;
		const { outputs, form } = result;
		if (form) {
			this.#forms.add(execution, form);
			return;
		}
		this.#forms.tellAnswer(node, result);
		this.#count(execution);
		this.#variables.setAll(node.id, node.nodeType?.container ? { ...this.#variables.all(node.id), ...outputs } : outputs);
		if (node.nodeType?.template) {
			mergeOutputs(this.#outputs, outputs);
		}
		this.#broke ||= node.nodeType?.type === 'loop-end';
		this.#takeEdges(node, result.handle);
		this.#responses?.nodeEnded(node);
		this.#finished(execution, { status: 'succeeded', outputs, error: null });
		this.#responses?.close(node);
	}

	#failed(execution: Execution, thrown: unknown): void {
		const { node } = execution;
		const error = asError(thrown);
		this.#run.exceptions++;
		this.#responses?.nodeFailed(node);
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
			if (this.#outermost) {
				this.#close({ status: 'failed', error });
			}
			this.#failure ??= error;
			return;
		}
		const outputs = failureOutputs(node, error);
		this.#variables.setAll(node.id, outputs);
		this.#takeEdges(node, 'fail-branch');
		this.#responses?.nodeEnded(node);
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
		const chosen = chooses ? (handle ?? 'source') : undefined;
		const { taken, skipped, ready } = this.#progress.leave(node, chosen);
		if (this.#outermost && this.#run.options.mayPause) {
			this.#left.push({ node: node.id, ...(chosen !== undefined && { handle: chosen }) });
		}
		this.#ready.push(...ready);
		if (!this.#responses) {
			return;
		}
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
	#close(end: LevelEnd): void {
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

	#rounds(execution: Execution, inner: Graph): RoundRunner {
		return roundRunner(execution, inner, this.#run.events, this.#runLevel, this.#place, this.#abort.signal, this.#outputs);
	}

	readonly #runLevel: RunLevel = (graph, variables, signal, place) =>
		new GraphRun(graph, graph.root, this.#run, variables, signal, place).run();

	#context(execution: Execution): NodeContext<never> {
		const { node } = execution;
		return nodeContext(execution, this.#run, {
			variables: this.#variables,
			place: this.#place,
			outermost: this.#outermost,
			signal: this.#abort.signal,
			answer: this.#outermost ? this.#forms.answerOf(node) : undefined,
			responses: this.#responses,
			rounds: node.inner ? this.#rounds(execution, node.inner) : noRounds,
		});
	}
}

function stopReason(signal: AbortSignal): Error {
	return signal.reason instanceof Error && signal.reason.name === 'Error' ? signal.reason : new Error('Stopped by user.');
}

function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
