import type { FormDraft } from '../../shared/form/formDraft.ts';

/** Saves drafts of forms, of edited messages and of tool results by ID. */
export interface FormDrafts {
	readDraft(form: string): FormDraft | undefined;
	/** Saves a draft; `undefined` removes it. */
	saveDraft(form: string, draft: FormDraft | undefined): void;
}

/** Maximum number of saved drafts. */
const mostForms = 20;

/** The saved state of the page. */
interface SavedForms {
	forms: Record<string, FormDraft>;
}

/**
 * Creates the store of form drafts in the state of the page. Only the newest drafts are kept, because the page isn't notified when a form
 * is answered elsewhere.
 */
export function createFormDrafts(host: { readonly state: Partial<SavedForms>; saveFields(fields: SavedForms): void }): FormDrafts {
	return {
		readDraft: form => host.state.forms?.[form],
		saveDraft: (form, draft) => {
			const { [form]: _, ...others } = host.state.forms ?? {};
			const kept = Object.fromEntries(Object.entries(others).slice(1 - mostForms));
			host.saveFields({ forms: draft ? { ...kept, [form]: draft } : kept });
		},
	};
}
