import { getOutputHandles, isContainer } from '../agentGraph.ts';
import { columnGap, containerSize, innerStartPoint, type Point, type Size } from '../layout/geometry.ts';
import { computeLayeredPositions } from '../layout/layeredPlaces.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import type { EditedFile } from './editedFile.ts';
import { createPositionEdits, createSizeEdits, getNodePosition, getNodeSize } from './places.ts';

/** Space between nodes on the file's canvas. */
const gaps = { x: columnGap, y: 40, named: columnGap };
const inset = { right: 24, bottom: 24 };

/** Arranges the graph: each level in layers along its edges, and containers sized to their content. */
export function arrangeGraph(file: EditedFile): ValueEdit[] {
	const places = new Map<string, Point>();
	const edits: ValueEdit[] = [];
	const levels = Map.groupBy(file.nodes.values(), ({ parent }) => (parent !== undefined && file.nodes.has(parent) ? parent : undefined));
	const arrangeLevel = (parent: string | undefined, around: ReadonlySet<string>): Size => {
		const nodes = levels.get(parent) ?? [];
		const sized = nodes.map(node => {
			const size = getNodeSize(file, node.id);
			const hasInner = isContainer(node.type) && levels.has(node.id) && !around.has(node.id);
			return {
				...node,
				...(hasInner
					? arrangeLevel(node.id, new Set([...around, node.id]))
					: { ...size, height: estimateHeight(file, node.id, size.height) }),
			};
		});
		const ids = new Set(nodes.map(({ id }) => id));
		const inner = file.graph.edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
		const laid = computeLayeredPositions(sized, inner, gaps);
		const corner = parent === undefined ? findTopCorner(file, [...ids]) : innerStartPoint;
		for (const [id, { x, y }] of laid) {
			places.set(id, { x: corner.x + x, y: corner.y + y });
		}
		const right = sized.map(({ id, width }) => (places.get(id)?.x ?? 0) + width);
		const bottom = sized.map(({ id, height }) => (places.get(id)?.y ?? 0) + height);
		const size = {
			width: Math.max(containerSize.width, ...right.map(x => x + inset.right)),
			height: Math.max(containerSize.height, ...bottom.map(y => y + inset.bottom)),
		};
		if (parent !== undefined) {
			edits.push(...createSizeEdits(file, parent, size));
		}
		return size;
	};
	arrangeLevel(undefined, new Set());
	return [...createPositionEdits(file, places), ...edits];
}

/** Estimates the height of a node from its output handles if the file doesn't have one. */
function estimateHeight(file: EditedFile, id: string, height: number): number {
	return typeof file.getRawNode(id)['height'] === 'number' ? height : height + 30 * (getOutputHandles(file.getNode(id)).length - 1);
}

/** Returns the current top left corner of the graph. */
function findTopCorner(file: EditedFile, ids: readonly string[]): Point {
	const placed = ids.filter(id => file.nodes.get(id)?.position).map(id => getNodePosition(file, id));
	return placed.length === 0 ? { x: 80, y: 280 } : { x: Math.min(...placed.map(({ x }) => x)), y: Math.min(...placed.map(({ y }) => y)) };
}
