/** Distance from the end that still counts as the end, in pixels. */
const slack = 24;

/** Keeps a list scrolled to its end while text arrives, as long as the user hasn't scrolled up. */
export class ScrollKeeper {
	readonly #box: HTMLElement;
	readonly #onStick: (sticks: boolean) => void;
	readonly #observer: ResizeObserver;
	#sticks = true;
	/** Height of the box at the last resize, in pixels. */
	#height = 0;

	/** `box` scrolls, `content` grows in it. `onStick` is called when following the end starts or stops. */
	constructor(box: HTMLElement, content: HTMLElement, onStick: (sticks: boolean) => void) {
		this.#box = box;
		this.#onStick = onStick;
		box.addEventListener('scroll', () => this.#handleScroll(), { passive: true });
		this.#observer = new ResizeObserver(() => {
			this.#height = box.clientHeight;
			// a list that fits is always at its end
			this.#setSticks(this.#sticks || box.scrollHeight <= box.clientHeight);
			this.#follow();
		});
		this.#observer.observe(content);
		this.#observer.observe(box);
	}

	/** True if the list follows its end. */
	get sticks(): boolean {
		return this.#sticks;
	}

	get position(): number {
		return this.#box.scrollTop;
	}

	scrollToEnd(): void {
		this.#setSticks(true);
		this.#follow();
	}

	/** Restores a scroll position. */
	restore(position: number): void {
		this.#setSticks(false);
		this.#box.scrollTop = position;
	}

	#follow(): void {
		if (this.#sticks) {
			this.#box.scrollTop = this.#box.scrollHeight;
		}
	}

	#handleScroll(): void {
		const { scrollTop, scrollHeight, clientHeight } = this.#box;
		if (this.#sticks && clientHeight !== this.#height) {
			// the box was resized, not scrolled: the observer follows
			return;
		}
		this.#setSticks(scrollHeight - clientHeight - scrollTop <= slack);
	}

	#setSticks(sticks: boolean): void {
		if (sticks !== this.#sticks) {
			this.#sticks = sticks;
			this.#onStick(sticks);
		}
	}
}
