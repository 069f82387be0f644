import type { FormFile } from '#runs/forms/formAnswer.ts';
import type { FormField, RunForm } from '#runs/forms/runForm.ts';
import type { LocalInputFile } from '../../inputs/inputsMessages.ts';

/** A file of a field: such as a service takes it, or one of this machine that goes there with the run. */
export type FieldFile = FormFile | LocalInputFile;

/** What is filled into a form, by the names of its fields: texts as they are typed, `true` or `false` for a checkbox, and files. */
export type FormDraft = Readonly<Record<string, string | readonly FieldFile[]>>;

/** What a form holds before anybody has filled it in. */
export function startValues(fields: readonly FormField[]): FormDraft {
	return Object.fromEntries(fields.map(({ name, kind, value }) => [name, kind === 'file' || kind === 'file-list' ? [] : value]));
}

/** The drafts of forms that are still open. */
export function draftsOf(forms: readonly RunForm[], drafts: Readonly<Record<string, FormDraft>>): Record<string, FormDraft> {
	return Object.fromEntries(forms.flatMap(({ id }) => (drafts[id] ? [[id, drafts[id]]] : [])));
}
