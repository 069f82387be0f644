import { randomBytes } from 'node:crypto';
import { secretForms } from '#base/text/secretForms.ts';
import { replacerOf } from '#base/text/textFinder.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { isMasked, withTexts } from '#network/redaction.ts';

/** The secrets of an agent by name, with the values that they have now. */
export type HeldSecrets = Pick<LoadedAgent, 'secretNames' | 'environment'>;

/**
 * Marks that stand for an agent's secrets in what is kept of its runs: what holds a secret is kept without it, and gets the value that the secret has
 * when it is needed again. No text that anybody writes is taken for a mark, for every mark carries the {@link key} that is made when the values are kept.
 */
export class SecretMarks {
	/** What the marks of these values carry: to be kept beside them. */
	readonly key: string;
	readonly #values: ReadonlyMap<string, string>;
	readonly #mark: ((text: string) => string) | undefined;

	/** @param key that of the values that are filled in again; absent: values are kept for the first time */
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
			for (const [form, text] of isMasked(value) ? secretForms(value).entries() : []) {
				if (!marks.has(text)) {
					marks.set(text, `⟦${key} ${form} ${encodeURIComponent(name)}⟧`);
				}
			}
		}
		this.#mark = replacerOf(marks);
	}

	/** A value as JSON has them, with marks in place of secrets, in names of fields too. */
	mark<T>(value: T): T {
		return this.#mark ? withTexts(value, this.#mark) : value;
	}

	/** What {@link mark} gave, with secrets in place of marks; nothing in place of those that have no value now. */
	fill<T>(value: T): T {
		const marks = new RegExp(`⟦${this.key} ([0-4]) ([^⟧]*)⟧`, 'g');
		return withTexts(value, text =>
			text.replace(marks, (_, form: string, name: string) => {
				const secret = this.#values.get(decodeURIComponent(name)) ?? '';
				return secretForms(secret)[Number(form)] ?? '';
			}),
		);
	}
}
