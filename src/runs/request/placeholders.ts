import type { Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import { RunFileValueError } from '#base/text/textFaults.ts';
import type { Secrets } from './secrets.ts';

/** What stands for `${workspaceFolder}`, `${input:NAME}`, `${input:NAME:password}` and `${env:NAME}` in the texts of a run file. */
export interface PlaceholderSource {
	/** Path of the workspace folder; absent where there is none. */
	readonly workspaceFolder: string | undefined;
	/**
	 * Asks the user; `undefined` where the user calls it off. Asked once for each name, one question after the other. `secret`: what is
	 * typed is not shown and not kept.
	 */
	readonly input: (name: string, secret: boolean) => Promise<string | undefined>;
	/** Value of an environment variable; absent where the workspace is not trusted: it would send what it should not know. */
	readonly environment: ((name: string) => string | undefined) | undefined;
}

/** The user left a question about a run file unanswered: nothing is sent and nothing need be said. */
export class InputCancelled extends Error {
	override readonly name = 'Canceled';
}

/** A place in a text that something is put into, as its name and kind. */
const placeholder = /\$\{(?:(workspaceFolder)|(input|env):([^{}]+))\}/g;

/** What a name ends with whose answer is not shown and not kept. */
const secretMark = ':password';

/** Puts values in the place of placeholders, text by text. */
export class Placeholders {
	readonly #source: PlaceholderSource;
	readonly #t: Translate;
	readonly #answers = new Map<string, Promise<string>>();
	/** The last question: the editor closes a box when another opens. */
	#asking: Promise<unknown> = Promise.resolve();
	readonly #secrets = new Map<string, string>();

	constructor(source: PlaceholderSource, t: Translate) {
		this.#source = source;
		this.#t = t;
	}

	/** Values so far that must not be saved: answers that are secret, and environment variables, in which programs keep their keys. */
	get secrets(): Secrets {
		return this.#secrets;
	}

	/** The text with its placeholders filled in. Throws {@link RunFileValueError} where one has no value, {@link InputCancelled} where the user gives none. */
	async fill(text: string): Promise<string> {
		let filled = '';
		let end = 0;
		for (const match of text.matchAll(placeholder)) {
			const [whole, folder, kind, name = ''] = match;
			filled +=
				text.slice(end, match.index) + (folder ? this.#folder() : kind === 'env' ? this.#environment(name) : await this.#input(name));
			end = match.index + whole.length;
		}
		return filled + text.slice(end);
	}

	#folder(): string {
		if (this.#source.workspaceFolder === undefined) {
			throw new RunFileValueError(this.#t('{0} has no value because no folder is open.', '$' + '{workspaceFolder}'));
		}
		return this.#source.workspaceFolder;
	}

	#environment(name: string): string {
		const value = environmentValue(name, this.#source.environment, this.#t);
		if (value !== '') {
			this.#secrets.set(value, `\${env:${name}}`);
		}
		return value;
	}

	#input(question: string): Promise<string> {
		const known = this.#answers.get(question);
		if (known) {
			return known;
		}
		// where one question was called off, those that wait are not asked
		const answer = this.#asking.then(() => this.#ask(question));
		this.#asking = answer;
		answer.catch(() => undefined);
		this.#answers.set(question, answer);
		return answer;
	}

	async #ask(question: string): Promise<string> {
		const secret = question.endsWith(secretMark) && question !== secretMark;
		const answer = await this.#source.input(secret ? question.slice(0, -secretMark.length) : question, secret);
		if (answer === undefined) {
			throw new InputCancelled();
		}
		if (secret && answer !== '') {
			this.#secrets.set(answer, `\${input:${question}}`);
		}
		return answer;
	}
}

/** The value of `${env:NAME}`. Throws {@link RunFileValueError} if it has none or may not be read. */
export function environmentValue(name: string, environment: PlaceholderSource['environment'], t: Translate): string {
	const shown = `\${env:${name}}`;
	if (!environment) {
		throw new RunFileValueError(t("{0} isn't available in an untrusted workspace.", shown));
	}
	const value = environment(name);
	if (value === undefined) {
		throw new RunFileValueError(t("{0} has no value: the environment variable isn't set.", shown));
	}
	return value;
}

/** Returns the first placeholder in a text that isn't one of a secret: of a password, or one of `secretPlaces`. */
export function placeholderIn(text: string, secretPlaces: ReadonlySet<string>): string | undefined {
	return [...text.matchAll(placeholder)]
		.map(([whole]) => whole)
		.find(whole => !whole.endsWith(`${secretMark}}`) && !secretPlaces.has(whole));
}

/** Names of the environment variables that a text has placeholders for. */
export function environmentNamesIn(text: string): string[] {
	return [...text.matchAll(placeholder)].flatMap(([, , kind, name = '']) => (kind === 'env' ? [name] : []));
}

/** Whether a value is a text that a placeholder stands in. */
export function hasPlaceholder(node: Node): boolean {
	return typeof node.value === 'string' && node.value.search(placeholder) >= 0;
}
