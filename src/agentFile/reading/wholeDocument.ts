import { type Document, isMap, isNode, isSeq, Pair, type ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { type TextParts, toWholeOffset } from './textParts.ts';

/** Creates one document from separately parsed parts, with the ranges of the whole text. Shares no objects with the parts. */
export function createWholeDocument({ frame, lists }: TextParts): Document.Parsed | undefined {
	const { document } = frame;
	if (!document?.contents) {
		return undefined;
	}
	const cut = new Map(lists.map(({ seq, items }) => [seq as unknown, items]));
	const toTextOffset = (offset: number) => toWholeOffset(offset, lists);
	const whole = document.clone() as Document.Parsed;
	whole.contents = copyNode(document.contents, toTextOffset, seq =>
		cut.get(seq)?.map(({ part, offset }) =>
			copyNode(
				part.item,
				place => place + offset,
				() => undefined,
			),
		),
	) as ParsedNode;
	return whole;
}

/** Copies a node and adjusts its ranges. Parts have no aliases. */
function copyNode(node: unknown, at: (offset: number) => number, itemsOf: (seq: unknown) => readonly unknown[] | undefined): unknown {
	if (isMap(node)) {
		const made = copyAttributes(new YAMLMap(node.schema), node, at);
		made.items = node.items.map(({ key, value }) => new Pair(copyNode(key, at, itemsOf), copyNode(value, at, itemsOf)));
		return made;
	}
	if (isSeq(node)) {
		const made = copyAttributes(new YAMLSeq(node.schema), node, at);
		const items = itemsOf(node);
		made.items = [...(items ?? node.items.map(item => copyNode(item, at, itemsOf)))];
		const [, , end] = items?.findLast(item => isNode(item))?.range ?? [];
		if (made.range && end !== undefined) {
			made.range = [made.range[0], end, end];
		}
		return made;
	}
	return node instanceof Scalar ? copyAttributes(new Scalar(node.value), node, at) : node;
}

function copyAttributes<Made extends YAMLMap | YAMLSeq | Scalar>(made: Made, node: Made, at: (offset: number) => number): Made {
	const { items, range, ...rest } = node as Made & { readonly items?: unknown };
	const [start, end, behind] = range ?? [0, 0, 0];
	return Object.assign(made, rest, { range: [at(start), at(end), at(behind)] });
}
