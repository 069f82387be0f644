import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugVariable } from '#contract/debugAnswers.ts';
import type { DebugBranch, DebugFrame } from '#contract/debugging.ts';
import type { RunStop } from '#runs/runTypes.ts';

/** The frame of a paused branch that a frame ID refers to. */
export interface FramePlace {
	readonly branch: number;
	/** Index among the branch's frames; 0 is the innermost. */
	readonly at: number;
	readonly frame: DebugFrame;
}

/** A value whose children can be listed. */
export interface ValuePlace {
	readonly branch: number;
	readonly frame: number;
	/** A scope followed by keys and indexes. */
	readonly path: readonly (string | number)[];
}

/** The target of an ID, with a snapshot of its frames. The ID is valid only while the frames are the same. */
interface Numbered<Place> {
	readonly place: Place;
	/** JSON of the target's frame and the frames around it. */
	readonly frames: string;
}

/**
 * Assigns the IDs that VS Code uses for frames and values of a paused run. An ID stays valid while its branch is paused in the same place,
 * even if other work finishes in the meantime. When the branch moves on, the ID becomes invalid, and it's never reused.
 */
export class StoppedRun {
	readonly #numbers: IdCounter;
	readonly #frames = new Map<number, Numbered<FramePlace>>();
	readonly #values = new Map<number, Numbered<ValuePlace>>();
	/** IDs by target, so that the same target always gets the same ID. */
	readonly #given = new Map<string, number>();
	/** Listed variables by parent and name. Their types determine how edits are parsed. */
	readonly #listed = new Map<string, DebugVariable>();
	#branches: readonly DebugBranch[];
	#branch: number;

	constructor(branches: readonly DebugBranch[], branch: number, numbers: IdCounter) {
		this.#branches = branches;
		this.#branch = branch;
		this.#numbers = numbers;
	}

	get branches(): readonly DebugBranch[] {
		return this.#branches;
	}

	/** The branch that stopped the run. */
	get branch(): number {
		return this.#branch;
	}

	/** Updates the branches after other work finished while the run is paused. */
	updateBranches(branches: readonly DebugBranch[], branch: number): void {
		this.#branches = branches;
		this.#branch = branch;
	}

	/** Nodes where branches are paused. For each branch, contains the innermost node of each agent. */
	get places(): RunStop['places'] {
		return this.#branches
			.filter(({ state }) => state === 'standing')
			.flatMap(({ frames }) => {
				const byAgent = new Map<string | undefined, RunStop['places'][number]>();
				for (const { node, agent } of frames) {
					if (node !== undefined && !byAgent.has(agent)) {
						byAgent.set(agent, { node, ...(agent !== undefined && { agent }) });
					}
				}
				return [...byAgent.values()];
			});
	}

	findBranch(branch: number): DebugBranch | undefined {
		return this.#branches.find(({ id }) => id === branch);
	}

	/** Returns the frames of a branch with their IDs, innermost first. */
	listFrames(branch: number): readonly (FramePlace & { readonly id: number })[] {
		return (this.findBranch(branch)?.frames ?? []).map((frame, at) => {
			const place = { branch, at, frame };
			return { id: this.#assignId(this.#frames, place, [branch, at], at), ...place };
		});
	}

	/** Returns the frame with an ID. Without an ID, returns the innermost frame of the branch that stopped the run. */
	findFrame(id: number | undefined): FramePlace | undefined {
		if (id !== undefined) {
			return this.#findValidTarget(this.#frames.get(id), ({ at }) => at);
		}
		const [frame] = this.findBranch(this.#branch)?.frames ?? [];
		return frame && { branch: this.#branch, at: 0, frame };
	}

	/** Returns the DAP reference of a value whose children can be listed. */
	getReference(place: ValuePlace): number {
		return this.#assignId(this.#values, place, [place.branch, place.frame, place.path], place.frame);
	}

	/** Records a listed variable for {@link findListedVariable}. Returns `shown`. */
	recordListedVariable(place: ValuePlace, shown: DebugProtocol.Variable, variable: DebugVariable): DebugProtocol.Variable {
		this.#listed.set(getVariableKey(place, shown.name), variable);
		return shown;
	}

	/** Finds a listed variable by its parent and name. */
	findListedVariable(place: ValuePlace, name: string): DebugVariable | undefined {
		return this.#listed.get(getVariableKey(place, name));
	}

	/** Returns the value that a DAP reference refers to. */
	findValue(reference: number): ValuePlace | undefined {
		return this.#findValidTarget(this.#values.get(reference), ({ frame }) => frame);
	}

	#assignId<Place extends { readonly branch: number }>(
		known: Map<number, Numbered<Place>>,
		place: Place,
		name: readonly unknown[],
		at: number,
	): number {
		const frames = this.#serializeFrames(place.branch, at);
		const key = JSON.stringify([name, frames]);
		const number = this.#given.get(key) ?? this.#numbers.next();
		this.#given.set(key, number);
		known.set(number, { place, frames });
		return number;
	}

	#findValidTarget<Place extends { readonly branch: number }>(
		found: Numbered<Place> | undefined,
		at: (place: Place) => number,
	): Place | undefined {
		return found && this.#serializeFrames(found.place.branch, at(found.place)) === found.frames ? found.place : undefined;
	}

	/** Serializes a frame of a branch and the frames around it. */
	#serializeFrames(branch: number, at: number): string {
		return JSON.stringify(this.findBranch(branch)?.frames.slice(at) ?? []);
	}
}

/** Returns the key of a listed variable. Includes the branch, because branches can have values with the same name but different types. */
function getVariableKey({ branch, frame, path }: ValuePlace, name: string): string {
	return JSON.stringify([branch, frame, path, name]);
}

/** Generates IDs that are unique in a session, so that IDs of an earlier stop are invalid. */
export class IdCounter {
	#last = 0;

	next(): number {
		this.#last++;
		return this.#last;
	}
}
