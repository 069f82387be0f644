/** Resolves when the pointer that is down is up again, and its click was told; absent while none is down. */
let over: Promise<void> | undefined;
let end: (() => void) | undefined;

/**
 * Follows presses of the pointer on a page, but for those that begin in `except`: while one goes on nothing is drawn anew that could move, or replace, what is under the pointer, for then
 * its click would go elsewhere.
 */
export function followPresses(page: Window, except: string): void {
	page.addEventListener(
		'pointerdown',
		({ target }) => {
			if (!over && !(target as Element | null)?.closest?.(except)) {
				over = new Promise(resolve => (end = resolve));
			}
		},
		true,
	);
	// the click comes right behind the end of the press
	const soon = () => page.setTimeout(finish);
	for (const type of ['pointerup', 'pointercancel', 'dragend', 'keydown', 'blur']) {
		page.addEventListener(type, soon, true);
	}
	page.addEventListener('pointermove', ({ buttons }) => buttons === 0 && finish(), true);
}

/** When a press that goes on is over; `undefined` where none does. */
export function pressOver(): Promise<void> | undefined {
	return over;
}

function finish(): void {
	over = undefined;
	end?.();
	end = undefined;
}

/** Draws something, but not while a press goes on, and not inside of its own drawing: what is taken away may ask for something as it goes. */
export class SteadyDrawing {
	readonly #draw: () => void;
	#isLate = false;
	#isDrawing = false;

	constructor(draw: () => void) {
		this.#draw = draw;
	}

	/** Draws now, or as soon as that moves nothing under a pointer. */
	draw(): void {
		const later = over ?? (this.#isDrawing ? Promise.resolve() : undefined);
		if (!later) {
			this.#isDrawing = true;
			try {
				this.#draw();
			} finally {
				this.#isDrawing = false;
			}
		} else if (!this.#isLate) {
			this.#isLate = true;
			void later.then(() => {
				this.#isLate = false;
				this.draw();
			});
		}
	}
}
