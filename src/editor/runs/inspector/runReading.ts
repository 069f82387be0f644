import type { Event } from 'vscode';
import type { InspectorAction } from '#pages/inspector/inspectorMessages.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import type { RunChain } from '#runs/following/runChain.ts';
import type { RunRecord } from '#runs/runTypes.ts';

/** Source of a run for an inspector: the records of this editor, or its service. */
export interface RunReading {
	/** `undefined` if the run was removed or isn't loaded. */
	readonly record: RunRecord | undefined;
	/** Why there is no record; `undefined` if it was removed from the history. */
	readonly problem: string | undefined;
	/** Fires for each new entry. */
	readonly onEntry: Event<JournalEntry>;
	/** Fires when the record has changed. */
	readonly onDidChange: Event<void>;
	/** Position among the runs that repeat each other. */
	readonly chain: RunChain | undefined;
	/** Actions that the inspector offers. */
	readonly actions: readonly InspectorAction[];
	/** True if forms of the run can be answered here. */
	readonly answersForms: boolean;
	/** The executed graph in the format of agent files, if the service provides it; otherwise it's read from a file. */
	readonly ranGraph: unknown;
	/** Yields all entries so far, in order. Call it once: when it ends, {@link onEntry} fires for later entries. */
	readEntries(): AsyncIterable<JournalEntry>;
	/** Returns the entries with these indexes, counted from 0 over all entries. */
	readEntriesAt(places: readonly number[]): Promise<readonly JournalEntry[]>;
	readOutputs(): Promise<Readonly<Record<string, unknown>> | null>;
	dispose(): void;
}
