const mask = '***';

/** Shorter strings would blot out ordinary words, and a placeholder key of a local server is no secret. */
const shortestSecret = 4;

/** Whether the value of a header of this name is one that must not be shown. */
export function isSecretHeader(name: string): boolean {
	return /auth|key|token|secret|cookie|password/i.test(name);
}

/** Takes keys out of everything that can be shown: messages, codes, log lines, cause chains. */
export class Redactor {
	readonly #secrets: RegExp | undefined;

	/** @param secrets keys, tokens and proxy passwords in the form they were given */
	constructor(secrets: Iterable<string>) {
		const forms = new Set<string>();
		for (const secret of secrets) {
			if (secret.length >= shortestSecret) {
				forms.add(secret);
				forms.add(encodeURIComponent(secret));
				forms.add(new URLSearchParams({ k: secret }).toString().slice(2));
				forms.add(JSON.stringify(secret).slice(1, -1));
				forms.add(Buffer.from(secret).toString('base64'));
			}
		}
		const longestFirst = [...forms].sort((a, b) => b.length - a.length);
		this.#secrets = longestFirst.length > 0 ? new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g') : undefined;
	}

	/** The text with every secret replaced by `***`, in plain, percent-encoded, JSON-escaped and base64 form. */
	text(text: string): string {
		return this.#secrets ? text.replace(this.#secrets, mask) : text;
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

function escapeRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
