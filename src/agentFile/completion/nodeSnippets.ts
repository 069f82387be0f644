import { nodeKinds } from '../nodeKinds/nodeKinds.ts';
import { formatScalar } from '../scalarText.ts';

/** Values inserted into the snippet of a new node. */
interface SnippetContext {
	/** Selector of a variable before the node: node ID or `sys`, and variable name. */
	readonly value: readonly [scope: string, variable: string];
	readonly model: string;
}

/** A complete node of a type, with placeholders. */
interface NodeSnippet {
	readonly type: string;
	/** Text starting at the first key of the list item, in the editor's snippet syntax. */
	readonly text: string;
}

/** Escapes a value for the editor's snippet syntax, so that it can also be used in placeholders. */
const escapeSnippet = (text: string): string => text.replaceAll(/[\\$}]/g, '\\$&');

/** Returns snippets of all node types. `freeId` returns an unused ID for a type. */
export function createNodeSnippets({ value, model }: SnippetContext, freeId: (type: string) => string): readonly NodeSnippet[] {
	const selector = escapeSnippet(value.map(each => formatScalar(each, true)).join(', '));
	return nodeKinds.flatMap(({ type, role, inside, snippet }) => {
		if (!snippet || inside === 'loop') {
			return [];
		}
		const id = createNodeId(type, freeId);
		const lines = snippet.data.map(line =>
			line
				.replaceAll('¶.', () => escapeSnippet(value.join('.')))
				.replaceAll('¶', () => selector)
				.replaceAll('¤', () => escapeSnippet(formatScalar(model, true)))
				.replaceAll('§', () => id),
		);
		const node = formatItem([
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

/** Returns an unused ID of letters, digits and `_`, because references can't contain other IDs. */
function createNodeId(type: string, freeId: (type: string) => string): string {
	return freeId(type.replaceAll('-', '_'));
}

/** Joins the lines of a list item. The first line follows the item's dash; the editor indents the others. */
function formatItem(lines: readonly string[]): string {
	return lines.join('\n  ');
}
