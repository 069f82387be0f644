import type { LocalizableMessage } from '#base/text/localizableMessage.ts';
import type { WorkflowEvent } from '#contract/events.ts';

/** Entry of a run's journal: an event of the service, the fetched detail, or one of our own notes. */
export type JournalEntry =
	/** `secretPlaces`: placeholders in the request that stand for secrets. Other text that looks like a placeholder is plain text. */
	| { readonly at: number; readonly request: unknown; readonly secretPlaces?: readonly string[] }
	| { readonly at: number; readonly event: WorkflowEvent }
	| { readonly at: number; readonly detail: unknown }
	/** `message`: translatable form of the note. */
	| { readonly at: number; readonly note: string; readonly message?: LocalizableMessage };
