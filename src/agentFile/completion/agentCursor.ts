import type { JSONPath, Node } from 'jsonc-parser';
import { propertiesOf } from '#base/text/textFaults.ts';
import { AgentReading } from '../reading/agentReading.ts';

/** Stands for what is typed at the cursor, so that the text can be read with it: a name that no file has. */
const mark = 'cursor__here';

/** What stands at the cursor of an agent file. */
export interface AgentCursor {
	/** A field's name, a value, or what may become either: the first word of a value that begins on a line of its own. */
	readonly kind: 'name' | 'value' | 'either';
	/** Path of the value; of the object for a name. */
	readonly path: JSONPath;
	/** What a completion takes the place of. */
	readonly offset: number;
	readonly length: number;
	/** What of it is typed before the cursor. */
	readonly typed: string;
	/** Whether the name has its colon already. */
	readonly hasColon: boolean;
	/** Whether the value is in quotes. */
	readonly quoted: boolean;
	/** Whether the value is one of a list in brackets or braces. */
	readonly flow: boolean;
	/** The file, with the mark in it. */
	readonly root: Node;
	/** The same as plain values. */
	readonly content: unknown;
}

/** Finds out what is typed at a place; `undefined` in comments and where the text cannot be read. */
export function agentCursor({ text, parts }: AgentReading, offset: number): AgentCursor | undefined {
	const before = text.slice(0, offset);
	const rest = text.slice(offset);
	const alone = /^[ \t]*(- +)*[\w-]*$/.test(before.slice(before.lastIndexOf('\n') + 1)) && /^[ \t]*(\r?\n|$)/.test(rest);
	const hasColon = /^[\w-]*["']?[ \t]*:/.test(rest);
	const read = (marked: string) => cursorIn(new AgentReading(marked, parts), offset, hasColon);
	const plain = read(`${before}${mark}${rest}`);
	// without its colon, a name runs on into the next line
	return alone && (!plain || plain.isLong) ? read(`${before}${mark}:${rest}`) : plain;
}

function cursorIn(
	{ text: marked, root, content }: AgentReading,
	offset: number,
	hasColon: boolean,
): (AgentCursor & { readonly isLong: boolean }) | undefined {
	const found = root && find(root, offset, []);
	if (!root || !found) {
		return undefined;
	}
	const { node, isName, path } = found;
	const before = marked.slice(node.offset, offset);
	const quoted = /^["']/.test(before);
	const lineStart = marked.lastIndexOf('\n', node.offset - 1) + 1;
	const first = /^[ \t]*(- +)*$/.test(marked.slice(lineStart, node.offset));
	const length = node.length - mark.length;
	return {
		kind: isName ? 'name' : first && !quoted ? 'either' : 'value',
		path,
		offset: node.offset,
		length,
		typed: quoted ? before.slice(1) : before,
		hasColon,
		quoted,
		flow: isFlow(node, marked),
		root,
		content,
		isLong: /\n/.test(marked.slice(node.offset, node.offset + node.length)),
	};
}

/** The value or the name with the mark, among what stands around it. */
function find(node: Node, offset: number, path: JSONPath): { node: Node; isName: boolean; path: JSONPath } | undefined {
	if (offset < node.offset || offset > node.offset + node.length) {
		return undefined;
	}
	if (node.type === 'array') {
		const items = node.children ?? [];
		// from the end: where an item begins is known, where it ends has to be looked for
		for (let at = items.length - 1; at >= 0; at--) {
			const item = items[at];
			const found = item && item.offset <= offset ? find(item, offset, [...path, at]) : undefined;
			if (found) {
				return found;
			}
		}
		return undefined;
	}
	if (node.type === 'object') {
		for (const { name, nameNode, value } of propertiesOf(node)) {
			if (name.includes(mark)) {
				return { node: nameNode, isName: true, path };
			}
			const found = value && find(value, offset, [...path, name]);
			if (found) {
				return found;
			}
		}
		return undefined;
	}
	return typeof node.value === 'string' && node.value.includes(mark) ? { node, isName: false, path } : undefined;
}

function isFlow({ parent }: Node, text: string): boolean {
	const holder = parent?.type === 'property' ? parent.parent : parent;
	return holder !== undefined && /[[{]/.test(text[holder.offset] ?? '');
}
