import type { TimelineRow } from '#runs/events/timeline.ts';
import type { NodeForm } from '../nodeForm/formTypes.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import type { GraphStrings } from './graphStrings.ts';
import type { AgentPicture } from './graphTypes.ts';
import type { PictureChange } from './pictureChange.ts';

/**
 * What passes between a graph's host side and its page. Types alone, for both sides. What the page sends is checked at run time (graphMessages.ts); what the host sends is
 * trusted. Nothing is sent to a page before it said `ready`.
 */

/** A type of node that can be added. */
export interface AddableKind {
	readonly type: string;
	/** Codicon. */
	readonly icon: string;
	readonly title: string;
	/** What it does, one sentence. */
	readonly help: string;
}

/** A run that is laid over the graph. */
export interface ShownRun {
	/** What it is called: its number, or when it was. */
	readonly label: string;
	readonly status: string;
	readonly live: boolean;
	readonly startedAt: number;
	/** What it has waited for people, in milliseconds. */
	readonly waitedMs: number;
}

/** Where debugged runs stop in a file, and what stands in for its nodes. */
export interface ShownStops {
	/** Nodes with breakpoints, and whether any of those of a node is enabled. */
	readonly breakpoints: readonly { readonly node: string; readonly enabled: boolean }[];
	/** Nodes at which a run stands now. */
	readonly standing: readonly string[];
	/** Nodes whose outputs are pinned, and the names of the run files that do. */
	readonly pinned: readonly { readonly node: string; readonly files: readonly string[] }[];
}

/** What the host sends. */
export type FromGraphHost =
	/** First, and again when the page was made anew. */
	| {
			readonly type: 'begin';
			/** Of the document: the page keeps it, so that the panel comes back with it. */
			readonly uri: string;
			/** Name of the file. */
			readonly file: string;
			readonly strings: GraphStrings;
			readonly formStrings: NodeFormStrings;
			readonly kinds: readonly AddableKind[];
			/** Whether the text can be changed. */
			readonly editable: boolean;
			/** Whether keys for undo are the page's: over a custom editor they are the editor's own. */
			readonly undoKeys: boolean;
			/** What was asked for last of all: a page goes on counting from there. */
			readonly seq: number;
	  }
	/** The graph as the text has it. */
	| {
			readonly type: 'picture';
			/** Counts what is told of pictures. */
			readonly number: number;
			/** What is in it of all that the page asked for: this, and all before it. */
			readonly done: number;
			/** All of it, to a page that knows none. Neither this nor `change`: as it was told last. */
			readonly picture?: AgentPicture;
			/** What makes it of the one that was told as number `since`; a page that does not have that asks for the whole. */
			readonly change?: PictureChange;
			readonly since?: number;
			/** A sentence on why `picture` is not what the text has now, or why there is none. */
			readonly stale?: string;
			/** The file holds nothing yet: an agent can begin in it. */
			readonly empty: boolean;
	  }
	/** What is wrong with nodes: sentences by their IDs. */
	| { readonly type: 'faults'; readonly faults: readonly (readonly [id: string, sentences: readonly string[]])[] }
	/** Where debugged runs stop, all of it. */
	| ({ readonly type: 'stops' } & ShownStops)
	/** The nodes at the cursors of the text; `by`: those that came of what the page asked for, which are brought into sight unless it has gone on since. */
	| { readonly type: 'select'; readonly nodes: readonly string[]; readonly by?: number }
	/** An edit that cannot be done: why. */
	| { readonly type: 'refused'; readonly sentence: string }
	/** What the page asked for is done, this and all before it, or was refused; its picture and its form were told before. */
	| { readonly type: 'done'; readonly seq: number }
	/** The form of the selected node; absent: there is none. `revision` counts forms; `done`: what is in it of all that the page asked for. */
	| { readonly type: 'form'; readonly form?: NodeForm; readonly revision: number; readonly done: number }
	/** A run begins to be shown (`head` and all rows), or goes on (rows that came or changed); neither: no run is shown. */
	| { readonly type: 'run'; readonly head?: ShownRun; readonly rows: readonly TimelineRow[]; readonly anew: boolean }
	/** An SVG that the page is to make a PNG of. */
	| { readonly type: 'rasterize'; readonly svg: string; readonly width: number; readonly height: number };

export type { Doing, FromGraph, PageOperation } from './graphMessages.ts';
