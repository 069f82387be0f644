import path from 'node:path';
import type { Path } from '#agentFile/agentText.ts';
import { readPlainYaml } from '#agentFile/plainYaml.ts';
import { isOutsideScope } from '#base/files/fileScope.ts';
import { translateMessage } from '#base/text/localizableMessage.ts';
import { limitValues, type Translate } from '#base/text/localization.ts';
import { formatJsonPath, RunFileValueError } from '#base/text/textFaults.ts';
import { readLocalText } from '#runs/request/localFiles.ts';

/** A part of an imported file that the suite doesn't have. */
export interface NotMapped {
	/** Absolute path. */
	readonly file: string;
	/** Line from 1. */
	readonly line: number;
	/** Path of the value in the file, such as `tests[0].assert[1]`. */
	readonly path: string;
	/** Sentence that says why. */
	readonly message: string;
}

/** A file that can't be imported at all. The message is shown to the user. */
export class ImportFault extends Error {
	override readonly name = 'ImportFault';
	readonly line: number;

	constructor(message: string, line = 1) {
		super(message);
		this.line = line;
	}
}

/** A text from which values are imported. */
interface ForeignText {
	/** Absolute path. */
	readonly file: string;
	getLine(path: Path): number;
}

/** The place of a value in an imported file. */
export class ForeignPlace {
	readonly text: ForeignText;
	readonly path: Path;

	constructor(text: ForeignText, path: Path = []) {
		this.text = text;
		this.path = path;
	}

	/** Returns the place of a value inside this one. */
	at(...keys: Path): ForeignPlace {
		return new ForeignPlace(this.text, [...this.path, ...keys]);
	}
}

/** A value of an imported file. */
export interface ForeignValue {
	readonly value: unknown;
	readonly place: ForeignPlace;
}

/** Maximum size in bytes of the imported file, and of each file that it names. */
export const mostFileBytes = 10 * 1024 * 1024;
/** Maximum number of files that one import reads. */
const mostFiles = 1000;
/** Maximum number of test cases. */
export const mostCases = 10_000;
/** Maximum number of characters in them: a few values can be multiplied to very many. */
const mostCharacters = 20 * 1024 * 1024;
/** Maximum number of messages; the others are only counted. */
const mostMessages = 1000;

/** Files whose content is code. */
const codeFile = /\.(?:[cm]?[jt]sx?|py|rb|go|sh|exe)(?::[\w.]+)?$/i;

/** State of one import: the parts that aren't mapped so far, and what is left of its limits. */
export class ImportReading {
	/** Folder of the imported file, which paths must not leave. */
	readonly folder: string;
	readonly t: Translate;
	readonly notMapped: NotMapped[] = [];
	/** Number of parts that aren't mapped, including those beyond the limit of messages. */
	notMappedCount = 0;
	readonly #reported = new Set<string>();
	#files = 0;
	#left = mostCharacters;

	/** @param file absolute path of the imported file */
	constructor(file: string, t: Translate) {
		this.folder = path.dirname(file);
		this.t = limitValues(t);
	}

	/** Lists a part that isn't mapped. */
	report({ text, path: place }: ForeignPlace, message: string): void {
		const shown = formatJsonPath([...place]);
		// a default applies to each test, but is listed once
		const key = JSON.stringify([text.file, shown, shown === '' ? text.getLine(place) : 0, message]);
		if (this.#reported.size === this.#reported.add(key).size) {
			return;
		}
		if (++this.notMappedCount <= mostMessages) {
			this.notMapped.push({ file: text.file, line: text.getLine(place), path: shown, message });
		}
	}

	/** Lists a field or kind that suites don't have. */
	reportUnknown(place: ForeignPlace, name: string): void {
		this.report(place, this.t("'{0}' isn't mapped: suites have nothing like it.", name));
	}

	/** Lists code, which an import never runs. */
	reportCode(place: ForeignPlace, name: string): void {
		this.report(place, this.t("'{0}' isn't mapped: an import runs no code.", name));
	}

	/** Lists a value of another type. `expected` is a phrase such as "a list". */
	reportType(place: ForeignPlace, name: string, expected: string): void {
		this.report(place, this.t("'{0}' isn't mapped. Expected {1}.", name, expected));
	}

	/** Lists the fields of an object that aren't `known`. */
	reportOtherFields(fields: Readonly<Record<string, unknown>>, known: readonly string[], place: ForeignPlace): void {
		for (const name of Object.keys(fields)) {
			if (!known.includes(name) && fields[name] !== undefined && fields[name] !== null) {
				this.reportUnknown(place.at(name), name);
			}
		}
	}

	/** Counts characters of test cases, and work that takes as long. Returns false if the limit is exceeded. */
	spend(characters: number): boolean {
		this.#left -= characters;
		return this.#left >= 0;
	}

	/** Counts a file to read. Lists it and returns false if it's one too many. */
	takeFile(reference: string, place: ForeignPlace): boolean {
		const isFree = ++this.#files <= mostFiles;
		if (!isFree) {
			this.report(place, this.t("'{0}' isn't read. Maximum number of files: {1}.", reference, mostFiles));
		}
		return isFree;
	}

	/** Reads a text file that an imported file names. Lists it and returns `undefined` if it's code or can't be read. */
	async readText(reference: string, place: ForeignPlace): Promise<string | undefined> {
		const scope = { folder: this.folder, root: this.folder };
		if (codeFile.test(reference)) {
			this.reportCode(place, reference);
		} else if (isOutsideScope(reference, scope)) {
			this.report(place, this.t("'{0}' is outside the folder of the imported file.", reference));
		} else if (this.takeFile(reference, place)) {
			try {
				return await readLocalText(reference, scope, this.t, mostFileBytes);
			} catch (error) {
				if (!(error instanceof RunFileValueError)) {
					throw error;
				}
				this.report(place, error.message);
			}
		}
		return undefined;
	}

	/** Reads a YAML or JSON file that an imported file names. Lists it and returns `undefined` if it can't be read. */
	async readYaml(reference: string, place: ForeignPlace): Promise<ForeignValue | undefined> {
		const text = await this.readText(reference, place);
		if (text === undefined) {
			return undefined;
		}
		const { content, error, getLine } = readPlainYaml(text);
		const file = path.resolve(this.folder, reference);
		if (error) {
			this.report(new ForeignPlace({ file, getLine: () => error.line }), translateMessage(error.message, this.t));
			return undefined;
		}
		return { value: content, place: new ForeignPlace({ file, getLine }) };
	}
}

/** A placeholder that would be replaced when the suite runs. */
const placeholder = /\$\{(?:workspaceFolder|input:|env:)[^{}]*\}/;

/**
 * Finds what would become a value of this machine when the suite runs: a placeholder such as `${env:KEY}`, or a reference to a local file.
 * An imported file must not make a suite send such values.
 */
export function findLocalValue(value: unknown): string | undefined {
	if (typeof value === 'string') {
		return placeholder.exec(value)?.[0];
	}
	if (typeof value !== 'object' || value === null) {
		return undefined;
	}
	if (Object.hasOwn(value, '$file')) {
		return '$file';
	}
	for (const each of Object.values(value)) {
		const found = findLocalValue(each);
		if (found !== undefined) {
			return found;
		}
	}
	return undefined;
}

/** Removes `file://` from a reference; `undefined` if the value isn't one. */
export function getFileReference(value: unknown): string | undefined {
	return typeof value === 'string' && value.startsWith('file://') ? value.slice('file://'.length) : undefined;
}
