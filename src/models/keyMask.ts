import { createAlternation, listSecretForms } from '#base/text/secretForms.ts';
import { isLongEnoughToMask } from '#network/redaction.ts';

const mask = '[key]';
/** Number of characters by which a key is recognized. Searching for a whole key could make the pattern slow or too long. */
const startLength = 64;

/** Masks one upstream key in responses, in all forms in which a response may quote it. */
export class KeyMask {
	/** As Latin-1, so that one character is one byte. */
	readonly #key: string;
	/** Characters of the key, as in the given text. */
	readonly #characters: readonly string[];
	/** All ways to write the key; empty if it's too short to be masked. */
	readonly #forms: readonly string[];
	#lazyPattern: RegExp | undefined;
	/** Patterns of single characters, compiled once: a reply may quote the key a hundred thousand times. */
	readonly #characterPatterns = new Map<string, RegExp>();
	/** Maximum length of a quoted key in bytes. */
	readonly longestForm: number;

	constructor(key: string) {
		this.#key = toLatin1(key);
		this.#characters = [...key.toWellFormed()];
		// each byte as `\u00XX`
		this.longestForm = 6 * this.#key.length;
		this.#forms = isLongEnoughToMask(key) ? [...new Set(listSecretForms(key))].map(toLatin1) : [];
	}

	/** True if the bytes contain the key, or the start of a long key. */
	isContainedIn(bytes: Buffer): boolean {
		if (this.#forms.some(form => bytes.indexOf(form.slice(0, startLength), 0, 'latin1') >= 0)) {
			return true;
		}
		const start = this.#key.slice(0, startLength);
		const isAscii = this.#characters.length === this.#key.length;
		const mayContain = this.#forms.length > 0 && bytes.includes(isAscii ? '\\u00' : '\\u');
		return mayContain && (removeEscapes(bytes, false).includes(start) || (!isAscii && removeEscapes(bytes, true).includes(start)));
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
			if (!isComplete && incompleteCharacter.test(text.slice(end, end + longestCharacter))) {
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
		return Math.max(startEnd, this.#findEscapedEnd(text, at), ...ends);
	}

	/** Finds the longest prefix of the key at a position of the text, which may be escaped, and returns the offset after it. */
	#findEscapedEnd(text: string, at: number): number {
		let end = at;
		for (const character of this.#characters) {
			const pattern = this.#characterPatterns.get(character) ?? new RegExp(createCharacterPattern(character), 'y');
			this.#characterPatterns.set(character, pattern);
			pattern.lastIndex = end;
			if (!pattern.test(text)) {
				break;
			}
			end = pattern.lastIndex;
		}
		return end;
	}

	get #pattern(): RegExp {
		if (!this.#lazyPattern) {
			const starts = createAlternation(this.#forms.map(form => form.slice(0, startLength)))?.source;
			const escaped = this.#characters.slice(0, startLength).map(createCharacterPattern).join('');
			this.#lazyPattern = starts === undefined ? /(?!)/g : new RegExp(`${starts}|${escaped}`, 'g');
		}
		return this.#lazyPattern;
	}
}

/** Masks of the keys that were used last. */
const masks = new Map<string, KeyMask>();
const mostMasks = 64;

/** Returns the mask of a key. Masks are cached, because listing all forms of a key takes longer than the rest of a short reply. */
export function getKeyMask(key: string): KeyMask {
	let found = masks.get(key);
	if (found === undefined) {
		if (masks.size >= mostMasks) {
			masks.clear();
		}
		found = new KeyMask(key);
		masks.set(key, found);
	}
	return found;
}

/** Masks a key in a string; returns the string if there is no key. */
export function maskKey(text: string, key: string | undefined): string {
	return key === undefined ? text : getKeyMask(key).maskText(text);
}

/** Maximum length of a character, written as up to four bytes that are escaped. */
const longestCharacter = 24;
/** Matches the rest of a text if it may be the start of a character. */
const incompleteCharacter = /^(?:(?:\\u[0-9a-f]{4}){0,3}(?:\\(?:u[0-9a-f]{0,3})?)?|[\x80-\xff]{1,3})$/i;

/**
 * Returns a pattern for a character in JSON with more escapes than needed: many writers escape `+`, `=` and `&` as `\\u002B`. Others escape
 * all characters outside ASCII, or the bytes of a header that they read as Latin-1.
 */
function createCharacterPattern(character: string): string {
	const bytes = toLatin1(character);
	const plain = `${bytes.length === 1 ? '\\\\?' : ''}${createAlternation([bytes])?.source}`;
	return `(?:${[...new Set([plain, createEscapePattern(character), createEscapePattern(bytes)])].join('|')})`;
}

function createEscapePattern(text: string): string {
	const escapeUnit = (unit: string) => {
		const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
		return `\\\\u${hex.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)}`;
	};
	return text.split('').map(escapeUnit).join('');
}

/**
 * Returns bytes of JSON as Latin-1 without escapes.
 * @param isLatin1 true if escapes stand for bytes rather than characters
 */
function removeEscapes(bytes: Buffer, isLatin1: boolean): string {
	return bytes.toString('latin1').replace(/((?:\\u[0-9a-f]{4})+)|\\([^u])/gi, (_, escapes: string | undefined, character: string) => {
		const text = escapes?.replace(/\\u(.{4})/gi, (_each, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
		return text === undefined ? character : isLatin1 ? text : toLatin1(text);
	});
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
