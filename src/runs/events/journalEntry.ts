import type { WorkflowEvent } from '#contract/events.ts';

/** One entry of a run's journal: an event of the service, the detail that was fetched, or a word of ours on what happened. */
export type JournalEntry =
	| { readonly at: number; readonly request: unknown }
	| { readonly at: number; readonly event: WorkflowEvent }
	| { readonly at: number; readonly detail: unknown }
	| { readonly at: number; readonly note: string };
