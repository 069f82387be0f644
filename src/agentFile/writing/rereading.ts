import { isSeq } from 'yaml';
import { graphPath } from '../agentGraph.ts';
import { AgentText, excessOf, type Path } from '../agentText.ts';
import type { SharedValues } from './sharedValues.ts';
import { applyChanges, type TextChange } from './textChanges.ts';
import { valueIn, withValue } from './valueEdits.ts';
import { beginsLine, contentEnd, dashesOf, lineEnd, lineStart } from './yamlPlaces.ts';
import { columnAt } from './yamlStyle.ts';

/** A list in lines of a file. */
interface LineList {
	readonly path: Path;
	/** Column of the dashes. */
	readonly column: number;
	/** Offsets where the lines of each item begin, with the comments behind the item before; and where those of the last one end. */
	readonly starts: readonly number[];
}

/** What a file holds after changes of its text; or what it has too much of then, a half sentence; neither, where it is no YAML. */
export function contentAfter(
	before: AgentText,
	shared: SharedValues,
	changes: readonly TextChange[],
): { readonly content?: unknown; readonly excess?: string } {
	const text = applyChanges(before.text, changes);
	const known = contentByItems(before, shared, changes, text);
	if (known !== undefined) {
		return { content: known };
	}
	const { content, error } = new AgentText(text);
	return error?.kind === 'size' ? { excess: error.message } : error ? {} : { content };
}

/**
 * The same by reading the changed items of the lists of nodes and edges alone, a fraction of a large file. That gives what reading the whole would, where an item
 * in lines is followed by another dash of its column, or by what stands less far in: nothing within it then reaches over its lines. Not told
 * (`undefined`) where changes lie elsewhere, or anything in the file reaches further: aliases, directives, lines that stand less far in than their item.
 */
export function contentByItems(before: AgentText, shared: SharedValues, changes: readonly TextChange[], after: string): unknown {
	const { text, content } = before;
	if (shared.isAny || /^(?:%|---|\.\.\.)/m.test(text) || excessOf(after) !== undefined) {
		return undefined;
	}
	let left = changes.length;
	let whole: unknown = content;
	for (const name of ['nodes', 'edges']) {
		const list = lineList(before, [...graphPath, name]);
		const own = list
			? changes.filter(({ offset, length }) => (list.starts[0] as number) <= offset && offset + length <= (list.starts.at(-1) as number))
			: [];
		if (!list || own.length === 0) {
			continue;
		}
		left -= own.length;
		const items = itemsAfter(text, list, own, valueIn(content, list.path) as readonly unknown[]);
		if (!items) {
			return undefined;
		}
		whole = withValue(whole, list.path, () => items);
	}
	return left === 0 ? whole : undefined;
}

function lineList({ text, document }: AgentText, path: Path): LineList | undefined {
	const list = document?.getIn(path, true);
	if (!isSeq(list) || list.flow || list.items.length === 0) {
		return undefined;
	}
	const dashes = dashesOf(text, list);
	if (!dashes.every(dash => beginsLine(text, dash))) {
		return undefined;
	}
	let end = lineEnd(text, Math.max((dashes.at(-1) as number) + 1, contentEnd(text, list.items.at(-1)) ?? 0));
	while (end < text.length && /^[ \t]*(?:#.*)?\r?\n?$/.test(text.slice(end, lineEnd(text, end)))) {
		end = lineEnd(text, end);
	}
	return { path, column: columnAt(text, dashes[0] as number), starts: [...dashes.map(dash => lineStart(text, dash)), end] };
}

/** Items of a list after changes in it; `undefined` where the lines of one do not tell it. */
function itemsAfter(
	text: string,
	{ column, starts }: LineList,
	changes: readonly TextChange[],
	items: readonly unknown[],
): readonly unknown[] | undefined {
	const touched = items.map((_, at) =>
		changes.some(({ offset, length }) => offset <= (starts[at + 1] as number) && offset + length >= (starts[at] as number)),
	);
	const made: unknown[] = [];
	for (let at = 0; at < items.length; ) {
		let to = at;
		while (touched[to]) {
			to++;
		}
		if (to === at) {
			made.push(items[at++]);
			continue;
		}
		const [start, end] = [starts[at] as number, starts[to] as number];
		const within = changes.filter(({ offset, length }) => offset >= start && offset + length <= end);
		const read = itemsIn(
			applyChanges(
				text.slice(start, end),
				within.map(change => ({ ...change, offset: change.offset - start })),
			),
			column,
		);
		if (!read) {
			return undefined;
		}
		made.push(...read);
		at = to;
	}
	return made.length > 0 ? made : undefined;
}

function itemsIn(lines: string, column: number): readonly unknown[] | undefined {
	if (lines === '') {
		return [];
	}
	const indent = ' '.repeat(column);
	if (
		!/^ *-[ \r\n]/.test(lines) ||
		!lines.split('\n').every(line => line.trim() === '' || line.startsWith(indent)) ||
		lines[column] !== '-'
	) {
		return undefined;
	}
	const { error, content } = new AgentText(lines);
	return !error && Array.isArray(content) ? content : undefined;
}
