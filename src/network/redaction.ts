import { listSecretForms } from '#base/text/secretForms.ts';
import { TextFinder } from '#base/text/textFinder.ts';

/** Shown in place of secrets. */
export const mask = '***';

/** Minimum length of a secret to be masked. Shorter ones would hide ordinary words, and placeholder keys of local servers aren't secret. */
const shortestSecret = 4;

/** True if a header or query parameter with this name must not be shown or sent to another origin. */
export function isSecretName(name: string): boolean {
	return /auth|key|token|secret|cookie|passw|credential|signature/i.test(name);
}

/** True if a secret is long enough to be masked. */
export function isLongEnoughToMask(secret: string): boolean {
	return secret.toWellFormed().length >= shortestSecret;
}

/** Replaces every string in a JSON value, including field names. */
export function mapStrings<T>(value: T, replaced: (text: string) => string): T;
export function mapStrings(value: unknown, replaced: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return replaced(value);
	}
	if (Array.isArray(value)) {
		return value.map(item => mapStrings(item, replaced));
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([name, field]) => [replaced(name), mapStrings(field, replaced)]))
		: value;
}

/** Returns a function that masks these secrets in all their forms, or undefined if none is long enough. */
export function createMasker(secrets: Iterable<string>): ((text: string) => string) | undefined {
	const forms = [...secrets].filter(isLongEnoughToMask).flatMap(listSecretForms);
	const finder = new TextFinder(forms);
	return forms.length > 0 ? text => finder.maskTexts(text, mask) : undefined;
}

/** Removes keys from everything that can be shown: messages, codes, log lines, and chains of causes. */
export class Redactor {
	readonly #mask: ((text: string) => string) | undefined;

	/** @param secrets keys, tokens and proxy passwords as given */
	constructor(secrets: Iterable<string>) {
		this.#mask = createMasker(secrets);
	}

	/** True if a text contains a secret. */
	containsSecret(text: string): boolean {
		return this.redactText(text) !== text;
	}

	/** Replaces every secret in a text with `***`, in plain, percent-encoded, JSON-escaped and base64 form. */
	redactText(text: string): string {
		return this.#mask?.(text) ?? text;
	}

	/** Replaces every secret in a JSON value, including field names. */
	redactValue<T>(value: T): T {
		return this.#mask ? mapStrings(value, text => this.redactText(text)) : value;
	}

	/** Copies an error as a cause with only its name, message and code, all redacted, because undici attaches sockets to errors. */
	redactCause(error: unknown): Error {
		const message = this.redactText(error instanceof Error ? error.message : String(error));
		const kept: Error & { code?: string } = new Error(message);
		if (error instanceof Error) {
			kept.name = error.name;
			const code = (error as NodeJS.ErrnoException).code;
			if (code !== undefined) {
				kept.code = this.redactText(String(code));
			}
		}
		kept.stack = `${kept.name}: ${message}`;
		return kept;
	}
}
