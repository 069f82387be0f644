import type { Rect } from '#agentFile/layout/geometry.ts';

const step = 1.25;
const limits = { least: 0.3, most: 2 };
/** Below this factor letters keep the size that can be read, and what has no room is cut. */
export const legible = 0.85;
/** Below this one lines of a card would lie over each other: it shows its title alone. */
export const crowded = 0.58;
/** What is shown keeps this many pixels from the edge. */
const clearance = 16;
/** A notch of a wheel that counts lines, in pixels. */
const linePixels = 16;

/** What of a canvas without borders an element shows: its place and factor. Wheel and keys move it here; dragging does by {@link Viewport.pan}. */
export class Viewport {
	/** Pixels of the element from its corner to the origin of the canvas. */
	#x = 0;
	#y = 0;
	#factor = 1;
	#content: Rect = { x: 0, y: 0, width: 1, height: 1 };
	/** Nobody has moved it: it shows the beginning, as large as fits, but legible. */
	#isUntouched = true;
	#size = { width: 0, height: 0 };
	#first: Rect | undefined;
	/** What is to stay in sight when the size is another: brought there last, and nobody has moved the canvas since. */
	#wanted: Rect | undefined;
	readonly #element: HTMLElement;
	readonly #changed: () => void;

	/** `changed`: something else is in sight, or in another size. */
	constructor(element: HTMLElement, changed: () => void) {
		this.#element = element;
		this.#changed = changed;
		element.addEventListener('wheel', event => this.#wheel(event), { passive: false });
		// screen readers and the browser's own search scroll what they are at into sight
		element.addEventListener('scroll', () => {
			const { scrollLeft, scrollTop } = element;
			if (scrollLeft !== 0 || scrollTop !== 0) {
				element.scrollTo(0, 0);
				this.pan(-scrollLeft, -scrollTop);
			}
		});
		new ResizeObserver(() => this.#resized()).observe(element);
	}

	get factor(): number {
		return this.#factor;
	}

	/** As a style's `transform`. */
	get transform(): string {
		return `translate(${this.#x}px, ${this.#y}px) scale(${this.#factor})`;
	}

	/** What is in sight. */
	get sight(): Rect {
		const { width, height } = this.#size;
		return { x: -this.#x / this.#factor, y: -this.#y / this.#factor, width: width / this.#factor, height: height / this.#factor };
	}

	/** Whether all of the canvas is in sight. */
	get isWhole(): boolean {
		return holds(this.sight, this.#content);
	}

	/** What is to be in the middle at first, where not all can be legible at once. */
	set first(first: Rect | undefined) {
		this.#first = first;
	}

	/** Bounds of what there is to be seen. */
	set content(content: Rect) {
		const isOther = !holds(this.#content, content) || !holds(content, this.#content);
		this.#content = content;
		if (isOther) {
			this.#wanted = undefined;
		}
		// what stays as large stays where it is
		if (this.#isUntouched && isOther) {
			this.#begin();
		}
	}

	/** Where a point of the window is on the canvas. */
	at({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): { x: number; y: number } {
		const { left, top } = this.#element.getBoundingClientRect();
		return { x: (clientX - left - this.#x) / this.#factor, y: (clientY - top - this.#y) / this.#factor };
	}

	/** Where a point of the canvas is in the window. */
	inWindow({ x, y }: { readonly x: number; readonly y: number }): { x: number; y: number } {
		const { left, top } = this.#element.getBoundingClientRect();
		return { x: x * this.#factor + this.#x + left, y: y * this.#factor + this.#y + top };
	}

	/** Makes it larger by so many steps, around the middle. */
	by(steps: number): void {
		this.#to(this.#factor * step ** steps, this.#size.width / 2, this.#size.height / 2);
	}

	/** Shows all of it, or as much as can be told apart. */
	fit(): void {
		this.#touch();
		this.#factor = Math.min(1, Math.max(limits.least, this.#fitting));
		this.#place();
		this.#changed();
	}

	/** Moves what is shown by pixels of the window. */
	pan(x: number, y: number): void {
		this.#touch();
		this.#x += x;
		this.#y += y;
		this.#keepNear();
		this.#changed();
	}

	/** Brings a point of the canvas to the middle. */
	center({ x, y }: { readonly x: number; readonly y: number }): void {
		this.#touch();
		this.#x = this.#size.width / 2 - x * this.#factor;
		this.#y = this.#size.height / 2 - y * this.#factor;
		this.#keepNear();
		this.#changed();
	}

	/** Moves only so far that a part is in sight; as soon as there is anything to see, where there is nothing yet. */
	reveal(box: Rect): void {
		this.#wanted = box;
		const [left, top] = [this.#x, this.#y];
		this.#bringWanted();
		if (left !== this.#x || top !== this.#y) {
			this.#isUntouched = false;
			this.#changed();
		}
	}

	#bringWanted(): void {
		const wanted = this.#wanted;
		if (wanted && this.#size.width > 0) {
			const { x, y, width, height } = wanted;
			this.#x = shifted(this.#x, this.#size.width, x * this.#factor, (x + width) * this.#factor);
			this.#y = shifted(this.#y, this.#size.height, y * this.#factor, (y + height) * this.#factor);
		}
	}

	/** Someone moves it. */
	#touch(): void {
		this.#isUntouched = false;
		this.#wanted = undefined;
	}

	get #fitting(): number {
		const { width, height } = this.#size;
		return Math.min((width - 2 * clearance) / this.#content.width, (height - 2 * clearance) / this.#content.height);
	}

	#begin(): void {
		if (this.#size.width > 0) {
			this.#factor = Math.min(1, Math.max(legible, this.#fitting));
			this.#place(this.#first);
		}
	}

	/** The middle of all; where that is longer than the view, what is to be seen first, else the beginning of it. */
	#place(first?: Rect): void {
		const { width, height } = this.#size;
		const { x, y, width: wide, height: high } = this.#content;
		const f = this.#factor;
		this.#x = placed(width, x * f, wide * f, first && (first.x + first.width / 2) * f);
		this.#y = placed(height, y * f, high * f, first && (first.y + first.height / 2) * f);
	}

	#resized(): void {
		const { clientWidth: width, clientHeight: height } = this.#element;
		if (width === this.#size.width && height === this.#size.height) {
			return;
		}
		this.#size = { width, height };
		if (this.#isUntouched) {
			this.#begin();
		}
		this.#bringWanted();
		this.#changed();
	}

	/** What is at a point of the element stays there. */
	#to(factor: number, x: number, y: number): void {
		this.#touch();
		const before = this.#factor;
		this.#factor = Math.min(limits.most, Math.max(limits.least, factor));
		this.#x = x - ((x - this.#x) * this.#factor) / before;
		this.#y = y - ((y - this.#y) * this.#factor) / before;
		this.#keepNear();
		this.#changed();
	}

	/** Something of the graph stays in sight. */
	#keepNear(): void {
		const { x, y, width, height } = this.#content;
		const keep = 60;
		const f = this.#factor;
		this.#x = Math.min(this.#size.width - keep - x * f, Math.max(keep - (x + width) * f, this.#x));
		this.#y = Math.min(this.#size.height - keep - y * f, Math.max(keep - (y + height) * f, this.#y));
	}

	#wheel(event: WheelEvent): void {
		event.preventDefault();
		const { left, top } = this.#element.getBoundingClientRect();
		if (event.ctrlKey || event.metaKey) {
			this.#to(this.#factor * Math.exp(-event.deltaY / 200), event.clientX - left, event.clientY - top);
			return;
		}
		const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePixels : 1;
		const [x, y] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
		this.pan(-x * unit, -y * unit);
	}
}

/** Whether a box lies in another. */
export function holds(outer: Rect, inner: Rect): boolean {
	return (
		outer.x <= inner.x &&
		outer.y <= inner.y &&
		outer.x + outer.width >= inner.x + inner.width &&
		outer.y + outer.height >= inner.y + inner.height
	);
}

/** Whether two boxes have something in common. */
export function meets(a: Rect, b: Rect): boolean {
	return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Where the origin of a content lies in a view. `wanted`: its point that is to be in the middle, as far as no side stays empty. */
function placed(view: number, from: number, length: number, wanted: number | undefined): number {
	const spare = view - length;
	if (spare >= 2 * clearance) {
		return spare / 2 - from;
	}
	const start = clearance - from;
	return wanted === undefined ? start : Math.min(start, Math.max(view - clearance - from - length, view / 2 - wanted));
}

/** How the canvas lies, from how it does, so that a stretch of it is in sight; its beginning where it is longer than the view. */
function shifted(place: number, view: number, from: number, to: number): number {
	if (from + place < clearance || to - from > view) {
		return clearance - from;
	}
	return to + place > view - clearance ? view - clearance - to : place;
}
