import type { Event } from 'vscode';
import type { InspectorAction } from '#pages/inspector/inspectorMessages.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import type { RunChain } from '#runs/following/runChain.ts';
import type { RunRecord } from '#runs/runTypes.ts';

/** Where an inspector reads one run from: what this editor kept of it, or what its service has. */
export interface RunReading {
	/** How it stands; `undefined` where it is not known, no longer, or not yet. */
	readonly record: RunRecord | undefined;
	/** Why there is no record; `undefined` where it left the history. */
	readonly problem: string | undefined;
	/** Something came of it. */
	readonly onEntry: Event<JournalEntry>;
	/** Its record changed. */
	readonly onDidChange: Event<void>;
	/** Where it stands among the runs that repeat each other. */
	readonly chain: RunChain | undefined;
	/** What can be done with it from its inspector. */
	readonly actions: readonly InspectorAction[];
	/** Whether forms that it waits for can be answered from here. */
	readonly answersForms: boolean;
	/** The graph that ran, as agent files hold it, where its service tells; else it is read out of a file. */
	readonly ranGraph: unknown;
	/** What came of it so far, in order; asked for once, and its end is the time from which {@link onEntry} tells the rest. */
	entries(): AsyncIterable<JournalEntry>;
	/** The entries at these places, counted from 0 over all that came. */
	entriesAt(places: readonly number[]): Promise<readonly JournalEntry[]>;
	outputs(): Promise<Readonly<Record<string, unknown>> | null>;
	dispose(): void;
}
