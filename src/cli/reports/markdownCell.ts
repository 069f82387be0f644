import { toPlainLine } from '../output.ts';

const longestText = 500;

/** Escapes foreign text for a table cell, so that it can't contain markup, links, mentions or cell separators. */
export function escapeCell(text: string, { longest = longestText } = {}): string {
	const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
	return toPlainLine(cut.toWellFormed())
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replace(/[\\`*_{}[\]()#+!|~@:-]|(?<=www)\./gi, character => `&#${character.charCodeAt(0)};`);
}
