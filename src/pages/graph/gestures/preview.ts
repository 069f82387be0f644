import type { AgentPicture } from '../picture/graphTypes.ts';

/** The graph as a gesture has it, until the host has answered what came of that: what was dropped stays where it was dropped. */
export class Preview {
	#shown: { readonly picture: AgentPicture; readonly by?: number } | undefined;

	get picture(): AgentPicture | undefined {
		return this.#shown?.picture;
	}

	/** A gesture goes on, or was left. */
	show(picture: AgentPicture | undefined): void {
		this.#shown = picture && { picture };
	}

	/** It ended, and the host was asked for this as `by`. */
	dropped(picture: AgentPicture, by: number): void {
		this.#shown = { picture, by };
	}

	/** All up to `done` is in what the host told; a gesture that goes on is shown anew with its next move. */
	told(done: number): void {
		if (this.#shown?.by === undefined || this.#shown.by <= done) {
			this.#shown = undefined;
		}
	}

	/** All up to `done` was done, or refused. */
	answered(done: number): void {
		if (this.#shown?.by !== undefined) {
			this.told(done);
		}
	}
}
