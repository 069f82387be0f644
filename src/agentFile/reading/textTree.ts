import type { Node } from 'jsonc-parser';
import type { ParsedNode } from 'yaml';
import type { AgentText, TextError } from '../agentText.ts';
import { type PartList, type TextParts, toWholeOffset } from './textParts.ts';
import { findTreeExcess } from './treeLimits.ts';
import { createTreeNode, type Source } from './treeNode.ts';

/**
 * Creates the tree of a text that was parsed as a whole. Returns an error and no tree if the text is nested too deeply or expands too much
 * through aliases.
 */
export function createTree({ text, document, content, error }: AgentText): {
	readonly root: Node | undefined;
	readonly content: unknown;
	readonly error: TextError | undefined;
} {
	if (!document?.contents) {
		return { root: undefined, content: undefined, error };
	}
	const excess = findTreeExcess(document);
	return excess
		? { root: undefined, content: undefined, error: error ?? excess }
		: {
				root: createTreeNode({ text, document, toTextOffset: offset => offset, findParsedItems: () => undefined }, document.contents),
				content,
				error,
			};
}

/** Creates the tree of a text that was parsed in parts. */
export function createPartsTree({ frame, lists, text }: TextParts): Node | undefined {
	const contents = frame.document?.contents;
	const seqs = new Map(lists.map(({ seq, items }) => [seq as unknown, listSources(items)]));
	const toTextOffset = (offset: number) => toWholeOffset(offset, lists);
	return contents ? createTreeNode({ text, toTextOffset, findParsedItems: seq => seqs.get(seq) }, contents) : undefined;

	function listSources(items: PartList['items']): readonly { readonly item: ParsedNode | null; readonly source: Source }[] {
		return items.map(({ part, offset }) => ({
			item: part.item,
			source: { text, toTextOffset: place => place + offset, findParsedItems: () => undefined },
		}));
	}
}
