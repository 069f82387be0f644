import type { Rect } from '#agentFile/layout/geometry.ts';
import { findNodeId, type GraphView } from '../graphView.ts';
import { formatEdgePath } from '../layout/cardSize.ts';
import { dragPixels } from '../panByDrag.ts';
import type { AgentPicture } from '../picture/graphTypes.ts';
import { isOverlapping } from '../viewport.ts';
import { findOutermostNodes, getPositionsToWrite, movePicture, type NodePlace } from './movedPicture.ts';

/** An output handle of a node. */
export interface Exit {
	readonly node: string;
	readonly handle: string;
}

/** Callbacks for pointer gestures. Points are in pixels of the window. */
interface PointerActs {
	/** The last picture from the host. */
	getPicture(): AgentPicture | undefined;
	getSelected(): readonly string[];
	select(ids: readonly string[]): void;
	/** Shows this picture until the host sends the next one. */
	showPreview(picture: AgentPicture | undefined): void;
	/** Called when nodes are dropped at these positions, as shown in `picture`. */
	onMoved(places: readonly NodePlace[], picture: AgentPicture): void;
	onConnected(from: Exit, target: string): void;
	/** Called when an output handle is clicked, or dragged to an empty place. */
	onHandleChosen(from: Exit, at: { readonly x: number; readonly y: number }): void;
}

interface Gesture {
	move(event: PointerEvent): void;
	/** `dragged`: true if the pointer moved farther than in a click. */
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
		canvas.addEventListener('pointermove', event => this.#handleMove(event));
		canvas.addEventListener('pointerup', event => this.#handleEnd(event));
		canvas.addEventListener('pointercancel', () => this.cancelGesture());
	}

	/** Starts a gesture if the pressed element has one. Returns true if it does. */
	start(event: PointerEvent): boolean {
		if (event.button !== 0 || event.ctrlKey || event.metaKey) {
			return false;
		}
		this.#from = { x: event.clientX, y: event.clientY };
		this.#dragged = false;
		const exit = (event.target as Element).closest<HTMLElement>('.handle.out');
		const id = findNodeId(event);
		const note = (event.target as Element).closest<HTMLElement>('.note')?.dataset['note'];
		if (exit) {
			this.#gesture = this.#createEdgeDrag({ node: exit.dataset['of'] ?? '', handle: exit.dataset['exit'] ?? '' }, exit);
		} else if (event.shiftKey) {
			this.#gesture = id === undefined ? this.#createFrameSelection() : undefined;
		} else if (id !== undefined) {
			this.#gesture = this.#createSelectionDrag(id);
		} else if (note !== undefined) {
			this.#gesture = this.#createNodeDrag(() => [note]);
		}
		return this.#gesture !== undefined;
	}

	cancelGesture(): void {
		this.#gesture?.cancel();
		this.#gesture = undefined;
	}

	get isGoingOn(): boolean {
		return this.#gesture !== undefined && this.#dragged;
	}

	#handleMove(event: PointerEvent): void {
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

	#handleEnd(event: PointerEvent): void {
		const gesture = this.#gesture;
		this.#gesture = undefined;
		gesture?.end(event, this.#dragged);
		this.#view.wasDragged ||= this.#dragged && gesture !== undefined;
	}

	#createSelectionDrag(id: string): Gesture | undefined {
		const selected = this.#acts.getSelected();
		const chosen = selected.includes(id) ? selected : [id];
		return this.#createNodeDrag(picture => findOutermostNodes(picture, chosen));
	}

	/** Drags the nodes or notes that `those` selects from a picture. */
	#createNodeDrag(those: (picture: AgentPicture) => readonly string[]): Gesture | undefined {
		const picture = this.#acts.getPicture();
		if (!picture) {
			return undefined;
		}
		let ids = those(picture);
		let from = picture;
		/** Moves nodes in the current picture, because the text may have changed since the press. */
		const movePreview = (event: PointerEvent) => {
			const now = this.#acts.getPicture() ?? from;
			if (now !== from) {
				from = now;
				ids = those(now);
			}
			const { factor } = this.#view.viewport;
			return movePicture(from, ids, (event.clientX - this.#from.x) / factor, (event.clientY - this.#from.y) / factor);
		};
		return {
			move: event => this.#acts.showPreview(movePreview(event)),
			end: (event, dragged) => {
				const picture = movePreview(event);
				const places = dragged ? getPositionsToWrite(picture, ids) : [];
				if (places.length > 0) {
					this.#acts.onMoved(places, picture);
				}
			},
			cancel: () => this.#acts.showPreview(undefined),
		};
	}

	#createEdgeDrag(from: Exit, handle: HTMLElement): Gesture {
		const line = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
		line.setAttribute('class', 'edges pulledLine');
		const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
		path.setAttribute('class', 'edge chosen');
		line.append(path);
		const { left, top, width, height } = handle.getBoundingClientRect();
		const start = this.#view.viewport.toCanvasPoint({ clientX: left + width / 2, clientY: top + height / 2 });
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
				path.setAttribute('d', formatEdgePath({ from: start, to: this.#view.viewport.toCanvasPoint(event) }));
			},
			end: (event, dragged) => {
				clear();
				const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('.node')?.dataset['node'];
				if (dragged && under !== undefined && under !== from.node) {
					this.#acts.onConnected(from, under);
				} else if (!dragged || under === undefined) {
					this.#acts.onHandleChosen(from, { x: event.clientX, y: event.clientY });
				}
			},
			cancel: clear,
		};
	}

	#createFrameSelection(): Gesture {
		const frame = document.createElement('div');
		frame.className = 'marquee';
		const from = this.#view.viewport.toCanvasPoint({ clientX: this.#from.x, clientY: this.#from.y });
		let box: Rect = { ...from, width: 0, height: 0 };
		return {
			move: event => {
				if (!frame.isConnected) {
					this.#view.overlay.append(frame);
				}
				const to = this.#view.viewport.toCanvasPoint(event);
				box = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
				frame.style.cssText = `transform:translate(${box.x}px,${box.y}px);width:${box.width}px;height:${box.height}px`;
			},
			end: (_, dragged) => {
				frame.remove();
				const nodes = this.#acts.getPicture()?.nodes ?? [];
				if (dragged) {
					this.#acts.select(nodes.filter(node => !node.container && node.kind !== '' && isOverlapping(node, box)).map(({ id }) => id));
				}
			},
			cancel: () => frame.remove(),
		};
	}
}
