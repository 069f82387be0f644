import { randomBytes } from 'node:crypto';
import { listSecretForms } from '#base/text/secretForms.ts';
import { createReplacer } from '#base/text/textFinder.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { isLongEnoughToMask, mapStrings } from '#network/redaction.ts';

/** The names of an agent's secrets, with their current values. */
export type HeldSecrets = Pick<LoadedAgent, 'secretNames' | 'environment'>;

/**
 * Placeholders for an agent's secrets in the stored state of its runs. Values are stored without secrets, which are filled in again when
 * they are needed. No other text can be mistaken for a placeholder, because placeholders contain a random {@link key} that is created when
 * the values are stored.
 */
export class SecretMarks {
	/** Key that the placeholders contain. Must be stored with the values. */
	readonly key: string;
	readonly #values: ReadonlyMap<string, string>;
	readonly #mark: ((text: string) => string) | undefined;

	/** @param key key of the values to fill in; a new one by default */
	constructor({ secretNames, environment }: HeldSecrets, key = randomBytes(12).toString('hex')) {
		this.key = key;
		this.#values = new Map(
			secretNames.flatMap(name => {
				const value = environment[name];
				return typeof value === 'string' ? [[name.toWellFormed(), value] as const] : [];
			}),
		);
		const marks = new Map<string, string>();
		for (const [name, value] of this.#values) {
			for (const [form, text] of isLongEnoughToMask(value) ? listSecretForms(value).entries() : []) {
				if (!marks.has(text)) {
					marks.set(text, `⟦${key} ${form} ${encodeURIComponent(name)}⟧`);
				}
			}
		}
		this.#mark = createReplacer(marks);
	}

	/** Replaces secrets in a JSON value with placeholders, also in property names. */
	markSecrets<T>(value: T): T {
		return this.#mark ? mapStrings(value, this.#mark) : value;
	}

	/** Replaces placeholders made by {@link markSecrets} with secrets, or removes them if a secret has no value anymore. */
	fillSecrets<T>(value: T): T {
		const marks = new RegExp(`⟦${this.key} (\\d{1,3}) ([^⟧]*)⟧`, 'g');
		return mapStrings(value, text =>
			text.replace(marks, (_, form: string, name: string) => {
				const secret = this.#values.get(decodeURIComponent(name)) ?? '';
				return listSecretForms(secret)[Number(form)] ?? '';
			}),
		);
	}
}
