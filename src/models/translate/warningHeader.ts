import type { SharedV4Warning } from '@ai-sdk/provider';

/** Bytes of the header: callers and proxies take a head of 8 or 16 KB. */
const maxLength = 2_000;

/**
 * The `warning` header of a translated reply: what of the request was lost or changed on its way to another protocol (RFC 9111, 5.5: code 299, a
 * quoted text for each). Empty where there is nothing to tell. What does not fit is counted.
 */
export function warningHeader(sentences: readonly string[]): Readonly<Record<string, string>> {
	const values = [...new Set(sentences)].map(sentence => `299 agent-workbench "${quotable(sentence)}"`);
	let header = '';
	for (const [i, value] of values.entries()) {
		const longer = header === '' ? value : `${header}, ${value}`;
		if (longer.length > maxLength) {
			return { warning: `${header}${header && ', '}299 agent-workbench "and ${values.length - i} more"` };
		}
		header = longer;
	}
	return header === '' ? {} : { warning: header };
}

/** Sentences for what a provider of the AI SDK says it did not send as asked. */
export function providerSentences(warnings: readonly SharedV4Warning[]): string[] {
	return warnings.map(sentenceOf);
}

/** A sentence of a provider, whose names are the AI SDK's, with the name that callers know the parameter by in most protocols and in agent files. */
export function inSnakeCase(sentence: string): string {
	return sentence.replace(/^[a-zA-Z]+(?=:)/, name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
}

function sentenceOf(warning: SharedV4Warning): string {
	switch (warning.type) {
		case 'unsupported':
			return `${warning.feature}: not carried over${warning.details ? `, ${warning.details}` : ''}`;
		case 'compatibility':
			return `${warning.feature}: changed${warning.details ? `, ${warning.details}` : ''}`;
		case 'deprecated':
			return `${warning.setting}: ${warning.message}`;
		case 'other':
			return warning.message;
	}
}

const maxSentence = 300;

/** As the text of a quoted string: visible ASCII, with its quotes escaped. */
function quotable(sentence: string): string {
	return sentence
		.slice(0, maxSentence)
		.replace(/\s+/g, ' ')
		.replaceAll('’', "'")
		.replace(/[^ -~]/g, '?')
		.replace(/["\\]/g, '\\$&');
}
