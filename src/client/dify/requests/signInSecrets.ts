import { isMasked, mask, maskerOf, Redactor, withTexts } from '#network/redaction.ts';

/** Device tokens, keys of apps and the console's tokens by their looks: a deployment names some that this client was never given. */
const shapes = /\bdfo[ae]_[\w-]+|\bapp-[A-Za-z0-9]{16,}|\beyJ[\w-]{8,1000}\.[\w-]+\.[\w-]*/g;

/** Takes out of texts what a sign-in holds; tokens that come while it lasts are added. */
export class SignInSecrets extends Redactor {
	readonly #secrets = new Set<string>();
	#mask: ((text: string) => string) | undefined;

	/** @param secrets tokens, keys, proxy passwords */
	constructor(secrets: Iterable<string | undefined>) {
		super([]);
		this.add(...secrets);
	}

	/** Never shown from now on; what is not given or too short to be one, is no secret. */
	add(...secrets: readonly (string | undefined)[]): void {
		for (const secret of secrets) {
			if (secret !== undefined && isMasked(secret)) {
				this.#secrets.add(secret);
			}
		}
		this.#mask = maskerOf(this.#secrets);
	}

	override text(text: string): string {
		return (this.#mask?.(text) ?? text).replace(shapes, mask);
	}

	override value<T>(value: T): T {
		return withTexts(value, text => this.text(text));
	}
}
