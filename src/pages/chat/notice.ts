/** How long a notice is shown, in milliseconds. */
const shownMs = 12_000;

/** A message above the message box that disappears after a while. */
export class Notice {
	readonly #changed: () => void;
	#timer: number | undefined;
	text = '';

	constructor(changed: () => void) {
		this.#changed = changed;
	}

	showText(text: string): void {
		this.text = text;
		this.#changed();
		clearTimeout(this.#timer);
		this.#timer = window.setTimeout(() => {
			this.text = '';
			this.#changed();
		}, shownMs);
	}
}
