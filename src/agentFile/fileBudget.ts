import { isCut } from './continuedLines.ts';

/** What a file may hold, far over what agents have: keys, values, marks and empty lines of the text; aliases; brackets inside of each other. */
export const maxTokens = 200_000;
const maxAliases = 1000;
const maxDepth = 100;

/** What a text, or a part of one, holds of what is bounded; of a text that is over a bound already, as far as that was counted. */
export interface TextCost {
	readonly tokens: number;
	readonly aliases: number;
	/** Brackets that are left open. */
	readonly depth: number;
	/** Most brackets, and most marks, inside of each other. */
	readonly deepest: number;
	readonly marks: number;
	/** Whether the lexer ended a value that has not ended, because a line isn't indented enough. */
	readonly isCut: boolean;
}

/** Counts the tokens of a text, only up to a limit: reading a file that is made for it takes minutes and gigabytes. */
export function costOf(tokens: Iterable<string>): TextCost {
	const cost = { tokens: 0, aliases: 0, depth: 0, deepest: 0, marks: 0, isCut: false };
	let marks = 0;
	let isLineEnd = false;
	for (const token of tokens) {
		const [first] = token;
		// "- - - -" and "? ? ? ?" are inside of each other without any bracket
		marks = first === '-' || first === '?' ? marks + 1 : /^[ \t]/.test(token) ? marks : 0;
		cost.depth += first === '[' || first === '{' ? 1 : first === ']' || first === '}' ? -1 : 0;
		cost.aliases += first === '*' ? 1 : 0;
		// an empty line costs as much as a key: a file of nothing else would take minutes
		cost.tokens += first === ' ' || (first === '\n' && !isLineEnd) ? 0 : 1;
		isLineEnd = first === '\n' || (isLineEnd && first === ' ');
		cost.deepest = Math.max(cost.deepest, cost.depth);
		cost.marks = Math.max(cost.marks, marks);
		cost.isCut ||= isCut(token);
		if (cost.tokens > maxTokens || cost.aliases > maxAliases || cost.deepest > maxDepth || cost.marks > maxDepth) {
			break;
		}
	}
	return cost;
}

/** What a file has too much of, by what its parts hold, in their order, to be put into a sentence; `undefined`: it is within bounds. */
export function excessIn(parts: readonly TextCost[]): string | undefined {
	let [tokens, aliases, depth] = [0, 0, 0];
	for (const part of parts) {
		tokens += part.tokens;
		aliases += part.aliases;
		if (tokens > maxTokens) {
			return `more than ${maxTokens} keys, values and marks`;
		}
		if (aliases > maxAliases) {
			return `more than ${maxAliases} aliases`;
		}
		if (depth + part.deepest > maxDepth || part.marks > maxDepth) {
			return `lists or maps more than ${maxDepth} deep inside of each other`;
		}
		depth += part.depth;
	}
	return undefined;
}
