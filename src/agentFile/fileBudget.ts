import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { isCutToken } from './continuedLines.ts';

/** Limits far above those of real agents: tokens (keys, values, punctuation and empty lines), aliases, and nested brackets. */
export const maxTokens = 200_000;
const maxAliases = 1000;
const maxDepth = 100;

/** Counts of a text or a part of it, incomplete if a limit is exceeded. */
export interface TextCost {
	readonly tokens: number;
	readonly aliases: number;
	/** Number of brackets that stay open. */
	readonly depth: number;
	/** Maximum depth of brackets, and of `-` or `?` marks. */
	readonly deepest: number;
	readonly marks: number;
	/** True if the lexer ended a value too early because a line isn't indented enough. */
	readonly isCut: boolean;
}

/** Counts the tokens of a text up to the limits, because parsing a malicious file takes minutes and gigabytes. */
export function measureCost(tokens: Iterable<string>): TextCost {
	const cost = { tokens: 0, aliases: 0, depth: 0, deepest: 0, marks: 0, isCut: false };
	let marks = 0;
	let isLineEnd = false;
	for (const token of tokens) {
		const [first] = token;
		// "- - - -" and "? ? ? ?" are nested without brackets
		marks = first === '-' || first === '?' ? marks + 1 : /^[ \t]/.test(token) ? marks : 0;
		cost.depth += first === '[' || first === '{' ? 1 : first === ']' || first === '}' ? -1 : 0;
		cost.aliases += first === '*' ? 1 : 0;
		// empty lines count like keys, because a file of empty lines would take minutes
		cost.tokens += first === ' ' || (first === '\n' && !isLineEnd) ? 0 : 1;
		isLineEnd = first === '\n' || (isLineEnd && first === ' ');
		cost.deepest = Math.max(cost.deepest, cost.depth);
		cost.marks = Math.max(cost.marks, marks);
		cost.isCut ||= isCutToken(token);
		if (cost.tokens > maxTokens || cost.aliases > maxAliases || cost.deepest > maxDepth || cost.marks > maxDepth) {
			break;
		}
	}
	return cost;
}

/** Returns which limit a file exceeds, given the counts of its parts in order; `undefined` if it is within all limits. */
export function findExceededCount(parts: readonly TextCost[]): LocalizableMessage | undefined {
	let [tokens, aliases, depth] = [0, 0, 0];
	for (const part of parts) {
		tokens += part.tokens;
		aliases += part.aliases;
		if (tokens > maxTokens) {
			return localizable`The file has more than ${maxTokens.toLocaleString('en')} YAML tokens, the limit for agent files.`;
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
