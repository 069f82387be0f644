import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugBranch, DebugFrame, DebugVariable } from '#contract/debugging.ts';
import type { RunStop } from '#runs/runTypes.ts';

/** A frame of a branch that stands, as the editor's frame IDs stand for it. */
export interface FramePlace {
	readonly branch: number;
	/** Place among the branch's frames, from the innermost, 0. */
	readonly at: number;
	readonly frame: DebugFrame;
}

/** Values inside of one that can be listed. */
export interface ValuePlace {
	readonly branch: number;
	readonly frame: number;
	/** A scope, then keys and indexes. */
	readonly path: readonly (string | number)[];
}

/** What a number of the editor stands for, and what it looked like where the number was given: it stands for nothing else. */
interface Numbered<Place> {
	readonly place: Place;
	/** The frame that it is of, with all that this is inside of, as a text. */
	readonly frames: string;
}

/**
 * What the editor's numbers stand for while a run stands: frames and values that can be opened. A number stands for the same frame, or the same value, as long as
 * the run stands there, also where work in flight has ended meanwhile; where its branch has moved on it stands for nothing, and never for another row.
 */
export class StoppedRun {
	readonly #numbers: Numbers;
	readonly #frames = new Map<number, Numbered<FramePlace>>();
	readonly #values = new Map<number, Numbered<ValuePlace>>();
	/** Numbers by what they stand for: who asks twice gets the same. */
	readonly #given = new Map<string, number>();
	/** What was listed, by its place and name: they say how a typed text is meant. */
	readonly #listed = new Map<string, DebugVariable>();
	#branches: readonly DebugBranch[];
	#branch: number;

	constructor(branches: readonly DebugBranch[], branch: number, numbers: Numbers) {
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

	/** It stands still, and work in flight has ended. */
	update(branches: readonly DebugBranch[], branch: number): void {
		this.#branches = branches;
		this.#branch = branch;
	}

	/** Nodes at which its branches stand: of each agent on the way of a branch the innermost one. */
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

	/** A branch by its ID. */
	of(branch: number): DebugBranch | undefined {
		return this.#branches.find(({ id }) => id === branch);
	}

	/** The frames of a branch with their IDs, the innermost first. */
	framesOf(branch: number): readonly (FramePlace & { readonly id: number })[] {
		return (this.of(branch)?.frames ?? []).map((frame, at) => {
			const place = { branch, at, frame };
			return { id: this.#number(this.#frames, place, [branch, at], at), ...place };
		});
	}

	/** What a frame ID stands for; the innermost frame of the branch that stopped the run where there is none. */
	frame(id: number | undefined): FramePlace | undefined {
		if (id !== undefined) {
			return this.#valid(this.#frames.get(id), ({ at }) => at);
		}
		const [frame] = this.of(this.#branch)?.frames ?? [];
		return frame && { branch: this.#branch, at: 0, frame };
	}

	/** A number for values that can be listed. */
	reference(place: ValuePlace): number {
		return this.#number(this.#values, place, [place.branch, place.frame, place.path], place.frame);
	}

	/** Remembers a value that is listed. */
	list(place: ValuePlace, shown: DebugProtocol.Variable, variable: DebugVariable): DebugProtocol.Variable {
		this.#listed.set(listKey(place, shown.name), variable);
		return shown;
	}

	/** A value that was listed, by the place of its list and its name. */
	listed(place: ValuePlace, name: string): DebugVariable | undefined {
		return this.#listed.get(listKey(place, name));
	}

	/** What such a number stands for. */
	value(reference: number): ValuePlace | undefined {
		return this.#valid(this.#values.get(reference), ({ frame }) => frame);
	}

	#number<Place extends { readonly branch: number }>(
		known: Map<number, Numbered<Place>>,
		place: Place,
		name: readonly unknown[],
		at: number,
	): number {
		const frames = this.#looks(place.branch, at);
		const key = JSON.stringify([name, frames]);
		const number = this.#given.get(key) ?? this.#numbers.next();
		this.#given.set(key, number);
		known.set(number, { place, frames });
		return number;
	}

	#valid<Place extends { readonly branch: number }>(found: Numbered<Place> | undefined, at: (place: Place) => number): Place | undefined {
		return found && this.#looks(found.place.branch, at(found.place)) === found.frames ? found.place : undefined;
	}

	/** A frame of a branch with all that it is inside of, as a text. */
	#looks(branch: number, at: number): string {
		return JSON.stringify(this.of(branch)?.frames.slice(at) ?? []);
	}
}

/** Branches can have values of the same names and other types. */
function listKey({ branch, frame, path }: ValuePlace, name: string): string {
	return JSON.stringify([branch, frame, path, name]);
}

/** Numbers that never come again in a session: one of a former stop means nothing. */
export class Numbers {
	#last = 0;

	next(): number {
		this.#last++;
		return this.#last;
	}
}
