import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugBranch, DebugFrame, DebugVariable } from '../protocol/debugging.ts';
import type { RunStop } from '../runs/runTypes.ts';

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

/**
 * What the editor's numbers stand for while a run stands: frames and values that can be opened. They are made anew with each stop, and those of a former one
 * stand for nothing.
 */
export class StoppedRun {
	readonly branches: readonly DebugBranch[];
	/** The branch that stopped the run. */
	readonly branch: number;
	readonly #numbers: Numbers;
	readonly #frames = new Map<number, FramePlace>();
	readonly #values = new Map<number, ValuePlace>();
	/** What was listed, by its place and name: they say how a typed text is meant. */
	readonly #listed = new Map<string, DebugVariable>();

	constructor(branches: readonly DebugBranch[], branch: number, numbers: Numbers) {
		this.branches = branches;
		this.branch = branch;
		this.#numbers = numbers;
	}

	/** Nodes at which its branches stand: of each agent on the way of a branch the innermost one. */
	get places(): RunStop['places'] {
		return this.branches
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
		return this.branches.find(({ id }) => id === branch);
	}

	/** The frames of a branch with their IDs, the innermost first. */
	framesOf(branch: number): readonly (FramePlace & { readonly id: number })[] {
		return (this.of(branch)?.frames ?? []).map((frame, at) => {
			const id = this.#numbers.next();
			const place = { branch, at, frame };
			this.#frames.set(id, place);
			return { id, ...place };
		});
	}

	/** What a frame ID stands for; the innermost frame of the branch that stopped the run where there is none. */
	frame(id: number | undefined): FramePlace | undefined {
		if (id !== undefined) {
			return this.#frames.get(id);
		}
		const [frame] = this.of(this.branch)?.frames ?? [];
		return frame && { branch: this.branch, at: 0, frame };
	}

	/** A number for values that can be listed. */
	reference(place: ValuePlace): number {
		const id = this.#numbers.next();
		this.#values.set(id, place);
		return id;
	}

	/** Remembers a value that is listed. */
	list({ path }: ValuePlace, shown: DebugProtocol.Variable, variable: DebugVariable): DebugProtocol.Variable {
		this.#listed.set(JSON.stringify([path, shown.name]), variable);
		return shown;
	}

	/** A value that was listed, by the place of its list and its name. */
	listed({ path }: ValuePlace, name: string): DebugVariable | undefined {
		return this.#listed.get(JSON.stringify([path, name]));
	}

	/** What such a number stands for. */
	value(reference: number): ValuePlace | undefined {
		return this.#values.get(reference);
	}
}

/** Numbers that never come again in a session: one of a former stop means nothing. */
export class Numbers {
	#last = 0;

	next(): number {
		this.#last++;
		return this.#last;
	}
}
