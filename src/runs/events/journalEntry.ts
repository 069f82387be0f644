import type { WorkflowEvent } from '#contract/events.ts';

/** One entry of a run's journal: an event of the service, the detail that was fetched, or a word of ours on what happened. */
export type JournalEntry =
	/** `secretPlaces`: placeholders in the request that stand for secrets; any other text that looks like one is only a text. */
	| { readonly at: number; readonly request: unknown; readonly secretPlaces?: readonly string[] }
	| { readonly at: number; readonly event: WorkflowEvent }
	| { readonly at: number; readonly detail: unknown }
	| { readonly at: number; readonly note: string };
