/** Resolves after the pointer is released and the click was handled; `undefined` while no pointer is pressed. */
let pressEnd: Promise<void> | undefined;
let end: (() => void) | undefined;

/**
 * Tracks pointer presses on a page, except inside of `except`. During a press, nothing may be rendered that could move or replace the
 * element under the pointer, because its click would be lost.
 */
export function trackPresses(page: Window, except: string): void {
	page.addEventListener(
		'pointerdown',
		({ target }) => {
			if (!pressEnd && !(target as Element | null)?.closest?.(except)) {
				pressEnd = new Promise(resolve => (end = resolve));
			}
		},
		true,
	);
	// the click follows right after the press ends
	const finishPressSoon = () => page.setTimeout(finishPress);
	for (const type of ['pointerup', 'pointercancel', 'dragend', 'keydown', 'blur']) {
		page.addEventListener(type, finishPressSoon, true);
	}
	page.addEventListener('pointermove', ({ buttons }) => buttons === 0 && finishPress(), true);
}

/** Returns a promise that resolves when the current press ends; `undefined` if there is none. */
export function getCurrentPress(): Promise<void> | undefined {
	return pressEnd;
}

function finishPress(): void {
	pressEnd = undefined;
	end?.();
	end = undefined;
}

/** Delays rendering while a pointer is pressed. Also delays nested rendering, which removed elements may request. */
export class SteadyDrawing {
	readonly #draw: () => void;
	#isLate = false;
	#isDrawing = false;

	constructor(draw: () => void) {
		this.#draw = draw;
	}

	/** Renders now, or as soon as the press has ended. */
	requestDrawing(): void {
		const later = pressEnd ?? (this.#isDrawing ? Promise.resolve() : undefined);
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
				this.requestDrawing();
			});
		}
	}
}
