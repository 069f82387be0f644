import type { Rect } from '#agentFile/layout/geometry.ts';
import { type GraphView, nodeAt } from '../graphView.ts';
import { edgePath } from '../layout/cardSize.ts';
import { dragPixels } from '../panByDrag.ts';
import type { AgentPicture } from '../picture/graphTypes.ts';
import { meets } from '../viewport.ts';
import { movedPicture, type NodePlace, outermost, writtenPlaces } from './movedPicture.ts';

/** An output handle of a node. */
export interface Exit {
	readonly node: string;
	readonly handle: string;
}

/** Results of pointer gestures. Points are in pixels of the window. */
interface PointerActs {
	/** The last picture from the host. */
	picture(): AgentPicture | undefined;
	selected(): readonly string[];
	select(ids: readonly string[]): void;
	/** Shows this picture until the host sends the next one. */
	preview(picture: AgentPicture | undefined): void;
	/** Nodes were dropped at these positions, as in `picture`. */
	moved(places: readonly NodePlace[], picture: AgentPicture): void;
	connected(from: Exit, target: string): void;
	/** An output handle was clicked, or dragged to an empty place. */
	exitChosen(from: Exit, at: { readonly x: number; readonly y: number }): void;
}

interface Gesture {
	move(event: PointerEvent): void;
	/** `dragged`: the pointer moved farther than in a click. */
	end(event: PointerEvent, dragged: boolean): void;
	cancel(): void;
}

/** Drags nodes, edges from output handles, and a selection frame (with Shift). */
export class PointerGestures {
	readonly #view: GraphView;
	readonly #acts: PointerActs;
	#gesture: Gesture | undefined;
	#from = { x: 0, y: 0 };
	#dragged = false;

	constructor(view: GraphView, acts: PointerActs) {
		this.#view = view;
		this.#acts = acts;
		const { canvas } = view;
		canvas.addEventListener('pointermove', event => this.#move(event));
		canvas.addEventListener('pointerup', event => this.#end(event));
		canvas.addEventListener('pointercancel', () => this.cancel());
	}

	/** Starts a gesture if the press is on something that has one. */
	begin(event: PointerEvent): boolean {
		if (event.button !== 0 || event.ctrlKey || event.metaKey) {
			return false;
		}
		this.#from = { x: event.clientX, y: event.clientY };
		this.#dragged = false;
		const exit = (event.target as Element).closest<HTMLElement>('.handle.out');
		const id = nodeAt(event);
		const note = (event.target as Element).closest<HTMLElement>('.note')?.dataset['note'];
		if (exit) {
			this.#gesture = this.#pull({ node: exit.dataset['of'] ?? '', handle: exit.dataset['exit'] ?? '' }, exit);
		} else if (event.shiftKey) {
			this.#gesture = id === undefined ? this.#frame() : undefined;
		} else if (id !== undefined) {
			this.#gesture = this.#drag(id);
		} else if (note !== undefined) {
			this.#gesture = this.#dragOf(() => [note]);
		}
		return this.#gesture !== undefined;
	}

	cancel(): void {
		this.#gesture?.cancel();
		this.#gesture = undefined;
	}

	get isGoingOn(): boolean {
		return this.#gesture !== undefined && this.#dragged;
	}

	#move(event: PointerEvent): void {
		if (!this.#gesture) {
			return;
		}
		if (!this.#dragged && Math.hypot(event.clientX - this.#from.x, event.clientY - this.#from.y) >= dragPixels) {
			this.#dragged = true;
			this.#view.canvas.setPointerCapture(event.pointerId);
		}
		if (this.#dragged) {
			this.#gesture.move(event);
		}
	}

	#end(event: PointerEvent): void {
		const gesture = this.#gesture;
		this.#gesture = undefined;
		gesture?.end(event, this.#dragged);
		this.#view.wasDragged ||= this.#dragged && gesture !== undefined;
	}

	#drag(id: string): Gesture | undefined {
		const selected = this.#acts.selected();
		const chosen = selected.includes(id) ? selected : [id];
		return this.#dragOf(picture => outermost(picture, chosen));
	}

	/** Drags the nodes or notes that `those` picks from a picture. */
	#dragOf(those: (picture: AgentPicture) => readonly string[]): Gesture | undefined {
		const picture = this.#acts.picture();
		if (!picture) {
			return undefined;
		}
		let ids = those(picture);
		let from = picture;
		/** The text may have changed since the press. */
		const moved = (event: PointerEvent) => {
			const now = this.#acts.picture() ?? from;
			if (now !== from) {
				from = now;
				ids = those(now);
			}
			const { factor } = this.#view.viewport;
			return movedPicture(from, ids, (event.clientX - this.#from.x) / factor, (event.clientY - this.#from.y) / factor);
		};
		return {
			move: event => this.#acts.preview(moved(event)),
			end: (event, dragged) => {
				const picture = moved(event);
				const places = dragged ? writtenPlaces(picture, ids) : [];
				if (places.length > 0) {
					this.#acts.moved(places, picture);
				}
			},
			cancel: () => this.#acts.preview(undefined),
		};
	}

	#pull(from: Exit, handle: HTMLElement): Gesture {
		const line = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
		line.setAttribute('class', 'edges pulledLine');
		const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
		path.setAttribute('class', 'edge chosen');
		line.append(path);
		const { left, top, width, height } = handle.getBoundingClientRect();
		const start = this.#view.viewport.at({ clientX: left + width / 2, clientY: top + height / 2 });
		const clear = () => {
			line.remove();
			handle.classList.remove('pulled');
		};
		return {
			move: event => {
				if (!line.isConnected) {
					this.#view.overlay.append(line);
					handle.classList.add('pulled');
				}
				path.setAttribute('d', edgePath({ from: start, to: this.#view.viewport.at(event) }));
			},
			end: (event, dragged) => {
				clear();
				const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('.node')?.dataset['node'];
				if (dragged && under !== undefined && under !== from.node) {
					this.#acts.connected(from, under);
				} else if (!dragged || under === undefined) {
					this.#acts.exitChosen(from, { x: event.clientX, y: event.clientY });
				}
			},
			cancel: clear,
		};
	}

	#frame(): Gesture {
		const frame = document.createElement('div');
		frame.className = 'marquee';
		const from = this.#view.viewport.at({ clientX: this.#from.x, clientY: this.#from.y });
		let box: Rect = { ...from, width: 0, height: 0 };
		return {
			move: event => {
				if (!frame.isConnected) {
					this.#view.overlay.append(frame);
				}
				const to = this.#view.viewport.at(event);
				box = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
				frame.style.cssText = `transform:translate(${box.x}px,${box.y}px);width:${box.width}px;height:${box.height}px`;
			},
			end: (_, dragged) => {
				frame.remove();
				const nodes = this.#acts.picture()?.nodes ?? [];
				if (dragged) {
					this.#acts.select(nodes.filter(node => !node.container && node.kind !== '' && meets(node, box)).map(({ id }) => id));
				}
			},
			cancel: () => frame.remove(),
		};
	}
}
