import type { DebugOptions } from '#contract/debugging.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { Execution } from '#engine/run/execution.ts';
import type { GateLevel, RunGate } from '#engine/run/gate.ts';
import type { ReadyNode } from '#engine/run/level/graphProgress.ts';
import { type Branch, Branches, getAgentName, holdBranch, isPaused, markAsRunning } from './branches.ts';
import { Breakpoints, type BreakpointVerdict, type EvaluateAt, noVerdict } from './breakpoints.ts';
import { FailureStops } from './failureStops.ts';
import { ForkEntry, isBeforeFork } from './forkEntry.ts';
import { DebugHistory } from './history.ts';
import { maskSecrets } from './maskSecrets.ts';
import { ModelCalls } from './modelCalls.ts';
import { Repeats } from './repeats.ts';
import { RunClocks } from './runClocks.ts';
import { Steps } from './steps.ts';
import { type EmitDebugEvent, type Stop, StopReports } from './stopReports.ts';

/** Stops a run, and continues all or one of its branches. While the run is stopped, no node starts, but running nodes finish. */
export class DebugSession implements RunGate {
	readonly branches = new Branches();
	readonly history = new DebugHistory();
	readonly variableLog = this.history.log;
	readonly breakpoints: Breakpoints;
	readonly failureStops = new FailureStops();
	readonly modelCalls = new ModelCalls(this);
	readonly onModelCall = this.modelCalls.holdCall;
	readonly #emit: EmitDebugEvent;
	readonly #evaluate: EvaluateAt;
	readonly #steps = new Steps(this.branches);
	readonly #clocks = new RunClocks();
	/** Branches that continue although the run is stopped, including all nodes inside them. */
	readonly #free = new Set<Branch>();
	readonly #repeats = new Repeats(this.branches);
	readonly #reports: StopReports;
	/** ID of the recorded run that is shown. Its session stops at its end. */
	readonly recordedRun: string | undefined;
	readonly #forkEntry: ForkEntry;
	/** The branch of the last finished node of the debugged agent. */
	#lastBranch: Branch | undefined;

	/** @param agent name of the debugged agent; its breakpoints also apply when it runs as a tool of itself */
	constructor(
		{ breakpoints, failures, model_calls, stop_on_entry, recorded_run: recordedRun, part }: DebugOptions,
		emit: EmitDebugEvent,
		evaluate: EvaluateAt,
		agent?: string,
	) {
		this.breakpoints = new Breakpoints(agent, () => this.history.length);
		this.#emit = emit;
		this.#evaluate = evaluate;
		this.breakpoints.set(breakpoints ?? []);
		this.failureStops.wanted = new Set(failures);
		this.recordedRun = recordedRun;
		this.failureStops.isEndShown = recordedRun !== undefined;
		this.#forkEntry = new ForkEntry(part, stop_on_entry === true);
		this.modelCalls.isHolding = model_calls === true;
		this.#reports = new StopReports(this.branches, this.#steps, this.#repeats, emit, () => this.#stopRun({ reason: 'step', branch: 0 }));
		if (stop_on_entry && !part) {
			this.#reports.setStop({ reason: 'entry', branch: 0 });
		}
	}

	/** True if the run is stopped. */
	get isStopped(): boolean {
		return this.#reports.isStopped;
	}

	/** True if the run is stopped and no node is running. */
	get isIdle(): boolean {
		return this.isStopped && this.branches.areAllPaused();
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
		const branch = this.branches.requirePausedBranch(id);
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
		const wanted = around ? [...this.branches.getAllBranches()].filter(inner => isPaused(inner) && this.#mayContinue(inner)) : [branch];
		this.#continueBranches(wanted, id);
	}

	/** Reruns the failed node, or the node that led to the paused branch. Throws a `ServiceFault` (409) if neither can run. */
	restartNode(id: number): void {
		const branch = this.branches.requirePausedBranch(id);
		const node = this.#repeats.requireRepeatableNode(branch);
		if (node === branch.node) {
			this.history.addRerun(branch, this.branches.getAllBranches());
			this.#steps.beginStep(branch);
			this.#continueBranches([branch], id, true);
			return;
		}
		const { again, endOthers } = this.#repeats.replaceBranches(node, branch);
		this.#free.add(again);
		this.#steps.beginStep(again);
		this.#continueBranches([again], id);
		branch.level.runNodeAgain(node);
		endOthers();
	}

	/** Reports no stops until {@link returnToPresent}. The run stays stopped, but running nodes finish. */
	leavePresent(): void {
		this.#reports.mute();
	}

	/** Reports stops again, first the current one. @param stop why the client is back */
	returnToPresent(stop?: Stop): void {
		this.#reports.unmute(stop);
	}

	/** Ends the session: it emits no more events and leaves no timer. */
	close(): void {
		this.#reports.close();
	}

	onNodeReady(ready: ReadyNode, level: GateLevel): Promise<boolean> | undefined {
		this.#clocks.addRun(level);
		const branch = this.branches.findBranch(level, ready.node.id) ?? this.branches.add(ready, level, this.#steps.getStepId(level));
		if (branch.state === 'running') {
			// the node is being rerun on request
			branch.predecessor = ready.predecessor;
			this.history.addRerun(branch, this.branches.getAllBranches());
			return undefined;
		}
		if (isBeforeFork(ready.node, level)) {
			this.history.add(branch, this.branches.getAllBranches());
			return this.#startBranch(branch);
		}
		const verdict = this.breakpoints.judgeNode(getAgentName(level), ready.node.id, this.#evaluate(branch));
		return verdict instanceof Promise
			? verdict.then(judged => this.#applyVerdict(branch, judged) ?? true)
			: this.#applyVerdict(branch, verdict ?? noVerdict);
	}

	onAttemptFailed(execution: Execution, error: Error, level: GateLevel): Promise<boolean> | undefined {
		const branch = this.branches.findBranch(level, execution.node.id);
		if (!branch) {
			return undefined;
		}
		const { stops, endsRun } = this.failureStops.judgeFailure(execution, error, level);
		const released = holdBranch(branch, 'failed');
		branch.error = maskSecrets(error.message, level);
		this.history.add(branch, this.branches.getAllBranches(), { hits: [], failure: { endsRun } });
		if (!stops) {
			branch.state = 'running';
			branch.error = undefined;
			this.history.onStarted();
			return undefined;
		}
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
		this.#lastBranch = level.around ? this.#lastBranch : branch;
		this.#free.delete(branch);
		if (!inside && this.#steps.onFinished(branch)) {
			this.#endStep(0);
		}
		this.#onBranchesChanged();
	}

	onLevelEnding(level: GateLevel): Promise<boolean> | undefined {
		if (this.recordedRun === undefined || level.around || !this.#lastBranch) {
			return undefined;
		}
		const branch = this.branches.addAfter(this.#lastBranch, level);
		this.history.add(branch, this.branches.getAllBranches());
		const released = holdBranch(branch, 'standing');
		this.#stopRun({ reason: 'end', branch: branch.id });
		return released;
	}

	onLevelClosed(level: GateLevel): void {
		this.branches.removeLevel(level);
		this.#onBranchesChanged();
	}

	#mayContinue(branch: Branch): boolean {
		return !this.isStopped || [branch, ...this.branches.getSurroundingBranches(branch)].some(each => this.#free.has(each));
	}

	#applyVerdict(branch: Branch, { stops, hits, outputs }: BreakpointVerdict): Promise<boolean> | undefined {
		for (const data of outputs) {
			this.#emit({ event: 'debug_output', data });
		}
		// if its level has ended meanwhile, the level starts no more nodes
		if (this.branches.findBranch(branch.level, branch.node.id) !== branch) {
			return undefined;
		}
		this.history.add(branch, this.branches.getAllBranches(), { hits });
		const entry = this.#forkEntry.takeStop(branch);
		if (!entry && !this.#forkEntry.isPending && stops.length === 0 && this.#mayContinue(branch)) {
			return this.#startBranch(branch);
		}
		return this.pauseBranch(branch, 'standing', entry ?? { reason: 'breakpoint', branch: branch.id, breakpoints: stops });
	}

	#startBranch(branch: Branch): undefined {
		branch.state = 'running';
		this.history.onStarted();
		this.#onBranchesChanged();
	}

	/** Pauses a branch until it's released. `stop`: why the run stops, unless it's stopped already. */
	pauseBranch(branch: Branch, state: 'standing' | 'asking', stop: Stop): Promise<boolean> {
		const continues = this.#mayContinue(branch);
		const released = holdBranch(branch, state);
		if (this.#forkEntry.isPending) {
			this.#onBranchesChanged();
			return released;
		}
		if (continues) {
			this.#stopRun(stop);
		} else if (this.#steps.onPaused(branch)) {
			this.#endStep(branch.id, stop.breakpoints);
		}
		this.#onBranchesChanged();
		return released;
	}

	/** Continues branches. `requested`: ID of the one that the client asked for; undefined for all. `again`: true to rerun failed nodes. */
	#continueBranches(branches: readonly Branch[], requested?: number, again = false): void {
		this.#reports.forgetReport();
		this.#emit({ event: 'debug_continued', data: requested === undefined ? {} : { branch: requested } });
		const release = markAsRunning(branches, again);
		this.history.onStarted();
		this.#onBranchesChanged();
		this.#clocks.update(this.isIdle);
		release();
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
		if (this.#forkEntry.isPending && this.branches.areAllPaused()) {
			this.#forkEntry.end();
			this.#stopRun({ reason: 'entry', branch: 0 });
		} else if (this.isStopped) {
			this.#clocks.update(this.isIdle);
			this.#reports.scheduleReport();
		}
	}
}
