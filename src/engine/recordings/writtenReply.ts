import { tryParseJson } from '#base/text/json.ts';
import type { EntryContent } from './entryText.ts';

/** A line of an entry that starts with none of its fields. */
const otherLine = /^(?! |(?:key|case|row|repeat|node|call|request|reply|error|meta):|$)/m;
/** Characters with which line ends or escapes aren't simple. */
const unusual = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\uFEFF]/;
/** A field: its indentation, name and value. */
const field = /^( *)([A-Za-z_$][\w-]*):(?: (.*))?$/;
/** A plain scalar that can only be a string. */
const plainText = /^[A-Za-z\d][^\t]*(?<![ :])$/;
/** Plain scalars with another meaning: values, numbers, fields and comments. */
const otherPlain = /^(?:true|false|null)$|: | #|^[\d.]+(?:e[-+]?\d+)?$|^0[xo][\da-f]*$/i;

/** Text that {@link readWrittenReply} leaves to the YAML parser. */
class OtherText extends Error {}

/**
 * Reads the reply or error of an entry as `formatEntry` writes most of them, many times faster than the YAML parser. Returns undefined for
 * anything else.
 */
export function readWrittenReply(text: string): Pick<EntryContent, 'reply' | 'error'> | undefined {
	if (otherLine.test(text) || unusual.test(text)) {
		return undefined;
	}
	const [start, ...others] = text.matchAll(/^(?:reply|error):/gm);
	// large values are in separate files
	if (!start || others.length > 0 || text.includes('$part')) {
		return undefined;
	}
	const section = text.slice(start.index);
	const end = section.search(/\n[a-z]/);
	try {
		const lines = new WrittenLines(end === -1 ? section : section.slice(0, end + 1));
		return lines.readFields(0) as Pick<EntryContent, 'reply' | 'error'>;
	} catch (error) {
		if (error instanceof OtherText) {
			return undefined;
		}
		throw error;
	}
}

/** Lines with fields, of which those with fields inside are indented by two spaces. */
class WrittenLines {
	readonly #lines: readonly string[];
	#at = 0;

	constructor(text: string) {
		const lines = text.split('\n');
		this.#lines = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
	}

	/** Reads the fields with an indentation, up to the next one with a smaller one. */
	readFields(indent: number): Record<string, unknown> {
		const fields: Record<string, unknown> = {};
		while (this.#at < this.#lines.length) {
			const [, { length: found } = '', name = '', value] = field.exec(this.#lines[this.#at] ?? '') ?? [];
			if (name !== '' && found < indent && found % 2 === 0) {
				break;
			}
			if (name === '' || found !== indent || name === '__proto__' || name in fields) {
				throw new OtherText();
			}
			this.#at++;
			fields[name] = value === undefined ? this.readFields(indent + 2) : this.#readValue(value, indent);
		}
		if (Object.keys(fields).length === 0) {
			throw new OtherText();
		}
		return fields;
	}

	#readValue(text: string, indent: number): unknown {
		const block = /^\|([+-]?)$/.exec(text);
		if (block) {
			return this.#readBlock(indent + 2, block[1] ?? '');
		}
		if (/^'(?:[^']|'')*'$/.test(text)) {
			return text.slice(1, -1).replaceAll("''", "'");
		}
		if (plainText.test(text) && !otherPlain.test(text)) {
			return text;
		}
		// texts in double quotes, numbers and lists of numbers are the same in JSON; chunks have words in their lists, and usage names
		const json = /^[[{]/.test(text) ? text.replaceAll(/(?<=[{ ])(?!(?:true|false|null)\b)([A-Za-z]\w*)(?=: |[\]},])/g, '"$1"') : text;
		const value = tryParseJson(json);
		if (value === undefined || !/^(?:"|-?\d{1,15}$|\[\[\d|\{"|\{\}$|\[\]$|null$|true$|false$)/.test(json)) {
			throw new OtherText();
		}
		return value;
	}

	/** Reads a text of several lines. `end`: which line ends follow it. */
	#readBlock(indent: number, end: string): string {
		const start = this.#at;
		const spaces = ' '.repeat(indent);
		while (this.#at < this.#lines.length && (this.#lines[this.#at] === '' || this.#lines[this.#at]?.startsWith(spaces))) {
			this.#at++;
		}
		const lines = this.#lines.slice(start, this.#at).map(line => line.slice(indent));
		// its first line decides about its indentation
		if (lines.length === 0 || /^(?: |$)/.test(lines[0] ?? '')) {
			throw new OtherText();
		}
		const kept = end === '+' ? lines : lines.slice(0, lines.findLastIndex(line => line !== '') + 1);
		return kept.join('\n') + (end === '-' ? '' : '\n');
	}
}
