import { randomBytes } from 'node:crypto';
import { listSecretForms } from '#base/text/secretForms.ts';
import { createReplacer } from '#base/text/textFinder.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { isLongEnoughToMask, mapStrings } from '#network/redaction.ts';

/** The names of an agent's secrets, with their current values. */
export type HeldSecrets = Pick<LoadedAgent, 'secretNames' | 'environment'>;

/**
 * Placeholders for an agent's secrets in the stored state of its runs: values are stored without secrets, which are filled in again when
 * needed. Other texts can't be mistaken for a placeholder because each contains the {@link key} created when the values are stored.
 */
export class SecretMarks {
	/** Key in the placeholders of these values; must be stored with them. */
	readonly key: string;
	readonly #values: ReadonlyMap<string, string>;
	readonly #mark: ((text: string) => string) | undefined;

	/** @param key key of the values to fill in; by default a new one */
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

	/** Replaces secrets in a JSON value by placeholders, also in property names. */
	mark<T>(value: T): T {
		return this.#mark ? mapStrings(value, this.#mark) : value;
	}

	/** Replaces the placeholders of {@link mark} by secrets, or by nothing if a secret has no value any more. */
	fill<T>(value: T): T {
		const marks = new RegExp(`⟦${this.key} ([0-4]) ([^⟧]*)⟧`, 'g');
		return mapStrings(value, text =>
			text.replace(marks, (_, form: string, name: string) => {
				const secret = this.#values.get(decodeURIComponent(name)) ?? '';
				return listSecretForms(secret)[Number(form)] ?? '';
			}),
		);
	}
}
