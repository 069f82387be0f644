import type { JSONPath, Node } from 'jsonc-parser';
import { listProperties } from '#base/text/textFaults.ts';
import { AgentReading } from '../reading/agentReading.ts';

/** Placeholder inserted at the cursor so that the text can be parsed; a name that no file has. */
const placeholder = 'cursor__here';

/** The position of the cursor in an agent file. */
export interface AgentCursor {
	/** Kind of the typed text: a field name, a value, or either if it's the first word on a line. */
	readonly kind: 'name' | 'value' | 'either';
	/** Path of the value; if a name is typed, path of its object. */
	readonly path: JSONPath;
	/** Range that a completion replaces. */
	readonly offset: number;
	readonly length: number;
	/** Part of the range before the cursor. */
	readonly typed: string;
	/** True if the name is followed by a colon. */
	readonly hasColon: boolean;
	readonly quoted: boolean;
	/** True if the value is in brackets or braces. */
	readonly flow: boolean;
	/** The file, with the placeholder in it. */
	readonly root: Node;
	readonly content: unknown;
}

/** Finds what is being typed at an offset; `undefined` in comments and in text that can't be read. */
export function findAgentCursor({ text, parts }: AgentReading, offset: number): AgentCursor | undefined {
	const before = text.slice(0, offset);
	const rest = text.slice(offset);
	const alone = /^[ \t]*(- +)*[\w-]*$/.test(before.slice(before.lastIndexOf('\n') + 1)) && /^[ \t]*(\r?\n|$)/.test(rest);
	const hasColon = /^[\w-]*["']?[ \t]*:/.test(rest);
	const readCursor = (marked: string) => createCursor(new AgentReading(marked, parts), offset, hasColon);
	const plain = readCursor(`${before}${placeholder}${rest}`);
	// a name without a colon would continue on the next line
	return alone && (!plain || plain.isLong) ? readCursor(`${before}${placeholder}:${rest}`) : plain;
}

function createCursor(
	{ text: marked, root, content }: AgentReading,
	offset: number,
	hasColon: boolean,
): (AgentCursor & { readonly isLong: boolean }) | undefined {
	const found = root && findPlaceholder(root, offset, []);
	if (!root || !found) {
		return undefined;
	}
	const { node, isName, path } = found;
	const before = marked.slice(node.offset, offset);
	const quoted = /^["']/.test(before);
	const lineStart = marked.lastIndexOf('\n', node.offset - 1) + 1;
	const first = /^[ \t]*(- +)*$/.test(marked.slice(lineStart, node.offset));
	const length = node.length - placeholder.length;
	return {
		kind: isName ? 'name' : first && !quoted ? 'either' : 'value',
		path,
		offset: node.offset,
		length,
		typed: quoted ? before.slice(1) : before,
		hasColon,
		quoted,
		flow: isInFlow(node, marked),
		root,
		content,
		isLong: /\n/.test(marked.slice(node.offset, node.offset + node.length)),
	};
}

/** Finds the value or name with the placeholder. */
function findPlaceholder(node: Node, offset: number, path: JSONPath): { node: Node; isName: boolean; path: JSONPath } | undefined {
	if (offset < node.offset || offset > node.offset + node.length) {
		return undefined;
	}
	if (node.type === 'array') {
		const items = node.children ?? [];
		// search from the end, because the start of an item is known but finding its end takes time
		for (let at = items.length - 1; at >= 0; at--) {
			const item = items[at];
			const found = item && item.offset <= offset ? findPlaceholder(item, offset, [...path, at]) : undefined;
			if (found) {
				return found;
			}
		}
		return undefined;
	}
	if (node.type === 'object') {
		for (const { name, nameNode, value } of listProperties(node)) {
			if (name.includes(placeholder)) {
				return { node: nameNode, isName: true, path };
			}
			const found = value && findPlaceholder(value, offset, [...path, name]);
			if (found) {
				return found;
			}
		}
		return undefined;
	}
	return typeof node.value === 'string' && node.value.includes(placeholder) ? { node, isName: false, path } : undefined;
}

function isInFlow({ parent }: Node, text: string): boolean {
	const holder = parent?.type === 'property' ? parent.parent : parent;
	return holder !== undefined && /[[{]/.test(text[holder.offset] ?? '');
}
