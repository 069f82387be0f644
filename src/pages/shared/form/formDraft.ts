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

/** Returns the drafts of forms that are still open. */
export function pickDrafts(forms: readonly RunForm[], drafts: Readonly<Record<string, FormDraft>>): Record<string, FormDraft> {
	return Object.fromEntries(forms.flatMap(({ id }) => (drafts[id] ? [[id, drafts[id]]] : [])));
}
