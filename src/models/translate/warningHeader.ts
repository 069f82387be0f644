import type { SharedV4Warning } from '@ai-sdk/provider';

/** Maximum length of the header in bytes. Callers and proxies accept 8 or 16 KB of headers in total. */
const maxLength = 2_000;

/**
 * Returns the `warning` header of a translated reply, which lists what was lost or changed in translation (RFC 9111, 5.5: code 299 and a
 * quoted text for each). Empty if there are no warnings. Warnings that don't fit are only counted.
 */
export function createWarningHeader(sentences: readonly string[]): Readonly<Record<string, string>> {
	const values = [...new Set(sentences)].map(sentence => `299 agent-workbench "${escapeQuoted(sentence)}"`);
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

/** Converts the AI SDK's warnings to messages. */
export function formatWarnings(warnings: readonly SharedV4Warning[]): string[] {
	return warnings.map(formatWarning);
}

/** Converts the camel case parameter at the start of a provider's warning to snake case, which most protocols and agent files use. */
export function toSnakeCase(sentence: string): string {
	return sentence.replace(/^[a-zA-Z]+(?=:)/, name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
}

function formatWarning(warning: SharedV4Warning): string {
	switch (warning.type) {
		case 'unsupported':
			return `${warning.feature}: ignored${warning.details ? `, ${warning.details}` : ''}`;
		case 'compatibility':
			return `${warning.feature}: changed${warning.details ? `, ${warning.details}` : ''}`;
		case 'deprecated':
			return `${warning.setting}: ${warning.message}`;
		case 'other':
			return warning.message;
	}
}

const maxSentence = 300;

/** Escapes a string for a quoted header value: visible ASCII with escaped quotes. */
function escapeQuoted(sentence: string): string {
	return sentence
		.slice(0, maxSentence)
		.replace(/\s+/g, ' ')
		.replaceAll('’', "'")
		.replace(/[^ -~]/g, '?')
		.replace(/["\\]/g, '\\$&');
}
