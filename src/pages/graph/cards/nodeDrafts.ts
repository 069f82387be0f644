import type { GraphNode } from '#agentFile/agentGraph.ts';
import type { Point, Size } from '#agentFile/layout/geometry.ts';
import { findNodeKind, getNodeRole } from '#agentFile/nodeKinds/nodeKinds.ts';
import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import type { CardMark, DraftNode } from '../picture/graphTypes.ts';
import { createCardRows, type Titles } from './cardRows.ts';

/** Maximum length of titles and edge targets, in UTF-16 units. */
export const longestTitle = 200;
/** Maximum distance of a position from the origin, in pixels. */
const farthest = 1e6;

interface Known {
	readonly draft: DraftNode;
	/** Titles of other nodes in the draft, by node ID. */
	readonly shownTitles: ReadonlyMap<string, string | undefined>;
}

/** Caches drafts of nodes. A node keeps its draft until its values or the titles that it refers to change. */
export class NodeDrafts {
	/** Drafts by the plain values of their nodes. */
	readonly #known = new WeakMap<object, Known>();

	getDraft(node: GraphNode, written: unknown, marks: readonly CardMark[], titles: Titles): DraftNode {
		const key = written as object;
		const known = this.#known.get(key);
		if (known && isDraftCurrent(known, marks, titles)) {
			return known.draft;
		}
		const shownTitles = new Map<string, string | undefined>();
		const draft = createDraft(node, written, marks, {
			get: id => {
				const title = titles.get(id);
				shownTitles.set(id, title);
				return title;
			},
		});
		this.#known.set(key, { draft, shownTitles });
		return draft;
	}
}

function isDraftCurrent({ draft, shownTitles }: Known, marks: readonly CardMark[], titles: Titles): boolean {
	for (const [id, title] of shownTitles) {
		if (titles.get(id) !== title) {
			return false;
		}
	}
	return draft.marks.length === marks.length && marks.every((mark, at) => mark === draft.marks[at]);
}

function createDraft(node: GraphNode, written: unknown, marks: readonly CardMark[], titles: Titles): DraftNode {
	const { id, type, title, parent, data } = node;
	const [kind, role] = [findNodeKind(type), getNodeRole(type)];
	const position = readPosition(node.position);
	const rows = createCardRows(node, titles);
	const about =
		role === 'container'
			? rows.filter(({ handle }) => handle === undefined).map(({ head, text }) => [head, text].filter(Boolean).join(' '))
			: [];
	const help = getFieldText(data, 'desc').trim();
	const size = readCardSize(written, 'width', 'height') ?? readCardSize(data, 'width', 'height');
	return {
		id,
		kind: type,
		icon: kind?.icon ?? 'question',
		...(role === undefined ? {} : { role }),
		...(kind?.branches ? { branches: true } : {}),
		title: cutToLimit(title, longestTitle),
		rows: role === 'container' ? rows.filter(({ handle }) => handle !== undefined) : rows,
		marks,
		...(about.length === 0 ? {} : { about: about.join(', ') }),
		...(parent === undefined ? {} : { parent }),
		...(position === undefined ? {} : { position }),
		...(size === undefined ? {} : { size }),
		...(help === '' ? {} : { help: cutToLimit(help, 500) }),
	};
}

/** Reads a position on the canvas; `undefined` if it is missing or out of range. */
export function readPosition(value: unknown): Point | undefined {
	const { x, y } = toFields(value);
	const isCoordinate = (at: unknown): at is number => typeof at === 'number' && Math.abs(at) <= farthest;
	return isCoordinate(x) && isCoordinate(y) ? { x, y } : undefined;
}

/** Reads the size of a card or a note from two named fields; `undefined` if it is missing or out of range. */
export function readCardSize(value: unknown, ...names: readonly [string, string]): Size | undefined {
	const [width, height] = names.map(name => getField(value, name));
	const isSize = (size: unknown): size is number => typeof size === 'number' && size > 0 && size < 100_000;
	return isSize(width) && isSize(height) ? { width, height } : undefined;
}
