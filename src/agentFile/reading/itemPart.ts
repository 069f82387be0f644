import { Document, isAlias, isMap, isPair, isScalar, isSeq, type ParsedNode, type Schema, type YAMLSeq } from 'yaml';
import { AgentText } from '../agentText.ts';
import { agentYaml } from '../agentYaml.ts';

/** An item of a list of the graph, read by itself. Places are those in its own text. */
export interface ItemPart {
	/** The lines of the item. */
	readonly text: string;
	readonly read: AgentText;
	readonly item: ParsedNode | null;
	/** The item as plain values. */
	readonly content: unknown;
	/** How deep values lie in it. */
	readonly levels: number;
}

/**
 * A comment that an item is read with. The search for the end of a quoted string ends at a line that is indented less, but only if another quote follows somewhere; without one it takes
 * the rest of the text.
 */
const lastQuotes = ` #"'\n`;

let schema: Schema | undefined;

/** Reads an item that was cut out; `undefined` where it is none by itself, or its anchors and aliases may reach further. */
export function readItem(text: string): ItemPart | undefined {
	const read = readPart(text.endsWith('\n') ? text + lastQuotes : text);
	const list: unknown = read.document?.contents;
	if (!isSeq(list) || list.flow || list.items.length !== 1 || !Array.isArray(read.content) || reachesOut(list)) {
		return undefined;
	}
	const item = ((list as YAMLSeq).items[0] ?? null) as ParsedNode | null;
	return { text, read, item, content: read.content[0], levels: levelsOf(item) };
}

/** Reads a part of a file that has no directives. */
export function readPart(text: string): AgentText {
	schema ??= new Document(undefined, agentYaml).schema;
	return new AgentText(text, { schema, isPart: true });
}

/** Whether a value has anchors or aliases in it: they mean something in other parts. */
export function reachesOut(node: unknown): boolean {
	if (isPair(node)) {
		return reachesOut(node.key) || reachesOut(node.value);
	}
	if (isMap(node) || isSeq(node)) {
		return node.anchor !== undefined || node.items.some(reachesOut);
	}
	return isAlias(node) || (isScalar(node) && node.anchor !== undefined);
}

/** How many values lie inside each other: one for a value by itself. */
export function levelsOf(node: unknown): number {
	let deepest = 0;
	if (isSeq(node)) {
		for (const item of node.items) {
			deepest = Math.max(deepest, levelsOf(item));
		}
	} else if (isMap(node)) {
		for (const { key, value } of node.items) {
			deepest = Math.max(deepest, levelsOf(key), levelsOf(value));
		}
	}
	return deepest + 1;
}
