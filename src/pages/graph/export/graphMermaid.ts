import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { getOwnField } from '#base/records/ownField.ts';
import type { CardLabels } from '../cards/rowText.ts';
import { isInnerStart } from '../layout/cardSize.ts';
import type { AgentPicture, DrawnNode } from '../picture/graphTypes.ts';

/** Formats a graph as a Mermaid flowchart, with containers as subgraphs and branch names on the arrows. */
export function formatMermaid(picture: AgentPicture, { types }: Pick<CardLabels, 'types'>): string {
	const names = new Map(picture.nodes.map(({ id }, at) => [id, `n${at}`]));
	const levels = Map.groupBy(picture.nodes, ({ parent }) => parent);
	const lines = ['flowchart LR'];
	const writeLevel = (parent: string | undefined, indent: string): void => {
		for (const node of levels.get(parent) ?? []) {
			const name = names.get(node.id) ?? '';
			if (levels.has(node.id)) {
				lines.push(`${indent}subgraph ${name}["${formatTitle(node, types)}"]`);
				writeLevel(node.id, `${indent}  `);
				lines.push(`${indent}end`);
			} else {
				lines.push(`${indent}${name}${formatNode(node, types)}`);
			}
		}
	};
	writeLevel(undefined, '  ');
	for (const { source, target, label } of picture.edges) {
		const arrow = label === undefined ? '-->' : `-->|"${escapeMermaid(label)}"|`;
		lines.push(`  ${names.get(source)} ${arrow} ${names.get(target)}`);
	}
	return `${lines.join('\n')}\n`;
}

function formatNode(node: DrawnNode, types: CardLabels['types']): string {
	const text = `"${formatTitle(node, types)}"`;
	if (isInnerStart(node)) {
		return '((" "))';
	}
	const shape = findNodeKind(node.kind)?.shape;
	return shape === 'stadium' ? `([${text}])` : shape === 'hexagon' ? `{{${text}}}` : `[${text}]`;
}

function formatTitle({ title, kind }: DrawnNode, types: CardLabels['types']): string {
	const type = getOwnField(types, kind) ?? kind;
	return title === type ? escapeMermaid(title) : `${escapeMermaid(title)}<br/>${escapeMermaid(type)}`;
}

/**
 * Escapes a text for use in quotes. All characters except letters, digits and plain punctuation become entities, so that the text can't be
 * a Mermaid keyword, a link or HTML.
 */
function escapeMermaid(text: string): string {
	return Array.from(text.slice(0, 200), letter =>
		/[\p{L}\p{N} .,_+/-]/u.test(letter) ? letter : /\s/.test(letter) ? ' ' : `#${letter.codePointAt(0)};`,
	).join('');
}
