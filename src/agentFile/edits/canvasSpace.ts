import { getField, getFieldText } from '#base/records/plainValues.ts';
import type { Point, Rect, Size } from '../layout/geometry.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import type { EditedFile } from './editedFile.ts';
import { createPositionEdits, createSizeEdits, getNodePosition, getNodeSize } from './places.ts';

/** Minimum distance between nodes, in pixels. */
const margin = 16;
/** Space between a displaced node and the one above it. */
const gap = 40;
/** Space to the right of and below the nodes in a container. */
const inset = 24;
const noneOf: ReadonlySet<string> = new Set();

/** Manages the space on the canvas of a file. Moves nodes out of the way of new or larger ones, and grows containers. */
export class CanvasSpace {
	readonly #file: EditedFile;
	readonly #places = new Map<string, Point>();
	readonly #corners = new Map<string, Point>();
	readonly #sizes = new Map<string, Size>();
	/** IDs of nodes and notes with a position, by container. */
	readonly #levels: ReadonlyMap<string, readonly string[]>;

	constructor(file: EditedFile) {
		this.#file = file;
		const placed = file.rawNodes.filter(
			raw => typeof getField(getField(raw, 'position'), 'x') === 'number' && getFieldText(raw, 'id') !== '',
		);
		this.#levels = new Map(
			[...Map.groupBy(placed, raw => getFieldText(raw, 'parentId'))].map(([id, raws]) => [id, raws.map(raw => getFieldText(raw, 'id'))]),
		);
	}

	getRect(id: string): Rect {
		return { ...getNodePosition(this.#file, id), ...getNodeSize(this.#file, id), ...this.#places.get(id), ...this.#sizes.get(id) };
	}

	/** Moves a node to a position on its level, or in the container with the given corner. */
	placeNode(id: string, { x, y }: Point, corner?: Point): void {
		this.#places.set(id, { x, y });
		if (corner) {
			this.#corners.set(id, corner);
		}
	}

	/** Moves nodes of a level that start at or after `from` to the right. */
	pushNodesRight(parent: string | undefined, from: number, by: number): void {
		this.#pushNode(parent, 'x', from, by, noneOf);
	}

	/** Finds a free position at or below the wanted one. */
	findFreePosition(parent: string | undefined, wanted: Rect, without: ReadonlySet<string> = noneOf): Point {
		const others = this.#listNodes(parent, without);
		let { y } = wanted;
		for (let tries = 0; tries < others.length; tries++) {
			const hit = others.find(each => areOverlapping(each.rect, { ...wanted, y }, 0));
			if (!hit) {
				break;
			}
			y = Math.max(y, hit.rect.y + hit.rect.height + gap);
		}
		return { x: wanted.x, y };
	}

	/** Makes room for a node that grows or replaces others. Nodes to the right of it and below it keep their distance. */
	makeRoom(parent: string | undefined, old: Rect, now: Rect, without: ReadonlySet<string>): void {
		const hasNeighbor = (side: 'x' | 'y', from: number) =>
			this.#listNodes(parent, without).some(({ rect }) => rect[side] >= from && areOverlapping(rect, now, margin));
		const [right, bottom] = [old.x + old.width, old.y + old.height];
		if (hasNeighbor('x', right)) {
			this.#pushNode(parent, 'x', right, now.x + now.width - right, without);
		}
		if (hasNeighbor('y', bottom)) {
			this.#pushNode(parent, 'y', bottom, now.y + now.height - bottom, without);
		}
	}

	/** Moves the nodes of a level that overlap a rectangle below it. */
	clearRect(parent: string | undefined, now: Rect, without: ReadonlySet<string>): void {
		for (const { id, rect } of this.#listNodes(parent, without).filter(
			each => !this.#isNote(each.id) && areOverlapping(each.rect, now, 0),
		)) {
			this.placeNode(id, this.findFreePosition(parent, { ...rect, y: now.y + now.height + gap }, new Set([...without, id])));
		}
	}

	/** Grows a container, and the containers around it, to fit their content. `inside`: rectangles added to the container. */
	growContainer(container: string | undefined, inside: readonly Rect[]): void {
		if (container === undefined || !this.#file.nodes.has(container)) {
			return;
		}
		const old = this.getRect(container);
		const moved = this.#listNodes(container, noneOf).flatMap(({ id, rect }) => (this.#places.has(id) || this.#sizes.has(id) ? [rect] : []));
		const all = [...inside, ...moved];
		const now = {
			...old,
			width: Math.max(old.width, ...all.map(({ x, width }) => x + width + inset)),
			height: Math.max(old.height, ...all.map(({ y, height }) => y + height + inset)),
		};
		if (now.width > old.width || now.height > old.height) {
			const parent = this.#file.nodes.get(container)?.parent;
			this.#sizes.set(container, { width: now.width, height: now.height });
			this.makeRoom(parent, old, now, new Set([container]));
			// this ends even if a container contains itself, because it doesn't grow a second time
			this.growContainer(parent, []);
		}
	}

	getEdits(): ValueEdit[] {
		return [
			...createPositionEdits(this.#file, this.#places, this.#corners),
			...[...this.#sizes].flatMap(([id, size]) => createSizeEdits(this.#file, id, size)),
		];
	}

	#listNodes(parent: string | undefined, without: ReadonlySet<string>): { readonly id: string; readonly rect: Rect }[] {
		return (this.#levels.get(parent ?? '') ?? []).filter(id => !without.has(id)).map(id => ({ id, rect: this.getRect(id) }));
	}

	#pushNode(parent: string | undefined, side: 'x' | 'y', from: number, by: number, without: ReadonlySet<string>): void {
		if (by > 0) {
			for (const { id, rect } of this.#listNodes(parent, without).filter(each => each.rect[side] >= from)) {
				this.placeNode(id, { ...rect, [side]: rect[side] + by });
			}
		}
	}

	#isNote(id: string): boolean {
		return !this.#file.nodes.has(id);
	}
}

function areOverlapping(a: Rect, b: Rect, nearer: number): boolean {
	return a.x < b.x + b.width + nearer && b.x < a.x + a.width + nearer && a.y < b.y + b.height + nearer && b.y < a.y + a.height + nearer;
}
