import type { FormDraft } from '../shared/form/formDraft.ts';
import type { OpenAnnotation } from './apps/annotationPane.ts';

/** State that survives hiding the page. */
export interface Kept {
	chatId: string;
	drafts: Record<string, string>;
	/** Drafts of unsent forms by form ID, and of edits and tool results by their turn. */
	forms: Record<string, FormDraft>;
	/** Drafts of agent inputs, by chat and agent. */
	inputs: Record<string, FormDraft>;
	/** Forms of agent inputs that are collapsed. */
	foldedInputs: readonly string[];
	settingsOpen: boolean;
	/** The annotation that is being edited. */
	annotation: OpenAnnotation | null;
	/** Scroll position of the transcript; `null` if it's scrolled to its end. */
	scroll: number | null;
}

/** Joins a message that wasn't sent with the draft that the user has started since. */
export function joinDrafts(first: string, second = ''): string {
	return second.trim() === '' ? first : `${first}\n\n${second}`;
}
