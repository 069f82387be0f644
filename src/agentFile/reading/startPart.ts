import { getField, getFieldText } from '#base/records/plainValues.ts';
import { isContainer } from '../agentGraph.ts';
import { card, type Point, type Rect } from '../layout/geometry.ts';
import { cutDocument } from './cutDocument.ts';
import { type ItemPart, readItem } from './itemPart.ts';

/** The part of a large graph around its start node. */
export interface StartPart {
	/** Plain values of a file with only these nodes, and the edges between them. */
	readonly content: unknown;
	/** Approximate bounds of the whole graph, in pixels of the canvas. */
	readonly area: Rect;
}

/** Number of nodes to read: more than a window shows at a readable size. */
const shownNodes = 60;
/** Maximum number of nodes in containers. More of them aren't worth a separate step. */
const mostInside = 60;
/** Maximum number of edges between the shown nodes, and of characters of a file. Real files have far fewer, and reading more takes long. */
const mostBetween = 1_000;
const mostText = 4_000_000;
/** Share of the nodes that must have a position of their own. */
const mostPlaced = 0.9;
/** A window is wider than it is high. */
const widthOverHeight = 1.6;

const positionPattern = /\bposition:[ \t]*(?:\{[ \t]*|\r?\n[ \t]+)x:[ \t]*(-?\d[\d.]*)(?:[ \t]*,[ \t]*|\r?\n[ \t]+)y:[ \t]*(-?\d[\d.]*)/;
const startPattern = /\btype:[ \t]*["']?(?:start|trigger-)/;
const endsPatterns = [/\bsource:[ \t]*["']?([\w-]{1,100})/, /\btarget:[ \t]*["']?([\w-]{1,100})/];

/**
 * Reads the nodes around the start node of a large file, so that a graph can be shown before the whole file is read. Finds them by the
 * written positions. Returns `undefined` if that isn't possible, as for a file without positions or with errors near the start.
 */
export function readStartPart(text: string): StartPart | undefined {
	if (text.length > mostText) {
		return undefined;
	}
	const lists = Map.groupBy(cutDocument(text)?.lists ?? [], ({ start }) => (isNodeList(text, start) ? 'nodes' : 'edges'));
	const listTexts = (name: 'nodes' | 'edges') => (lists.get(name) ?? []).flatMap(({ items }) => items.map(item => item.text));
	const nodes = listTexts('nodes');
	const outer = nodes.filter(node => !node.includes('parentId:')).map(node => ({ node, place: findPosition(node) }));
	const placed = outer.flatMap(({ node, place }) => (place ? [{ node, place }] : []));
	const spots = new Set(placed.map(({ place }) => `${place.x}/${place.y}`));
	if (nodes.length <= shownNodes || spots.size < outer.length * mostPlaced) {
		return undefined;
	}
	const start = placed.find(({ node }) => startPattern.test(node)) ?? placed[0]!;
	const getDistance = ({ x, y }: Point) => Math.max(Math.abs(x - start.place.x) / widthOverHeight, Math.abs(y - start.place.y));
	const near = placed.toSorted((a, b) => getDistance(a.place) - getDistance(b.place)).slice(0, shownNodes);
	const chosen = near.map(({ node }) => readItem(node));
	const containers = chosen.flatMap(part => (part && isContainer(getType(part)) ? [getFieldText(part.content, 'id')] : []));
	const inside = nodes.filter(node => node.includes('parentId:') && containers.some(id => node.includes(id)));
	if (inside.length > mostInside) {
		return undefined;
	}
	chosen.push(...inside.map(node => readItem(node)));
	const ids = new Set(chosen.map(part => getFieldText(part?.content, 'id')));
	const edges = listTexts('edges').filter(edge => endsPatterns.every(pattern => ids.has(pattern.exec(edge)?.[1] ?? '')));
	if (edges.length > mostBetween) {
		return undefined;
	}
	const between = edges.map(edge => readItem(edge));
	if ([...chosen, ...between].some(part => !part || part.read.error)) {
		return undefined;
	}
	const listContents = (parts: readonly (ItemPart | undefined)[]) => parts.map(part => part?.content);
	return {
		content: { workflow: { graph: { nodes: listContents(chosen), edges: listContents(between) } } },
		area: findArea(placed.map(({ place }) => place)),
	};
}

/** True if the last key before a list is `nodes`. */
function isNodeList(text: string, start: number): boolean {
	return text.lastIndexOf('nodes:', start) > text.lastIndexOf('edges:', start);
}

function findPosition(node: string): Point | undefined {
	const [, x, y] = positionPattern.exec(node) ?? [];
	const place = { x: Number(x), y: Number(y) };
	return Number.isFinite(place.x) && Number.isFinite(place.y) ? place : undefined;
}

function getType({ content }: ItemPart): string {
	return getFieldText(getField(content, 'data'), 'type');
}

function findArea(places: readonly Point[]): Rect {
	const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
	const findRange = (all: readonly number[]) => [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))] as const;
	const [[left, right], [top, bottom]] = [findRange(xs), findRange(ys)];
	return { x: left, y: top, width: right - left + card.width, height: bottom - top + card.head };
}
