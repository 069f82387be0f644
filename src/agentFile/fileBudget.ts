import { Lexer } from 'yaml';

/** What a file may hold, far over what agents have: keys, values and marks of the text; aliases; brackets inside of each other. */
const maxTokens = 200_000;
const maxAliases = 1000;
const maxDepth = 100;

/**
 * What a file has too much of, to be put into a sentence; `undefined`: it is within bounds. Looks at the text only as far as it has to: reading a
 * file that is made for it takes minutes and gigabytes.
 */
export function overBudget(text: string): string | undefined {
	let tokens = 0;
	let aliases = 0;
	let depth = 0;
	let marks = 0;
	for (const token of new Lexer().lex(text)) {
		const [first] = token;
		// "- - - -" and "? ? ? ?" are inside of each other without any bracket
		marks = first === '-' || first === '?' ? marks + 1 : /^[ \t]/.test(token) ? marks : 0;
		depth += first === '[' || first === '{' ? 1 : first === ']' || first === '}' ? -1 : 0;
		aliases += first === '*' ? 1 : 0;
		tokens += first === ' ' || first === '\n' ? 0 : 1;
		if (tokens > maxTokens) {
			return `more than ${maxTokens} keys, values and marks`;
		}
		if (aliases > maxAliases) {
			return `more than ${maxAliases} aliases`;
		}
		if (depth > maxDepth || marks > maxDepth) {
			return `lists or maps more than ${maxDepth} deep inside of each other`;
		}
	}
	return undefined;
}
