import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import { agentYaml } from '../agentYaml.ts';
import type { Writing } from './fieldWriter.ts';
import type { Use } from './sharedValues.ts';
import { contentEnd, lineEnd } from './yamlPlaces.ts';
import { atColumn, columnAt, written } from './yamlStyle.ts';

/** A range of the text and its replacement. */
interface Swap {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/**
 * Moves values that are removed while aliases still use them to their first alias, with their text and anchor; other aliases stay.
 * Removals must be collected before.
 * @returns names of the moved anchors
 */
export function moveValues(writing: Writing): readonly string[] {
	const { text, pieces, shared } = writing;
	const mover = new ValueMover(writing);
	for (const use of shared.orphans()) {
		if (!mover.moved.has(use.value)) {
			const [start = 0, end = 0] = use.alias.range ?? [];
			const behind =
				isInLines(use.value) && !isInBrackets(use.around) ? (/^[ \t]+#[^\r\n]*/.exec(text.slice(end, lineEnd(text, end)))?.[0] ?? '') : '';
			const piece = mover.textAt(use);
			const cut = piece.search(/\r?\n|$/);
			// keep the comment on its line
			pieces.put(start, end + behind.length - start, piece.slice(0, cut) + behind + piece.slice(cut));
		}
	}
	for (const value of mover.moved) {
		const start = anchorStart(text, value);
		// PyYAML, and so Dify, rejects a text with the same anchor twice
		if (shared.isLost(value) && !pieces.replaces(start)) {
			const end = start + 1 + anchorOf(value).length;
			const after = /^[ \t]+(?=[^\s#])/.exec(text.slice(end, lineEnd(text, end)))?.[0].length ?? 0;
			const before = after > 0 ? 0 : (/(?<![ \t])[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0);
			pieces.put(start - before, end + after - start + before, '');
		}
	}
	return [...mover.moved].map(anchorOf);
}

class ValueMover {
	readonly moved = new Set<Node>();
	readonly #writing: Writing;

	constructor(writing: Writing) {
		this.#writing = writing;
	}

	/** Formats the value of an alias for the alias's position, with adjusted indentation. */
	textAt({ value, around }: Use): string {
		const { text, style, shared } = this.#writing;
		this.moved.add(value);
		const own = this.#swapped(value);
		const from = shared.aroundOf(value);
		if (isInBrackets(around) && !isInBrackets(from) && (isInLines(value) || isScalar(value))) {
			return atColumn(inBrackets(own, style), columnOf(text, around) + style.indent);
		}
		const deeper = isInLines(value) && isCollection(value) ? columnAt(text, value.range?.[0] ?? 0) - columnOf(text, from) : 1;
		const least = isSeq(value) && isMap(around.findLast(isCollection)) ? 0 : 1;
		return shifted(own, columnOf(text, around) - columnOf(text, from) + Math.max(least - deeper, 0));
	}

	/** Returns the text of a value with its anchor. Shared values in it become an alias or the value, depending on which comes first. */
	#swapped(value: Node): string {
		const { text, shared } = this.#writing;
		const swaps: Swap[] = [];
		visit(value, {
			Node: (_, node, path) => {
				if (node === value) {
					return undefined;
				}
				if (isAlias(node)) {
					const target = shared.valueOf(node);
					if (target && shared.isLost(target) && !this.moved.has(target)) {
						const [start = 0, end = 0] = node.range ?? [];
						swaps.push({ start, end, text: this.textAt({ alias: node, value: target, around: [...shared.aroundOf(value), ...path] }) });
					}
				} else if (shared.isShared(node)) {
					if (!shared.isLost(node) || this.moved.has(node)) {
						const start = anchorStart(text, node);
						swaps.push({ start, end: endOf(text, node), text: `*${node.anchor}` });
						return visit.SKIP;
					}
					this.moved.add(node);
				}
				return undefined;
			},
		});
		let at = anchorStart(text, value);
		let own = '';
		for (const { start, end, text: piece } of swaps) {
			own += text.slice(at, start) + piece;
			at = end;
		}
		return own + text.slice(at, endOf(text, value));
	}
}

function anchorOf(value: Node): string {
	return isAlias(value) ? '' : (value.anchor ?? '');
}

/** Returns the offset of the `&` before a value. */
function anchorStart(text: string, value: Node): number {
	return Math.max(0, text.lastIndexOf(`&${anchorOf(value)}`, value.range?.[0] ?? 0));
}

function endOf(text: string, value: Node): number {
	return Math.max(anchorStart(text, value) + 1 + anchorOf(value).length, contentEnd(text, value) ?? 0);
}

/** True if it's written in separate lines: a block scalar, or a list or map without brackets. */
function isInLines(value: Node): boolean {
	return isCollection(value) ? !value.flow : isScalar(value) && value.type?.startsWith('BLOCK') === true;
}

function isInBrackets(around: readonly unknown[]): boolean {
	return around.some(each => isCollection(each) && each.flow);
}

/** Returns the column of the keys or dashes of the nearest list or map without brackets. */
function columnOf(text: string, around: readonly unknown[]): number {
	const block = around.findLast(each => isCollection(each) && !each.flow);
	return isCollection(block) ? columnAt(text, block.range?.[0] ?? 0) : 0;
}

function shifted(lines: string, by: number): string {
	return by < 0 ? lines.replaceAll(new RegExp(`\\n {1,${-by}}`, 'g'), '\n') : atColumn(lines, by);
}

/** Formats a block value in brackets. Comments stay on separate lines. */
function inBrackets(lines: string, style: Writing['style']): string {
	const { contents } = parseDocument(`- ${lines}`, { ...agentYaml, prettyErrors: false });
	const value = isSeq(contents) ? (contents.items[0] as Node) : null;
	visit(value, {
		Node: (_, node) => {
			if (isCollection(node)) {
				node.flow = true;
			}
			if (!isAlias(node)) {
				node.spaceBefore = false;
			}
		},
	});
	return written(value, style, { flow: true });
}
