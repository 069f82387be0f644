import type { FromGraphHost } from '../graphProtocol.ts';
import type { AgentPicture } from '../graphTypes.ts';
import { pictureChange } from '../pictureChange.ts';
import type { ToldPicture } from './livePicture.ts';

/** What a page was told of the picture, so that it is told what changed since. */
export class PanelPicture {
	#last: AgentPicture | undefined;
	#number = 0;

	/** The page knows nothing: it is told the whole next. */
	forget(): void {
		this.#last = undefined;
	}

	/** What the page is to be told now; it counts as told. `done`: what is in it of all that the page asked for. */
	message({ picture, stale, empty }: ToldPicture, done: number): Extract<FromGraphHost, { type: 'picture' }> {
		const before = this.#last;
		const since = this.#number;
		this.#last = picture;
		this.#number++;
		return {
			type: 'picture',
			number: this.#number,
			done,
			...(picture && (before ? { change: pictureChange(before, picture), since } : { picture })),
			...(stale === undefined ? {} : { stale }),
			empty,
		};
	}
}
