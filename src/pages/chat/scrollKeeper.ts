/** Pixels from the end within which one counts as being there. */
const slack = 24;

/** Keeps a list at its end while text comes, but only while the user is there. */
export class ScrollKeeper {
	readonly #box: HTMLElement;
	readonly #onStick: (sticks: boolean) => void;
	readonly #observer: ResizeObserver;
	#sticks = true;
	/** Pixels of the box when the list last followed its size. */
	#height = 0;

	/** `box` scrolls, `content` grows in it. `onStick` hears whether the list follows its end. */
	constructor(box: HTMLElement, content: HTMLElement, onStick: (sticks: boolean) => void) {
		this.#box = box;
		this.#onStick = onStick;
		box.addEventListener('scroll', () => this.#scrolled(), { passive: true });
		this.#observer = new ResizeObserver(() => {
			this.#height = box.clientHeight;
			// a list that fits has no end to go to
			this.#set(this.#sticks || box.scrollHeight <= box.clientHeight);
			this.#follow();
		});
		this.#observer.observe(content);
		this.#observer.observe(box);
	}

	/** Whether the list follows its end. */
	get sticks(): boolean {
		return this.#sticks;
	}

	get position(): number {
		return this.#box.scrollTop;
	}

	toEnd(): void {
		this.#set(true);
		this.#follow();
	}

	/** Goes to where one was. */
	restore(position: number): void {
		this.#set(false);
		this.#box.scrollTop = position;
	}

	#follow(): void {
		if (this.#sticks) {
			this.#box.scrollTop = this.#box.scrollHeight;
		}
	}

	#scrolled(): void {
		const { scrollTop, scrollHeight, clientHeight } = this.#box;
		if (this.#sticks && clientHeight !== this.#height) {
			// the box was made smaller or larger, not scrolled: the observer follows
			return;
		}
		this.#set(scrollHeight - clientHeight - scrollTop <= slack);
	}

	#set(sticks: boolean): void {
		if (sticks !== this.#sticks) {
			this.#sticks = sticks;
			this.#onStick(sticks);
		}
	}
}
