import type { FromGraphHost } from './picture/graphProtocol.ts';
import type { AgentPicture } from './picture/graphTypes.ts';
import { applyPictureChange } from './picture/pictureChange.ts';

/** The last graph from the host. */
export class PagePicture {
	#number: number | undefined;
	#shown: AgentPicture | undefined;
	/** Why the picture is outdated or missing. */
	stale: string | undefined;
	/** True if the file is still empty. */
	empty = false;

	get shown(): AgentPicture | undefined {
		return this.#shown;
	}

	/** Applies a picture or a change. Returns false if the change is based on a picture that the page doesn't have. */
	applyUpdate({ number, picture, change, since, stale, empty }: Extract<FromGraphHost, { type: 'picture' }>): boolean {
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
			this.#shown = applyPictureChange(before, change);
		} else if (empty) {
			this.#shown = undefined;
		}
		return true;
	}
}
