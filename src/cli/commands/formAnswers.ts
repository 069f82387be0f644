import { createInterface, type Interface } from 'node:readline/promises';
import { inputPlacePattern } from '#contract/inputPlaces.ts';
import type { FormButton, FormField, RunForm } from '#runs/forms/runForm.ts';
import { CliFault } from '../cliFault.ts';
import { printLine, toPlainLine } from '../output.ts';

/** An answer to send to a service. */
interface GivenAnswer {
	readonly token: string;
	readonly action: string;
	readonly inputs: Readonly<Record<string, string>>;
}

/** Provides answers to the forms of a run, from options or from the terminal. */
export class FormAnswers {
	readonly #actions: string[];
	readonly #fields: ReadonlyMap<string, string>;
	readonly #used = new Set<string>();

	/**
	 * Throws a {@link CliFault} for a field that isn't `NAME=VALUE`.
	 *
	 * @param actions one for each form, in order
	 * @param fields `NAME=VALUE`, applied to the forms that have the field
	 */
	constructor(actions: readonly string[], fields: readonly string[]) {
		this.#actions = [...actions];
		this.#fields = new Map(
			fields.map(field => {
				const [, name = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(field) ?? [];
				if (name === '') {
					throw new CliFault(`--field ${field}: expected NAME=VALUE.`);
				}
				return [name, value];
			}),
		);
		if (this.#fields.size > 0 && actions.length === 0) {
			throw new CliFault('--field: requires --answer ACTION.');
		}
	}

	/** Returns the answer to a form, or `undefined` if it can't be answered here. Rejects with a {@link CliFault} for an invalid answer. */
	async getNextAnswer(form: RunForm, signal: AbortSignal): Promise<GivenAnswer | undefined> {
		const { token } = form;
		if (token === undefined) {
			return undefined;
		}
		const action = this.#actions.shift();
		if (action !== undefined) {
			return { token, ...this.#createAnswer(form, action) };
		}
		if (!process.stdin.isTTY || !process.stderr.isTTY) {
			return undefined;
		}
		const answer = await askForm(form, signal);
		return answer && { token, ...answer };
	}

	#createAnswer(form: RunForm, wanted: string): Omit<GivenAnswer, 'token'> {
		const action = findAction(form.actions, wanted);
		if (!action) {
			const names = form.actions.map(({ id }) => id).join(', ');
			throw new CliFault(`--answer ${wanted}: the form '${form.title}' has no such action. Expected one of ${names}.`);
		}
		for (const name of this.#fields.keys()) {
			if (form.inputs.some(input => input.name === name)) {
				this.#used.add(name);
			} else if (this.#actions.length === 0 && !this.#used.has(name)) {
				const names = form.inputs.map(input => input.name).join(', ');
				throw new CliFault(`--field ${name}: the form '${form.title}' has ${names === '' ? 'no fields' : `only ${names}`}.`);
			}
		}
		const values = form.inputs.map(input => [input.name, getFieldValue(input, this.#fields.get(input.name) ?? input.value)] as const);
		return { action: action.id, inputs: Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<string, string> };
	}
}

function findAction(actions: readonly FormButton[], wanted: string): FormButton | undefined {
	return actions.find(({ id }) => id === wanted) ?? actions.find(({ title }) => title.toLowerCase() === wanted.toLowerCase());
}

/** Returns the value to send, or `undefined` to omit it. Throws a {@link CliFault} for an invalid value. */
function getFieldValue({ name, kind, options, required }: FormField, value: string): string | undefined {
	if (kind === 'file' || kind === 'file-list') {
		throw new CliFault(`The field '${name}' takes files, which aren't supported here. Answer the form in the editor.`);
	}
	if (kind === 'select' && value !== '' && !options.includes(value)) {
		throw new CliFault(`--field ${name}=${value}: expected one of ${options.join(', ')}.`);
	}
	if (required && value === '') {
		throw new CliFault(`--field ${name}: expected a value${options.length > 0 ? `, one of ${options.join(', ')}` : ''}.`);
	}
	return value === '' && kind !== 'paragraph' ? undefined : value;
}

/** Asks for an answer on the terminal. Returns `undefined` if the user cancels with the end of input or Ctrl-C. */
async function askForm(form: RunForm, interrupted: AbortSignal): Promise<Omit<GivenAnswer, 'token'> | undefined> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	// a pending question never resolves when the input ends
	const ended = new AbortController();
	terminal.once('close', () => ended.abort());
	const signal = AbortSignal.any([interrupted, ended.signal]);
	// in raw mode, Ctrl-C doesn't raise a signal, so raise it here
	terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
	try {
		printLine(`\n${toPlainLine(form.title)}`);
		printLine(form.content.replace(inputPlacePattern, '[$1]').split('\n').map(toPlainLine).join('\n'));
		const inputs: Record<string, string> = {};
		for (const field of form.inputs) {
			const value = await askForValidAnswer(terminal, field, signal);
			if (value !== undefined) {
				inputs[field.name] = value;
			}
		}
		const titles = form.actions.map(({ title }, at) => `  ${at + 1} ${toPlainLine(title)}`).join('\n');
		for (;;) {
			const typed = (await terminal.question(`${titles}\nAnswer (1-${form.actions.length}): `, { signal })).trim();
			const action = form.actions[Number(typed) - 1] ?? findAction(form.actions, typed);
			if (action) {
				return { action: action.id, inputs };
			}
		}
	} catch (error) {
		if (error instanceof CliFault) {
			throw error;
		}
		return undefined;
	} finally {
		terminal.close();
	}
}

async function askForValidAnswer(terminal: Interface, field: FormField, signal: AbortSignal): Promise<string | undefined> {
	const options = field.options.map((option, at) => `  ${at + 1} ${toPlainLine(option)}`).join('\n');
	const first = field.value === '' ? '' : ` [${toPlainLine(field.value)}]`;
	if (field.kind === 'file' || field.kind === 'file-list') {
		return getFieldValue(field, '');
	}
	for (;;) {
		const typed = await terminal.question(`${options === '' ? '' : `${options}\n`}${toPlainLine(field.name)}${first}: `, { signal });
		try {
			return getFieldValue(field, field.options[Number(typed) - 1] ?? (typed === '' ? field.value : typed));
		} catch (error) {
			printLine((error as Error).message.replace(/^--field \S+: e/, 'E'));
		}
	}
}
