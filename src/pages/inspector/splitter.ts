import { html } from 'lit';

/** A movable border between two panes. */
interface Splitter {
	readonly label: string;
	/** `columns`: panes next to each other; `rows`: panes above each other. */
	readonly between: 'columns' | 'rows';
	/** Share of the first pane, in percent. */
	readonly share: number;
	/** Called while the border moves, and with `done` when the move ends. */
	onMoved(share: number, done: boolean): void;
}

/** Smallest size of a pane, and the step of an arrow key, in percent. */
const least = 15;
const step = 2;

/** Renders the border. It moves by dragging, arrow keys, Home and End; a double click resets it. */
export function renderSplitter({ label, between, share, onMoved }: Splitter, initial: number): unknown {
	const moveBorder = (wanted: number, done: boolean) => onMoved(Math.min(100 - least, Math.max(least, wanted)), done);
	const getShareAt = (event: PointerEvent) => {
		const frame = (event.currentTarget as HTMLElement).parentElement?.getBoundingClientRect();
		return frame === undefined
			? share
			: between === 'columns'
				? ((event.clientX - frame.left) / frame.width) * 100
				: ((event.clientY - frame.top) / frame.height) * 100;
	};
	const isDragging = (event: PointerEvent) => (event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId);
	const onKeyDown = (event: KeyboardEvent) => {
		const less = between === 'columns' ? 'ArrowLeft' : 'ArrowUp';
		const more = between === 'columns' ? 'ArrowRight' : 'ArrowDown';
		const wanted = { [less]: share - step, [more]: share + step, Home: least, End: 100 - least }[event.key];
		if (wanted !== undefined) {
			event.preventDefault();
			moveBorder(wanted, true);
		}
	};
	return html`<div
		class="splitter ${between}"
		role="separator"
		tabindex="0"
		aria-label=${label}
		title=${label}
		aria-orientation=${between === 'columns' ? 'vertical' : 'horizontal'}
		aria-valuemin=${least}
		aria-valuemax=${100 - least}
		aria-valuenow=${Math.round(share)}
		@keydown=${onKeyDown}
		@dblclick=${() => moveBorder(initial, true)}
		@pointerdown=${(event: PointerEvent) => {
			event.preventDefault();
			(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
		}}
		@pointermove=${(event: PointerEvent) => isDragging(event) && moveBorder(getShareAt(event), false)}
		@pointerup=${(event: PointerEvent) => isDragging(event) && moveBorder(getShareAt(event), true)}
	></div>`;
}
