import { secretForms } from '#base/text/secretForms.ts';
import { TextFinder } from '#base/text/textFinder.ts';

/** What stands in the place of a secret. */
export const mask = '***';

/** Shorter strings would blot out ordinary words, and a placeholder key of a local server is no secret. */
const shortestSecret = 4;

/** Whether what a header or query parameter of this name holds must not be shown, nor go along to another origin. */
export function isSecretName(name: string): boolean {
	return /auth|key|token|secret|cookie|passw|credential|signature/i.test(name);
}

/** Whether a secret is long enough to be told from ordinary words; what is not is shown as it is. */
export function isMasked(secret: string): boolean {
	return secret.toWellFormed().length >= shortestSecret;
}

/** A value as JSON has them, with every text in it replaced, names of fields included. */
export function withTexts<T>(value: T, replaced: (text: string) => string): T;
export function withTexts(value: unknown, replaced: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return replaced(value);
	}
	if (Array.isArray(value)) {
		return value.map(item => withTexts(item, replaced));
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([name, field]) => [replaced(name), withTexts(field, replaced)]))
		: value;
}

/** Returns what masks these secrets in a text, in each of their forms; undefined if none is long enough. */
export function maskerOf(secrets: Iterable<string>): ((text: string) => string) | undefined {
	const forms = [...secrets].filter(isMasked).flatMap(secretForms);
	const finder = new TextFinder(forms);
	return forms.length > 0 ? text => finder.mask(text, mask) : undefined;
}

/** Takes keys out of everything that can be shown: messages, codes, log lines, cause chains. */
export class Redactor {
	readonly #mask: ((text: string) => string) | undefined;

	/** @param secrets keys, tokens and proxy passwords in the form they were given */
	constructor(secrets: Iterable<string>) {
		this.#mask = maskerOf(secrets);
	}

	/** Whether a text holds any secret. */
	isIn(text: string): boolean {
		return this.text(text) !== text;
	}

	/** The text with every secret replaced by `***`, in plain, percent-encoded, JSON-escaped and base64 form. */
	text(text: string): string {
		return this.#mask?.(text) ?? text;
	}

	/** A value as JSON has them, with every secret replaced in the texts that it holds, names of fields included. */
	value<T>(value: T): T {
		return this.#mask ? withTexts(value, text => this.text(text)) : value;
	}

	/** What may be kept of an error as a cause: name, message and code, redacted; nothing else of it (undici hangs sockets on errors). */
	cause(error: unknown): Error {
		const message = this.text(error instanceof Error ? error.message : String(error));
		const kept: Error & { code?: string } = new Error(message);
		if (error instanceof Error) {
			kept.name = error.name;
			const code = (error as NodeJS.ErrnoException).code;
			if (code !== undefined) {
				kept.code = this.text(String(code));
			}
		}
		kept.stack = `${kept.name}: ${message}`;
		return kept;
	}
}
