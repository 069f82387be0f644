import { setTimeout as delay } from 'node:timers/promises';
import type { AgentNode, Graph } from '../../agentFile/agentTypes.ts';
import { NodeError } from '../../nodes/nodeError.ts';
import type { NodeContext, NodeResult, RoundEnd, RoundRunner } from '../../nodes/nodeType.ts';
import { isRecordingMissing } from '../../recordings/recordingMissing.ts';
import { toPlainValues } from '../../variables/float.ts';
import { maxTextLength } from '../../variables/textLength.ts';
import type { VariablePool } from '../../variables/variables.ts';
import type { Execution, ExecutionPlace, NodeEnd } from '../execution.ts';
import { FormWaits } from '../formWaits.ts';
import type { EnclosingNode, GateLevel } from '../gate.ts';
import { createNodeContext } from '../nodeContext.ts';
import type { PausedRun } from '../pausedRun.ts';
import { addMissingInputName, getStopReason, toError } from '../runErrors.ts';
import { getFailureOutputs, mergeOutputs } from '../runOutputs.ts';
import type { RunState } from '../runState.ts';
import type { ReadyNode } from './graphProgress.ts';
import { InFlightNodes } from './inFlightNodes.ts';
import { LevelFlow } from './levelFlow.ts';
import { ResponseStream } from './responseStream.ts';
import { createIterationRunner, noRounds, type RunLevel } from './rounds.ts';

type LevelEnd = Pick<RoundEnd, 'status' | 'error'>;

/**
 * Runs one level of a graph: the agent, or an iteration of a container. Ready nodes run concurrently. Synchronous nodes run immediately,
 * in the order in which they became ready, until the run's time slice of the event loop is used up.
 */
export class GraphRun implements GateLevel {
	readonly run: RunState;
	readonly graph: Graph;
	readonly variables: VariablePool;
	readonly place: ExecutionPlace;
	readonly around: EnclosingNode | undefined;
	readonly #root: AgentNode;
	/** True for the agent itself, false for an iteration. */
	readonly #outermost: boolean;
	readonly #outerSignal: AbortSignal;
	readonly #abort = new AbortController();
	readonly #flow: LevelFlow;
	/** Streamed text of the agent's end and answer nodes; undefined in iterations, which send none. */
	readonly #responses: ResponseStream | undefined;
	/** Outputs of the end and answer nodes reached so far. */
	readonly #outputs: Record<string, unknown> = {};
	readonly #inFlight = new InFlightNodes();
	/** Number of nodes held back by the run's gate. */
	#held = 0;
	readonly #forms: FormWaits;
	#isStarting = false;
	#tokens = 0;
	#levelEnd: LevelEnd | undefined;
	/** The first failure in this iteration; nodes already running may finish. */
	#firstFailure: Error | undefined;
	/** True once a loop-end node was reached. */
	#reachedLoopEnd = false;
	/** True once the gate was asked whether this level may end. */
	#hasReachedEnd = false;
	#resolveWalk: () => void = () => {};

	/** @param root node to start from @param outerSignal stops this level @param inside the iteration that this level runs, if any */
	constructor(
		graph: Graph,
		root: AgentNode,
		run: RunState,
		variables: VariablePool,
		outerSignal: AbortSignal,
		inside?: { readonly place: ExecutionPlace; readonly around: EnclosingNode },
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
			? new ResponseStream(graph, root, variables, (text, selector) => run.sendText(text, selector) || this.#failForTextLength())
			: undefined;
		const { mayPause, gate } = run.options;
		this.#flow = new LevelFlow(graph, root, this.#responses, gate !== undefined || (this.#outermost && (mayPause ?? false)));
		this.#forms = new FormWaits(run);
	}

	/**
	 * Runs the level until it finishes or pauses for a person; called once. Nothing is left running when it resolves.
	 * @param paused state to continue from
	 */
	async runLevelToEnd(paused?: PausedRun): Promise<RoundEnd> {
		const finished = new Promise<void>(resolve => {
			this.#resolveWalk = resolve;
		});
		const stop = () => this.#endLevel({ status: 'stopped', error: getStopReason(this.#outerSignal) });
		if (this.#outerSignal.aborted) {
			stop();
		} else {
			this.#outerSignal.addEventListener('abort', stop, { once: true });
			this.#beginLevel(paused);
			this.#startReadyNodes();
		}
		await finished;
		this.#outerSignal.removeEventListener('abort', stop);
		await this.#inFlight.waitUntilSettled();
		return { ...(this.#levelEnd as LevelEnd), broke: this.#reachedLoopEnd, tokens: this.#tokens, outputs: this.#outputs };
	}

	/** Returns the sorted IDs of nodes that no taken edge led to. */
	listSkippedNodes(): string[] {
		return this.#flow.listSkippedNodes();
	}

	/** Returns the state needed to resume. */
	getPausedState(): Pick<PausedRun, 'root' | 'outputs' | 'left' | 'waiting' | 'texts'> {
		const texts = this.#responses?.getState() ?? { sessions: [], queue: [], streams: {} };
		return { root: this.#root.id, outputs: this.#outputs, left: this.#flow.left, waiting: this.#forms.waiting, texts };
	}

	runNodeAgain(node: AgentNode): void {
		this.run.rewritten = true;
		this.#flow.takeBackNode(node);
		this.#startReadyNodes();
	}

	#beginLevel(paused: PausedRun | undefined): void {
		if (paused) {
			Object.assign(this.#outputs, paused.outputs);
			this.#forms.restoreWaitingNodes(paused.waiting);
		}
		this.#flow.beginLevel(paused);
	}

	#startReadyNodes(): void {
		if (this.#isStarting) {
			return;
		}
		this.#isStarting = true;
		const flow = this.#flow;
		while (!this.#levelEnd && flow.ready.length > 0) {
			const batch = flow.ready;
			flow.ready = [];
			for (const [index, ready] of batch.entries()) {
				if (this.#levelEnd) {
					break;
				}
				if (this.run.scheduler.isTurnOver()) {
					flow.ready = [...batch.slice(index), ...flow.ready];
					this.run.scheduler.waitForTurn(() => {
						this.#isStarting = false;
						this.#startReadyNodes();
					});
					return;
				}
				this.#startNodeWhenAllowed(ready);
			}
		}
		this.#isStarting = false;
		if (!this.#levelEnd && this.#inFlight.isEmpty && this.#held === 0 && !this.#isHeldAtEnd()) {
			this.#endLevel(
				this.#firstFailure
					? { status: 'failed', error: this.#firstFailure }
					: { status: this.#forms.waiting.length > 0 ? 'paused' : 'succeeded' },
			);
		}
	}

	/** True if the run's gate holds this level at its end. */
	#isHeldAtEnd(): boolean {
		const held = this.#hasReachedEnd ? undefined : this.run.options.gate?.onLevelEnding?.(this);
		this.#hasReachedEnd = true;
		if (held) {
			this.#held++;
			void held.then(() => {
				this.#held--;
				this.#startReadyNodes();
			});
		}
		return held !== undefined;
	}

	/** Starts a node once the run's gate allows it. The start node of an iteration never stops at the gate. */
	#startNodeWhenAllowed(ready: ReadyNode): void {
		const begins = ready.node.nodeType?.type === 'container-start';
		const held = begins ? undefined : this.run.options.gate?.onNodeReady(ready, this);
		if (!held) {
			this.#startNode(ready);
			return;
		}
		this.#held++;
		void held.then(starts => {
			this.#held--;
			this.#applyThenStartNodes(() => (starts ? this.#startNode(ready) : undefined));
		});
	}

	#startNode({ node, predecessor }: ReadyNode): void {
		if (this.#levelEnd || !this.#countStep()) {
			return;
		}
		if (node.nodeType?.type === 'container-start') {
			this.#takeEdges(node, undefined);
			return;
		}
		this.#executeNode(this.run.events.startNode(node, predecessor, this.place));
	}

	/** @returns false if the run is over its limit and has been ended */
	#countStep(): boolean {
		if (!this.run.scheduler.countStep()) {
			return false;
		}
		if (this.#outermost) {
			this.run.steps++;
		}
		return true;
	}

	#executeNode(execution: Execution): void {
		try {
			const result = this.run.execute(this.#createContext(execution));
			if (result instanceof Promise) {
				this.#awaitResult(execution, result);
			} else {
				this.#onNodeSucceeded(execution, result);
			}
		} catch (error) {
			this.#onAttemptFailed(execution, error);
		}
	}

	#awaitResult(execution: Execution, result: Promise<NodeResult>): void {
		this.#inFlight.trackExecution(
			execution,
			result,
			value => this.#onNodeSettled(execution, () => this.#onNodeSucceeded(execution, value)),
			error => this.#onNodeSettled(execution, () => this.#onAttemptFailed(execution, error)),
		);
	}

	/** Drops results that come after the end of this level: the node was already reported as stopped. */
	#onNodeSettled(execution: Execution, then: () => void): void {
		if (execution.done) {
			return;
		}
		this.#inFlight.remove(execution);
		this.#applyThenStartNodes(then);
	}

	#applyThenStartNodes(then: () => void): void {
		try {
			then();
		} catch (error) {
			// an error of the engine itself must end the run, or it would wait forever
			this.#endLevel({ status: 'failed', error: toError(error) });
		}
		this.#startReadyNodes();
	}

	#onNodeSucceeded(execution: Execution, result: NodeResult): void {
		const { node } = execution;
		const { form } = result;
		if (form) {
			this.#forms.add(execution, form);
			return;
		}
		this.#forms.emitAnswer(node, result);
		this.#countTokens(execution);
		if (node.nodeType?.container) {
			this.variables.addValues(node.id, result.outputs);
		} else {
			this.variables.setAllValues(node.id, result.outputs);
		}
		const outputs = toPlainValues(result.outputs);
		if (node.nodeType?.template) {
			mergeOutputs(this.#outputs, outputs);
		}
		this.#reachedLoopEnd ||= node.nodeType?.type === 'loop-end';
		this.#takeEdges(node, result.handle);
		this.#responses?.onNodeEnded(node);
		this.#emitNodeFinished(execution, { status: 'succeeded', outputs, error: null });
		this.#responses?.closeNodeText(node);
	}

	/** Handles a failed attempt, unless the run's gate lets the node run again. */
	#onAttemptFailed(execution: Execution, thrown: unknown): void {
		const error = addMissingInputName(thrown, execution.node, this.run.agent);
		this.#responses?.onNodeFailed(execution.node);
		const held = this.run.options.gate?.onAttemptFailed(execution, error, this);
		if (!held) {
			this.#handleFailure(execution, error);
			return;
		}
		this.#inFlight.add(execution);
		void held.then(again =>
			this.#onNodeSettled(execution, () => {
				if (!again) {
					this.#handleFailure(execution, error);
				} else if (this.#countStep()) {
					this.#executeNode(execution);
				}
			}),
		);
	}

	/** Retries the node, or applies its error strategy, or fails the level. */
	#handleFailure(execution: Execution, error: Error): void {
		const { node } = execution;
		this.run.exceptions++;
		const isMissing = isRecordingMissing(error);
		if (execution.retries < node.failure.retries && !isMissing) {
			execution.retries++;
			this.run.events.emitNodeRetry(execution, { status: 'retry', outputs: {}, error: error.message }, this.place);
			this.#countValues(execution, {});
			if (this.#countStep()) {
				this.#awaitResult(execution, this.#retryNodeAfterDelay(execution));
			}
			return;
		}
		this.#countTokens(execution);
		if (node.failure.strategy === 'none' || isMissing) {
			this.#emitNodeFinished(execution, { status: 'failed', outputs: {}, error: error.message });
			if (this.#outermost) {
				this.#endLevel({ status: 'failed', error });
			}
			this.#firstFailure ??= error;
			return;
		}
		const failed = getFailureOutputs(node, error);
		this.variables.setAllValues(node.id, failed);
		const outputs = toPlainValues(failed);
		this.#takeEdges(node, 'fail-branch');
		this.#responses?.onNodeEnded(node);
		this.#emitNodeFinished(execution, { status: 'exception', outputs, error: error.message });
	}

	async #retryNodeAfterDelay(execution: Execution): Promise<NodeResult> {
		await delay(execution.node.failure.retryDelayMs, undefined, { signal: this.#abort.signal });
		return this.run.execute(this.#createContext(execution));
	}

	/** Adds a node's tokens to the run's total. Skips containers, because the nodes inside have already been counted. */
	#countTokens({ node, draft: { metadata } }: Execution): void {
		const tokens = typeof metadata['total_tokens'] === 'number' ? metadata['total_tokens'] : 0;
		this.#tokens += tokens;
		if (!node.inner) {
			this.run.tokens += tokens;
		}
	}

	/** @param handle output handle of a branch node; with an error strategy, the handles are `source` and `fail-branch` */
	#takeEdges(node: AgentNode, handle: string | undefined): void {
		const chooses = node.nodeType?.branches || node.failure.strategy === 'fail-branch';
		const ready = this.#flow.leaveNode(node, chooses ? (handle ?? 'source') : undefined);
		this.run.options.gate?.onEdgesTaken(node, ready, this);
	}

	#emitNodeFinished(execution: Execution, end: NodeEnd): void {
		execution.done = true;
		this.run.events.emitNodeFinished(execution, end, this.place);
		this.#countValues(execution, end.outputs);
		this.run.options.gate?.onNodeFinished(execution.node, this);
	}

	/** Counts reported values toward the limit of the run. Values in iterations have another limit. */
	#countValues({ draft }: Execution, outputs: NodeEnd['outputs']): void {
		if (this.#outermost) {
			this.run.scheduler.countValues([draft, outputs]);
		}
	}

	/** Fails the run because it has more text than it can send. Otherwise callers would mistake the truncated text for the whole text. */
	#failForTextLength(): false {
		this.#endLevel({
			status: 'failed',
			error: new NodeError(`The run's text is longer than ${maxTextLength} characters, the limit for a run`, ''),
		});
		return false;
	}

	/** Ends this level: stops the nodes in flight and reports them as stopped. */
	#endLevel(end: LevelEnd): void {
		if (this.#levelEnd) {
			return;
		}
		this.#levelEnd = end;
		this.#flow.ready = [];
		this.#abort.abort(end.error);
		for (const execution of this.#inFlight.takeAllExecutions()) {
			this.#emitNodeFinished(execution, { status: 'stopped', outputs: {}, error: end.error?.message ?? null });
		}
		this.run.options.gate?.onLevelClosed(this);
		this.#resolveWalk();
	}

	#createIterationRunner(execution: Execution, inner: Graph): RoundRunner {
		const { run } = this;
		const runLevel: RunLevel = (round, variables, place) => {
			const around = { level: this, node: execution.node, round };
			return new GraphRun(inner, inner.root, run, variables, this.#abort.signal, { place, around }).runLevelToEnd();
		};
		return createIterationRunner(execution, run.events, runLevel, this.place, this.#outputs);
	}

	#createContext(execution: Execution): NodeContext<never> {
		const { node } = execution;
		const { options } = this.run;
		return createNodeContext(execution, this.run, {
			// an agent run as a tool uses the same gate
			options: options.gate ? { ...options, caller: { level: this, node } } : options,
			variables: this.variables,
			place: this.place,
			around: this.around,
			outermost: this.#outermost,
			signal: this.#abort.signal,
			answer: this.#outermost ? this.#forms.getAnswer(node) : undefined,
			responses: this.#responses,
			rounds: node.inner ? this.#createIterationRunner(execution, node.inner) : noRounds,
		});
	}
}
