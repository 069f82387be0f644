import { cutToLimit } from '#base/text/cutText.ts';
import type { Translate } from '#base/text/localization.ts';

/**
 * Length in UTF-16 units from which a line is broken after each sentence, because a difference beyond the edge of the screen goes
 * unnoticed.
 */
const longLine = 120;
/** Maximum length of a value in UTF-16 units, and nesting depth beyond which values are shown as JSON. */
const longestText = 100_000;
const deepest = 30;
/** Maximum length of values on one line. */
const longestPreview = 200;

/** Formats a value for people: plain strings, lists and objects as indented lines, without quotes and brackets. */
export function formatReadableValue(value: unknown, t: Translate, depth = 0): string {
	if (typeof value === 'string') {
		return value === '' ? t('(empty)') : cutToLimit(value, longestText).split('\n').map(breakSentences).join('\n');
	}
	if (depth > deepest) {
		return cutToLimit(JSON.stringify(value) ?? '', longestText);
	}
	if (Array.isArray(value)) {
		return value.length === 0 ? t('(no items)') : value.map(item => addLabel('-', formatReadableValue(item, t, depth + 1))).join('\n');
	}
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value);
		return entries.length === 0
			? t('(no fields)')
			: entries.map(([name, each]) => addLabel(`${name}:`, formatReadableValue(each, t, depth + 1))).join('\n');
	}
	return value === undefined ? t('(none)') : String(value);
}

/** Puts a one-line text next to its label, and any other text indented below it. */
function addLabel(label: string, text: string): string {
	return text.includes('\n') ? `${label}\n${text.replace(/^(?=.)/gm, '    ')}` : `${label} ${text}`;
}

function breakSentences(line: string): string {
	return line.length <= longLine ? line : line.replace(/([.!?…。！？]["”’)]?)[ \t]+(?=\S)/gu, '$1\n');
}

/** Formats values on one line. A single value is shown without its name, and values that are null aren't shown. */
export function formatValuesOnOneLine(values: Readonly<Record<string, unknown>> | null): string {
	const entries = Object.entries(values ?? {}).filter(([, value]) => value !== null);
	const texts = entries.map(([name, value]) => {
		const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
		const line = cutToLimit(text, longestPreview).replaceAll(/\s+/g, ' ').trim();
		return entries.length === 1 ? line : `${name}: ${line}`;
	});
	return cutToLimit(texts.join(' · '), longestPreview);
}
