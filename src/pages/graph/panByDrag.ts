import type { Viewport } from './viewport.ts';

/** A pointer that moves less is a click. */
export const dragPixels = 4;

/** Moves a canvas by dragging it: with the main button where no gesture takes it, with the middle one always. */
export class PanByDrag {
	/** Whether the pointer that is up now, or still down, dragged. */
	wasDragged = false;
	readonly #element: HTMLElement;
	readonly #viewport: Viewport;
	#last: { x: number; y: number; far: number } | undefined;

	/** `taken`: whether a gesture begins with this press; it is told of each. */
	constructor(element: HTMLElement, viewport: Viewport, taken: (event: PointerEvent) => boolean) {
		this.#element = element;
		this.#viewport = viewport;
		element.addEventListener('pointerdown', event => {
			this.wasDragged = false;
			if (!taken(event) && (event.button === 0 || event.button === 1)) {
				this.#last = { x: event.clientX, y: event.clientY, far: 0 };
			}
		});
		element.addEventListener('pointermove', event => this.#move(event));
		element.addEventListener('pointerup', () => this.#up());
		element.addEventListener('pointercancel', () => this.#up());
	}

	#move({ clientX, clientY, pointerId }: PointerEvent): void {
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
		this.#viewport.pan(x, y);
	}

	#up(): void {
		this.#last = undefined;
		this.#element.classList.remove('dragging');
	}
}
