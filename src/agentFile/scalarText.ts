import { Scalar } from 'yaml';
import { createYamlDocument } from './agentYaml.ts';

/** Characters that PyYAML rejects, characters that end a line only in PyYAML, and invisible characters. */
const unreadable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** Matches document marks, and plain scalars that `yaml` reads as a string but PyYAML as a date, a merge key or a default value. */
const resolvedThere = /^(?:\d{4}-\d\d?-\d\d?(?:\D.*)?|=|<<|(?:---|\.\.\.).*)$/;

/**
 * Returns the quotes that a string needs so that PyYAML and `yaml` read it alike; `undefined` if the rules of `yaml` suffice. All quoting
 * decisions are made here.
 * @param inFlow true inside brackets or braces
 */
function chooseQuotes(text: string, inFlow: boolean): 'double' | 'any' | undefined {
	// `yaml` keeps spaces, tabs and line breaks; other white space at the ends would be trimmed
	if (text.search(unreadable) >= 0 || /^[^\S \t\n]|[^\S \t\n]$/.test(text)) {
		return 'double';
	}
	if (text.includes('\n')) {
		// in brackets, line breaks would end the value; elsewhere it becomes a block scalar, which needs no quotes
		return inFlow || !/\S/.test(text) ? 'double' : undefined;
	}
	const isPlainThere = !resolvedThere.test(text) && !text.includes('\t') && !(inFlow && /\?|^:/.test(text));
	return isPlainThere ? undefined : 'any';
}

/** Sets the quotes of a string to write. Keeps a block scalar if it can represent the string. */
export function quoteScalar(scalar: Scalar, inFlow: boolean): void {
	if (typeof scalar.value !== 'string') {
		return;
	}
	// UTF-8 can't encode lone surrogates
	scalar.value = scalar.value.toWellFormed();
	const quotes = chooseQuotes(scalar.value as string, inFlow);
	const isQuoted = scalar.type !== undefined && scalar.type !== 'PLAIN';
	const isBlankBlock = scalar.type?.startsWith('BLOCK') && !/\S/.test(scalar.value as string);
	if (quotes === 'double' || isBlankBlock || (quotes === 'any' && !isQuoted)) {
		scalar.type = 'QUOTE_DOUBLE';
	}
}

/** Escapes characters that PyYAML doesn't read. Only strings in double quotes contain them. */
export function escapeUnreadable(written: string): string {
	return written.replaceAll(unreadable, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Formats a string for one line of an agent file. Adds quotes if YAML would read something else. */
export function formatScalar(text: string, inFlow = false): string {
	const scalar = new Scalar(text);
	quoteScalar(scalar, inFlow || text.includes('\n'));
	if (inFlow && scalar.type === undefined && /[,[\]{}]/.test(text)) {
		scalar.type = 'QUOTE_DOUBLE';
	}
	const document = createYamlDocument();
	document.contents = scalar as typeof document.contents;
	return escapeUnreadable(document.toString({ lineWidth: 0 }).replace(/\n$/, ''));
}
