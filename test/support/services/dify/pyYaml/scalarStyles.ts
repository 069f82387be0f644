import { isPlainText } from './resolvedScalars.ts';

export type ScalarStyle = 'plain' | 'single' | 'double';

export interface ScalarUse {
	/** True for a key on the same line as its value. */
	readonly simpleKey: boolean;
}

const breaks = '\n\u0085\u2028\u2029';
const whites = '\0 \t\r' + breaks;

/** Returns the style PyYAML's emitter chooses for a string: the plainest that preserves it. */
export function chooseStyle(text: string, { simpleKey }: ScalarUse): ScalarStyle {
	const { multiline, plain, single } = analyzeScalar(Array.from(text));
	if (isPlainText(text) && plain && !(simpleKey && (text === '' || multiline))) {
		return 'plain';
	}
	return single && !(simpleKey && multiline) ? 'single' : 'double';
}

/** True if a string contains a line break. */
export function isMultiline(text: string): boolean {
	return Array.from(text).some(each => breaks.includes(each));
}

/** Analyzes a scalar in block context, the only one in Dify's files. */
function analyzeScalar(scalar: readonly string[]): { multiline: boolean; plain: boolean; single: boolean } {
	const last = scalar.length - 1;
	const start = scalar.slice(0, 3).join('');
	let indicators = start === '---' || start === '...';
	let [multiline, special, edges, breakThenSpace, spaceThenBreak] = [false, false, false, false, false];
	let before: 'space' | 'break' | 'other' | undefined;
	for (const [index, each] of scalar.entries()) {
		const afterWhite = index === 0 || whites.includes(scalar[index - 1] ?? '');
		const beforeWhite = index >= last || whites.includes(scalar[index + 1] ?? '');
		indicators ||= isIndicator(each, index === 0, afterWhite, beforeWhite);
		multiline ||= breaks.includes(each);
		special ||= each !== '\n' && !isPrintable(each);
		const kind = each === ' ' ? 'space' : breaks.includes(each) ? 'break' : 'other';
		edges ||= kind !== 'other' && (index === 0 || index === last);
		breakThenSpace ||= kind === 'space' && before === 'break';
		spaceThenBreak ||= kind === 'break' && before === 'space';
		before = kind;
	}
	const unfit = breakThenSpace || spaceThenBreak || special;
	return { multiline, plain: !(indicators || edges || multiline || unfit), single: !unfit };
}

function isIndicator(each: string, first: boolean, afterWhite: boolean, beforeWhite: boolean): boolean {
	if (first && '#,[]{}&*!|>\'"%@`'.includes(each)) {
		return true;
	}
	if ((each === ':' || (first && (each === '?' || each === '-'))) && beforeWhite) {
		return true;
	}
	return !first && each === '#' && afterWhite;
}

/** True if PyYAML prints the character unescaped, with `allow_unicode`. */
function isPrintable(each: string): boolean {
	const code = each.codePointAt(0) ?? 0;
	return (
		(code >= 0x20 && code <= 0x7e) ||
		(code !== 0xfeff &&
			(code === 0x85 || (code >= 0xa0 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code < 0x10ffff)))
	);
}
