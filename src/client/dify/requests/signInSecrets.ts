import { createMasker, isLongEnoughToMask, mapStrings, mask, Redactor } from '#network/redaction.ts';

/**
 * Matches device tokens, app keys and console tokens by their format, because responses can contain some that this client doesn't know yet.
 */
const shapes = /\bdfo[ae]_[\w-]+|\bapp-[A-Za-z0-9]{16,}|\beyJ[\w-]{8,1000}\.[\w-]+\.[\w-]*/g;

/** Redacts secrets of a sign-in from texts; tokens received later are added. */
export class SignInSecrets extends Redactor {
	readonly #secrets = new Set<string>();
	#mask: ((text: string) => string) | undefined;

	/** @param secrets tokens, keys, proxy passwords */
	constructor(secrets: Iterable<string | undefined>) {
		super([]);
		this.add(...secrets);
	}

	/** Adds secrets to redact. Skips values that are missing or too short. */
	add(...secrets: readonly (string | undefined)[]): void {
		for (const secret of secrets) {
			if (secret !== undefined && isLongEnoughToMask(secret)) {
				this.#secrets.add(secret);
			}
		}
		this.#mask = createMasker(this.#secrets);
	}

	override redactText(text: string): string {
		return (this.#mask?.(text) ?? text).replace(shapes, mask);
	}

	override redactValue<T>(value: T): T {
		return mapStrings(value, text => this.redactText(text));
	}
}
