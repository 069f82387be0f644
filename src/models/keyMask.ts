import { createAlternation, listSecretForms } from '#base/text/secretForms.ts';
import { isLongEnoughToMask } from '#network/redaction.ts';

const mask = '[key]';
/** Number of characters by which a key is recognized. Searching for a whole key could make the pattern slow or too long. */
const startLength = 64;

/** Masks one upstream key in responses, in all forms in which a response may quote it. Creating an instance is cheap. */
export class KeyMask {
	/** As Latin-1, so that one character is one byte. */
	readonly #key: string;
	/** All ways to write the key; empty if it's too short to be masked. */
	readonly #forms: readonly string[];
	#lazyPattern: RegExp | undefined;
	/** Maximum length of a quoted key in bytes. */
	readonly longestForm: number;

	constructor(key: string) {
		this.#key = toLatin1(key);
		// each byte as `\u00XX`
		this.longestForm = 6 * this.#key.length;
		this.#forms = isLongEnoughToMask(key) ? listQuotedForms(key) : [];
	}

	/** True if the bytes contain the key, or the start of a long key. */
	isContainedIn(bytes: Buffer): boolean {
		return (
			this.#forms.some(form => bytes.indexOf(form.slice(0, startLength), 0, 'latin1') >= 0) ||
			(this.#forms.length > 0 && bytes.includes('\\u00') && removeEscapes(bytes).includes(this.#key.slice(0, startLength)))
		);
	}

	/** Returns the position of the key in a Latin-1 string; -1 if the string doesn't contain it. */
	findKey(text: string, from = 0): number {
		this.#pattern.lastIndex = from;
		return this.#pattern.exec(text)?.index ?? -1;
	}

	/** Returns the bytes with the key masked; the same object if they don't contain it. */
	maskBytes(bytes: Buffer): Buffer {
		return this.isContainedIn(bytes) ? Buffer.from(this.maskLatin1(bytes.toString('latin1')), 'latin1') : bytes;
	}

	/**
	 * Masks the key in bytes that were read as Latin-1, even if only the first part of a long key is present.
	 * @param isComplete false to leave a key at the end, because more of it may follow
	 */
	maskLatin1(text: string, isComplete = true): string {
		let masked = '';
		let from = 0;
		for (let at = this.findKey(text); at >= 0; at = this.findKey(text, from)) {
			const end = this.#findKeyEnd(text, at, this.#pattern.lastIndex);
			if (!isComplete && /^(?:\\(?:u[0-9a-f]{0,3})?)?$/i.test(text.slice(end, end + 6))) {
				break;
			}
			masked += text.slice(from, at) + mask;
			from = end;
		}
		return from === 0 ? text : masked + text.slice(from);
	}

	maskText(text: string): string {
		return this.maskBytes(Buffer.from(text)).toString();
	}

	/** Masks the key in the value of a header. */
	maskHeader(value: string): string {
		return value.length >= this.#key.length && this.#forms.some(form => value.includes(form.slice(0, startLength)))
			? this.maskLatin1(value)
			: value;
	}

	/** Returns the end of a key whose start was found. */
	#findKeyEnd(text: string, at: number, startEnd: number): number {
		const ends = this.#forms.map(form => at + countMatchingCharacters(text, at, form));
		return Math.max(startEnd, findEscapedEnd(text, at, this.#key), ...ends);
	}

	get #pattern(): RegExp {
		if (!this.#lazyPattern) {
			const starts = createAlternation(this.#forms.map(form => form.slice(0, startLength)))?.source;
			const escaped = createEscapedPattern(this.#key.slice(0, startLength));
			this.#lazyPattern = starts === undefined ? /(?!)/g : new RegExp(`${starts}|${escaped}`, 'g');
		}
		return this.#lazyPattern;
	}
}

/** Masks a key in a string; returns the string if there is no key. */
export function maskKey(text: string, key: string | undefined): string {
	return key === undefined ? text : new KeyMask(key).maskText(text);
}

/** Returns all forms of a key that a response may quote, as Latin-1. */
function listQuotedForms(key: string): readonly string[] {
	const forms = new Set(listSecretForms(key));
	for (const form of [...forms]) {
		if (form.includes('/')) {
			forms.add(form.replaceAll('/', '\\/'));
		}
		if (form.includes('%')) {
			forms.add(form.replace(/%[0-9A-F]{2}/g, hex => hex.toLowerCase()));
		}
		if (/[+/=]/.test(form)) {
			forms.add(
				form
					.replaceAll('+', '-')
					.replaceAll('/', '_')
					.replace(/(?<!=)=+$/, ''),
			);
		}
	}
	return [...forms].map(toLatin1);
}

/** Returns a pattern for the key in JSON with more escapes than needed: many writers escape `+`, `=` and `&` as `\\u002B`. */
function createEscapedPattern(key: string): string {
	return [...key]
		.map(character => {
			const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
			const anyCase = hex.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
			return `(?:\\\\?${createAlternation([character])?.source}|\\\\u00${anyCase})`;
		})
		.join('');
}

/** Returns bytes of JSON as Latin-1 without escapes. */
function removeEscapes(bytes: Buffer): string {
	return bytes
		.toString('latin1')
		.replace(/\\(?:u00([0-9a-f]{2})|([^u]))/gi, (_, hex: string | undefined, character: string) =>
			hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
		);
}

/** Finds the longest prefix of a key at a position of the text, which may be escaped, and returns the offset after it. */
function findEscapedEnd(text: string, at: number, key: string): number {
	let end = at;
	for (const character of key) {
		const length = text[end] === '\\' ? measureEscape(text, end, character) : 0;
		if (length === 0 && text[end] !== character) {
			break;
		}
		end += length || 1;
	}
	return end;
}

/** Returns the length of the escape at a position that stands for a character; 0 if there is none. */
function measureEscape(text: string, at: number, character: string): number {
	const hex = /^\\u00([0-9a-f]{2})/i.exec(text.slice(at, at + 6))?.[1];
	if (hex !== undefined && Number.parseInt(hex, 16) === character.charCodeAt(0)) {
		return 6;
	}
	return text[at + 1] === character ? 2 : 0;
}

/** Returns how many characters of a form match the text at a position. */
function countMatchingCharacters(text: string, at: number, form: string): number {
	let count = 0;
	while (count < form.length && text.charCodeAt(at + count) === form.charCodeAt(count)) {
		count++;
	}
	return count;
}

function toLatin1(text: string): string {
	const bytes = Buffer.from(text);
	return bytes.length === text.length ? text : bytes.toString('latin1');
}
