import { columnPlaces, type Gaps, type LevelEdge, type SizedNode } from './columnPlaces.ts';
import type { Point } from './geometry.ts';

/**
 * Places nodes in layers from left to right, each one layer after the last that leads to it, as near to the height of those as there is room.
 * Nodes that lead to each other in a circle, which no agent that runs has, stay in the layer in which they are met first.
 */
export function layeredPlaces(nodes: readonly SizedNode[], edges: readonly LevelEdge[], gaps: Gaps): ReadonlyMap<string, Point> {
	const before = Map.groupBy(edges, ({ target }) => target);
	const layers = new Map<string, number>();
	const layerOf = (id: string): number => {
		const known = layers.get(id);
		if (known !== undefined) {
			return known;
		}
		layers.set(id, 0);
		const layer = Math.max(0, ...(before.get(id) ?? []).map(({ source }) => layerOf(source) + 1));
		layers.set(id, layer);
		return layer;
	};
	const columns: SizedNode[][] = [];
	for (const node of nodes) {
		const layer = layerOf(node.id);
		columns[layer] = [...(columns[layer] ?? []), node];
	}
	const tops = new Map<string, number>();
	const shown = columns.filter(column => column !== undefined);
	for (const column of shown) {
		const wanted = new Map(column.map(({ id }) => [id, mean((before.get(id) ?? []).flatMap(({ source }) => tops.get(source) ?? []))]));
		column.sort((a, b) => (wanted.get(a.id) ?? 0) - (wanted.get(b.id) ?? 0));
		let free = 0;
		for (const { id, height } of column) {
			const top = Math.max(free, wanted.get(id) ?? 0);
			tops.set(id, top);
			free = top + height + gaps.y;
		}
	}
	return columnPlaces(shown, edges, gaps, ({ id }) => tops.get(id) ?? 0);
}

function mean(values: readonly number[]): number {
	return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
