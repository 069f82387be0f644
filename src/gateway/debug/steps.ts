import type { GateLevel } from '#engine/run/gate.ts';
import type { Branch, Branches } from './branches.ts';

/** A branch that was let go on, to its next node. */
interface Step {
	/** Numbers that the next node of the branch can have. */
	readonly ids: Set<number>;
	/** Containers and tools whose level it came to the end of: what they begin next is the next node too. */
	readonly outer: Set<Branch>;
}

/** Steps that are not over yet: each follows its branch to the next node, out of levels that end as well. */
export class Steps {
	readonly #branches: Branches;
	readonly #steps = new Set<Step>();

	constructor(branches: Branches) {
		this.#branches = branches;
	}

	/** Whether there is one. */
	get pending(): boolean {
		return this.#steps.size > 0;
	}

	begin({ id }: Branch): void {
		this.#steps.add({ ids: new Set([id]), outer: new Set() });
	}

	/** Follows none of them any more. */
	clear(): void {
		this.#steps.clear();
	}

	/** Number that the first node of a new level should have. */
	numberFor(level: GateLevel): number | undefined {
		const outer = this.#branches.around(level);
		const step = outer && [...this.#steps].find(each => each.outer.has(outer));
		return step ? [...step.ids][0] : outer?.id;
	}

	/** A branch stands. @returns whether a step is over by that */
	arrived(branch: Branch): boolean {
		const outer = this.#branches.around(branch.level);
		for (const step of this.#steps) {
			if (step.ids.has(branch.id) || (outer && step.outer.has(outer))) {
				return this.#steps.delete(step);
			}
		}
		return false;
	}

	/** A branch has ended, and is no longer among the others. @returns whether a step is over by that, with nothing to stand at */
	ended(branch: Branch): boolean {
		const step = [...this.#steps].find(({ ids }) => ids.has(branch.id));
		if (!step || this.#goesOn(branch)) {
			return false;
		}
		const outer = this.#branches.around(branch.level);
		const alone = [...this.#branches.in(branch.level)].length === 0;
		if (alone && outer) {
			step.ids.add(outer.id);
			step.outer.add(outer);
			return false;
		}
		return this.#steps.delete(step);
	}

	/** Whether its number is that of a successor. */
	#goesOn(branch: Branch): boolean {
		const outer = new Set(this.#branches.ancestors(branch));
		return [...this.#branches.all()].some(each => each.id === branch.id && !outer.has(each));
	}
}
