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
			this.#setFollowing(this.#sticks || box.scrollHeight <= box.clientHeight);
			this.#followEnd();
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
		this.#setFollowing(true);
		this.#followEnd();
	}

	/** Restores a scroll position. */
	restorePosition(position: number): void {
		this.#setFollowing(false);
		this.#box.scrollTop = position;
	}

	#followEnd(): void {
		if (this.#sticks) {
			this.#box.scrollTop = this.#box.scrollHeight;
		}
	}

	#handleScroll(): void {
		const { scrollTop, scrollHeight, clientHeight } = this.#box;
		if (this.#sticks && clientHeight !== this.#height) {
			// the box was resized, not scrolled, and the observer handles that
			return;
		}
		this.#setFollowing(scrollHeight - clientHeight - scrollTop <= slack);
	}

	#setFollowing(sticks: boolean): void {
		if (sticks !== this.#sticks) {
			this.#sticks = sticks;
			this.#onStick(sticks);
		}
	}
}
