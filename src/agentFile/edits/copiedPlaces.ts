import { isMap, type YAMLMap } from 'yaml';
import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import { difyCardSize, firstPoint, type Point, type Rect } from '../layout/geometry.ts';
import type { Level } from './copiedReferences.ts';
import type { EditedFile } from './editedFile.ts';
import { getOrigin, roundPoint } from './places.ts';

/** Distance of a copy from its original, in pixels. */
const shift = { x: 40, y: 40 };

/** Computes the positions of the outermost copies, all moved by the same distance. */
export function computeCopyPositions(
	items: readonly YAMLMap[],
	ids: ReadonlyMap<string, string>,
	level: Level,
	at: Point | undefined,
): ReadonlyMap<string, Point> {
	const old = new Map<string, Point>();
	for (const item of items) {
		const plain: unknown = item.toJSON();
		if (!ids.has(getFieldText(plain, 'parentId'))) {
			old.set(getFieldText(plain, 'id'), getPoint(item));
		}
	}
	const corner = { x: Math.min(...[...old.values()].map(({ x }) => x)), y: Math.min(...[...old.values()].map(({ y }) => y)) };
	const by = at
		? { x: at.x - corner.x, y: at.y - corner.y }
		: level === 'own' || level.parent === undefined
			? shift
			: { x: firstPoint.x - corner.x, y: firstPoint.y - corner.y };
	return new Map([...old].map(([id, { x, y }]) => [id, roundPoint({ x: x + by.x, y: y + by.y })]));
}

function getPoint(item: YAMLMap): Point {
	const { x, y } = toFields(getField(item.toJSON(), 'position'));
	return { x: typeof x === 'number' ? x : 0, y: typeof y === 'number' ? y : 0 };
}

/** Sets a point of a copy, in the style in which the point was written before. */
export function setPoint(item: YAMLMap, field: string, { x, y }: Point): void {
	const point = item.get(field);
	if (isMap(point)) {
		point.set('x', x);
		point.set('y', y);
	} else {
		item.set(field, { x, y });
	}
}

/** Returns the rectangle of a copy at a position. */
export function getCopyRect(item: YAMLMap, place: Point): Rect {
	const { width, height } = toFields(item.toJSON());
	return {
		...place,
		width: typeof width === 'number' ? width : difyCardSize.width,
		height: typeof height === 'number' ? height : difyCardSize.height,
	};
}

/** Updates the absolute positions of those copies that have one. */
export function setAbsolutePositions(file: EditedFile, items: readonly YAMLMap[]): void {
	const byId = new Map(items.map(item => [getFieldText(item.toJSON(), 'id'), item]));
	const origins = new Map<string, Point>();
	const findOrigin = (parent: string): Point => {
		const around = byId.get(parent);
		if (!around) {
			return getOrigin(file, parent || undefined);
		}
		const known = origins.get(parent);
		if (known) {
			return known;
		}
		origins.set(parent, { x: 0, y: 0 });
		const [own, outside] = [getPoint(around), findOrigin(getFieldText(around.toJSON(), 'parentId'))];
		const origin = { x: own.x + outside.x, y: own.y + outside.y };
		origins.set(parent, origin);
		return origin;
	};
	for (const item of items.filter(each => each.has('positionAbsolute'))) {
		const [own, origin] = [getPoint(item), findOrigin(getFieldText(item.toJSON(), 'parentId'))];
		setPoint(item, 'positionAbsolute', { x: own.x + origin.x, y: own.y + origin.y });
	}
}
