import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
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

/** Returns which limit a file exceeds, given its parts in order; `undefined` if it is within all limits. */
export function excessIn(parts: readonly TextCost[]): LocalizableMessage | undefined {
	let [tokens, aliases, depth] = [0, 0, 0];
	for (const part of parts) {
		tokens += part.tokens;
		aliases += part.aliases;
		if (tokens > maxTokens) {
			return localizable`The file has more than ${maxTokens.toLocaleString('en')} keys, values and marks, the limit for agent files.`;
		}
		if (aliases > maxAliases) {
			return localizable`The file has more than ${maxAliases.toLocaleString('en')} aliases, the limit for agent files.`;
		}
		if (depth + part.deepest > maxDepth || part.marks > maxDepth) {
			return localizable`The file has lists or maps nested more than ${maxDepth} levels deep, the limit for agent files.`;
		}
		depth += part.depth;
	}
	return undefined;
}
