import { Document, isAlias, isMap, isPair, isScalar, isSeq, type ParsedNode, type Schema, type YAMLSeq } from 'yaml';
import { AgentText } from '../agentText.ts';
import { agentYaml } from '../agentYaml.ts';

/** A separately parsed item of a list of the graph. Ranges are relative to its own text. */
export interface ItemPart {
	readonly text: string;
	readonly read: AgentText;
	readonly item: ParsedNode | null;
	readonly content: unknown;
	/** Depth of nested values. */
	readonly levels: number;
}

/**
 * A comment appended to an item for parsing. The lexer stops searching for the end of a quoted string at a line with less indentation, but
 * only if another quote follows; otherwise it scans the whole text.
 */
const lastQuotes = ` #"'\n`;

let schema: Schema | undefined;

/** Parses an item that was cut out; `undefined` if it isn't a valid item on its own, or has anchors or aliases. */
export function readItem(text: string): ItemPart | undefined {
	const read = readPart(text.endsWith('\n') ? text + lastQuotes : text);
	// reject such an item, because a misplaced anchor or alias isn't in the tree
	if (read.document?.errors.some(({ message }) => /anchor|alias/i.test(message))) {
		return undefined;
	}
	const list: unknown = read.document?.contents;
	if (!isSeq(list) || list.flow || list.items.length !== 1 || !Array.isArray(read.content) || hasAnchorsOrAliases(list)) {
		return undefined;
	}
	const item = ((list as YAMLSeq).items[0] ?? null) as ParsedNode | null;
	return { text, read, item, content: read.content[0], levels: measureLevels(item) };
}

/** Parses a part of a file without directives. */
export function readPart(text: string): AgentText {
	schema ??= new Document(undefined, agentYaml).schema;
	return new AgentText(text, { schema, isPart: true });
}

/** True if a value has anchors or aliases, which can affect other parts. */
export function hasAnchorsOrAliases(node: unknown): boolean {
	if (isPair(node)) {
		return hasAnchorsOrAliases(node.key) || hasAnchorsOrAliases(node.value);
	}
	if (isMap(node) || isSeq(node)) {
		return node.anchor !== undefined || node.items.some(hasAnchorsOrAliases);
	}
	return isAlias(node) || (isScalar(node) && node.anchor !== undefined);
}

/** Returns the depth of nested values; 1 for a scalar. */
export function measureLevels(node: unknown): number {
	let deepest = 0;
	if (isSeq(node)) {
		for (const item of node.items) {
			deepest = Math.max(deepest, measureLevels(item));
		}
	} else if (isMap(node)) {
		for (const { key, value } of node.items) {
			deepest = Math.max(deepest, measureLevels(key), measureLevels(value));
		}
	}
	return deepest + 1;
}
