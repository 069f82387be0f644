import { anyOf, secretForms } from '#base/text/secretForms.ts';
import { isMasked } from '#network/redaction.ts';

/** What stands in for an upstream's key. */
const mask = '[key]';

/** Finds one upstream key in what its service sends, in every form in which a response may quote it, and masks it. */
export class KeyMask {
	/** As Latin-1, so that one character is one byte. */
	readonly #forms: readonly string[];
	#pattern: RegExp | undefined;

	constructor(key: string) {
		this.#forms = isMasked(key) ? [...new Set(quotedForms(key))].map(form => Buffer.from(form).toString('latin1')) : [];
	}

	/** Whether the bytes contain the key. */
	isIn(bytes: Buffer): boolean {
		return this.#forms.some(form => bytes.indexOf(form, 0, 'latin1') >= 0);
	}

	/** The same bytes without the key; the same object if the key isn't in them. */
	bytes(bytes: Buffer): Buffer {
		this.#pattern ??= anyOf(this.#forms);
		return this.#pattern && this.isIn(bytes) ? Buffer.from(bytes.toString('latin1').replace(this.#pattern, mask), 'latin1') : bytes;
	}

	text(text: string): string {
		return this.bytes(Buffer.from(text)).toString();
	}
}

/** Masks a key in a text; for a route without a key the text itself. */
export function withoutKey(text: string, key: string | undefined): string {
	return key === undefined ? text : new KeyMask(key).text(text);
}

function quotedForms(key: string): readonly string[] {
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
