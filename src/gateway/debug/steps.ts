import type { GateLevel } from '#engine/run/gate.ts';
import type { Branch, Branches } from './branches.ts';

/** A step of a branch to its next node. */
interface Step {
	/** Possible IDs of the branch's next node. */
	readonly ids: Set<number>;
	/** Containers and tools whose level the branch has finished. The next node that they start also ends the step. */
	readonly outer: Set<Branch>;
}

/** Unfinished steps. Each follows its branch to the next node, even if levels finish in between. */
export class Steps {
	readonly #branches: Branches;
	readonly #steps = new Set<Step>();

	constructor(branches: Branches) {
		this.#branches = branches;
	}

	/** True if there is an unfinished step. */
	get pending(): boolean {
		return this.#steps.size > 0;
	}

	beginStep({ id }: Branch): void {
		this.#steps.add({ ids: new Set([id]), outer: new Set() });
	}

	/** Forgets all steps. */
	clear(): void {
		this.#steps.clear();
	}

	/** Returns the ID for the first node of a new level. */
	getStepId(level: GateLevel): number | undefined {
		const outer = this.#branches.getOuterBranch(level);
		const step = outer && [...this.#steps].find(each => each.outer.has(outer));
		return step ? [...step.ids][0] : outer?.id;
	}

	/** Handles a branch that has paused. Returns true if this ends a step. */
	onPaused(branch: Branch): boolean {
		const outer = this.#branches.getOuterBranch(branch.level);
		for (const step of this.#steps) {
			if (step.ids.has(branch.id) || (outer && step.outer.has(outer))) {
				return this.#steps.delete(step);
			}
		}
		return false;
	}

	/** Handles a branch that has finished and was removed. Returns true if this ends a step without a node to pause at. */
	onFinished(branch: Branch): boolean {
		const step = [...this.#steps].find(({ ids }) => ids.has(branch.id));
		if (!step || this.#hasSuccessor(branch)) {
			return false;
		}
		const outer = this.#branches.getOuterBranch(branch.level);
		const alone = [...this.#branches.getLevelBranches(branch.level)].length === 0;
		if (alone && outer) {
			step.ids.add(outer.id);
			step.outer.add(outer);
			return false;
		}
		return this.#steps.delete(step);
	}

	/** True if a successor continues with this branch's ID. */
	#hasSuccessor(branch: Branch): boolean {
		const outer = new Set(this.#branches.getSurroundingBranches(branch));
		return [...this.#branches.getAllBranches()].some(each => each.id === branch.id && !outer.has(each));
	}
}
