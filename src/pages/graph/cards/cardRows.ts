import { findBranchItem, type GraphNode, getOutputHandles } from '#agentFile/agentGraph.ts';
import { type CardFact, timeoutHandle } from '#agentFile/nodeKinds/nodeKind.ts';
import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { referencePattern } from '#agentFile/references.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import type { CardRow } from '../picture/graphTypes.ts';

/** Maximum length of values on cards, in UTF-16 units. */
const longestText = 80;
/** Maximum number of facts on a card. Output handles are always shown. */
const mostFacts = 6;

export type Titles = Pick<ReadonlyMap<string, string>, 'get'>;

/**
 * Creates the rows of a node's card: its main facts, then its output handles if there are several. References show the titles of their
 * nodes.
 */
export function createCardRows(node: GraphNode, titles: Titles): readonly CardRow[] {
	const formatSelector = (selector: unknown) =>
		Array.isArray(selector) && selector.length > 0 ? formatReference(selector.map(String), titles) : '';
	const facts = findNodeKind(node.type)?.createFacts?.(node.data ?? {}, formatSelector) ?? [];
	const shown = facts.length > mostFacts ? [...facts.slice(0, mostFacts - 1), { text: `+${facts.length - mostFacts + 1}` }] : facts;
	return [...shown, ...createHandleRows(node)].map(row => ({ ...row, text: shortenText(replaceReferences(row.text, titles)) }));
}

function createHandleRows(node: GraphNode): CardRow[] {
	const handles = [...new Set(getOutputHandles(node))].filter(handle => handle !== '');
	return handles.flatMap((handle): CardRow[] => {
		if (handle === 'source') {
			return [];
		}
		if (handle === 'fail-branch' || handle === timeoutHandle) {
			return [{ text: '', handle }];
		}
		return [{ ...getHandleRow(node, handle), handle }];
	});
}

function getHandleRow(node: GraphNode, handle: string): CardFact {
	const row = findNodeKind(node.type)?.branches?.createRow;
	return row ? row(node.data ?? {}, handle) : { text: findBranchItem(node, handle)?.title ?? handle };
}

/** Replaces references in a text by the titles of their nodes. */
function replaceReferences(text: string, titles: Titles): string {
	const apart = text.slice(0, 4 * longestText).replaceAll('#}}{{#', '#}} {{#');
	return apart.replace(referencePattern, (_, inner: string) => formatReference(inner.split('.'), titles));
}

/** Formats a selector as the title of its node and the variable. */
function formatReference([first = '', ...rest]: readonly string[], titles: Titles): string {
	return [titles.get(first) ?? first, ...rest].join(' › ');
}

function shortenText(text: string): string {
	const line = text.slice(0, 4 * longestText).replace(/\s+/g, ' ');
	return line.length > longestText ? `${cutToLimit(line, longestText - 1).trimEnd()}…` : line;
}
