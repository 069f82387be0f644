import { isAlias, isCollection, isNode, isScalar, type Pair, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { LocalizableMessage } from '#base/text/localizableMessage.ts';
import { type Pieces, Unwritable } from './pieces.ts';
import type { SharedValues } from './sharedValues.ts';
import {
	findColonEnd,
	findContentEnd,
	findDashes,
	findLeadStart,
	findLineEnd,
	findLineStart,
	findPairEnd,
	isEmptyValue,
	isLineStart,
} from './yamlPlaces.ts';
import { formatValue, getColumnAt, indentLines, type YamlStyle } from './yamlStyle.ts';

/** Position of a value: a field of a map, or an item of a list. */
export type Holder = { readonly map: YAMLMap; readonly index: number } | { readonly list: YAMLSeq; readonly index: number };

/** Shared by the writers of fields and items: the text, its style and the collected changes. */
export interface Writing {
	readonly text: string;
	readonly style: YamlStyle;
	readonly pieces: Pieces;
	readonly shared: SharedValues;
	readonly refusals: Refusals;
}

/** Messages for edits that can't be written. */
export interface Refusals {
	/** Message for a value that is used in several places through an anchor. */
	readonly shared: (anchor: string) => string;
	/** Message for an edited file that would exceed a limit. */
	readonly size: (excess: LocalizableMessage) => string;
	/** Message for a text that is written in a way that the edit can't be applied to. */
	readonly place: string;
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

/** Adds fields after the last one of a map. */
export function addFields({ text, style, pieces }: Writing, map: YAMLMap, fields: ReadonlyMap<string, unknown>, depth: number): void {
	const last = map.items.at(-1) as ParsedPair | undefined;
	const texts = [...fields].map(([key, value]) => formatValue(value, style, { key, flow: map.flow ?? false }));
	if (map.flow) {
		if (last) {
			pieces.add(findPairEnd(text, last), 0, texts.map(field => `, ${field}`).join(''), depth);
		} else {
			const [start = 0, end = 0] = map.range ?? [];
			pieces.add(start + 1, end - start - 2, ` ${texts.join(', ')} `, depth);
		}
		return;
	}
	const column = getColumnAt(text, map.range?.[0] ?? 0);
	for (const field of texts) {
		pieces.insertLines(
			last ? findLineEnd(text, findPairEnd(text, last)) : 0,
			' '.repeat(column) + indentLines(field, column),
			style.eol,
			depth,
		);
	}
}

/** Removes a field from a map, with its comments. */
export function removeField(writing: Writing, map: YAMLMap, index: number): void {
	const { text, pieces } = writing;
	const pair = map.items[index] as ParsedPair;
	writing.shared.markRemoved(pair.key);
	writing.shared.markRemoved(pair.value);
	const [start] = pair.key.range;
	const end = findPairEnd(text, pair);
	const before = map.items[index - 1] as ParsedPair | undefined;
	const after = map.items[index + 1] as ParsedPair | undefined;
	if (map.flow) {
		if (after) {
			pieces.add(start, after.key.range[0] - start, '');
		} else {
			const from = before ? findPairEnd(text, before) : start;
			pieces.add(from, end - from, '');
		}
	} else if (isLineStart(text, start)) {
		const from = findLeadStart(
			text,
			start,
			before ? findLineEnd(text, findPairEnd(text, before)) : findLineStart(text, map.range?.[0] ?? start),
		);
		pieces.add(from, findLineEnd(text, end) - from, '');
	} else if (after) {
		const next = after.key.range[0];
		const isNextLine = /^[^\n]*\n *$/.test(text.slice(end, next));
		const from = isNextLine ? start : start - (/(?<! ) *$/.exec(text.slice(0, start))?.[0].length ?? 0);
		pieces.add(from, (isNextLine ? next : end) - from, '');
	} else {
		pieces.add(start, end - start, '{}');
	}
}

/** Replaces a value. Strings keep their quotes or block style if possible. */
export function replaceValue(writing: Writing, holder: Holder, value: unknown): void {
	const { text, style, pieces } = writing;
	const inMap = 'map' in holder;
	const pair = inMap ? (holder.map.items[holder.index] as ParsedPair) : undefined;
	const old = (inMap ? pair?.value : holder.list.items[holder.index]) as ParsedNode | null | undefined;
	writing.shared.markRemoved(old);
	const isEmpty = isEmptyValue(old) && !(isCollection(old) && old.flow);
	const type = chooseScalarType(old, value);
	const like = isCollection(old) && old.items.length > 0 && isCollectionLike(value) ? old : undefined;
	if ((inMap ? holder.map : holder.list).flow) {
		const plain = formatValue(value, style, { flow: true, like, type });
		const [start, end] = old?.range ?? [0, 0];
		if (!isEmpty || !pair) {
			removeTag(writing, old);
			pieces.add(start, end - start, plain);
		} else {
			const colon = findColonEnd(text, pair.key.range[1]);
			pieces.add(colon ?? pair.key.range[1], 0, colon === undefined ? `: ${plain}` : ` ${plain}`);
		}
		return;
	}
	const mark = inMap ? (pair as ParsedPair).key.range[0] : (findDashes(text, holder.list)[holder.index] as number);
	const markEnd = inMap ? findColonEnd(text, (pair as ParsedPair).key.range[1]) : mark + 1;
	if (markEnd === undefined) {
		throw new Unwritable(writing.refusals.place);
	}
	const column = getColumnAt(text, mark);
	const ownIndent = isScalar(old) && type?.startsWith('BLOCK') ? measureBlockIndent(text, old, column) : style.indent;
	const form = { ...style, indent: ownIndent ?? style.indent };
	const marked = inMap
		? formatValue(value, form, { key: 'k', flow: false, like, type }).slice('k:'.length)
		: formatValue(value, form, { flow: false, like, type }).slice('-'.length);
	const piece = indentLines(marked, column);
	const end = Math.max(markEnd, findContentEnd(text, old) ?? markEnd);
	const oneLine = !piece.includes('\n');
	// keep the comment on the line of the key
	const head = findHeadComment(text, old, markEnd);
	if (!isEmpty && old?.range && !(isCollection(old) && !old.flow) && oneLine) {
		removeTag(writing, old);
		pieces.add(old.range[0], end - old.range[0], piece.replace(/^ +/, '') + head);
		return;
	}
	const cut = oneLine ? piece.length : piece.search(/\r?\n/);
	if (head !== '') {
		pieces.add(markEnd, end - markEnd, piece.slice(0, cut) + head + piece.slice(cut));
		return;
	}
	const behind = /^[ \t]*#[^\r\n]*/.exec(text.slice(end, findLineEnd(text, end)))?.[0] ?? '';
	if (oneLine || behind === '') {
		pieces.add(markEnd, end - markEnd, piece);
	} else {
		// keep the comment on its line
		pieces.add(
			markEnd,
			end + behind.length - markEnd,
			piece.slice(0, cut) + (behind.startsWith('#') ? ` ${behind}` : behind) + piece.slice(cut),
		);
	}
}

/** Returns the comment on the line of a key whose value is on the lines below: after the colon, or after the block mark. */
function findHeadComment(text: string, old: ParsedNode | null | undefined, markEnd: number): string {
	const line = text.slice(markEnd, findLineEnd(text, markEnd));
	if (isCollection(old) && !old.flow) {
		return /^(?:[ \t]+[&!]\S+)*([ \t]+#[^\r\n]*)/.exec(line)?.[1] ?? '';
	}
	const isBlock = isScalar(old) && (old.type === 'BLOCK_LITERAL' || old.type === 'BLOCK_FOLDED');
	return (isBlock ? /[|>][-+\d]*([ \t]+#[^\r\n]*)/.exec(line)?.[1] : undefined) ?? '';
}

/** Removes the tag of a replaced value. */
function removeTag({ text, pieces }: Writing, old: unknown): void {
	if (isNode(old) && !isAlias(old) && old.tag !== undefined && old.range) {
		const tag = /(?:^|[\s,[{:-])(![^\s,[\]{}]*[ \t]+)(?:&\S+[ \t]+)?$/.exec(text.slice(0, old.range[0]).slice(-300));
		if (tag) {
			const start = old.range[0] - tag[0].length + tag[0].indexOf('!');
			pieces.add(start, (tag[1] as string).length, '');
		}
	}
}

function chooseScalarType(old: unknown, value: unknown): Scalar.Type | undefined {
	if (!isScalar(old) || typeof old.value !== 'string' || typeof value !== 'string') {
		return undefined;
	}
	return old.type === 'PLAIN' && value.includes('\n') ? undefined : (old.type as Scalar.Type | undefined);
}

function isCollectionLike(value: unknown): boolean {
	return isNode(value) ? isCollection(value) && !isAlias(value) : typeof value === 'object' && value !== null;
}

/** Returns how many columns a block scalar is indented relative to its key. */
function measureBlockIndent(text: string, block: Scalar, column: number): number | undefined {
	const [start = 0, end = 0] = block.range ?? [];
	const [, indent] = /\n( *)[^ \r\n]/.exec(text.slice(start, end)) ?? [];
	return indent !== undefined && indent.length > column ? indent.length - column : undefined;
}
