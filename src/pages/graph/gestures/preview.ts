import type { AgentPicture } from '../picture/graphTypes.ts';

/** The graph as a gesture shows it, until the host has confirmed the result. Keeps dropped nodes where they were dropped. */
export class Preview {
	#shown: { readonly picture: AgentPicture; readonly by?: number } | undefined;

	get picture(): AgentPicture | undefined {
		return this.#shown?.picture;
	}

	/** The gesture continues, or was canceled. */
	show(picture: AgentPicture | undefined): void {
		this.#shown = picture && { picture };
	}

	/** The gesture ended with request `by`. */
	drop(picture: AgentPicture, by: number): void {
		this.#shown = { picture, by };
	}

	/** A picture arrived that includes all requests up to `done`. An active gesture shows its preview again with its next move. */
	confirmPicture(done: number): void {
		if (this.#shown?.by === undefined || this.#shown.by <= done) {
			this.#shown = undefined;
		}
	}

	/** All requests up to `done` are done or refused. */
	confirmDone(done: number): void {
		if (this.#shown?.by !== undefined) {
			this.confirmPicture(done);
		}
	}
}
