import { html } from 'lit';

/** A border between two panes that can be moved. */
interface Splitter {
	readonly label: string;
	/** Between panes beside each other, or above each other. */
	readonly between: 'columns' | 'rows';
	/** Share of the first pane, in percent. */
	readonly share: number;
	/** It was moved; `done`: it came to rest. */
	moved(share: number, done: boolean): void;
}

/** The least share of a pane, and what an arrow key moves, in percent. */
const least = 15;
const step = 2;

/** The border: dragged, moved by arrow keys, Home and End, put back by a double click. */
export function splitterView({ label, between, share, moved }: Splitter, initial: number): unknown {
	const to = (wanted: number, done: boolean) => moved(Math.min(100 - least, Math.max(least, wanted)), done);
	const shareAt = (event: PointerEvent) => {
		const frame = (event.currentTarget as HTMLElement).parentElement?.getBoundingClientRect();
		return frame === undefined
			? share
			: between === 'columns'
				? ((event.clientX - frame.left) / frame.width) * 100
				: ((event.clientY - frame.top) / frame.height) * 100;
	};
	const isHeld = (event: PointerEvent) => (event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId);
	const key = (event: KeyboardEvent) => {
		const less = between === 'columns' ? 'ArrowLeft' : 'ArrowUp';
		const more = between === 'columns' ? 'ArrowRight' : 'ArrowDown';
		const wanted = { [less]: share - step, [more]: share + step, Home: least, End: 100 - least }[event.key];
		if (wanted !== undefined) {
			event.preventDefault();
			to(wanted, true);
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
		@keydown=${key}
		@dblclick=${() => to(initial, true)}
		@pointerdown=${(event: PointerEvent) => {
			event.preventDefault();
			(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
		}}
		@pointermove=${(event: PointerEvent) => isHeld(event) && to(shareAt(event), false)}
		@pointerup=${(event: PointerEvent) => isHeld(event) && to(shareAt(event), true)}
	></div>`;
}
