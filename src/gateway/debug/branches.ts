import type { DebugBranch, DebugFrame } from '#contract/debugging.ts';
import type { AgentNode } from '#engine/agentFile/agentTypes.ts';
import type { Around, GateLevel } from '#engine/run/gate.ts';
import type { ReadyNode } from '#engine/run/level/graphProgress.ts';

/** A node that is about to start, stands, or runs. One of a level is there at most once, for a level runs each node once. */
export interface Branch {
	readonly id: number;
	readonly level: GateLevel;
	readonly node: AgentNode;
	/** Node that led here last; null for the root of a run. */
	readonly predecessor: string | null;
	/** `coming`: it is ready, and nothing was decided of it yet; `failed`: it stands after the failure of an attempt. */
	state: 'coming' | 'standing' | 'failed' | 'running';
	/** Of one that has failed. */
	error: string | undefined;
	/** Lets it go on that stands. @param yes whether it starts; of a node that has failed, whether it runs again */
	release: (yes: boolean) => void;
}

/** Whether it waits for a command. */
export function stands({ state }: Branch): boolean {
	return state === 'standing' || state === 'failed';
}

/** Where a run is: a branch for every node that has begun, or is about to. Each has a number that goes on with its first successor. */
export class Branches {
	readonly #levels = new Map<GateLevel, Map<string, Branch>>();
	#lastId = 0;

	/** All, in the order in which their levels and they themselves began. */
	*all(): Iterable<Branch> {
		for (const level of this.#levels.values()) {
			yield* level.values();
		}
	}

	/** The branch of a node that has begun, or is about to. */
	of(level: GateLevel, node: string): Branch | undefined {
		return this.#levels.get(level)?.get(node);
	}

	/** Branches of one level. */
	in(level: GateLevel): Iterable<Branch> {
		return this.#levels.get(level)?.values() ?? [];
	}

	/** The branch of this number: one that stands, else the innermost that runs. */
	byId(id: number): Branch | undefined {
		const found = [...this.all()].filter(branch => branch.id === id);
		return found.find(stands) ?? found.at(-1);
	}

	/** The branch of the node that a level is inside of. */
	around({ around }: GateLevel): Branch | undefined {
		return around && this.of(around.level, around.node.id);
	}

	/** Branches of the nodes around one, from the innermost. */
	*ancestors(branch: Pick<Branch, 'level'>): Iterable<Branch> {
		for (let outer = this.around(branch.level); outer; outer = this.around(outer.level)) {
			yield outer;
		}
	}

	/** A node is about to start. @param wanted number that it should have; another one where that goes on elsewhere */
	add({ node, predecessor }: ReadyNode, level: GateLevel, wanted: number | undefined): Branch {
		const branch: Branch = {
			id: this.#isFree(wanted, level, predecessor) ? (wanted as number) : ++this.#lastId,
			level,
			node,
			predecessor,
			state: 'coming',
			error: undefined,
			release: () => {},
		};
		const known = this.#levels.get(level) ?? new Map<string, Branch>();
		this.#levels.set(level, known.set(node.id, branch));
		return branch;
	}

	/** A node has ended. */
	remove({ level, node }: Branch): void {
		const known = this.#levels.get(level);
		known?.delete(node.id);
		if (known?.size === 0) {
			this.#levels.delete(level);
		}
	}

	/** A level has ended. */
	close(level: GateLevel): void {
		this.#levels.delete(level);
	}

	/** Those that show where the run is: nodes that other nodes run inside of are their frames. */
	leaves(): readonly Branch[] {
		const outer = new Set([...this.#levels.keys()].map(level => this.around(level)));
		return [...this.all()].filter(branch => !outer.has(branch));
	}

	#isFree(wanted: number | undefined, level: GateLevel, predecessor: string | null): boolean {
		if (wanted === undefined) {
			return false;
		}
		const before = new Set<Branch | undefined>([
			...this.ancestors({ level }),
			predecessor === null ? undefined : this.of(level, predecessor),
		]);
		for (const branch of this.all()) {
			if (branch.id === wanted && !before.has(branch)) {
				return false;
			}
		}
		return true;
	}
}

/** A place that a branch's frame stands for. */
export interface Standpoint {
	readonly frame: DebugFrame;
	readonly level: GateLevel;
	/** Absent for agents. */
	readonly node?: AgentNode;
}

/** Where a branch stands, from the innermost. */
export function standpointsOf({ level, node }: Pick<Branch, 'level' | 'node'>): readonly Standpoint[] {
	const points: Standpoint[] = [];
	let named = agentOf(level);
	const push = (frame: DebugFrame, at: GateLevel, of?: AgentNode) =>
		points.push({ frame: { ...frame, ...(named !== undefined && { agent: named }) }, level: at, ...(of && { node: of }) });
	push({ kind: 'node', node: node.id, title: node.title }, level, node);
	let inner = level;
	for (let around: Around | undefined = level.around; around; around = around.level.around) {
		const { node: outer, round, level: outerLevel } = around;
		if (round === undefined) {
			push({ kind: 'agent', title: inner.run.agent.appName }, inner);
			named = agentOf(outerLevel);
			push({ kind: 'tool', node: outer.id, title: outer.title }, outerLevel, outer);
		} else {
			push({ kind: 'container', node: outer.id, title: outer.title, round }, outerLevel, outer);
		}
		inner = outerLevel;
	}
	push({ kind: 'agent', title: inner.run.agent.appName }, inner);
	return points;
}

/** Name of the agent that a level is of, where it is used as a tool. */
export function agentOf(level: GateLevel): string | undefined {
	for (let around = level.around; around; around = around.level.around) {
		if (around.round === undefined) {
			return around.agent;
		}
	}
	return undefined;
}

/** A branch as clients see it. */
export function shownBranch(branch: Branch, restarts: AgentNode | undefined): DebugBranch {
	return {
		id: branch.id,
		state: stands(branch) ? 'standing' : 'ending',
		frames: standpointsOf(branch).map(({ frame }) => frame),
		...(branch.error !== undefined && { error: branch.error }),
		...(restarts && { restarts: { node: restarts.id, title: restarts.title } }),
	};
}
