import type { Viewport } from './viewport.ts';

/** Distance in pixels below which a pointer move counts as a click. */
export const dragPixels = 4;

/** Pans by dragging: with the middle button always, with the main button unless a gesture claims the press. */
export class PanByDrag {
	/** True if the current or last press was a drag. */
	wasDragged = false;
	readonly #element: HTMLElement;
	readonly #viewport: Viewport;
	#last: { x: number; y: number; far: number } | undefined;

	/** `taken`: called with each press; returns true if it starts a gesture. */
	constructor(element: HTMLElement, viewport: Viewport, taken: (event: PointerEvent) => boolean) {
		this.#element = element;
		this.#viewport = viewport;
		element.addEventListener('pointerdown', event => {
			this.wasDragged = false;
			if (!taken(event) && (event.button === 0 || event.button === 1)) {
				this.#last = { x: event.clientX, y: event.clientY, far: 0 };
			}
		});
		element.addEventListener('pointermove', event => this.#handleMove(event));
		element.addEventListener('pointerup', () => this.#handleRelease());
		element.addEventListener('pointercancel', () => this.#handleRelease());
	}

	#handleMove({ clientX, clientY, pointerId }: PointerEvent): void {
		if (!this.#last) {
			return;
		}
		const [x, y] = [clientX - this.#last.x, clientY - this.#last.y];
		const far = this.#last.far + Math.hypot(x, y);
		if (!this.wasDragged && far < dragPixels) {
			return;
		}
		if (!this.wasDragged) {
			this.wasDragged = true;
			this.#element.setPointerCapture(pointerId);
			this.#element.classList.add('dragging');
		}
		this.#last = { x: clientX, y: clientY, far };
		this.#viewport.panBy(x, y);
	}

	#handleRelease(): void {
		this.#last = undefined;
		this.#element.classList.remove('dragging');
	}
}
