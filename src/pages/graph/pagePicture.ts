import type { FromGraphHost } from './picture/graphProtocol.ts';
import type { AgentPicture } from './picture/graphTypes.ts';
import { changedPicture } from './picture/pictureChange.ts';

/** The graph as the host told it last. */
export class PagePicture {
	#number: number | undefined;
	#shown: AgentPicture | undefined;
	/** Why it is not what the text has now, or why there is none. */
	stale: string | undefined;
	/** The file holds nothing yet. */
	empty = false;

	get shown(): AgentPicture | undefined {
		return this.#shown;
	}

	/** Takes what is told of it. False: it is a change of a picture that never came, and nothing was taken. */
	take({ number, picture, change, since, stale, empty }: Extract<FromGraphHost, { type: 'picture' }>): boolean {
		const before = this.#shown;
		if (change && (!before || since !== this.#number)) {
			return false;
		}
		this.#number = number;
		this.stale = stale;
		this.empty = empty;
		if (picture) {
			this.#shown = picture;
		} else if (change && before) {
			this.#shown = changedPicture(before, change);
		} else if (empty) {
			this.#shown = undefined;
		}
		return true;
	}
}
