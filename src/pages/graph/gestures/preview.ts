import type { AgentPicture } from '../picture/graphTypes.ts';

/** The graph as a gesture shows it. After a drop, nodes stay where they were dropped until the host has confirmed the result. */
export class Preview {
	#shown: { readonly picture: AgentPicture; readonly by?: number } | undefined;

	get picture(): AgentPicture | undefined {
		return this.#shown?.picture;
	}

	/** Shows the picture of an active gesture; `undefined` if it was canceled. */
	showPicture(picture: AgentPicture | undefined): void {
		this.#shown = picture && { picture };
	}

	/** Shows the result of a gesture that ended with request `by`. */
	showResult(picture: AgentPicture, by: number): void {
		this.#shown = { picture, by };
	}

	/** Call when a picture arrives that includes all requests up to `done`. An active gesture shows its preview again with its next move. */
	confirmPicture(done: number): void {
		if (this.#shown?.by === undefined || this.#shown.by <= done) {
			this.#shown = undefined;
		}
	}

	/** Call when all requests up to `done` are done or refused. */
	confirmRequests(done: number): void {
		if (this.#shown?.by !== undefined) {
			this.confirmPicture(done);
		}
	}
}
