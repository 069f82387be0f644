import { tokenize } from '@huggingface/jinja';
import { testsWithValue } from './tests.ts';

type Token = ReturnType<typeof tokenize>[number];

/** Prefix of the filters that stand for tests with a value, and of the variables that stand for raw text. */
export const testPrefix = '__is_';
const rawPrefix = '__raw_';
/** Filter that gives what it is given: it keeps a comparison in round brackets apart from one behind it, which are one row otherwise. */
export const groupFilter = `${testPrefix}grouped`;

/** A template as tokens that the library's parser takes, and the raw texts in it by the names of their variables. */
export interface Source {
	readonly tokens: Token[];
	readonly raw: Readonly<Record<string, string>>;
}

/** Prepares what the library cannot read: `{% raw %}` blocks, and tests with a value (`is divisibleby(3)`). */
export function readSource(text: string): Source {
	const raw: Record<string, string> = {};
	const opening = /\{%(-?)\s*raw\s*-?%\}/g;
	const closing = /\{%-?\s*endraw\s*(-?)%\}/g;
	let withoutRaw = '';
	let from = 0;
	// one mark after the other: a pattern for both reads the rest of the text for each opening without an end
	for (let start = opening.exec(text); start; start = opening.exec(text)) {
		closing.lastIndex = opening.lastIndex;
		const end = closing.exec(text);
		if (!end) {
			break;
		}
		const name = `${rawPrefix}${Object.keys(raw).length}`;
		raw[name] = text.slice(opening.lastIndex, end.index);
		withoutRaw += `${text.slice(from, start.index)}{{${start[1]} ${name} ${end[1]}}}`;
		from = closing.lastIndex;
		opening.lastIndex = from;
	}
	withoutRaw += text.slice(from);
	return { tokens: withGroups(withTestFilters(tokenize(withoutRaw, { lstrip_blocks: false, trim_blocks: false }))), raw };
}

/** `x is divisibleby(3)` becomes `x | __is_divisibleby(3)`: filters bind as tests do, and take values. */
function withTestFilters(tokens: readonly Token[]): Token[] {
	const changed: Token[] = [];
	for (let i = 0; i < tokens.length; i++) {
		const token = tokens[i] as Token;
		const negated = tokens[i + 1]?.value === 'not';
		const name = tokens[i + (negated ? 2 : 1)];
		const next = tokens[i + (negated ? 3 : 2)];
		if (token.type !== 'Identifier' || token.value !== 'is' || !name || !next || !testsWithValue.has(name.value)) {
			changed.push(token);
			continue;
		}
		const literal = next.type === 'NumericLiteral' || next.type === 'StringLiteral';
		if (next.type !== 'OpenParen' && !literal) {
			changed.push(token);
			continue;
		}
		changed.push({ type: 'Pipe', value: '|' }, { type: 'Identifier', value: `${testPrefix}${negated ? 'not_' : ''}${name.value}` });
		if (literal) {
			changed.push({ type: 'OpenParen', value: '(' }, next, { type: 'CloseParen', value: ')' });
		}
		i += (negated ? 2 : 1) + (literal ? 1 : 0);
	}
	return changed;
}

/** `(a < b) == c` becomes `(a < b) | __is_grouped == c`. */
function withGroups(tokens: readonly Token[]): Token[] {
	const changed: Token[] = [];
	const opened: { readonly groups: boolean; compares: boolean }[] = [];
	for (const [index, token] of tokens.entries()) {
		changed.push(token);
		const innermost = opened.at(-1);
		if (token.type === 'OpenParen') {
			// behind a value it is a call
			opened.push({ groups: !endsValue(tokens[index - 1]), compares: false });
		} else if (token.type === 'CloseParen') {
			opened.pop();
			if (innermost?.groups && innermost.compares && compares(tokens[index + 1], tokens[index + 2])) {
				changed.push({ type: 'Pipe', value: '|' }, { type: 'Identifier', value: groupFilter });
			}
		} else if (innermost && compares(token, tokens[index + 1])) {
			innermost.compares = true;
		}
	}
	return changed;
}

const words = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'elif', 'else', 'set', 'for']);

function endsValue(token: Token | undefined): boolean {
	return token?.type === 'Identifier' ? !words.has(token.value) : token?.type === 'CloseParen' || token?.type === 'CloseSquareBracket';
}

function compares(token: Token | undefined, next: Token | undefined): boolean {
	return (
		token?.type === 'ComparisonBinaryOperator' ||
		(token?.type === 'Identifier' && (token.value === 'in' || (token.value === 'not' && next?.value === 'in')))
	);
}
