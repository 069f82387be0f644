import type { Event } from 'vscode';
import type { InspectorAction } from '#pages/inspector/inspectorMessages.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import type { RunChain } from '#runs/following/runChain.ts';
import type { TreeRun } from '#runs/following/runTree.ts';
import type { RunRecord } from '#runs/runTypes.ts';

/** Reads a run for an inspector, from the records of this editor or from a service. */
export interface RunReading {
	/** Undefined if the run was removed or isn't loaded yet. */
	readonly record: RunRecord | undefined;
	/** Says why there is no record. Undefined if the run was removed from the history. */
	readonly problem: string | undefined;
	/** Fires for each new entry. */
	readonly onEntry: Event<JournalEntry>;
	/** Fires when the record has changed. */
	readonly onDidChange: Event<void>;
	/** Position of the run among the runs that repeat each other. */
	readonly chain: RunChain | undefined;
	/** The runs that this one is a fork of, and their forks; empty if there are none. */
	readonly tree: readonly TreeRun[];
	/** Key of the run that this one is a fork of, if it's in the history. */
	readonly parentKey: string | undefined;
	/** Actions that the inspector offers. */
	readonly actions: readonly InspectorAction[];
	/** True if forms of the run can be answered here. */
	readonly answersForms: boolean;
	/** The executed graph in the format of agent files, if the service provides it. Otherwise the graph is read from a file. */
	readonly ranGraph: unknown;
	/** Yields all entries so far, in order. Must be called only once. When it has ended, {@link onEntry} fires for later entries. */
	readEntries(): AsyncIterable<JournalEntry>;
	/** Returns the entries with these indexes, which count all entries from 0. */
	readEntriesAt(places: readonly number[]): Promise<readonly JournalEntry[]>;
	readOutputs(): Promise<Readonly<Record<string, unknown>> | null>;
	dispose(): void;
}
