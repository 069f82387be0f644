import { isCollection, isMap, isNode, isPair, isScalar, type Pair, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml';

/** Returns the offset after the last character of a value, without the line break of a block scalar; `undefined` for a missing value. */
export function findContentEnd(text: string, node: unknown): number | undefined {
	if (!isNode(node) || !node.range) {
		return undefined;
	}
	if (isCollection(node) && !node.flow) {
		const last: unknown = node.items.at(-1);
		return (isPair(last) ? findPairEnd(text, last as Pair<ParsedNode, ParsedNode | null>) : findContentEnd(text, last)) ?? node.range[1];
	}
	const [start, end] = node.range;
	if (!isScalar(node) || !node.type?.startsWith('BLOCK')) {
		return end;
	}
	const raw = text.slice(start, end);
	const header = /^[|>][-+\d]*/.exec(raw)?.[0] ?? '';
	if (header.includes('+')) {
		return start + raw.replace(/\r?\n$/, '').length;
	}
	// other white space, such as a no-break space, is part of the value
	let length = raw.length;
	while (length > 0 && ' \t\r\n'.includes(raw.charAt(length - 1))) {
		length--;
	}
	return start + length;
}

export function findPairEnd(text: string, { key, value }: Pair<ParsedNode, ParsedNode | null>): number {
	const [, keyEnd] = key.range;
	const colon = findColonEnd(text, keyEnd);
	return Math.max(keyEnd, colon ?? 0, findContentEnd(text, value) ?? 0);
}

export function findColonEnd(text: string, keyEnd: number): number | undefined {
	const [gap = ''] = /^[ \t]*:/.exec(text.slice(keyEnd, keyEnd + 200)) ?? [];
	return gap ? keyEnd + gap.length : undefined;
}

/** Returns the index of a field in a map, ignoring merged fields. */
export function findFieldIndex(map: YAMLMap, name: string | number): number {
	return map.items.findIndex(({ key }) => isScalar(key) && typeof key.value !== 'symbol' && String(key.value) === String(name));
}

/** Returns the offsets of the dashes of a block list. */
export function findDashes(text: string, list: YAMLSeq): readonly number[] {
	let from = list.range?.[0] ?? 0;
	return list.items.map(item => {
		const [gap = ''] = /^(?:\s|#[^\n]*)*/.exec(text.slice(from)) ?? [];
		const dash = from + gap.length;
		from = Math.max(dash + 1, findContentEnd(text, item) ?? 0);
		return dash;
	});
}

export function findLineStart(text: string, offset: number): number {
	return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the offset after the line break that ends the line of an offset. */
export function findLineEnd(text: string, offset: number): number {
	const end = text.indexOf('\n', offset);
	return end < 0 ? text.length : end + 1;
}

/** Returns the start of the comments right above an offset with the same indentation, or the start of its line. */
export function findLeadStart(text: string, offset: number, floor: number): number {
	let start = findLineStart(text, offset);
	const indent = text.slice(start, offset).match(/^ */)?.[0] ?? '';
	while (start > floor) {
		const above = findLineStart(text, start - 1);
		const line = text.slice(above, start);
		if (above < floor || !line.startsWith(`${indent}#`)) {
			break;
		}
		start = above;
	}
	return start;
}

/** True if there are only spaces between the start of the line and an offset. */
export function isLineStart(text: string, offset: number): boolean {
	return /^ *$/.test(text.slice(findLineStart(text, offset), offset));
}

export function isEmptyValue(node: unknown): boolean {
	return !isNode(node) || (isScalar(node) && node.value === null && (node.source ?? '') === '') || (isMap(node) && node.items.length === 0);
}
