import type { Rect } from '#agentFile/layout/geometry.ts';

const step = 1.25;
const limits = { least: 0.3, most: 2 };
/** Below this factor the font keeps a readable size, and lines are cut earlier. */
export const legible = 0.85;
/** Below this factor a card shows only its title, because its lines would overlap. */
export const crowded = 0.58;
/** Margin around the content, in pixels. */
const clearance = 16;
/** Height of a line for wheel events in lines, in pixels. */
const linePixels = 16;

/** The visible part of an unbounded canvas: position and zoom factor. Handles the wheel; dragging calls {@link Viewport.panBy}. */
export class Viewport {
	/** Pixels from the element's corner to the origin of the canvas. */
	#x = 0;
	#y = 0;
	#factor = 1;
	#content: Rect = { x: 0, y: 0, width: 1, height: 1 };
	/** True until the canvas is moved or zoomed. Until then, the start of the graph is shown, as large as fits but readable. */
	#isUntouched = true;
	/** True while all of the content is shown because the user asked for it. */
	#isFitted = false;
	#size = { width: 0, height: 0 };
	#first: Rect | undefined;
	/** The box that stays in view when the element is resized, until the canvas is moved. */
	#wanted: Rect | undefined;
	readonly #element: HTMLElement;
	readonly #changed: () => void;

	/** `changed`: called when the position, zoom or size changes. */
	constructor(element: HTMLElement, changed: () => void) {
		this.#element = element;
		this.#changed = changed;
		element.addEventListener('wheel', event => this.#handleWheel(event), { passive: false });
		// screen readers and the browser's search scroll their target into view
		element.addEventListener('scroll', () => {
			const { scrollLeft, scrollTop } = element;
			if (scrollLeft !== 0 || scrollTop !== 0) {
				element.scrollTo(0, 0);
				this.panBy(-scrollLeft, -scrollTop);
			}
		});
		new ResizeObserver(() => this.#onResize()).observe(element);
	}

	get factor(): number {
		return this.#factor;
	}

	/** Position and zoom as a CSS `transform`. */
	get transform(): string {
		return `translate(${this.#x}px, ${this.#y}px) scale(${this.#factor})`;
	}

	/** The visible area of the canvas. */
	get sight(): Rect {
		const { width, height } = this.#size;
		return { x: -this.#x / this.#factor, y: -this.#y / this.#factor, width: width / this.#factor, height: height / this.#factor };
	}

	/** True if all of the content is visible. */
	get isWhole(): boolean {
		return containsRect(this.sight, this.#content);
	}

	/** The box to center initially if the content doesn't fit at a readable size. */
	set first(first: Rect | undefined) {
		this.#first = first;
	}

	/** Bounds of the content. */
	set content(content: Rect) {
		const isOther = !containsRect(this.#content, content) || !containsRect(content, this.#content);
		this.#content = content;
		if (isOther) {
			this.#wanted = undefined;
		}
		// keep the position if the bounds are the same
		if (this.#isUntouched && isOther) {
			this.#showGraphStart();
		}
	}

	/** Converts a point of the window to the canvas. */
	toCanvasPoint({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): { x: number; y: number } {
		const { left, top } = this.#element.getBoundingClientRect();
		return { x: (clientX - left - this.#x) / this.#factor, y: (clientY - top - this.#y) / this.#factor };
	}

	/** Converts a point of the canvas to the window. */
	toWindowPoint({ x, y }: { readonly x: number; readonly y: number }): { x: number; y: number } {
		const { left, top } = this.#element.getBoundingClientRect();
		return { x: x * this.#factor + this.#x + left, y: y * this.#factor + this.#y + top };
	}

	/** Zooms by a number of steps around the middle. */
	zoomBy(steps: number): void {
		this.#zoomAround(this.#factor * step ** steps, this.#size.width / 2, this.#size.height / 2);
	}

	/** Shows all of the content, down to the minimum zoom. */
	zoomToFit(): void {
		this.#markMoved();
		this.#isFitted = true;
		this.#fitContent();
		this.#changed();
	}

	/** Moves the content by pixels of the window. */
	panBy(x: number, y: number): void {
		this.#markMoved();
		this.#x += x;
		this.#y += y;
		this.#clampPosition();
		this.#changed();
	}

	/** Moves a point of the canvas to the middle. */
	centerPoint({ x, y }: { readonly x: number; readonly y: number }): void {
		this.#markMoved();
		this.#x = this.#size.width / 2 - x * this.#factor;
		this.#y = this.#size.height / 2 - y * this.#factor;
		this.#clampPosition();
		this.#changed();
	}

	/** Scrolls a box into view with the smallest move; delayed while the element has no size. */
	revealBox(box: Rect): void {
		this.#wanted = box;
		const [left, top] = [this.#x, this.#y];
		this.#revealWantedBox();
		if (left !== this.#x || top !== this.#y) {
			this.#isUntouched = false;
			this.#isFitted = false;
			this.#changed();
		}
	}

	#revealWantedBox(): void {
		const wanted = this.#wanted;
		if (wanted && this.#size.width > 0) {
			const { x, y, width, height } = wanted;
			this.#x = computeShift(this.#x, this.#size.width, x * this.#factor, (x + width) * this.#factor);
			this.#y = computeShift(this.#y, this.#size.height, y * this.#factor, (y + height) * this.#factor);
		}
	}

	#markMoved(): void {
		this.#isUntouched = false;
		this.#isFitted = false;
		this.#wanted = undefined;
	}

	get #fitting(): number {
		const { width, height } = this.#size;
		return Math.min((width - 2 * clearance) / this.#content.width, (height - 2 * clearance) / this.#content.height);
	}

	#fitContent(): void {
		this.#factor = Math.min(1, Math.max(limits.least, this.#fitting));
		this.#placeContent();
	}

	#showGraphStart(): void {
		if (this.#size.width > 0) {
			this.#factor = Math.min(1, Math.max(legible, this.#fitting));
			this.#placeContent(this.#first);
		}
	}

	/** Centers the content; if it doesn't fit, centers `first` or shows the start. */
	#placeContent(first?: Rect): void {
		const { width, height } = this.#size;
		const { x, y, width: wide, height: high } = this.#content;
		const f = this.#factor;
		this.#x = computeOrigin(width, x * f, wide * f, first && (first.x + first.width / 2) * f);
		this.#y = computeOrigin(height, y * f, high * f, first && (first.y + first.height / 2) * f);
	}

	#onResize(): void {
		const { clientWidth: width, clientHeight: height } = this.#element;
		if (width === this.#size.width && height === this.#size.height) {
			return;
		}
		this.#size = { width, height };
		if (this.#isUntouched) {
			this.#showGraphStart();
		} else if (this.#isFitted && width > 0) {
			this.#fitContent();
		}
		this.#revealWantedBox();
		this.#changed();
	}

	/** Zooms around a point of the element. */
	#zoomAround(factor: number, x: number, y: number): void {
		this.#markMoved();
		const before = this.#factor;
		this.#factor = Math.min(limits.most, Math.max(limits.least, factor));
		this.#x = x - ((x - this.#x) * this.#factor) / before;
		this.#y = y - ((y - this.#y) * this.#factor) / before;
		this.#clampPosition();
		this.#changed();
	}

	/** Keeps a part of the content in view. */
	#clampPosition(): void {
		const { x, y, width, height } = this.#content;
		const keep = 60;
		const f = this.#factor;
		this.#x = Math.min(this.#size.width - keep - x * f, Math.max(keep - (x + width) * f, this.#x));
		this.#y = Math.min(this.#size.height - keep - y * f, Math.max(keep - (y + height) * f, this.#y));
	}

	#handleWheel(event: WheelEvent): void {
		event.preventDefault();
		const { left, top } = this.#element.getBoundingClientRect();
		if (event.ctrlKey || event.metaKey) {
			this.#zoomAround(this.#factor * Math.exp(-event.deltaY / 200), event.clientX - left, event.clientY - top);
			return;
		}
		const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePixels : 1;
		const [x, y] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
		this.panBy(-x * unit, -y * unit);
	}
}

/** True if a box contains another. */
export function containsRect(outer: Rect, inner: Rect): boolean {
	return (
		outer.x <= inner.x &&
		outer.y <= inner.y &&
		outer.x + outer.width >= inner.x + inner.width &&
		outer.y + outer.height >= inner.y + inner.height
	);
}

/** True if two boxes overlap. */
export function isOverlapping(a: Rect, b: Rect): boolean {
	return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Computes the position of the content's origin in the view. `wanted`: the point to center, unless that leaves one side empty. */
function computeOrigin(view: number, from: number, length: number, wanted: number | undefined): number {
	const spare = view - length;
	if (spare >= 2 * clearance) {
		return spare / 2 - from;
	}
	const start = clearance - from;
	return wanted === undefined ? start : Math.min(start, Math.max(view - clearance - from - length, view / 2 - wanted));
}

/** Computes the new position of the canvas that brings a range into view, or its start if it doesn't fit. */
function computeShift(place: number, view: number, from: number, to: number): number {
	if (from + place < clearance || to - from > view) {
		return clearance - from;
	}
	return to + place > view - clearance ? view - clearance - to : place;
}
