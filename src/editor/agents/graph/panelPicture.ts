import type { FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import { diffPictures } from '#pages/graph/picture/pictureChange.ts';
import type { CurrentPicture, LivePicture } from './livePicture.ts';

/** Sends the whole picture to a page first, then only changes. */
export class PanelPicture {
	readonly #live: Pick<LivePicture, 'getCurrentPicture'>;
	readonly #done: () => number;
	readonly #post: (message: Extract<FromGraphHost, { type: 'picture' }>) => void;
	#last: AgentPicture | undefined;
	#number = 0;

	/** @param done returns the number of the last page request that the text includes */
	constructor(
		live: Pick<LivePicture, 'getCurrentPicture'>,
		done: () => number,
		post: (message: Extract<FromGraphHost, { type: 'picture' }>) => void,
	) {
		this.#live = live;
		this.#done = done;
		this.#post = post;
	}

	/** Returns the message with the graph around the start node, for a page that waits for the whole picture. */
	createStartMessage(picture: AgentPicture): Extract<FromGraphHost, { type: 'picture' }> {
		this.#last = undefined;
		this.#number++;
		return { type: 'picture', number: this.#number, done: this.#done(), picture, empty: false };
	}

	/** Sends the whole picture to a page that has just loaded or missed a change. */
	sendWholePicture(): void {
		this.#last = undefined;
		const before = this.#number;
		const now = this.#live.getCurrentPicture();
		// if the picture was computed just now, it has already been sent
		if (this.#number === before) {
			this.sendPictureChange(now);
		}
	}

	/** Sends the difference from the last picture that was sent. */
	sendPictureChange({ picture, stale, empty }: CurrentPicture): void {
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
