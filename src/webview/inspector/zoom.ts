const step = 1.25;
const limits = { least: 0.2, most: 2 };
/** A large graph begins at this factor, and not as small as it needs to be to fit. */
const legible = 0.8;
/** What is shown keeps this many pixels from the edge. */
const clearance = 12;
/** A pointer that moves less is a click. */
const dragPixels = 4;

/** Zooms and pans what a scrolling element shows: by its own scroll bars, by dragging, and by the wheel with Ctrl. */
export class Zoom {
	/** Size of what is shown, in pixels at a factor of 1. */
	content: { readonly width: number; readonly height: number } = { width: 1, height: 1 };
	readonly #element: HTMLElement;
	readonly #changed: () => void;
	/** `undefined`: as large as fits, but legible. */
	#chosen: number | undefined;
	#drag: { x: number; y: number; left: number; top: number } | undefined;
	/** Whether the pointer that is up now, or still down, dragged. */
	isDragging = false;

	/** `changed`: the factor is another one. */
	constructor(element: HTMLElement, changed: () => void) {
		this.#element = element;
		this.#changed = changed;
		element.addEventListener('wheel', event => this.#wheel(event), { passive: false });
		element.addEventListener('pointerdown', event => this.#down(event));
		element.addEventListener('pointermove', event => this.#move(event));
		element.addEventListener('pointerup', () => this.#up());
		element.addEventListener('pointercancel', () => this.#up());
		new ResizeObserver(() => this.#chosen === undefined && changed()).observe(element);
	}

	get factor(): number {
		return this.#chosen ?? Math.max(this.#fitting, legible);
	}

	/** Makes it larger by so many steps, around the middle. */
	by(steps: number): void {
		const { clientWidth, clientHeight } = this.#element;
		this.#to(this.factor * step ** steps, clientWidth / 2, clientHeight / 2);
	}

	/** Shows all of it. */
	fit(): void {
		this.#chosen = Math.max(limits.least, this.#fitting);
		this.#changed();
	}

	/** Scrolls so far that a part is in sight. */
	reveal({ x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }): void {
		const { factor } = this;
		const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#element;
		this.#element.scrollLeft = shifted(scrollLeft, clientWidth, x * factor, (x + width) * factor);
		this.#element.scrollTop = shifted(scrollTop, clientHeight, y * factor, (y + height) * factor);
	}

	get #fitting(): number {
		const { clientWidth, clientHeight } = this.#element;
		// a pixel less, or rounding makes scroll bars
		return Math.min(1, (clientWidth - 1) / this.content.width, (clientHeight - 1) / this.content.height);
	}

	/** What is at a point of the element stays there. */
	#to(factor: number, x: number, y: number): void {
		const { scrollLeft, scrollTop } = this.#element;
		const before = this.factor;
		this.#chosen = Math.min(limits.most, Math.max(limits.least, factor));
		this.#changed();
		this.#element.scrollLeft = ((scrollLeft + x) * this.#chosen) / before - x;
		this.#element.scrollTop = ((scrollTop + y) * this.#chosen) / before - y;
	}

	#wheel(event: WheelEvent): void {
		if (event.ctrlKey || event.metaKey) {
			event.preventDefault();
			const { left, top } = this.#element.getBoundingClientRect();
			this.#to(this.factor * Math.exp(-event.deltaY / 200), event.clientX - left, event.clientY - top);
		}
	}

	#down({ button, clientX, clientY, pointerType, offsetX, offsetY, target }: PointerEvent): void {
		const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.#element;
		const onScrollBar = target === this.#element && (offsetX >= clientWidth || offsetY >= clientHeight);
		this.isDragging = false;
		// a finger scrolls by itself
		if (button === 0 && pointerType !== 'touch' && !onScrollBar) {
			this.#drag = { x: clientX, y: clientY, left: scrollLeft, top: scrollTop };
		}
	}

	#move({ clientX, clientY, pointerId }: PointerEvent): void {
		if (!this.#drag) {
			return;
		}
		const [x, y] = [clientX - this.#drag.x, clientY - this.#drag.y];
		if (!this.isDragging && Math.hypot(x, y) >= dragPixels) {
			this.isDragging = true;
			this.#element.setPointerCapture(pointerId);
			this.#element.classList.add('dragging');
		}
		if (this.isDragging) {
			this.#element.scrollLeft = this.#drag.left - x;
			this.#element.scrollTop = this.#drag.top - y;
		}
	}

	#up(): void {
		this.#drag = undefined;
		this.#element.classList.remove('dragging');
	}
}

/** Where to scroll to, from where it stands, so that a stretch is in sight; its beginning where it is longer than the view. */
function shifted(scroll: number, view: number, from: number, to: number): number {
	if (from - clearance < scroll || to - from > view) {
		return from - clearance;
	}
	return to + clearance > scroll + view ? to + clearance - view : scroll;
}
