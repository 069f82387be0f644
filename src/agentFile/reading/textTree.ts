import type { Node } from 'jsonc-parser';
import type { ParsedNode } from 'yaml';
import type { AgentText, TextError } from '../agentText.ts';
import { fromFrame, type PartList, type TextParts } from './textParts.ts';
import { excessOfTree } from './treeLimits.ts';
import { type Source, treeNode } from './treeNode.ts';

/**
 * Creates the tree of a text that was parsed as a whole; none if it's nested too deeply or expands too much through aliases, which is an
 * error.
 */
export function treeOf({ text, document, content, error }: AgentText): {
	readonly root: Node | undefined;
	readonly content: unknown;
	readonly error: TextError | undefined;
} {
	if (!document?.contents) {
		return { root: undefined, content: undefined, error };
	}
	const excess = excessOfTree(document);
	return excess
		? { root: undefined, content: undefined, error: error ?? excess }
		: { root: treeNode({ text, document, at: offset => offset, itemsOf: () => undefined }, document.contents), content, error };
}

/** Creates the tree of a text that was parsed in parts. */
export function treeOfParts({ frame, lists, text }: TextParts): Node | undefined {
	const contents = frame.document?.contents;
	const seqs = new Map(lists.map(({ seq, items }) => [seq as unknown, sourcesOf(items)]));
	const at = (offset: number) => fromFrame(offset, lists);
	return contents ? treeNode({ text, at, itemsOf: seq => seqs.get(seq) }, contents) : undefined;

	function sourcesOf(items: PartList['items']): readonly { readonly item: ParsedNode | null; readonly source: Source }[] {
		return items.map(({ part, offset }) => ({
			item: part.item,
			source: { text, at: place => place + offset, itemsOf: () => undefined },
		}));
	}
}
