import type { Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import { RunFileValueError } from '#base/text/textFaults.ts';
import type { Secrets } from './secrets.ts';

/** Sources of the values for `${workspaceFolder}`, `${input:NAME}`, `${input:NAME:password}` and `${env:NAME}` in a run file. */
export interface PlaceholderSource {
	/** Path of the workspace folder, if any. */
	readonly workspaceFolder: string | undefined;
	/**
	 * Asks the user; resolves to `undefined` if canceled. Called once per name, one question at a time. `secret`: the typed text isn't
	 * shown or stored.
	 */
	readonly askInput: (name: string, secret: boolean) => Promise<string | undefined>;
	/** Returns the value of an environment variable. Absent in untrusted workspaces, which could leak the value. */
	readonly environment: ((name: string) => string | undefined) | undefined;
}

/** Thrown if the user canceled a question about a run file. Nothing is sent, and no error is shown. */
export class InputCancelled extends Error {
	override readonly name = 'Canceled';
}

/** Matches a placeholder; captures its kind and name. */
const placeholder = /\$\{(?:(workspaceFolder)|(input|env):([^{}]+))\}/g;

/** Suffix of names whose answers aren't shown or stored. */
const secretMark = ':password';

/** Fills in placeholders. */
export class Placeholders {
	readonly #source: PlaceholderSource;
	readonly #t: Translate;
	readonly #answers = new Map<string, Promise<string>>();
	/** The last question. The editor closes an input box when another opens, so questions wait for each other. */
	#asking: Promise<unknown> = Promise.resolve();
	readonly #secrets = new Map<string, string>();

	constructor(source: PlaceholderSource, t: Translate) {
		this.#source = source;
		this.#t = t;
	}

	/** Values filled in so far that must not be saved: secret answers, and environment variables, which often contain keys. */
	get secrets(): Secrets {
		return this.#secrets;
	}

	/**
	 * Fills in the placeholders of a text. Throws {@link RunFileValueError} if one has no value, {@link InputCancelled} if the user
	 * cancels.
	 */
	async fillText(text: string): Promise<string> {
		let filled = '';
		let end = 0;
		for (const match of text.matchAll(placeholder)) {
			const [whole, folder, kind, name = ''] = match;
			filled +=
				text.slice(end, match.index) + (folder ? this.#getFolder() : kind === 'env' ? this.#getVariable(name) : await this.#getInput(name));
			end = match.index + whole.length;
		}
		return filled + text.slice(end);
	}

	#getFolder(): string {
		if (this.#source.workspaceFolder === undefined) {
			throw new RunFileValueError(this.#t("'{0}' has no value because no folder is open.", '$' + '{workspaceFolder}'));
		}
		return this.#source.workspaceFolder;
	}

	#getVariable(name: string): string {
		const value = getEnvironmentValue(name, this.#source.environment, this.#t);
		if (value !== '') {
			this.#secrets.set(value, `\${env:${name}}`);
		}
		return value;
	}

	#getInput(question: string): Promise<string> {
		const known = this.#answers.get(question);
		if (known) {
			return known;
		}
		// once a question was canceled, waiting ones aren't asked
		const answer = this.#asking.then(() => this.#askUser(question));
		this.#asking = answer;
		answer.catch(() => undefined);
		this.#answers.set(question, answer);
		return answer;
	}

	async #askUser(question: string): Promise<string> {
		const secret = question.endsWith(secretMark) && question !== secretMark;
		const answer = await this.#source.askInput(secret ? question.slice(0, -secretMark.length) : question, secret);
		if (answer === undefined) {
			throw new InputCancelled();
		}
		if (secret && answer !== '') {
			this.#secrets.set(answer, `\${input:${question}}`);
		}
		return answer;
	}
}

/** Returns the value of `${env:NAME}`. Throws {@link RunFileValueError} if it isn't set or can't be read. */
export function getEnvironmentValue(name: string, environment: PlaceholderSource['environment'], t: Translate): string {
	const shown = `\${env:${name}}`;
	if (!environment) {
		throw new RunFileValueError(t("'{0}' isn't available in an untrusted workspace.", shown));
	}
	const value = environment(name);
	if (value === undefined) {
		throw new RunFileValueError(t("'{0}' has no value: the environment variable isn't set.", shown));
	}
	return value;
}

/** Returns the first placeholder in a text that doesn't stand for a secret: it's neither a password nor one of `secretPlaces`. */
export function findPlainPlaceholder(text: string, secretPlaces: ReadonlySet<string>): string | undefined {
	return [...text.matchAll(placeholder)]
		.map(([whole]) => whole)
		.find(whole => !whole.endsWith(`${secretMark}}`) && !secretPlaces.has(whole));
}

/** Returns the names of the environment variables that a text has placeholders for. */
export function findEnvironmentNames(text: string): string[] {
	return [...text.matchAll(placeholder)].flatMap(([, , kind, name = '']) => (kind === 'env' ? [name] : []));
}

/** True if a value is a string with a placeholder. */
export function hasPlaceholder(node: Node): boolean {
	return typeof node.value === 'string' && node.value.search(placeholder) >= 0;
}
