import { getField, getFieldText, getItems, toFields } from '#base/records/plainValues.ts';
import { isContainer, isInnerStart } from '../agentGraph.ts';
import { difyCard, difyCardSize, innerStartSize, type Point, type Size } from '../layout/geometry.ts';
import { findNodeKind } from '../nodeKinds/nodeKinds.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import type { EditedFile } from './editedFile.ts';

/** Returns the position of a node relative to its container. */
export function getNodePosition(file: EditedFile, id: string): Point {
	const { x, y } = toFields(file.getRawNode(id)['position']);
	return { x: typeof x === 'number' ? x : 0, y: typeof y === 'number' ? y : 0 };
}

/** Returns the size of a node in the file, but at least that of a card with a line for each branch, parameter or value. */
export function getNodeSize(file: EditedFile, id: string): Size {
	const raw = file.getRawNode(id);
	const node = file.nodes.get(id);
	const [width, height] = (['width', 'height'] as const).map(side => raw[side] ?? getField(raw['data'], side));
	const usual = isInnerStart({ type: getFieldText(raw['data'], 'type'), parent: getFieldText(raw, 'parentId') || undefined })
		? innerStartSize
		: difyCardSize;
	const givenHeight = typeof height === 'number' ? height : usual.height;
	const isPlain = usual === difyCardSize && node !== undefined && !isContainer(node.type);
	return {
		width: typeof width === 'number' ? width : usual.width,
		height: isPlain ? Math.max(givenHeight, computeCardHeight(raw['data'])) : givenHeight,
	};
}

function computeCardHeight(data: unknown): number {
	const { branches, listed = [] } = findNodeKind(getFieldText(data, 'type')) ?? {};
	const lists = branches ? [...listed, branches.list] : listed;
	const rows = lists.map(name => Math.min(getItems(data, name).length, difyCard.mostRows)).reduce((sum, count) => sum + count, 1);
	return difyCard.head + (rows + (branches?.otherwise === undefined ? 0 : 1)) * difyCard.row;
}

/** Returns the absolute position of a container. */
export function getOrigin(file: EditedFile, parent: string | undefined): Point {
	let origin = { x: 0, y: 0 };
	const seen = new Set<string>();
	for (let id = parent; id !== undefined && file.nodes.has(id) && !seen.has(id); id = file.nodes.get(id)?.parent) {
		seen.add(id);
		const { x, y } = getNodePosition(file, id);
		origin = { x: origin.x + x, y: origin.y + y };
	}
	return origin;
}

/**
 * Creates edits that move nodes with their inner nodes. Updates both forms of a position if a node has both.
 * @param corners top left corners of the containers that nodes are moved into, relative to their current container
 */
export function createPositionEdits(
	file: EditedFile,
	places: ReadonlyMap<string, Point>,
	corners: ReadonlyMap<string, Point> = new Map(),
): ValueEdit[] {
	const getNewPoint = (id: string) => {
		const [own, corner] = [places.get(id) ?? getNodePosition(file, id), corners.get(id) ?? { x: 0, y: 0 }];
		return { x: own.x + corner.x, y: own.y + corner.y };
	};
	const origins = new Map<string | undefined, Point>();
	const computeOrigin = (parent: string | undefined): Point => {
		const known = origins.get(parent);
		if (known || parent === undefined || !file.nodes.has(parent)) {
			return known ?? { x: 0, y: 0 };
		}
		origins.set(parent, { x: 0, y: 0 });
		const around = computeOrigin(file.nodes.get(parent)?.parent);
		const own = getNewPoint(parent);
		const origin = { x: around.x + own.x, y: around.y + own.y };
		origins.set(parent, origin);
		return origin;
	};
	return file.rawNodes.flatMap((raw, at): ValueEdit[] => {
		const id = String(getField(raw, 'id') ?? '');
		const place = places.get(id);
		const parent = String(getField(raw, 'parentId') ?? '') || undefined;
		const base = ['workflow', 'graph', 'nodes', at];
		const edits = place ? createPointEdits(raw, 'position', base, place) : [];
		if (getField(raw, 'positionAbsolute') === undefined || (!place && !isInsideMoved(file, parent, places))) {
			return edits;
		}
		const own = getNewPoint(id);
		const origin = computeOrigin(parent);
		return [...edits, ...createPointEdits(raw, 'positionAbsolute', base, { x: origin.x + own.x, y: origin.y + own.y })];
	});
}

/** Creates edits that set the size of a container in all fields that contain it. */
export function createSizeEdits(file: EditedFile, container: string, wanted: Size): ValueEdit[] {
	const raw = file.getRawNode(container);
	return (['width', 'height'] as const).flatMap((side): ValueEdit[] => [
		...(typeof raw[side] === 'number' ? [{ kind: 'set', path: file.getNodePath(container, side), value: wanted[side] } as const] : []),
		...(typeof getField(raw['data'], side) === 'number'
			? [{ kind: 'set', path: file.getNodePath(container, 'data', side), value: wanted[side] } as const]
			: []),
	]);
}

function isInsideMoved(file: EditedFile, parent: string | undefined, places: ReadonlyMap<string, Point>): boolean {
	const seen = new Set<string>();
	for (let id = parent; id !== undefined && !seen.has(id); id = file.nodes.get(id)?.parent) {
		if (places.has(id)) {
			return true;
		}
		seen.add(id);
	}
	return false;
}

function createPointEdits(raw: unknown, field: string, base: readonly (string | number)[], point: Point): ValueEdit[] {
	const { x, y } = roundPoint(point);
	const old = toFields(getField(raw, field));
	return typeof old['x'] === 'number' && typeof old['y'] === 'number'
		? [
				{ kind: 'set', path: [...base, field, 'x'], value: x },
				{ kind: 'set', path: [...base, field, 'y'], value: y },
			]
		: [{ kind: 'set', path: [...base, field], value: { x, y } }];
}

/** Rounds a point to hundredths of a pixel. Invalid numbers become 0. */
export function roundPoint({ x, y }: Point): Point {
	const roundNumber = (value: number) => (Number.isFinite(value) ? Math.round(value * 100) / 100 + 0 : 0);
	return { x: roundNumber(x), y: roundNumber(y) };
}
