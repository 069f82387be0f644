import { getEntryPoint, getExitPoint } from '../layout/cardSize.ts';
import type { AgentPicture, DrawnNode, DrawnNote } from '../picture/graphTypes.ts';

/** New position of a node in the file. */
export interface NodePlace {
	readonly id: string;
	readonly x: number;
	readonly y: number;
}

/** Returns a picture with some nodes and notes, and all nodes in them, moved. */
export function movePicture(picture: AgentPicture, ids: readonly string[], dx: number, dy: number): AgentPicture {
	const moved = new Set(ids);
	// containers come before their nodes
	for (const { id, parent } of picture.nodes) {
		if (parent !== undefined && moved.has(parent)) {
			moved.add(id);
		}
	}
	const nodes = picture.nodes.map(node => (moved.has(node.id) ? { ...node, x: node.x + dx, y: node.y + dy } : node));
	const byId = new Map(nodes.map(node => [node.id, node]));
	const edges = picture.edges.map(edge => {
		if (!moved.has(edge.source) && !moved.has(edge.target)) {
			return edge;
		}
		const [from, to] = [byId.get(edge.source), byId.get(edge.target)];
		return from && to ? { ...edge, from: getExitPoint(from, edge.handle), to: getEntryPoint(to) } : edge;
	});
	const loose = picture.loose.map(edge => {
		const from = byId.get(edge.source);
		return from && moved.has(edge.source) ? { ...edge, from: getExitPoint(from, edge.handle) } : edge;
	});
	const isMoved = ({ id, parent }: DrawnNote) => moved.has(id) || (parent !== undefined && moved.has(parent));
	const notes = picture.notes.map(note => (isMoved(note) ? { ...note, x: note.x + dx, y: note.y + dy } : note));
	return { ...picture, nodes, edges, loose, notes };
}

/** Drops nodes that are inside of other given nodes, because these move along. */
export function findOutermostNodes(picture: AgentPicture, ids: readonly string[]): readonly string[] {
	const chosen = new Set(ids);
	const parents = new Map(picture.nodes.map(({ id, parent }) => [id, parent]));
	const isInsideChosen = (id: string): boolean => {
		for (let parent = parents.get(id); parent !== undefined; parent = parents.get(parent)) {
			if (chosen.has(parent)) {
				return true;
			}
		}
		return false;
	};
	return ids.filter(id => parents.has(id) && !isInsideChosen(id));
}

/**
 * Returns the positions to write so that the nodes are where the moved picture shows them, relative to their containers. If the file has no
 * usable positions on a level, all positions of the level are written, because a single one would leave the others to the automatic layout.
 */
export function getPositionsToWrite(picture: AgentPicture, ids: readonly string[]): readonly NodePlace[] {
	const byId = new Map(picture.nodes.map(node => [node.id, node]));
	const placed = new Set(picture.placed);
	const levels = new Set(ids.flatMap(id => getLevelIds(byId.get(id))).filter(level => !placed.has(level)));
	const chosen = new Set(ids);
	const wanted = [
		...picture.nodes.filter(node => chosen.has(node.id) || levels.has(getLevelIds(node)[0] ?? '')),
		...picture.notes.filter(note => chosen.has(note.id)),
	];
	return wanted.map(({ id, x, y, parent }) => {
		const around = parent === undefined ? undefined : byId.get(parent);
		return { id, x: Math.round(x - (around?.x ?? 0)), y: Math.round(y - (around?.y ?? 0)) };
	});
}

function getLevelIds(node: DrawnNode | undefined): string[] {
	return node ? [node.parent ?? ''] : [];
}
