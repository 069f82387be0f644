import { getOwnField } from '#base/records/ownField.ts';
import type { FormFile } from '#runs/forms/formAnswer.ts';
import type { FormField, RunForm } from '#runs/forms/runForm.ts';
import type { LocalInputFile } from '../../inputs/inputsMessages.ts';

/** A file of a field: one that a service knows, or a local one that is uploaded with the run. */
export type FieldFile = FormFile | LocalInputFile;

/** Unsent values of a form by field name: strings as typed, `true` or `false` for checkboxes, and files. */
export type FormDraft = Readonly<Record<string, string | readonly FieldFile[]>>;

/** Returns the initial values of a form. */
export function getStartValues(fields: readonly FormField[]): FormDraft {
	return Object.fromEntries(fields.map(({ name, kind, value }) => [name, kind === 'file' || kind === 'file-list' ? [] : value]));
}

/**
 * Fills a form with given values. A field that doesn't accept its value gets its initial one: the agent may have changed since, and a select
 * would show another option than the one that is sent. Values of other fields are kept, because they may come back.
 */
export function fillFields(fields: readonly FormField[], given: FormDraft): FormDraft {
	const initial = getStartValues(fields);
	const values = fields.map(field => {
		const value = [getOwnField(given, field.name), initial[field.name]].find(each => each !== undefined && canHold(field, each));
		return [field.name, value ?? ''];
	});
	return { ...given, ...Object.fromEntries(values) };
}

function canHold({ kind, options }: FormField, value: FormDraft[string]): boolean {
	const isText = typeof value === 'string';
	return kind === 'file' || kind === 'file-list' ? !isText : isText && (kind !== 'select' || value === '' || options.includes(value));
}

/** Returns the drafts of forms that are still open. */
export function pickDrafts(forms: readonly RunForm[], drafts: Readonly<Record<string, FormDraft>>): Record<string, FormDraft> {
	return Object.fromEntries(forms.flatMap(({ id }) => (drafts[id] ? [[id, drafts[id]]] : [])));
}
