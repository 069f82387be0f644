import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { type FormInput, formRefusals } from '#contract/humanInput.ts';
import { type FileObject, fileObjectSchema } from '#contract/workflows.ts';
import { maxVariableLength } from '#engine/agentFile/variableLimit.ts';
import type { HumanForm } from '#engine/run/pausedRun.ts';
import { getExtension } from '../uploads/fileKinds.ts';

/** The submitted content of a form. */
export interface GivenAnswer {
	readonly action: string;
	readonly inputs: Readonly<Record<string, unknown>>;
}

/** Returns the name of an upload; undefined if its ID is unknown. */
type UploadLookup = (id: string) => { readonly name: string } | undefined;

/**
 * Checks an answer against its form, and drops values that the form doesn't have. Only paragraphs may be left empty. Throws an error (400
 * `invalid_form_data`) that names the input.
 */
export function checkAnswer(form: Pick<HumanForm, 'inputs' | 'actions'>, given: GivenAnswer, uploads: UploadLookup): GivenAnswer {
	if (!form.actions.some(({ id }) => id === given.action)) {
		const known = form.actions.map(({ id }) => `"${id}"`).join(', ');
		throw createFormError('action', `Invalid action: ${shortenText(given.action)}. Expected one of ${known}`);
	}
	const missing = form.inputs.filter(input => input.type !== 'paragraph' && isEmptyValue(getGivenValue(input, given)));
	if (missing.length > 0) {
		throw createFormError(missing[0]?.output_variable_name ?? '', `Missing required inputs: ${missing.map(getInputName).join(', ')}`);
	}
	const inputs = form.inputs.map(input => [getInputName(input), checkFormValue(input, getGivenValue(input, given), uploads)] as const);
	return { action: given.action, inputs: Object.fromEntries(inputs.filter(([, value]) => value !== undefined)) };
}

function checkFormValue(input: FormInput, value: unknown, uploads: UploadLookup): unknown {
	switch (input.type) {
		case 'select':
			return checkOption(input, value);
		case 'file':
			return checkFile(input, value, uploads);
		case 'file-list':
			return checkFiles(input, value, uploads);
		default:
			return checkText(input, value ?? undefined);
	}
}

function checkText(input: FormInput, value: unknown): string | undefined {
	if (value !== undefined && typeof value !== 'string') {
		throw createInputError(input, 'expected a string');
	}
	if (value !== undefined && value.length > maxVariableLength) {
		throw createInputError(input, `expected at most ${maxVariableLength} characters`);
	}
	return value;
}

function checkOption(input: FormInput, value: unknown): string {
	const options = input.option_source?.value ?? [];
	if (typeof value !== 'string' || !options.includes(value)) {
		throw createInputError(input, `expected one of ${shortenText(options.map(option => `"${option}"`).join(', '))}`);
	}
	return value;
}

function checkFiles(input: FormInput, value: unknown, uploads: UploadLookup): FileObject[] {
	if (!Array.isArray(value)) {
		throw createInputError(input, 'expected a list of files');
	}
	if (input.number_limits && value.length > input.number_limits) {
		throw createInputError(input, `expected at most ${input.number_limits} files, got ${value.length}`);
	}
	return value.map(file => checkFile(input, file, uploads));
}

function checkFile(input: FormInput, value: unknown, uploads: UploadLookup): FileObject {
	const parsed = fileObjectSchema.safeParse(value);
	if (!parsed.success) {
		throw createInputError(input, 'expected a file: type, transfer_method and upload_file_id or url');
	}
	const file = parsed.data;
	const { allowed_file_types: types = [], allowed_file_extensions: extensions = [], allowed_file_upload_methods: methods = [] } = input;
	if (types.length > 0 && !types.includes(file.type)) {
		throw createInputError(input, `expected one of the file types ${types.join(', ')}`);
	}
	if (methods.length > 0 && !methods.includes(file.transfer_method)) {
		throw createInputError(input, `expected one of the transfer methods ${methods.join(', ')}`);
	}
	const name = file.transfer_method === 'local_file' ? uploads(file.upload_file_id)?.name : new URL(file.url).pathname;
	if (name === undefined) {
		throw createInputError(input, "upload_file_id isn't the ID of an uploaded file");
	}
	const ending = `.${getExtension(name)}`.toLowerCase();
	if (file.type === 'custom' && extensions.length > 0 && !extensions.some(each => `.${each.replace(/^\./, '')}`.toLowerCase() === ending)) {
		throw createInputError(input, `expected one of the file extensions ${extensions.join(', ')}`);
	}
	return file;
}

function getGivenValue(input: FormInput, { inputs }: GivenAnswer): unknown {
	return Object.hasOwn(inputs, getInputName(input)) ? inputs[getInputName(input)] : undefined;
}

function getInputName({ output_variable_name: name }: FormInput): string {
	return name;
}

function isEmptyValue(value: unknown): boolean {
	return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function shortenText(text: string): string {
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function createInputError(input: FormInput, expected: string): ServiceFault {
	return createFormError(getInputName(input), `Invalid value for input ${getInputName(input)}: ${expected}`);
}

function createFormError(params: string, message: string): ServiceFault {
	return new ServiceFault(400, `${message}.`, { code: formRefusals.invalid, params });
}
