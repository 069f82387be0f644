import { localizable } from '#base/text/localizableMessage.ts';
import type { DebugOptions, FailureStop } from '#contract/debugging.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { Execution } from '#engine/run/execution.ts';
import type { GateLevel, RunGate } from '#engine/run/gate.ts';
import type { ReadyNode } from '#engine/run/level/graphProgress.ts';
import type { RunScheduler } from '#engine/run/runScheduler.ts';
import { type Branch, Branches, getAgentName, isPaused } from './branches.ts';
import { Breakpoints, type BreakpointVerdict, type Evaluate } from './breakpoints.ts';
import { doesFailureEndRun } from './endsRun.ts';
import { maskSecrets } from './maskSecrets.ts';
import { ModelCalls } from './modelCalls.ts';
import { Repeats } from './repeats.ts';
import { Steps } from './steps.ts';
import { type EmitDebugEvent, type Stop, StopReports } from './stopReports.ts';

/** Stops a run, and continues all or one of its branches. While the run is stopped, no node starts, but running nodes finish. */
export class DebugSession implements RunGate {
	readonly branches = new Branches();
	readonly breakpoints: Breakpoints;
	readonly modelCalls = new ModelCalls(this);
	readonly onModelCall = this.modelCalls.holdCall;
	readonly #emit: EmitDebugEvent;
	/** Evaluates expressions at a paused branch. */
	readonly #evaluate: (branch: Branch) => Evaluate;
	readonly #steps = new Steps(this.branches);
	readonly #schedulers = new Set<RunScheduler>();
	/** Branches that continue although the run is stopped, including all nodes inside them. */
	readonly #free = new Set<Branch>();
	#failures: ReadonlySet<FailureStop> = new Set();
	readonly #repeats = new Repeats(this.branches);
	/** Errors already reported as a stop, so that an error caused by one of them doesn't stop the run again. */
	readonly #reported = new WeakSet<object>();
	readonly #reports: StopReports;

	/** @param agent name of the debugged agent; its breakpoints also apply when it runs as a tool of itself */
	constructor(
		{ breakpoints, failures, model_calls, stop_on_entry }: DebugOptions,
		emit: EmitDebugEvent,
		evaluate: (branch: Branch) => Evaluate,
		agent?: string,
	) {
		this.breakpoints = new Breakpoints(agent);
		this.#emit = emit;
		this.#evaluate = evaluate;
		this.breakpoints.set(breakpoints ?? []);
		this.stopAtFailures(failures ?? []);
		this.modelCalls.isHolding = model_calls === true;
		this.#reports = new StopReports(this.branches, this.#steps, this.#repeats, emit, () => this.#stopRun({ reason: 'step', branch: 0 }));
		if (stop_on_entry) {
			this.#reports.setStop({ reason: 'entry', branch: 0 });
		}
	}

	/** True if the run is stopped. */
	get isStopped(): boolean {
		return this.#reports.isStopped;
	}

	/** True if the run is stopped and no node is running. */
	get isIdle(): boolean {
		const leaves = this.branches.getLeafBranches();
		return this.isStopped && leaves.length > 0 && leaves.every(isPaused);
	}

	/** Sets which failures stop the run. */
	stopAtFailures(failures: readonly FailureStop[]): void {
		this.#failures = new Set(failures);
	}

	/** Continues all branches. */
	continueRun(): void {
		if (!this.isStopped) {
			return;
		}
		this.#reports.clearStop();
		this.#steps.clear();
		this.#free.clear();
		this.#continueBranches([...this.branches.getAllBranches()].filter(isPaused));
	}

	/** Stops the run. Running nodes finish first. */
	pauseRun(): void {
		if (!this.isStopped || this.#steps.pending) {
			this.#stopRun({ reason: 'pause', branch: 0 });
		}
	}

	/**
	 * Continues one branch to its next node, the first node inside it, or the end of its container. Throws an error (409) if the branch isn't
	 * paused.
	 */
	stepBranch(id: number, how: 'over' | 'into' | 'out'): void {
		const branch = this.#getPausedBranch(id);
		const around = how === 'out' ? this.branches.getOuterBranch(branch.level) : undefined;
		if (how === 'out' && !around) {
			this.continueRun();
			return;
		}
		const moved = around ?? branch;
		if (how !== 'into') {
			this.#free.add(moved);
		}
		this.#steps.beginStep(moved);
		const all = [...this.branches.getAllBranches()];
		this.#continueBranches(around ? all.filter(inner => isPaused(inner) && this.#isContinuing(inner)) : [branch], id);
	}

	/** Reruns the failed node, or the node that led to the paused branch. Throws a `ServiceFault` (409) if neither can run. */
	restartNode(id: number): void {
		const branch = this.#getPausedBranch(id);
		const node = this.#repeats.findRepeatableNode(branch);
		if (!node) {
			throw new ServiceFault(
				409,
				localizable`Can't rerun a node here. The previous node also led to nodes that have started, or its output is already part of the run's result.`,
			);
		}
		if (node === branch.node) {
			this.#steps.beginStep(branch);
			this.#continueBranches([branch], id, true);
			return;
		}
		const { level } = branch;
		const gone = this.#repeats.findDiscardedBranches(node, level);
		for (const each of gone) {
			this.branches.remove(each);
		}
		const again = this.branches.add({ node, predecessor: null }, level, id);
		this.#free.add(again);
		this.#steps.beginStep(again);
		this.#continueBranches([again], id);
		level.runNodeAgain(node);
		for (const each of gone) {
			each.release(false);
		}
	}

	/** Ends the session: it emits no more events and leaves no timer. */
	close(): void {
		this.#reports.close();
	}

	onNodeReady(ready: ReadyNode, level: GateLevel): Promise<boolean> | undefined {
		this.#schedulers.add(level.run.scheduler);
		const branch = this.branches.findBranch(level, ready.node.id) ?? this.branches.add(ready, level, this.#steps.getStepId(level));
		if (branch.state === 'running') {
			// the node is being rerun on request
			return undefined;
		}
		const verdict = this.breakpoints.judgeNode(getAgentName(level), ready.node.id, this.#evaluate(branch));
		return verdict instanceof Promise
			? verdict.then(judged => this.#applyVerdict(branch, judged) ?? true)
			: this.#applyVerdict(branch, verdict ?? noVerdict);
	}

	onAttemptFailed({ node, retries }: Execution, error: Error, level: GateLevel): Promise<boolean> | undefined {
		const branch = this.branches.findBranch(level, node.id);
		const ends = this.#failures.has('run') && doesFailureEndRun(node, retries, level) && !this.#isReported(error.cause);
		if (!branch || !(ends || this.#failures.has('node'))) {
			return undefined;
		}
		this.#reported.add(error);
		branch.state = 'failed';
		branch.error = maskSecrets(error.message, level);
		const released = new Promise<boolean>(resolve => {
			branch.release = resolve;
		});
		this.#stopRun({ reason: 'failure', branch: branch.id, error: branch.error });
		return released;
	}

	onEdgesTaken(node: AgentNode, ready: readonly ReadyNode[], level: GateLevel): void {
		const before = this.branches.findBranch(level, node.id)?.id ?? this.#steps.getStepId(level);
		for (const each of ready) {
			this.branches.add(each, level, before);
		}
		this.#repeats.addFinishedNode(node, level);
	}

	onNodeFinished(node: AgentNode, level: GateLevel): void {
		const branch = this.branches.findBranch(level, node.id);
		if (!branch) {
			return;
		}
		const inside = [...this.branches.getSurroundingBranches(branch)].some(outer => this.#free.has(outer));
		this.branches.remove(branch);
		this.#free.delete(branch);
		if (!inside && this.#steps.onFinished(branch)) {
			this.#endStep(0);
		}
		this.#onBranchesChanged();
	}

	onLevelClosed(level: GateLevel): void {
		this.branches.removeLevel(level);
		this.#onBranchesChanged();
	}

	#getPausedBranch(id: number): Branch {
		const branch = this.branches.findBranchById(id);
		if (!this.isStopped || !branch || !isPaused(branch)) {
			throw new ServiceFault(409, localizable`This branch isn't paused. Expected a paused branch of the last 'debug_stopped' event.`);
		}
		return branch;
	}

	#isContinuing(branch: Branch): boolean {
		return [branch, ...this.branches.getSurroundingBranches(branch)].some(each => this.#free.has(each));
	}

	#isReported(cause: unknown): boolean {
		return typeof cause === 'object' && cause !== null && this.#reported.has(cause);
	}

	#applyVerdict(branch: Branch, { stops, outputs }: BreakpointVerdict): Promise<boolean> | undefined {
		for (const data of outputs) {
			this.#emit({ event: 'debug_output', data });
		}
		// if its level has ended meanwhile, the level starts no more nodes
		if (this.branches.findBranch(branch.level, branch.node.id) !== branch) {
			return undefined;
		}
		const continues = !this.isStopped || this.#isContinuing(branch);
		if (continues && stops.length === 0) {
			branch.state = 'running';
			this.#onBranchesChanged();
			return undefined;
		}
		return this.pauseBranch(branch, 'standing', { reason: 'breakpoint', branch: branch.id, breakpoints: stops });
	}

	/** Pauses a branch until it's released. `stop`: why the run stops, unless it's stopped already. */
	pauseBranch(branch: Branch, state: Branch['state'], stop: Stop): Promise<boolean> {
		const continues = !this.isStopped || this.#isContinuing(branch);
		branch.state = state;
		const released = new Promise<boolean>(resolve => {
			branch.release = resolve;
		});
		if (continues) {
			this.#stopRun(stop);
		} else if (this.#steps.onPaused(branch)) {
			this.#endStep(branch.id, stop.breakpoints);
		}
		this.#onBranchesChanged();
		return released;
	}

	/**
	 * Continues these branches.
	 * @param requested ID of the branch that the client asked for; undefined for all
	 * @param again true to rerun failed nodes
	 */
	#continueBranches(branches: readonly Branch[], requested?: number, again = false): void {
		this.#reports.forgetReport();
		this.#emit({ event: 'debug_continued', data: requested === undefined ? {} : { branch: requested } });
		const failed = new Set(branches.filter(({ state }) => state === 'failed'));
		for (const branch of branches) {
			branch.state = 'running';
			branch.error = undefined;
		}
		this.#onBranchesChanged();
		this.#updateClocks();
		for (const branch of branches) {
			branch.release(failed.has(branch) ? again : true);
		}
	}

	/** Stops the run, including branches that were continuing separately. */
	#stopRun(stop: Stop): void {
		this.#reports.setStop(stop);
		this.#free.clear();
		this.#steps.clear();
		this.#onBranchesChanged();
	}

	/** Ends a step. `branch`: ID of the branch that it reached; 0 if it reached none. */
	#endStep(branch: number, breakpoints: readonly string[] = []): void {
		this.#reports.setStop({ reason: 'step', branch, ...(breakpoints.length > 0 && { breakpoints }) });
	}

	#onBranchesChanged(): void {
		if (this.isStopped) {
			this.#updateClocks();
			this.#reports.scheduleReport();
		}
	}

	/** Pauses the time limits of runs while no node is running. */
	#updateClocks(): void {
		const isIdle = this.isIdle;
		for (const scheduler of this.#schedulers) {
			if (isIdle) {
				scheduler.holdTimer();
			} else {
				scheduler.resumeTimer();
			}
		}
	}
}

const noVerdict: BreakpointVerdict = { stops: [], outputs: [] };
