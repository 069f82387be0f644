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
/** Maximum length of a value with its indentation, about. */
const longestWhole = 2_000_000;
const indent = '    ';
/** Maximum length of values on one line. */
const longestPreview = 200;

/** Formats a value for people: plain strings, lists and objects as indented lines, without quotes and brackets. Very long ones are cut. */
export function formatReadableValue(value: unknown, t: Translate): string {
	return new ReadableText(t).formatValue(value, 0);
}

/** Formats one value up to a limit: nesting indents each line again, so that a value could fill the memory. */
class ReadableText {
	readonly #t: Translate;
	/** Remaining number of characters with their indentation. */
	#left = longestWhole;

	constructor(t: Translate) {
		this.#t = t;
	}

	formatValue(value: unknown, depth: number): string {
		const t = this.#t;
		if (typeof value === 'string') {
			return value === '' ? t('(empty)') : this.#addText(value, depth).split('\n').map(breakSentences).join('\n');
		}
		if (depth > deepest) {
			return this.#addText(JSON.stringify(value) ?? '', depth);
		}
		if (Array.isArray(value)) {
			return value.length === 0 ? t('(no items)') : this.#formatParts(value, depth, item => ['-', item]);
		}
		if (typeof value === 'object' && value !== null) {
			const entries = Object.entries(value);
			return entries.length === 0 ? t('(no fields)') : this.#formatParts(entries, depth, ([name, each]) => [`${name}:`, each]);
		}
		return value === undefined ? t('(none)') : String(value);
	}

	#formatParts<Part>(parts: readonly Part[], depth: number, read: (part: Part) => readonly [label: string, value: unknown]): string {
		const texts: string[] = [];
		for (const part of parts) {
			if (this.#left <= 0) {
				texts.push('…');
				break;
			}
			const [label, value] = read(part);
			this.#left -= label.length + depth * indent.length;
			texts.push(addLabel(label, this.formatValue(value, depth + 1)));
		}
		return texts.join('\n');
	}

	/** Cuts a text to what is left. */
	#addText(text: string, depth: number): string {
		const cut = cutToLimit(text, Math.max(1, Math.min(longestText, this.#left)));
		this.#left -= cut.length + depth * indent.length * (cut.split('\n').length - 1);
		return cut;
	}
}

/** Puts a one-line text next to its label, and any other text indented below it. */
function addLabel(label: string, text: string): string {
	return text.includes('\n') ? `${label}\n${text.replace(/^(?=.)/gm, indent)}` : `${label} ${text}`;
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
