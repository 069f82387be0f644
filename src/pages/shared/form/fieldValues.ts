import type { FormStrings } from '#runs/forms/formStrings.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { fill } from '../fill.ts';
import type { FieldFile, FormDraft } from './formDraft.ts';
import { findJsonError } from './jsonFault.ts';

type Drafted = FormDraft[string] | undefined;

/** A problem of a field's value. `at`: position in the text in UTF-16 units, if known. */
export interface FieldProblem {
	readonly text: string;
	readonly at?: number;
	/** True if a required field is empty. Not shown while other fields are being filled in. */
	readonly missing?: boolean;
}

/** Checks the value of a field with the same rules as the service. */
export function checkField(field: FormField, drafted: Drafted, strings: FormStrings): FieldProblem | undefined {
	const label = field.label ?? field.name;
	if (isEmptyDraft(field, drafted)) {
		return field.required ? { text: fill(strings.missing, label), missing: true } : undefined;
	}
	if (typeof drafted !== 'string') {
		const count = drafted?.length ?? 0;
		return field.most !== undefined && count > field.most ? { text: fill(strings.tooMany, label, count, field.most) } : undefined;
	}
	switch (field.kind) {
		case 'number':
			return Number.isFinite(Number(drafted)) ? undefined : { text: fill(strings.noNumber, label) };
		case 'json':
			return checkJsonObject(label, drafted, strings);
		default: {
			// services count code points
			const length = [...drafted].length;
			return field.longest !== undefined && length > field.longest
				? { text: fill(strings.tooLong, label, length, field.longest) }
				: undefined;
		}
	}
}

/** Converts a draft to the value for a run; `undefined` if it is empty, which omits the field. Files are handled separately. */
export function parseFieldDraft(field: FormField, drafted: Drafted): unknown {
	if (typeof drafted !== 'string' || isEmptyDraft(field, drafted)) {
		return undefined;
	}
	switch (field.kind) {
		case 'number':
			return Number(drafted);
		case 'checkbox':
			return drafted === 'true';
		case 'json':
			return JSON.parse(drafted);
		default:
			return drafted;
	}
}

/** Converts a value that was sent before to a draft; `undefined` if the field doesn't accept it any more. */
export function toFieldDraft(field: FormField, value: unknown, strings: FormStrings): Drafted {
	if (value === undefined || value === null) {
		return undefined;
	}
	switch (field.kind) {
		case 'file':
		case 'file-list': {
			const files = (Array.isArray(value) ? value : [value]).flatMap(each => toFieldFile(each, strings) ?? []);
			return files.length > 0 ? files : undefined;
		}
		case 'select':
			return typeof value === 'string' && field.options.includes(value) ? value : undefined;
		case 'checkbox':
			return String(value === true || value === 'true');
		default:
			return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
	}
}

function isEmptyDraft({ kind }: FormField, drafted: Drafted): boolean {
	return drafted === undefined || (typeof drafted === 'string' && kind !== 'checkbox' ? drafted.trim() === '' : drafted.length === 0);
}

function checkJsonObject(label: string, text: string, strings: FormStrings): FieldProblem | undefined {
	const at = findJsonError(text);
	if (at !== undefined) {
		const before = text.slice(0, at).split('\n');
		return { text: fill(strings.noJson, label, before.length, (before.at(-1)?.length ?? 0) + 1), at };
	}
	const value: unknown = JSON.parse(text);
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : { text: fill(strings.noObject, label), at: 0 };
}

/** Reads a file. For uploaded files only the ID is known, not the name. */
function toFieldFile(value: unknown, strings: FormStrings): FieldFile | undefined {
	const { transfer_method: method, url, upload_file_id: id, type } = (value ?? {}) as Record<string, unknown>;
	if (method === 'remote_url' && typeof url === 'string' && typeof type === 'string') {
		return { name: url.slice(url.lastIndexOf('/') + 1) || url, file: value as never };
	}
	return method === 'local_file' && typeof id === 'string' && typeof type === 'string'
		? { name: strings.sentBefore, file: value as never }
		: undefined;
}
