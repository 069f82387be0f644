import type { FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import { diffPictures } from '#pages/graph/picture/pictureChange.ts';
import type { CurrentPicture, LivePicture } from './livePicture.ts';

/** What a page is told of the picture: all of it first, then what changed since. */
export class PanelPicture {
	readonly #live: Pick<LivePicture, 'now'>;
	readonly #done: () => number;
	readonly #post: (message: Extract<FromGraphHost, { type: 'picture' }>) => void;
	#last: AgentPicture | undefined;
	#number = 0;

	/** @param done what is in the text of all that the page asked for */
	constructor(live: Pick<LivePicture, 'now'>, done: () => number, post: (message: Extract<FromGraphHost, { type: 'picture' }>) => void) {
		this.#live = live;
		this.#done = done;
		this.#post = post;
	}

	/** Tells all of it, to a page that begins, or lost something. */
	sendWhole(): void {
		this.#last = undefined;
		const before = this.#number;
		const now = this.#live.getCurrent();
		// a text that was not read yet was told with that
		if (this.#number === before) {
			this.sendChange(now);
		}
	}

	/** Tells what is different from what was told last. */
	sendChange({ picture, stale, empty }: CurrentPicture): void {
		const before = this.#last;
		const since = this.#number;
		this.#last = picture;
		this.#number++;
		this.#post({
			type: 'picture',
			number: this.#number,
			done: this.#done(),
			...(picture && (before ? { change: diffPictures(before, picture), since } : { picture })),
			...(stale === undefined ? {} : { stale }),
			empty,
		});
	}
}
