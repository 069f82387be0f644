import type { FormDraft } from '../../shared/form/formDraft.ts';

/** Keeps what is filled into forms, by their IDs. */
export interface FormDrafts {
	read(form: string): FormDraft | undefined;
	keep(form: string, draft: FormDraft): void;
}

/** Forms whose drafts are kept. */
const mostForms = 20;

/** What the page saves of forms. */
interface SavedForms {
	forms: Record<string, FormDraft>;
}

/** Drafts in the page's saved state. Only the newest few are kept, because the page doesn't learn that a form was answered elsewhere. */
export function formDrafts(host: { readonly state: Partial<SavedForms>; keep(fields: SavedForms): void }): FormDrafts {
	return {
		read: form => host.state.forms?.[form],
		keep: (form, draft) => {
			const { [form]: _, ...others } = host.state.forms ?? {};
			host.keep({ forms: { ...Object.fromEntries(Object.entries(others).slice(1 - mostForms)), [form]: draft } });
		},
	};
}
