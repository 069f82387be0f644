import { Scalar } from 'yaml';
import { newDocument } from './agentYaml.ts';

/** Characters that PyYAML refuses, that end a line for PyYAML alone, or that can't be seen. */
const unreadable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** Plain scalars that PyYAML resolves to a date, a merge key or a default value, and `yaml` to a string; and marks of documents. */
const resolvedThere = /^(?:\d{4}-\d\d?-\d\d?(?:\D.*)?|=|<<|(?:---|\.\.\.).*)$/;

/**
 * Which quotes a string needs so that PyYAML and `yaml` read it alike, beyond those that `yaml` gives it; `undefined` if it needs none.
 * This is the only place that decides it.
 * @param inFlow whether it is written inside brackets or braces
 */
function quotesFor(text: string, inFlow: boolean): 'double' | 'any' | undefined {
	// `yaml` keeps spaces, tabs and line breaks; other white space at the ends is trimmed on the way to the file
	if (text.search(unreadable) >= 0 || /^[^\S \t\n]|[^\S \t\n]$/.test(text)) {
		return 'double';
	}
	if (text.includes('\n')) {
		// line breaks would end a value in brackets; elsewhere it becomes a block, which needs no quotes
		return inFlow || !/\S/.test(text) ? 'double' : undefined;
	}
	const isPlainThere = !resolvedThere.test(text) && !text.includes('\t') && !(inFlow && /\?|^:/.test(text));
	return isPlainThere ? undefined : 'any';
}

/** Sets the quotes of a string that is going to be written. A block stays a block if it can hold the string. */
export function quoteScalar(scalar: Scalar, inFlow: boolean): void {
	if (typeof scalar.value !== 'string') {
		return;
	}
	// UTF-8 has no lone surrogates
	scalar.value = scalar.value.toWellFormed();
	const quotes = quotesFor(scalar.value as string, inFlow);
	const isQuoted = scalar.type !== undefined && scalar.type !== 'PLAIN';
	const isBlankBlock = scalar.type?.startsWith('BLOCK') && !/\S/.test(scalar.value as string);
	if (quotes === 'double' || isBlankBlock || (quotes === 'any' && !isQuoted)) {
		scalar.type = 'QUOTE_DOUBLE';
	}
}

/** A written value with escapes for what PyYAML doesn't read. Only strings in double quotes contain such characters. */
export function escapeUnreadable(written: string): string {
	return written.replaceAll(unreadable, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A string as an agent file has it on one line: in quotes if it would be read as something else. */
export function scalarText(text: string, inFlow = false): string {
	const scalar = new Scalar(text);
	quoteScalar(scalar, inFlow || text.includes('\n'));
	if (inFlow && scalar.type === undefined && /[,[\]{}]/.test(text)) {
		scalar.type = 'QUOTE_DOUBLE';
	}
	const document = newDocument();
	document.contents = scalar as typeof document.contents;
	return escapeUnreadable(document.toString({ lineWidth: 0 }).replace(/\n$/, ''));
}
