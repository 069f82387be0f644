import { setTimeout as delay } from 'node:timers/promises';
import type { AgentNode, Graph } from '../agentFile/agentTypes.ts';
import { MissingVariableError, type NodeContext, NodeError, type NodeResult, type RoundEnd, type RoundRunner } from '../nodes/nodeType.ts';
import { plainValues } from '../variables/float.ts';
import { maxTextLength } from '../variables/textLength.ts';
import type { VariablePool } from '../variables/variables.ts';
import type { Execution, NodeEnd, Place } from './execution.ts';
import { FormWaits } from './formWaits.ts';
import type { Around, GateLevel } from './gate.ts';
import type { ReadyNode } from './graphProgress.ts';
import { startVariables } from './inputs.ts';
import { LevelFlow } from './levelFlow.ts';
import { nodeContext } from './nodeContext.ts';
import type { PausedRun } from './pausedRun.ts';
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
export class GraphRun implements GateLevel {
	readonly run: RunState;
	readonly graph: Graph;
	readonly variables: VariablePool;
	readonly place: Place;
	readonly around: Around | undefined;
	readonly #root: AgentNode;
	/** Whether this is the agent itself and no round. */
	readonly #outermost: boolean;
	readonly #outerSignal: AbortSignal;
	readonly #abort = new AbortController();
	readonly #flow: LevelFlow;
	/** Texts of the agent's own end and answer nodes; those in rounds send none. */
	readonly #responses: ResponseStream | undefined;
	/** Outputs of this level as far as end and answer nodes were reached. */
	readonly #outputs: Record<string, unknown> = {};
	readonly #inFlight = new Set<Execution>();
	readonly #settling = new Set<Promise<unknown>>();
	/** Nodes that the run's gate lets wait. */
	#held = 0;
	readonly #forms: FormWaits;
	#draining = false;
	#tokens = 0;
	#end: LevelEnd | undefined;
	/** What failed first in this round; what runs beside it is let finish. */
	#failure: Error | undefined;
	/** A loop-end node was reached. */
	#broke = false;
	#finish: () => void = () => {};

	/** @param root the run begins with it @param outerSignal ends it @param inside the round that it is, if it is no agent */
	constructor(
		graph: Graph,
		root: AgentNode,
		run: RunState,
		variables: VariablePool,
		outerSignal: AbortSignal,
		inside?: { readonly place: Place; readonly around: Around },
	) {
		this.graph = graph;
		this.#root = root;
		this.run = run;
		this.variables = variables;
		this.#outerSignal = outerSignal;
		this.place = inside?.place ?? {};
		this.around = inside ? inside.around : run.options.caller;
		this.#outermost = inside === undefined;
		this.#responses = this.#outermost
			? new ResponseStream(graph, root, variables, (text, selector) => run.sendText(text, selector) || this.#refuseText())
			: undefined;
		const { mayPause, gate } = run.options;
		this.#flow = new LevelFlow(graph, root, this.#responses, gate !== undefined || (this.#outermost && (mayPause ?? false)));
		this.#forms = new FormWaits(run);
	}

	/** Runs it to its end, or to where it waits for a person; called once. Nothing is left running when it resolves. @param paused goes on from there */
	async walk(paused?: PausedRun): Promise<RoundEnd> {
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
		return this.#flow.skippedNodes();
	}

	/** What is needed to go on from where it has paused. */
	pausedState(): Pick<PausedRun, 'root' | 'outputs' | 'left' | 'waiting' | 'texts'> {
		const texts = this.#responses?.state() ?? { sessions: [], queue: [], streams: {} };
		return { root: this.#root.id, outputs: this.#outputs, left: this.#flow.left, waiting: this.#forms.waiting, texts };
	}

	again(node: AgentNode): void {
		this.run.rewritten = true;
		this.#flow.takeBack(node);
		this.#drain();
	}

	#begin(paused: PausedRun | undefined): void {
		if (paused) {
			Object.assign(this.#outputs, paused.outputs);
			this.#forms.restore(paused.waiting);
		}
		this.#flow.begin(paused);
	}

	#drain(): void {
		if (this.#draining) {
			return;
		}
		this.#draining = true;
		const flow = this.#flow;
		while (!this.#end && flow.ready.length > 0) {
			const batch = flow.ready;
			flow.ready = [];
			for (const [index, ready] of batch.entries()) {
				if (this.#end) {
					break;
				}
				if (this.run.scheduler.turnIsOver()) {
					flow.ready = [...batch.slice(index), ...flow.ready];
					this.run.scheduler.nextTurn(() => {
						this.#draining = false;
						this.#drain();
					});
					return;
				}
				this.#next(ready);
			}
		}
		this.#draining = false;
		if (!this.#end && this.#inFlight.size === 0 && this.#held === 0) {
			this.#close(
				this.#failure ? { status: 'failed', error: this.#failure } : { status: this.#forms.waiting.length > 0 ? 'paused' : 'succeeded' },
			);
		}
	}

	/** Starts a node, once the run's gate lets it. Where a round begins is no node to stop at. */
	#next(ready: ReadyNode): void {
		const begins = ready.node.nodeType?.type === 'container-start';
		const held = begins ? undefined : this.run.options.gate?.before(ready, this);
		if (!held) {
			this.#start(ready);
			return;
		}
		this.#held++;
		void held.then(starts => {
			this.#held--;
			this.#goOn(() => (starts ? this.#start(ready) : undefined));
		});
	}

	#start({ node, predecessor }: ReadyNode): void {
		if (this.#end || !this.#countStep()) {
			return;
		}
		if (node.nodeType?.type === 'container-start') {
			this.#takeEdges(node, undefined);
			return;
		}
		this.#attempt(this.run.events.nodeStarted(node, predecessor, this.place));
	}

	/** @returns false if the run is over its limit and has been ended */
	#countStep(): boolean {
		if (!this.run.scheduler.step()) {
			return false;
		}
		if (this.#outermost) {
			this.run.steps++;
		}
		return true;
	}

	#attempt(execution: Execution): void {
		try {
			const result = this.run.execute(this.#context(execution));
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
		this.#goOn(then);
	}

	#goOn(then: () => void): void {
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
		const { form } = result;
		if (form) {
			this.#forms.add(execution, form);
			return;
		}
		this.#forms.tellAnswer(node, result);
		this.#count(execution);
		if (node.nodeType?.container) {
			this.variables.add(node.id, result.outputs);
		} else {
			this.variables.setAll(node.id, result.outputs);
		}
		const outputs = plainValues(result.outputs);
		if (node.nodeType?.template) {
			mergeOutputs(this.#outputs, outputs);
		}
		this.#broke ||= node.nodeType?.type === 'loop-end';
		this.#takeEdges(node, result.handle);
		this.#responses?.nodeEnded(node);
		this.#finished(execution, { status: 'succeeded', outputs, error: null });
		this.#responses?.close(node);
	}

	/** An attempt has failed: the run's gate may let the node run again. */
	#failed(execution: Execution, thrown: unknown): void {
		const error = namingInput(asError(thrown), execution.node, this.run.agent);
		this.#responses?.nodeFailed(execution.node);
		const held = this.run.options.gate?.failed(execution, error, this);
		if (!held) {
			this.#fail(execution, error);
			return;
		}
		this.#inFlight.add(execution);
		void held.then(again =>
			this.#settle(execution, () => {
				if (!again) {
					this.#fail(execution, error);
				} else if (this.#countStep()) {
					this.#attempt(execution);
				}
			}),
		);
	}

	#fail(execution: Execution, error: Error): void {
		const { node } = execution;
		this.run.exceptions++;
		if (execution.retries < node.failure.retries) {
			execution.retries++;
			this.run.events.nodeRetry(execution, { status: 'retry', outputs: {}, error: error.message }, this.place);
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
		const failed = failureOutputs(node, error);
		this.variables.setAll(node.id, failed);
		const outputs = plainValues(failed);
		this.#takeEdges(node, 'fail-branch');
		this.#responses?.nodeEnded(node);
		this.#finished(execution, { status: 'exception', outputs, error: error.message });
	}

	async #later(execution: Execution): Promise<NodeResult> {
		await delay(execution.node.failure.retryDelayMs, undefined, { signal: this.#abort.signal });
		return this.run.execute(this.#context(execution));
	}

	/** A container's tokens are those of the nodes inside, which have counted them for the run. */
	#count({ node, draft: { metadata } }: Execution): void {
		const tokens = typeof metadata['total_tokens'] === 'number' ? metadata['total_tokens'] : 0;
		this.#tokens += tokens;
		if (!node.inner) {
			this.run.tokens += tokens;
		}
	}

	/** @param handle way out of a branching node; with an error strategy, the ways are `source` and `fail-branch` */
	#takeEdges(node: AgentNode, handle: string | undefined): void {
		const chooses = node.nodeType?.branches || node.failure.strategy === 'fail-branch';
		const ready = this.#flow.leave(node, chooses ? (handle ?? 'source') : undefined);
		this.run.options.gate?.led(node, ready, this);
	}

	#finished(execution: Execution, end: NodeEnd): void {
		execution.done = true;
		this.run.events.nodeFinished(execution, end, this.place);
		this.run.options.gate?.finished(execution.node, this);
	}

	/** The run has more text than it can send: it fails, so that nobody takes the beginning for the whole. */
	#refuseText(): false {
		this.#close({
			status: 'failed',
			error: new NodeError(`The texts of the run are over ${maxTextLength} characters, the most that a run can send`, ''),
		});
		return false;
	}

	/** Ends this level: work in flight is told to stop, and its nodes are told as stopped. */
	#close(end: LevelEnd): void {
		if (this.#end) {
			return;
		}
		this.#end = end;
		this.#flow.ready = [];
		this.#abort.abort(end.error);
		for (const execution of this.#inFlight) {
			this.#finished(execution, { status: 'stopped', outputs: {}, error: end.error?.message ?? null });
		}
		this.#inFlight.clear();
		this.run.options.gate?.closed(this);
		this.#finish();
	}

	#rounds(execution: Execution, inner: Graph): RoundRunner {
		const { run } = this;
		const runLevel: RunLevel = (round, variables, place) => {
			const around = { level: this, node: execution.node, round };
			return new GraphRun(inner, inner.root, run, variables, this.#abort.signal, { place, around }).walk();
		};
		return roundRunner(execution, run.events, runLevel, this.place, this.#outputs);
	}

	#context(execution: Execution): NodeContext<never> {
		const { node } = execution;
		const { options } = this.run;
		return nodeContext(execution, this.run, {
			// what a node runs as a tool stands behind the same gate
			options: options.gate ? { ...options, caller: { level: this, node } } : options,
			variables: this.variables,
			place: this.place,
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

/** What a node misses that is an input of the run was left out by whoever started it: the error says so. */
function namingInput(error: Error, { title }: AgentNode, { graph }: RunState['agent']): Error {
	if (!(error instanceof MissingVariableError)) {
		return error;
	}
	const [id, name] = error.selector;
	const start = graph.roots.find(root => root.id === id && root.type === 'start');
	const isInput = start && startVariables(start).some(({ variable }) => variable === name);
	return isInput ? new NodeError(`Input '${name}' was not given, and node '${title}' needs it`, error.type, { cause: error }) : error;
}
