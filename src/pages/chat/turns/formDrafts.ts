import type { FormDraft } from '../../shared/form/formDraft.ts';

/** Saves drafts of forms by ID. */
export interface FormDrafts {
	read(form: string): FormDraft | undefined;
	keep(form: string, draft: FormDraft): void;
}

/** Maximum number of saved drafts. */
const mostForms = 20;

/** The saved state of the page. */
interface SavedForms {
	forms: Record<string, FormDraft>;
}

/** Saves drafts in the state of the page. Only the newest are kept, because the page isn't notified when a form is answered elsewhere. */
export function formDrafts(host: { readonly state: Partial<SavedForms>; keep(fields: SavedForms): void }): FormDrafts {
	return {
		read: form => host.state.forms?.[form],
		keep: (form, draft) => {
			const { [form]: _, ...others } = host.state.forms ?? {};
			host.keep({ forms: { ...Object.fromEntries(Object.entries(others).slice(1 - mostForms)), [form]: draft } });
		},
	};
}
