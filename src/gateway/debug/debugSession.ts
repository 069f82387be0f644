import type { DebugEvent, DebugOptions, DebugStopReason, FailureStop } from '#contract/debugging.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { Execution } from '#engine/run/execution.ts';
import type { GateLevel, RunGate } from '#engine/run/gate.ts';
import type { ReadyNode } from '#engine/run/graphProgress.ts';
import type { RunScheduler } from '#engine/run/runScheduler.ts';
import { agentOf, type Branch, Branches, shownBranch, stands } from './branches.ts';
import { Breakpoints, type Evaluate, type Verdict } from './breakpoints.ts';
import { endsRun } from './endsRun.ts';
import { masked } from './masked.ts';
import { Repeats } from './repeats.ts';
import { Steps } from './steps.ts';

/** What a session tells. */
export type TellDebug = (event: DebugEvent) => void;

/** Why a run has stopped. */
interface Stop {
	readonly reason: DebugStopReason;
	/** Number of the branch; 0: the first that stands. */
	readonly branch: number;
	readonly breakpoints?: readonly string[];
	readonly error?: string;
}

/** Milliseconds after which a step is over though nothing has come of it: the branch waits for others that stand. */
const idleMs = 100;

/**
 * Stops one run and lets it go on, all of its branches or one of them. While it is stopped no node starts: what is in flight ends, and what follows
 * stands.
 */
export class DebugSession implements RunGate {
	readonly branches = new Branches();
	readonly breakpoints: Breakpoints;
	readonly #tell: TellDebug;
	/** Evaluates where a branch stands. */
	readonly #evaluate: (branch: Branch) => Evaluate;
	readonly #steps = new Steps(this.branches);
	readonly #schedulers = new Set<RunScheduler>();
	/** Nodes with all that is inside of them go on though the run is stopped. */
	readonly #free = new Set<Branch>();
	#failures: ReadonlySet<FailureStop> = new Set();
	readonly #repeats = new Repeats(this.branches);
	/** Failures that the run has stopped at: what fails by one of them is no other. */
	readonly #seen = new WeakSet<object>();
	/** Present while the run is stopped. */
	#stop: Stop | undefined;
	/** Whether the stop is to be told, however it looks. */
	#due = false;
	/** What was told last of the branches. */
	#told = '';
	#scheduled = false;
	#closed = false;
	#idle: NodeJS.Timeout | undefined;

	/** @param agent name of the agent that is debugged: its breakpoints are those of the runs of itself that it begins, too */
	constructor(
		{ breakpoints, failures, stop_on_entry }: DebugOptions,
		tell: TellDebug,
		evaluate: (branch: Branch) => Evaluate,
		agent?: string,
	) {
		this.breakpoints = new Breakpoints(agent);
		this.#tell = tell;
		this.#evaluate = evaluate;
		this.breakpoints.set(breakpoints ?? []);
		this.stopAtFailures(failures ?? []);
		this.#stop = stop_on_entry ? { reason: 'entry', branch: 0 } : undefined;
		this.#due = this.stopped;
	}

	/** Whether the run is stopped. */
	get stopped(): boolean {
		return this.#stop !== undefined;
	}

	/** Whether the run is stopped and nothing of it is in flight. */
	get standsStill(): boolean {
		const leaves = this.branches.leaves();
		return this.stopped && leaves.length > 0 && leaves.every(stands);
	}

	/** Failures that stop the run from now on. */
	stopAtFailures(failures: readonly FailureStop[]): void {
		this.#failures = new Set(failures);
	}

	/** All branches go on. */
	goOn(): void {
		if (!this.#stop) {
			return;
		}
		this.#stop = undefined;
		this.#steps.clear();
		this.#free.clear();
		this.#leave([...this.branches.all()].filter(stands));
	}

	/** Stops the run. What is in flight ends. */
	pause(): void {
		if (!this.#stop || this.#steps.pending) {
			this.#halt({ reason: 'pause', branch: 0 });
		}
	}

	/** Lets one branch go on to its next node, the first node inside, or the end of what it is inside of. Throws a fault (409) where it does not stand. */
	step(id: number, how: 'over' | 'into' | 'out'): void {
		const branch = this.#standing(id);
		const around = how === 'out' ? this.branches.around(branch.level) : undefined;
		if (how === 'out' && !around) {
			this.goOn();
			return;
		}
		const moved = around ?? branch;
		if (how !== 'into') {
			this.#free.add(moved);
		}
		this.#steps.begin(moved);
		this.#leave(around ? [...this.branches.all()].filter(inner => stands(inner) && this.#isFree(inner)) : [branch], id);
	}

	/** Runs the node again that has failed, or the one that led to where the branch stands. Throws a fault (409) where neither can. */
	restart(id: number): void {
		const branch = this.#standing(id);
		const node = this.#repeats.nodeFor(branch);
		if (!node) {
			throw new ServiceFault(
				409,
				'No node can run again here: what led to this branch has led to others too that have begun, or gives its result to the run itself.',
			);
		}
		if (node === branch.node) {
			this.#steps.begin(branch);
			this.#leave([branch], id, true);
			return;
		}
		const { level } = branch;
		const gone = this.#repeats.takenBack(node, level);
		for (const each of gone) {
			this.branches.remove(each);
		}
		const again = this.branches.add({ node, predecessor: null }, level, id);
		this.#free.add(again);
		this.#steps.begin(again);
		this.#leave([again], id);
		level.again(node);
		for (const each of gone) {
			each.release(false);
		}
	}

	/** Nobody owns the session any more: nothing is told, and no timer is left. */
	close(): void {
		this.#closed = true;
		clearTimeout(this.#idle);
	}

	before(ready: ReadyNode, level: GateLevel): Promise<boolean> | undefined {
		this.#schedulers.add(level.run.scheduler);
		const branch = this.branches.of(level, ready.node.id) ?? this.branches.add(ready, level, this.#steps.numberFor(level));
		if (branch.state === 'running') {
			// it runs again, as it was told to
			return undefined;
		}
		const verdict = this.breakpoints.judge(agentOf(level), ready.node.id, this.#evaluate(branch));
		if (verdict instanceof Promise) {
			return verdict.then(judged => this.#judged(branch, judged) ?? true);
		}
		return this.#judged(branch, verdict ?? noVerdict);
	}

	failed({ node, retries }: Execution, error: Error, level: GateLevel): Promise<boolean> | undefined {
		const branch = this.branches.of(level, node.id);
		const ends = this.#failures.has('run') && endsRun(node, retries, level) && !this.#isSeen(error.cause);
		if (!branch || !(ends || this.#failures.has('node'))) {
			return undefined;
		}
		this.#seen.add(error);
		branch.state = 'failed';
		branch.error = masked(error.message, level);
		const stood = new Promise<boolean>(resolve => {
			branch.release = resolve;
		});
		this.#halt({ reason: 'failure', branch: branch.id, error: branch.error });
		return stood;
	}

	led(node: AgentNode, ready: readonly ReadyNode[], level: GateLevel): void {
		const before = this.branches.of(level, node.id)?.id ?? this.#steps.numberFor(level);
		for (const each of ready) {
			this.branches.add(each, level, before);
		}
		this.#repeats.left(node, level);
	}

	finished(node: AgentNode, level: GateLevel): void {
		const branch = this.branches.of(level, node.id);
		if (!branch) {
			return;
		}
		const inside = [...this.branches.ancestors(branch)].some(outer => this.#free.has(outer));
		this.branches.remove(branch);
		this.#free.delete(branch);
		if (!inside && this.#steps.ended(branch)) {
			this.#over(0);
		}
		this.#changed();
	}

	closed(level: GateLevel): void {
		this.branches.close(level);
		this.#changed();
	}

	#standing(id: number): Branch {
		const branch = this.branches.byId(id);
		if (!this.#stop || !branch || !stands(branch)) {
			throw new ServiceFault(409, 'This branch does not stand: expected one that the last debug_stopped tells as standing.');
		}
		return branch;
	}

	#isFree(branch: Branch): boolean {
		if (this.#free.has(branch)) {
			return true;
		}
		for (const outer of this.branches.ancestors(branch)) {
			if (this.#free.has(outer)) {
				return true;
			}
		}
		return false;
	}

	#isSeen(cause: unknown): boolean {
		return typeof cause === 'object' && cause !== null && this.#seen.has(cause);
	}

	#judged(branch: Branch, { stops, outputs }: Verdict): Promise<boolean> | undefined {
		for (const data of outputs) {
			this.#tell({ event: 'debug_output', data });
		}
		// a level that has ended meanwhile starts nothing any more
		if (this.branches.of(branch.level, branch.node.id) !== branch) {
			return undefined;
		}
		const goesOn = !this.#stop || this.#isFree(branch);
		if (goesOn && stops.length === 0) {
			branch.state = 'running';
			this.#changed();
			return undefined;
		}
		branch.state = 'standing';
		const stood = new Promise<boolean>(resolve => {
			branch.release = resolve;
		});
		if (goesOn) {
			this.#halt({ reason: 'breakpoint', branch: branch.id, breakpoints: stops });
		} else if (this.#steps.arrived(branch)) {
			this.#over(branch.id, stops);
		}
		this.#changed();
		return stood;
	}

	/** These branches go on. @param told number of the one that was asked for; absent: all do @param again whether nodes that have failed run again */
	#leave(branches: readonly Branch[], told?: number, again = false): void {
		this.#due = false;
		this.#told = '';
		clearTimeout(this.#idle);
		this.#tell({ event: 'debug_continued', data: told === undefined ? {} : { branch: told } });
		const failed = new Set(branches.filter(({ state }) => state === 'failed'));
		for (const branch of branches) {
			branch.state = 'running';
			branch.error = undefined;
		}
		this.#changed();
		this.#pace();
		for (const branch of branches) {
			branch.release(failed.has(branch) ? again : true);
		}
	}

	/** Nothing starts from now on, whatever went on by itself. */
	#halt(stop: Stop): void {
		this.#stop = stop;
		this.#due = true;
		this.#free.clear();
		this.#steps.clear();
		this.#changed();
	}

	/** A step is over. @param branch number of the one that stands by it; 0: it stands nowhere */
	#over(branch: number, breakpoints: readonly string[] = []): void {
		this.#stop = { reason: 'step', branch, ...(breakpoints.length > 0 && { breakpoints }) };
		this.#due = true;
	}

	/** Something of the branches is another than before: tells it once all that happens now has happened. */
	#changed(): void {
		if (!this.#stop) {
			return;
		}
		this.#pace();
		if (!this.#scheduled) {
			this.#scheduled = true;
			setImmediate(() => {
				this.#scheduled = false;
				this.#tellStop();
			});
		}
	}

	/** Time counts while anything goes on. */
	#pace(): void {
		const still = this.standsStill;
		for (const scheduler of this.#schedulers) {
			if (still) {
				scheduler.hold();
			} else {
				scheduler.goOn();
			}
		}
	}

	#tellStop(): void {
		clearTimeout(this.#idle);
		const leaves = this.branches.leaves();
		if (this.#closed || !this.#stop || leaves.length === 0) {
			return;
		}
		if (!this.#due && this.#steps.pending) {
			// what else has ended is told with the step
			if (leaves.every(stands)) {
				this.#idle = setTimeout(() => this.#halt({ reason: 'step', branch: 0 }), idleMs);
			}
			return;
		}
		if (!leaves.some(({ id }) => id === this.#stop?.branch)) {
			this.#stop = { ...this.#stop, branch: (leaves.find(stands) ?? (leaves[0] as Branch)).id };
		}
		const branches = leaves.map(branch => shownBranch(branch, this.#repeats.nodeFor(branch)));
		const told = JSON.stringify([this.#stop, branches]);
		if (this.#due || told !== this.#told) {
			this.#due = false;
			this.#told = told;
			this.#tell({ event: 'debug_stopped', data: { ...this.#stop, branches } });
		}
	}
}

const noVerdict: Verdict = { stops: [], outputs: [] };
