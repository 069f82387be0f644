import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import { agentYaml } from '../agentYaml.ts';
import type { Writing } from './fieldWriter.ts';
import type { Use } from './sharedValues.ts';
import { findContentEnd, findLineEnd } from './yamlPlaces.ts';
import { formatValue, getColumnAt, indentLines } from './yamlStyle.ts';

/** A range of the text and its replacement. */
interface Swap {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/**
 * Keeps values that are removed while aliases still use them: moves their text and anchor to the first of these aliases. Other aliases
 * don't change. Call after all removals were collected.
 * @returns names of the moved anchors
 */
export function moveValues(writing: Writing): readonly string[] {
	const { text, pieces, shared } = writing;
	const mover = new ValueMover(writing);
	for (const use of shared.listOrphanedAliases()) {
		if (!mover.moved.has(use.value)) {
			const [start = 0, end = 0] = use.alias.range ?? [];
			const behind =
				isBlockValue(use.value) && !isInBrackets(use.around)
					? (/^[ \t]+#[^\r\n]*/.exec(text.slice(end, findLineEnd(text, end)))?.[0] ?? '')
					: '';
			const piece = mover.formatForAlias(use);
			const cut = piece.search(/\r?\n|$/);
			// keep the comment on its line
			pieces.add(start, end + behind.length - start, piece.slice(0, cut) + behind + piece.slice(cut));
		}
	}
	for (const value of mover.moved) {
		const start = findAnchorStart(text, value);
		// PyYAML and Dify reject a text that defines an anchor twice
		if (shared.isLostValue(value) && !pieces.isReplaced(start)) {
			const range = findAnchorRange(text, value);
			pieces.add(range.start, range.end - range.start, '');
		}
	}
	return [...mover.moved].map(getAnchor);
}

class ValueMover {
	readonly moved = new Set<Node>();
	readonly #writing: Writing;

	constructor(writing: Writing) {
		this.#writing = writing;
	}

	/** Formats the value of an alias for the alias's position, with adjusted indentation. */
	formatForAlias({ value, around }: Use): string {
		const { text, style, shared } = this.#writing;
		this.moved.add(value);
		const own = this.#formatWithAnchor(value);
		const from = shared.getContainers(value);
		if (isInBrackets(around) && !isInBrackets(from) && (isBlockValue(value) || isScalar(value))) {
			return indentLines(formatInBrackets(own, style), getBlockColumn(text, around) + style.indent);
		}
		const deeper = isBlockValue(value) && isCollection(value) ? getColumnAt(text, value.range?.[0] ?? 0) - getBlockColumn(text, from) : 1;
		const least = isSeq(value) && isMap(around.findLast(isCollection)) ? 0 : 1;
		return shiftLines(own, getBlockColumn(text, around) - getBlockColumn(text, from) + Math.max(least - deeper, 0));
	}

	/** Formats a value with its anchor. A shared value in it becomes an alias if its text comes earlier, or else the value. */
	#formatWithAnchor(value: Node): string {
		const { text, shared } = this.#writing;
		const swaps: Swap[] = [];
		visit(value, {
			Node: (_, node, path) => {
				if (node === value) {
					return undefined;
				}
				if (isAlias(node)) {
					const target = shared.getAliasTarget(node);
					if (target && shared.isLostValue(target) && !this.moved.has(target)) {
						const [start = 0, end = 0] = node.range ?? [];
						swaps.push({
							start,
							end,
							text: this.formatForAlias({ alias: node, value: target, around: [...shared.getContainers(value), ...path] }),
						});
					}
				} else if (shared.isShared(node)) {
					if (!shared.isLostValue(node) || this.moved.has(node)) {
						const start = findAnchorStart(text, node);
						swaps.push({ start, end: findTextEnd(text, node), text: `*${node.anchor}` });
						return visit.SKIP;
					}
					this.moved.add(node);
				} else if (getAnchor(node) !== '' && !shared.isLostValue(node)) {
					// the anchor stays at its place, without an alias
					swaps.push({ ...findAnchorRange(text, node), text: '' });
				}
				return undefined;
			},
		});
		let at = findAnchorStart(text, value);
		let own = '';
		for (const { start, end, text: piece } of swaps) {
			own += text.slice(at, start) + piece;
			at = end;
		}
		return own + text.slice(at, findTextEnd(text, value));
	}
}

function getAnchor(value: Node): string {
	return isAlias(value) ? '' : (value.anchor ?? '');
}

/** Returns the offset of the `&` before a value. */
function findAnchorStart(text: string, value: Node): number {
	return Math.max(0, text.lastIndexOf(`&${getAnchor(value)}`, value.range?.[0] ?? 0));
}

/** Returns the range of the anchor before a value, with the blanks that separate it. */
function findAnchorRange(text: string, value: Node): { readonly start: number; readonly end: number } {
	const start = findAnchorStart(text, value);
	const end = start + 1 + getAnchor(value).length;
	const after = /^[ \t]+(?=[^\s#])/.exec(text.slice(end, findLineEnd(text, end)))?.[0].length ?? 0;
	const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
	const before = after > 0 ? 0 : (/(?<![ \t])[ \t]*$/.exec(line)?.[0].length ?? 0);
	return { start: start - before, end: end + after };
}

function findTextEnd(text: string, value: Node): number {
	return Math.max(findAnchorStart(text, value) + 1 + getAnchor(value).length, findContentEnd(text, value) ?? 0);
}

/** True if a value is written on separate lines: a block scalar, or a list or map without brackets. */
function isBlockValue(value: Node): boolean {
	return isCollection(value) ? !value.flow : isScalar(value) && value.type?.startsWith('BLOCK') === true;
}

function isInBrackets(around: readonly unknown[]): boolean {
	return around.some(each => isCollection(each) && each.flow);
}

/** Returns the column of the keys or dashes of the nearest list or map without brackets. */
function getBlockColumn(text: string, around: readonly unknown[]): number {
	const block = around.findLast(each => isCollection(each) && !each.flow);
	return isCollection(block) ? getColumnAt(text, block.range?.[0] ?? 0) : 0;
}

function shiftLines(lines: string, by: number): string {
	return by < 0 ? lines.replaceAll(new RegExp(`\\n {1,${-by}}`, 'g'), '\n') : indentLines(lines, by);
}

/** Formats a block value in brackets. Comments stay on separate lines. */
function formatInBrackets(lines: string, style: Writing['style']): string {
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
	return formatValue(value, style, { flow: true });
}
