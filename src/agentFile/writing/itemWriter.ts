import type { ParsedNode, YAMLSeq } from 'yaml';
import { type Holder, replaceValue, type Writing } from './fieldWriter.ts';
import { findContentEnd, findDashes, findLeadStart, findLineEnd, findLineStart, isLineStart } from './yamlPlaces.ts';
import { formatValue, getColumnAt, indentLines } from './yamlStyle.ts';

/** Edits of the items of one list, with indexes from before the edits. */
interface ListEdits {
	readonly removed: ReadonlySet<number>;
	/** New items by the index of the item that follows them. */
	readonly inserted: ReadonlyMap<number, readonly unknown[]>;
}

/** Removes and inserts items of a list that isn't empty. `holder`: position of the list. */
export function writeItems(writing: Writing, list: YAMLSeq, holder: Holder, { removed, inserted }: ListEdits, depth: number): void {
	if (removed.size === list.items.length) {
		replaceValue(
			writing,
			holder,
			[...inserted].toSorted(([a], [b]) => a - b).flatMap(([, values]) => values),
		);
		return;
	}
	for (const at of removed) {
		writing.shared.markRemoved(list.items[at]);
	}
	if (list.flow) {
		removeFlowItems(writing, list, removed);
	} else {
		removeBlockItems(writing, list, removed);
	}
	for (const [at, values] of inserted) {
		const like = list.items[Math.min(at, list.items.length - 1)];
		insertTexts(
			writing,
			list,
			at,
			values.map(value => formatValue(value, writing.style, { flow: list.flow ?? false, like: undefined, ...toLikeOption(like) })),
			depth,
		);
	}
}

/** Moves an item in its list without changing the item's text. Returns false if the list isn't written in whole lines. */
export function moveItemText(writing: Writing, list: YAMLSeq, at: number, to: number, depth: number): boolean {
	const { text, pieces } = writing;
	const before = to > at ? to + 1 : to;
	if (list.flow) {
		const [start, end] = (list.items[at] as ParsedNode).range;
		removeFlowItems(writing, list, new Set([at]));
		insertTexts(writing, list, before, [text.slice(start, end)], depth);
		return true;
	}
	const places = findItemLines(writing, list);
	const own = places[at];
	if (!own || !places.every(({ whole }) => whole)) {
		return false;
	}
	const target = places[before]?.start ?? (places.at(-1)?.end as number);
	pieces.add(own.start, own.end - own.start, '');
	pieces.insertLines(target, text.slice(own.start, own.end).replace(/\r?\n$/, ''), writing.style.eol, depth);
	return true;
}

function toLikeOption(like: unknown): { like?: unknown } {
	return like === undefined ? {} : { like };
}

function insertTexts(writing: Writing, list: YAMLSeq, at: number, items: readonly string[], depth: number): void {
	const { text, style, pieces } = writing;
	if (list.flow) {
		const next = list.items[at] as ParsedNode | undefined;
		const last = list.items.at(-1) as ParsedNode;
		pieces.add(next ? next.range[0] : last.range[1], 0, items.map(item => (next ? `${item}, ` : `, ${item}`)).join(''), depth);
		return;
	}
	const places = findItemLines(writing, list);
	const next = places[at];
	const last = places.at(-1) as (typeof places)[number];
	const column = getColumnAt(text, last.dash);
	const lines = items.map(item => indentLines(item, column));
	if (next && !next.whole) {
		pieces.add(next.dash, 0, lines.map(line => `${line}${style.eol}${' '.repeat(column)}`).join(''), depth);
		return;
	}
	const beforeLast = places.at(-2);
	const apart = beforeLast && /\n[ \t]*\r?\n/.test(text.slice(beforeLast.end - 1, last.start + 1)) ? style.eol : '';
	const block = lines.map(line => ' '.repeat(column) + line).join(style.eol + apart);
	if (next) {
		pieces.insertLines(next.start, block + apart, style.eol, depth);
	} else {
		pieces.insertLines(last.end, apart + block, style.eol, depth);
	}
}

/** Finds the lines of each item, including the comments above it. `whole`: true if the item starts its line. */
function findItemLines({ text }: Writing, list: YAMLSeq): readonly { dash: number; start: number; end: number; whole: boolean }[] {
	let floor = findLineStart(text, list.range?.[0] ?? 0);
	// the comments above the first item come before the list
	for (
		let above = findLineStart(text, floor - 1);
		floor > 0 && /^ *#/.test(text.slice(above, floor));
		above = findLineStart(text, floor - 1)
	) {
		floor = above;
	}
	return findDashes(text, list).map((dash, at) => {
		const whole = isLineStart(text, dash);
		const start = whole ? findLeadStart(text, dash, floor) : dash;
		const end = findLineEnd(text, Math.max(dash + 1, findContentEnd(text, list.items[at]) ?? 0));
		floor = end;
		return { dash, start, end, whole };
	});
}

function removeBlockItems(writing: Writing, list: YAMLSeq, removed: ReadonlySet<number>): void {
	const { text, pieces } = writing;
	const places = removed.size > 0 ? findItemLines(writing, list) : [];
	for (const at of removed) {
		const { start, end, whole } = places[at] as (typeof places)[number];
		const next = places[at + 1];
		if (whole || !next) {
			// remove one of the two groups of blank lines around the item
			const blank = /\n[ \t]*\r?\n$/.test(text.slice(0, start).slice(-200)) ? /^[ \t]*\r?\n/.exec(text.slice(end, end + 200)) : null;
			pieces.add(start, end + (blank?.[0].length ?? 0) - start, '');
		} else {
			pieces.add(start, next.dash - start, '');
		}
	}
}

function removeFlowItems({ pieces }: Writing, list: YAMLSeq, removed: ReadonlySet<number>): void {
	const items = list.items as ParsedNode[];
	const last = items.findLastIndex((_, at) => !removed.has(at));
	for (const at of removed) {
		const [start] = (items[at] as ParsedNode).range;
		if (at < last) {
			pieces.add(start, (items[at + 1] as ParsedNode).range[0] - start, '');
		}
	}
	if (last >= 0 && last < items.length - 1) {
		const [, from] = (items[last] as ParsedNode).range;
		pieces.add(from, (items.at(-1) as ParsedNode).range[1] - from, '');
	}
}
