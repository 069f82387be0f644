import { isMap, isScalar, isSeq, type ParsedNode, type YAMLSeq } from 'yaml';
import { getField, toFields } from '#base/records/plainValues.ts';
import type { YamlCost } from '#base/text/yamlCost.ts';
import type { AgentText, TextError } from '../agentText.ts';
import { maxTokens } from '../fileBudget.ts';
import { type CutList, type CutText, cutDocument, isOneItem, standIn } from './cutDocument.ts';
import { hasAnchorsOrAliases, type ItemPart, measureLevels, readItem, readPart } from './itemPart.ts';
import { createLevelsError } from './treeLimits.ts';

/** Parts of texts that were already parsed. */
export interface KnownParts {
	/** Parts of a complete text. */
	readonly whole?: TextParts | undefined;
	/** Items by their text; `undefined` for a text that isn't a valid item on its own. */
	readonly items?: ReadonlyMap<string, ItemPart | undefined>;
	readonly frame?: AgentText;
}

/** A list of the graph, with the offsets of its items in the whole text. */
export interface PartList {
	readonly name: 'nodes' | 'edges';
	readonly seq: YAMLSeq;
	readonly cut: Omit<CutList, 'items'>;
	readonly items: readonly { readonly part: ItemPart; readonly offset: number }[];
}

/** A text whose nodes and edges were parsed separately. */
export interface TextParts {
	readonly text: string;
	readonly frame: AgentText;
	readonly lists: readonly PartList[];
	readonly content: unknown;
	readonly error: TextError | undefined;
	readonly costs: readonly YamlCost[];
}

/** Depth of nodes and edges in a file: below the root, the workflow, the graph and the list. */
const itemLevels = 4;

/**
 * Parses unknown items into the map and yields after each. Stops at an item that can't be parsed on its own, or when the file exceeds
 * its limit.
 */
export function* readParts({ lists }: CutText, known: Map<string, ItemPart | undefined>): Generator<void> {
	let tokens = 0;
	for (const { items } of lists) {
		for (const { text } of items) {
			if (!known.has(text)) {
				known.set(text, readItem(text));
				yield;
			}
			tokens += known.get(text)?.read.cost.tokens ?? Number.POSITIVE_INFINITY;
			if (tokens > maxTokens) {
				return;
			}
		}
	}
}

/** Returns the known items by text. */
export function getKnownItems({ items, whole }: KnownParts): Map<string, ItemPart | undefined> {
	return new Map(items ?? whole?.lists.flatMap(list => list.items.map(({ part }) => [part.text, part] as const)));
}

/**
 * Parses a text in parts. Returns no `whole` if the lists aren't the graph's, or if the parts affect each other. The parsed parts are
 * returned in any case.
 */
export function readTextParts(text: string, before: KnownParts): KnownParts {
	const whole = readKnownText(text, before);
	if (whole) {
		return { whole };
	}
	const cut = cutDocument(text);
	const knownFrame = before.whole?.frame ?? before.frame;
	if (!cut) {
		return { items: getKnownItems(before), ...(knownFrame && { frame: knownFrame }) };
	}
	const frame = knownFrame?.text === cut.frame ? knownFrame : readPart(cut.frame);
	const seqs = findGraphLists(frame, cut.lists);
	const items = getKnownItems(before);
	if (!seqs) {
		return { items, frame };
	}
	for (const _ of readParts(cut, items)) {
		// run to the end without pauses
	}
	const lists = cut.lists.map(({ items: texts, ...list }, at): PartList => {
		const own = texts.flatMap(each => {
			const part = items.get(each.text);
			return part ? [{ part, offset: each.offset }] : [];
		});
		return { ...(seqs[at] as NamedSeq), cut: list, items: own };
	});
	return lists.every((list, at) => list.items.length === cut.lists[at]?.items.length)
		? { whole: createTextParts(text, frame, lists) }
		: { items, frame };
}

/**
 * Reads a text that equals the previous one or differs in a single item, which is fast. Returns `undefined` if the text may differ in more.
 */
export function readKnownText(text: string, { whole }: KnownParts): TextParts | undefined {
	return whole && (whole.text === text ? whole : readChangedItem(whole, text));
}

/**
 * Returns the length, up to `limit`, of the longest equal prefix. Uses binary search, because comparing slices is much faster than
 * comparing characters.
 */
function findLongestPrefix(limit: number, isSame: (from: number, to: number) => boolean): number {
	let [known, over] = [0, limit + 1];
	while (known + 1 < over) {
		const middle = (known + over) >> 1;
		if (isSame(known, middle)) {
			known = middle;
		} else {
			over = middle;
		}
	}
	return known;
}

/** Reads a text that differs from the previous one in a single item. Returns `undefined` if the text may differ in more. */
function readChangedItem({ text: old, frame, lists }: TextParts, text: string): TextParts | undefined {
	const shortest = Math.min(old.length, text.length);
	const same = findLongestPrefix(shortest, (from, to) => old.slice(from, to) === text.slice(from, to));
	const sliceFromEnd = (given: string, from: number, to: number) => given.slice(given.length - to, given.length - from);
	const tail = findLongestPrefix(shortest - same, (from, to) => sliceFromEnd(old, from, to) === sliceFromEnd(text, from, to));
	const list = lists.findLast(({ cut }) => cut.start <= same);
	const at = list?.items.findLastIndex(({ offset }) => offset <= same) ?? -1;
	const { part, offset } = list?.items[at] ?? {};
	// the item's dash and last line break are unchanged
	const behind = offset === undefined || !part ? 0 : offset + part.text.length;
	if (!list || !part || offset === undefined || same <= offset + list.cut.column + 1 || old.length - tail >= behind) {
		return undefined;
	}
	const grown = text.length - old.length;
	const changed = text.slice(offset, behind + grown);
	const read = changed.endsWith('\n') && isOneItem(changed, list.cut.column) ? readItem(changed) : undefined;
	if (!read) {
		return undefined;
	}
	const moved = lists.map((each): PartList => {
		const { cut, items } = each;
		if (cut.start < list.cut.start) {
			return each;
		}
		const start = each === list ? cut.start : cut.start + grown;
		return {
			...each,
			cut: { ...cut, start, end: cut.end + grown },
			items: items.map((item, place) => {
				if (each === list && place <= at) {
					return place === at ? { part: read, offset } : item;
				}
				return { part: item.part, offset: item.offset + grown };
			}),
		};
	});
	return createTextParts(text, frame, moved);
}

function createTextParts(text: string, frame: AgentText, lists: readonly PartList[]): TextParts {
	let levels = measureLevels(frame.document?.contents);
	for (const { items } of lists) {
		for (const { part } of items) {
			levels = Math.max(levels, itemLevels + part.levels);
		}
	}
	return {
		text,
		frame,
		lists,
		content: mergeContent(frame.content, lists),
		error: findFirstError(text, frame, lists) ?? createLevelsError(levels),
		costs: [frame.cost, ...lists.flatMap(list => list.items.map(({ part }) => part.read.cost))],
	};
}

/** Converts an offset in the frame to an offset in the whole text. */
export function toWholeOffset(offset: number, lists: readonly Pick<PartList, 'cut'>[]): number {
	let moved = offset;
	for (const { cut } of lists) {
		if (offset < cut.frameStart) {
			break;
		}
		if (offset < cut.frameStart + cut.frameLength) {
			return Math.min(cut.start + offset - cut.frameStart, cut.end);
		}
		moved = offset - cut.frameStart - cut.frameLength + cut.end;
	}
	return moved;
}

interface NamedSeq {
	readonly name: 'nodes' | 'edges';
	readonly seq: YAMLSeq;
}

/** Finds the lists that the items were cut out of; `undefined` if they aren't the graph's. */
function findGraphLists({ document, content }: AgentText, lists: readonly CutList[]): readonly NamedSeq[] | undefined {
	const graph = findMapValue(findMapValue(document?.contents, 'workflow'), 'graph');
	if (!isMap(graph) || hasAnchorsOrAliases(document?.contents)) {
		return undefined;
	}
	const plain = getField(getField(content, 'workflow'), 'graph');
	const found = lists.flatMap(({ mark }): NamedSeq[] => {
		const pair = graph.items.find(({ value }) => isSeq(value) && (value.items[0] as ParsedNode | undefined)?.range?.[0] === mark);
		const name = isScalar(pair?.key) && (pair.key.value === 'nodes' || pair.key.value === 'edges') ? pair.key.value : undefined;
		const seq = pair?.value;
		const isList = isSeq(seq) && !seq.flow && seq.items.length === 1;
		const own = name && getField(plain, name);
		return isList && name && Array.isArray(own) && own.length === 1 && own[0] === standIn ? [{ name, seq }] : [];
	});
	return found.length === lists.length && new Set(found.map(({ name }) => name)).size === lists.length ? found : undefined;
}

function findMapValue(map: unknown, name: string): unknown {
	const pair = isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
	return pair?.value;
}

function mergeContent(content: unknown, lists: readonly PartList[]): unknown {
	const workflow = toFields(getField(content, 'workflow'));
	const graph = { ...toFields(getField(workflow, 'graph')) };
	for (const { name, items } of lists) {
		graph[name] = items.map(({ part }) => part.content);
	}
	return { ...toFields(content), workflow: { ...workflow, graph } };
}

/** Returns the offset of the first character at or after `from` that isn't a space or line break, or the end of the text. */
function findNextToken(text: string, from: number): number {
	let at = from;
	while (at < text.length && ' \r\n'.includes(text[at] ?? '')) {
		at++;
	}
	return at;
}

/** Returns the first error in the text. Syntax errors come first, because they make others unreliable. */
function findFirstError(text: string, frame: AgentText, lists: readonly PartList[]): TextError | undefined {
	const found: { readonly error: TextError; readonly isWellFormed: boolean }[] = [];
	const addError = ({ error, isWellFormed }: AgentText, at: (offset: number) => number) => {
		if (error) {
			found.push({ error: { ...error, offset: at(error.offset) }, isWellFormed });
		}
	};
	addError(frame, offset => toWholeOffset(offset, lists));
	for (const { items } of lists) {
		for (const { part, offset } of items) {
			// report an error in the appended comment at the text after the item
			addError(part.read, at => (at < part.text.length ? at + offset : findNextToken(text, offset + part.text.length)));
		}
	}
	const first = found.toSorted((a, b) => Number(a.isWellFormed) - Number(b.isWellFormed) || a.error.offset - b.error.offset)[0];
	return first?.error;
}
