import { localizable } from '#base/text/localizableMessage.ts';
import type { DebugBranch, DebugFrame } from '#contract/debugging.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { EnclosingNode, GateLevel, HeldModelCall, ModelReplyByHand } from '#engine/run/gate.ts';
import type { ReadyNode } from '#engine/run/level/graphProgress.ts';

/** A model call that a branch is paused at. */
export interface PausedCall extends HeldModelCall {
	/** Number of the call in the session, from 1. */
	readonly number: number;
	readonly signal: AbortSignal;
	/** The reply by hand, once there is one. */
	reply: ModelReplyByHand | undefined;
}

/** A node that is about to start, paused or running. A level has at most one branch per node, because it runs each node once. */
export interface Branch {
	readonly id: number;
	readonly level: GateLevel;
	readonly node: AgentNode;
	/** The previous node on the path to this one; null for the root of a run. */
	predecessor: string | null;
	/** `coming`: ready, but it isn't decided yet whether it pauses; `failed`: paused after a failed attempt; `asking`: paused at a model call. */
	state: 'coming' | 'standing' | 'failed' | 'asking' | 'running';
	/** Error of a failed node. */
	error: string | undefined;
	/** The model call that the branch is paused at. */
	call: PausedCall | undefined;
	/**
	 * Continues a paused node.
	 * @param yes true to start it, or to run it again if it failed
	 */
	release: (yes: boolean) => void;
}

/** True if the branch is paused. */
export function isPaused({ state }: Pick<Branch, 'state'>): boolean {
	return state === 'standing' || state === 'failed' || state === 'asking';
}

/** Pauses a branch. Resolves when it is released, to whether its node starts, or runs again if it failed. */
export function holdBranch(branch: Branch, state: 'standing' | 'failed' | 'asking'): Promise<boolean> {
	branch.state = state;
	return new Promise(resolve => {
		branch.release = resolve;
	});
}

/**
 * Marks paused branches as running. Returns a function that continues them.
 * @param again true to rerun failed nodes
 */
export function markAsRunning(branches: readonly Branch[], again: boolean): () => void {
	const failed = new Set(branches.filter(({ state }) => state === 'failed'));
	for (const branch of branches) {
		branch.state = 'running';
		branch.error = undefined;
	}
	return () => {
		for (const branch of branches) {
			branch.release(failed.has(branch) ? again : true);
		}
	};
}

/** The current position of a run: a branch for each started or upcoming node. The first successor of a node keeps the branch's ID. */
export class Branches {
	readonly #levels = new Map<GateLevel, Map<string, Branch>>();
	#lastId = 0;

	/** Iterates over all branches, in the order in which their levels started and then in their own order. */
	*getAllBranches(): Iterable<Branch> {
		for (const level of this.#levels.values()) {
			yield* level.values();
		}
	}

	/** Returns the branch of a started or upcoming node. */
	findBranch(level: GateLevel, node: string): Branch | undefined {
		return this.#levels.get(level)?.get(node);
	}

	/** Returns the branches of one level. */
	getLevelBranches(level: GateLevel): Iterable<Branch> {
		return this.#levels.get(level)?.values() ?? [];
	}

	/** Returns the branch with this ID. If several have it, returns the paused one or else the innermost running one. */
	findBranchById(id: number): Branch | undefined {
		const found = [...this.getAllBranches()].filter(branch => branch.id === id);
		return found.find(isPaused) ?? found.at(-1);
	}

	/** Like {@link findBranchById}, but throws a `ServiceFault` (409) if the branch isn't paused. */
	requirePausedBranch(id: number): Branch {
		const branch = this.findBranchById(id);
		if (!branch || !isPaused(branch)) {
			throw createNotPausedFault();
		}
		return branch;
	}

	/** Returns the branch of the node that contains a level. */
	getOuterBranch({ around }: GateLevel): Branch | undefined {
		return around && this.findBranch(around.level, around.node.id);
	}

	/** Iterates over the branches of the surrounding nodes, starting with the innermost. */
	*getSurroundingBranches(branch: Pick<Branch, 'level'>): Iterable<Branch> {
		for (let outer = this.getOuterBranch(branch.level); outer; outer = this.getOuterBranch(outer.level)) {
			yield outer;
		}
	}

	/**
	 * Adds a node that is about to start.
	 * @param wanted preferred ID; not used if another branch already continues with it
	 */
	add({ node, predecessor }: ReadyNode, level: GateLevel, wanted: number | undefined): Branch {
		const branch: Branch = {
			id: this.#isAvailable(wanted, level, predecessor) ? (wanted as number) : ++this.#lastId,
			level,
			node,
			predecessor,
			state: 'coming',
			error: undefined,
			call: undefined,
			release: () => {},
		};
		const known = this.#levels.get(level) ?? new Map<string, Branch>();
		this.#levels.set(level, known.set(node.id, branch));
		return branch;
	}

	/** Adds a branch after the last node of a run, which no node runs on. */
	addAfter({ id, node }: Branch, level: GateLevel): Branch {
		return this.add({ node, predecessor: node.id }, level, id);
	}

	/** Removes a finished node. */
	remove({ level, node }: Branch): void {
		const known = this.#levels.get(level);
		known?.delete(node.id);
		if (known?.size === 0) {
			this.#levels.delete(level);
		}
	}

	/** Removes a finished level. */
	removeLevel(level: GateLevel): void {
		this.#levels.delete(level);
	}

	/** Returns the branches whose nodes don't contain other branches. */
	getLeafBranches(): readonly Branch[] {
		const outer = new Set([...this.#levels.keys()].map(level => this.getOuterBranch(level)));
		return [...this.getAllBranches()].filter(branch => !outer.has(branch));
	}

	/** True if there are branches and none is running. */
	areAllPaused(): boolean {
		const leaves = this.getLeafBranches();
		return leaves.length > 0 && leaves.every(isPaused);
	}

	#isAvailable(wanted: number | undefined, level: GateLevel, predecessor: string | null): boolean {
		if (wanted === undefined) {
			return false;
		}
		const before = new Set<Branch | undefined>([
			...this.getSurroundingBranches({ level }),
			predecessor === null ? undefined : this.findBranch(level, predecessor),
		]);
		for (const branch of this.getAllBranches()) {
			if (branch.id === wanted && !before.has(branch)) {
				return false;
			}
		}
		return true;
	}
}

/** Creates the error of a command for a branch that isn't paused. */
export function createNotPausedFault(): ServiceFault {
	return new ServiceFault(409, localizable`This branch isn't paused. Expected a paused branch of the last 'debug_stopped' event.`);
}

/** The position of a branch's stack frame. */
export interface PausePoint {
	readonly frame: DebugFrame;
	readonly level: GateLevel;
	/** Undefined for agents. */
	readonly node?: AgentNode;
}

/** Returns the stack frames of a branch, starting with the innermost. */
export function listPausePoints({ level, node }: Pick<Branch, 'level' | 'node'>): readonly PausePoint[] {
	const points: PausePoint[] = [];
	let named = getAgentName(level);
	const addPoint = (frame: DebugFrame, at: GateLevel, of?: AgentNode) =>
		points.push({ frame: { ...frame, ...(named !== undefined && { agent: named }) }, level: at, ...(of && { node: of }) });
	addPoint({ kind: 'node', node: node.id, title: node.title }, level, node);
	let inner = level;
	for (let around: EnclosingNode | undefined = level.around; around; around = around.level.around) {
		const { node: outer, round, level: outerLevel } = around;
		if (round === undefined) {
			addPoint({ kind: 'agent', title: inner.run.agent.appName }, inner);
			named = getAgentName(outerLevel);
			addPoint({ kind: 'tool', node: outer.id, title: outer.title }, outerLevel, outer);
		} else {
			addPoint({ kind: 'container', node: outer.id, title: outer.title, round }, outerLevel, outer);
		}
		inner = outerLevel;
	}
	addPoint({ kind: 'agent', title: inner.run.agent.appName }, inner);
	return points;
}

/** Returns the name of the agent that a level belongs to, if that agent runs as a tool. */
export function getAgentName(level: GateLevel): string | undefined {
	for (let around = level.around; around; around = around.level.around) {
		if (around.round === undefined) {
			return around.agent;
		}
	}
	return undefined;
}

/** Converts a branch to the form sent to clients. */
export function toDebugBranch(
	branch: Pick<Branch, 'id' | 'level' | 'node' | 'state' | 'error'> & Partial<Pick<Branch, 'call'>>,
	restarts?: AgentNode | undefined,
): DebugBranch {
	return {
		id: branch.id,
		state: isPaused(branch) ? 'standing' : 'ending',
		frames: listPausePoints(branch).map(({ frame }) => frame),
		...(branch.error !== undefined && { error: branch.error }),
		...(branch.call && { call: { number: branch.call.number, model: branch.call.request.model } }),
		...(restarts && { restarts: { node: restarts.id, title: restarts.title } }),
	};
}
