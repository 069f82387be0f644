import { anyOf, secretForms } from '#base/text/secretForms.ts';
import { isMasked } from '#network/redaction.ts';

const mask = '[key]';

/** Masks one upstream key in responses, in every form in which a response may quote it. */
export class KeyMask {
	/** As Latin-1, so that one character is one byte. */
	readonly #forms: readonly string[];
	readonly #pattern: RegExp | undefined;
	/** Maximum length of a quoted key in bytes. */
	readonly longestForm: number;

	constructor(key: string) {
		// each byte as `\u00XX`
		this.longestForm = 6 * Buffer.byteLength(key);
		this.#forms = isMasked(key) ? [...new Set(listQuotedForms(key))].map(toLatin1) : [];
		this.#pattern = anyOf(this.#forms) && new RegExp(`${anyOf(this.#forms)?.source}|${createEscapedPattern(toLatin1(key))}`, 'g');
	}

	/** True if the bytes contain the key. */
	isIn(bytes: Buffer): boolean {
		return (
			this.#forms.some(form => bytes.indexOf(form, 0, 'latin1') >= 0) ||
			(this.#forms.length > 0 && bytes.includes('\\u00') && this.findIndex(bytes.toString('latin1')) >= 0)
		);
	}

	/** Finds the key in a Latin-1 string from a position on; -1 if it isn't there. */
	findIndex(text: string, from = 0): number {
		if (!this.#pattern) {
			return -1;
		}
		this.#pattern.lastIndex = from;
		return this.#pattern.exec(text)?.index ?? -1;
	}

	/** Returns the bytes with the key masked; the same object if the key isn't in them. */
	maskBytes(bytes: Buffer): Buffer {
		return this.isIn(bytes) ? Buffer.from(this.maskLatin1(bytes.toString('latin1')), 'latin1') : bytes;
	}

	/** Masks the key in bytes that were read as Latin-1. */
	maskLatin1(text: string): string {
		return this.#pattern ? text.replace(this.#pattern, mask) : text;
	}

	maskText(text: string): string {
		return this.maskBytes(Buffer.from(text)).toString();
	}
}

/** Masks a key in a string; returns the string if there is no key. */
export function maskKey(text: string, key: string | undefined): string {
	return key === undefined ? text : new KeyMask(key).maskText(text);
}

function listQuotedForms(key: string): readonly string[] {
	const forms = secretForms(key);
	return forms.flatMap(form => [
		form,
		form.replaceAll('/', '\\/'),
		form.replace(/%[0-9A-F]{2}/g, hex => hex.toLowerCase()),
		form
			.replaceAll('+', '-')
			.replaceAll('/', '_')
			.replace(/(?<!=)=+$/, ''),
	]);
}

/** Returns a pattern for the key in JSON with more escapes than needed: many writers escape `+`, `=` and `&` as `\\u002B`. */
function createEscapedPattern(key: string): string {
	return [...key]
		.map(character => {
			const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
			const anyCase = hex.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
			return `(?:\\\\?${anyOf([character])?.source}|\\\\u00${anyCase})`;
		})
		.join('');
}

function toLatin1(text: string): string {
	return Buffer.from(text).toString('latin1');
}
