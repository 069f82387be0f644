import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import type { TextFault } from '#base/text/textFaults.ts';

/** Maximum nesting depth of values. */
const mostLevels = 200;
/** Maximum number of values, names and punctuation marks. Parsing as many takes a few hundred milliseconds. */
const mostTokens = 1_000_000;
// Numbers of jsonc-parser's SyntaxKind, which is a const enum and cannot be imported under isolatedModules.
const [openBrace, closeBrace, openBracket, closeBracket, endOfFile] = [1, 2, 3, 4, 17];

/**
 * How to parse a text: `comments` allows comments and trailing commas; `expected` describes the content, for the error about an empty text.
 */
interface JsonTextForm {
	readonly comments: boolean;
	readonly expected: string;
}

/** Parses the valid part of a JSON text into nodes with positions, and returns the text's first error. */
export function parseJsonText(
	text: string,
	{ comments, expected }: JsonTextForm,
	t: Translate,
): { readonly root: Node | undefined; readonly fault: TextFault | undefined } {
	const excess = findExcess(text, t);
	if (excess) {
		return { root: undefined, fault: { code: 'syntax', severity: 'error', path: [], length: 1, ...excess } };
	}
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { disallowComments: !comments, allowTrailingComma: comments });
	const first = errors[0];
	return { root, fault: first && createSyntaxFault(text, first, expected, t) };
}

/** Returns the offset at which a text is nested too deeply for recursive readers, or too long to be read without blocking others. */
function findExcess(text: string, t: Translate): Pick<TextFault, 'offset' | 'message'> | undefined {
	const scanner = createScanner(text, true);
	let level = 0;
	let count = 0;
	for (let token = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
		level += token === openBrace || token === openBracket ? 1 : token === closeBrace || token === closeBracket ? -1 : 0;
		count++;
		if (level > mostLevels) {
			return { offset: scanner.getTokenOffset(), message: t('Nested too deeply. Expected at most {0} levels.', mostLevels) };
		}
		if (count > mostTokens) {
			const message = t('Too long. Expected at most {0} JSON values and punctuation marks.', mostTokens.toLocaleString('en'));
			return { offset: scanner.getTokenOffset(), message };
		}
	}
	return undefined;
}

// Reports only the first error: later ones mostly follow from it.
function createSyntaxFault(text: string, error: ParseError, expected: string, t: Translate): TextFault {
	const before = text.slice(0, error.offset);
	const line = before.split('\n').length;
	const column = error.offset - before.lastIndexOf('\n');
	const empty = text.trim() === '';
	return {
		code: 'syntax',
		severity: 'error',
		path: [],
		offset: empty ? 0 : Math.min(error.offset, Math.max(0, text.length - 1)),
		length: Math.max(1, error.length),
		message: empty
			? t('The file is empty. Expected {0}.', expected)
			: t('Invalid JSON at line {1}, column {2}. Expected {0}.', describeExpectedToken(error.error, t), line, column),
	};
}

// Numbers of jsonc-parser's ParseErrorCode, which is a const enum and cannot be imported under isolatedModules.
function describeExpectedToken(code: number, t: Translate): string {
	const expected: Record<number, string> = {
		1: t('a value'),
		2: t('a number such as 1.5'),
		3: t('a property name in double quotes'),
		4: t('a value'),
		5: t('a colon'),
		6: t('a comma'),
		7: t('a closing brace'),
		8: t('a closing bracket'),
		9: t('the end of the file'),
		10: t('no comment'),
		11: t('the end of a comment'),
		12: t('a closing quote'),
		13: t('a number such as 1.5'),
		14: t('a Unicode escape such as \\u00e9'),
		15: t('an escape such as \\n'),
		16: t('no control character in a string'),
	};
	return expected[code] ?? t('a value');
}
