import { computeColumnPositions, type Gaps, type LevelEdge, type SizedNode } from './columnPlaces.ts';
import type { Point } from './geometry.ts';

/**
 * Places nodes in layers from left to right: each node one layer after its last predecessor, as close to the height of its predecessors as
 * possible. Nodes in a cycle, which can't be in a runnable agent, stay in the layer where they are first found.
 */
export function computeLayeredPositions(nodes: readonly SizedNode[], edges: readonly LevelEdge[], gaps: Gaps): ReadonlyMap<string, Point> {
	const before = Map.groupBy(edges, ({ target }) => target);
	const layers = computeLayers(nodes, before);
	const columns: SizedNode[][] = [];
	for (const node of nodes) {
		const layer = layers.get(node.id) ?? 0;
		columns[layer] ??= [];
		columns[layer].push(node);
	}
	const tops = new Map<string, number>();
	const shown = columns.filter(column => column !== undefined);
	for (const column of shown) {
		const wanted = new Map(
			column.map(({ id }) => [id, computeMean((before.get(id) ?? []).flatMap(({ source }) => tops.get(source) ?? []))]),
		);
		column.sort((a, b) => (wanted.get(a.id) ?? 0) - (wanted.get(b.id) ?? 0));
		let free = 0;
		for (const { id, height } of column) {
			const top = Math.max(free, wanted.get(id) ?? 0);
			tops.set(id, top);
			free = top + height + gaps.y;
		}
	}
	return computeColumnPositions(shown, edges, gaps, ({ id }) => tops.get(id) ?? 0);
}

/** Computes the layer of each node, without recursion because a file can have a chain of thousands of nodes. */
function computeLayers(nodes: readonly SizedNode[], before: ReadonlyMap<string, readonly LevelEdge[]>): ReadonlyMap<string, number> {
	const layers = new Map<string, number>();
	for (const { id: first } of nodes) {
		const open = layers.has(first) ? [] : [{ id: first, at: 0, layer: 0 }];
		layers.set(first, layers.get(first) ?? 0);
		for (let step = open.at(-1); step; step = open.at(-1)) {
			const source = before.get(step.id)?.[step.at]?.source;
			const known = source === undefined ? undefined : layers.get(source);
			if (source === undefined) {
				layers.set(step.id, step.layer);
				open.pop();
			} else if (known === undefined) {
				layers.set(source, 0);
				open.push({ id: source, at: 0, layer: 0 });
			} else {
				step.layer = Math.max(step.layer, known + 1);
				step.at++;
			}
		}
	}
	return layers;
}

function computeMean(values: readonly number[]): number {
	return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
