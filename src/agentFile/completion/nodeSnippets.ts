import { nodeKinds } from '../nodeKinds/nodeKinds.ts';
import { scalarText } from '../scalarText.ts';

/** What a snippet for a new node is filled with. */
interface SnippetContext {
	/** A value that stands before the node: the node's ID, or `sys`, and its variable. */
	readonly value: readonly [scope: string, variable: string];
	/** A model to begin with. */
	readonly model: string;
}

/** A node, whole: all that its type needs, with places to fill in. */
interface NodeSnippet {
	readonly type: string;
	/** Lines from the item's first key on, indented from there, in the editor's snippet syntax. */
	readonly text: string;
}

/** Escapes a value for the editor's snippet syntax, within a placeholder too. */
const plain = (text: string): string => text.replaceAll(/[\\$}]/g, '\\$&');

/** Snippets of all node types; `freeId` makes an ID of a type's that no node has. */
export function nodeSnippets({ value, model }: SnippetContext, freeId: (type: string) => string): readonly NodeSnippet[] {
	const selector = plain(value.map(each => scalarText(each, true)).join(', '));
	return nodeKinds.flatMap(({ type, role, inside, snippet }) => {
		if (!snippet || inside === 'loop') {
			return [];
		}
		const id = idOf(type, freeId);
		const lines = snippet.data.map(line =>
			line
				.replaceAll('¶.', () => plain(value.join('.')))
				.replaceAll('¶', () => selector)
				.replaceAll('¤', () => plain(scalarText(model, true)))
				.replaceAll('§', () => id),
		);
		const node = item([
			`id: \${1:${id}}`,
			'data:',
			`  type: ${type}`,
			`  title: \${2:${snippet.title}}`,
			...lines.map(line => `  ${line}`),
		]);
		const start = `- id: \${1:${id}}_start\n  parentId: \${1:${id}}\n  data: { type: ${type}-start, title: "", ${type}_id: \${1:${id}} }`;
		return [{ type, text: role === 'container' ? `${node}\n${start}` : node }];
	});
}

/** References name IDs of letters, digits and `_`. */
function idOf(type: string, freeId: (type: string) => string): string {
	return freeId(type.replaceAll('-', '_'));
}

/** The first line stands behind the item's dash; the editor indents the others as it does the dash. */
function item(lines: readonly string[]): string {
	return lines.join('\n  ');
}
