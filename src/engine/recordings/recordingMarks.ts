import { listSecretForms } from '#base/text/secretForms.ts';
import { createReplacer } from '#base/text/textFinder.ts';
import { formatSecretName, RecordingFormatError } from '#contract/recordings/scanRecording.ts';
import { isLongEnoughToMask } from '#network/redaction.ts';
import type { LoadedAgent } from '../agentFile/agentTypes.ts';
import type { RunOptions } from '../run/engineTypes.ts';

/** Placeholders of a recording: `⟦run⟧`, `⟦file 2⟧`, `⟦secret 0 NAME⟧`. */
const placeholder = /⟦([^⟦⟧]{1,400})⟧/g;
/** Form and name of a secret in the name of its placeholder. */
const secretName = /^secret \d+ (.*)$/s;
/** Name of the placeholder for the start of a placeholder, so that no reply can contain one: a replay would fill in a secret. */
const bracketName = 'bracket';

/** Start of a string that replaces a number with a secret in it, such as a PIN. */
const numberMark = '⟦number⟧';

/** Maximum characters of the values that are filled into an entry, because it can contain one placeholder very often. */
const mostFilled = 16 * 1024 * 1024;

/** Shortest ID that is replaced. Shorter ones would occur by chance. */
const shortestId = 8;

/**
 * Placeholders for values that differ in each run, or that no file may contain: IDs of the run and its files, and secrets in all their
 * forms. They don't depend on the values, so that a recording can be replayed with new ones.
 */
export class RecordingMarks {
	readonly #values = new Map<string, string>();
	readonly #marks = new Map<string, string>();
	#mark: ((text: string) => string) | undefined;
	#files = 0;

	/** @param secrets placeholders with their secret values among the inputs */
	constructor(
		agent: Pick<LoadedAgent, 'secretNames' | 'environment'>,
		options: Partial<RunOptions>,
		secrets: Readonly<Record<string, string>> = {},
	) {
		this.#add(bracketName, '⟦');
		const { runId, taskId, appId, workflowId, chat, inputs, files } = options;
		for (const [name, id] of Object.entries({
			run: runId,
			task: taskId,
			app: appId,
			workflow: workflowId,
			conversation: chat?.conversationId,
		})) {
			this.#addId(name, id);
		}
		for (const id of listUploads([inputs, files])) {
			this.addFile(id);
		}
		for (const [name, value] of [...listAgentSecrets(agent), ...Object.entries(secrets)]) {
			for (const [form, text] of isLongEnoughToMask(value) ? listSecretForms(value).entries() : []) {
				this.#add(formatSecretName(form, name), text);
			}
		}
	}

	/** Adds the ID of a file that a node has received. */
	addFile(id: string): void {
		this.#addId(`file ${++this.#files}`, id);
	}

	/** Replaces the values in a text with placeholders. */
	markText(text: string): string {
		this.#mark ??= createReplacer(this.#marks) ?? (unchanged => unchanged);
		return this.#mark(text);
	}

	/**
	 * Replaces placeholders in a JSON value with the values of this run.
	 * @param sent if given, secrets that it doesn't contain stay placeholders @throws {RecordingFormatError} if the value gets too long
	 */
	fillValue<T>(value: T, sent?: unknown): T {
		let left = mostFilled;
		const allowed = sent === undefined ? undefined : this.#listSecrets(sent);
		const fillPlaceholder = (found: string, name: string) => {
			const secret = secretName.exec(name)?.[1];
			const isAllowed = secret === undefined || allowed === undefined || allowed.has(secret);
			const filled = (isAllowed ? this.#values.get(name) : undefined) ?? found;
			left -= filled.length;
			if (left < 0) {
				throw new RecordingFormatError(`An entry gets longer than ${mostFilled} characters with the secrets of the run.`);
			}
			return filled;
		};
		return mapScalars(value, text => {
			if (typeof text !== 'string' || !text.includes('⟦')) {
				return text;
			}
			const isNumber = text.startsWith(numberMark);
			const filled = (isNumber ? text.slice(numberMark.length) : text).replace(placeholder, fillPlaceholder);
			return isNumber && !Number.isNaN(Number(filled)) ? Number(filled) : filled;
		}) as T;
	}

	/** Returns the names of the secrets that a JSON value contains in any form. */
	#listSecrets(value: unknown): ReadonlySet<string> {
		const names = new Set<string>();
		mapScalars(value, text => {
			for (const [, name = ''] of this.markText(String(text)).matchAll(placeholder)) {
				names.add(secretName.exec(name)?.[1] ?? '');
			}
			return text;
		});
		return names;
	}

	#addId(name: string, id: string | undefined): void {
		if (id !== undefined && id.length >= shortestId) {
			this.#add(name, id);
		}
	}

	#add(name: string, text: string): void {
		this.#values.set(name, text);
		if (!this.#marks.has(text)) {
			this.#marks.set(text, `⟦${name}⟧`);
			this.#mark = undefined;
		}
	}
}

/** Replaces the texts of a JSON value, field names, and numbers that contain something to replace. */
export function markValue<T>(value: T, markText: (text: string) => string): T {
	return mapScalars(value, text => {
		// a reply in small chunks has a million short numbers, and no secret is that short
		if (typeof text === 'number' && !isLongEnoughToMask(String(text))) {
			return text;
		}
		const marked = markText(String(text));
		return typeof text === 'string' ? marked : marked === String(text) ? text : numberMark + marked;
	}) as T;
}

function mapScalars(value: unknown, map: (value: string | number) => string | number): unknown {
	if (typeof value === 'string' || typeof value === 'number') {
		return map(value);
	}
	if (Array.isArray(value)) {
		return value.map(item => mapScalars(item, map));
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([name, field]) => [String(map(name)), mapScalars(field, map)]))
		: value;
}

/** Returns the secrets that an agent has values for, by name. */
export function listAgentSecrets({ secretNames, environment }: Pick<LoadedAgent, 'secretNames' | 'environment'>) {
	return secretNames.flatMap(name => {
		const value = environment[name];
		return typeof value === 'string' ? [[name, value] as const] : [];
	});
}

/** Returns the IDs of uploads among the inputs and files of a run. */
function* listUploads(value: unknown): Generator<string> {
	if (typeof value !== 'object' || value === null) {
		return;
	}
	for (const [name, field] of Object.entries(value)) {
		if ((name === 'upload_file_id' || name === 'related_id') && typeof field === 'string') {
			yield field;
		} else {
			yield* listUploads(field);
		}
	}
}
