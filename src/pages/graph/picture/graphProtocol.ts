import type { TimelineRow } from '#runs/events/timeline.ts';
import type { NodeForm } from '../nodeForm/formTypes.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import type { GraphStrings } from './graphStrings.ts';
import type { AgentPicture } from './graphTypes.ts';
import type { PictureChange } from './pictureChange.ts';

/**
 * Messages between the host and the page of a graph, as types for both sides. Messages from the page are checked at run time
 * (graphMessages.ts). Messages from the host are trusted. The host sends nothing before the page has sent `ready`.
 */

/** A node type that can be added. */
export interface AddableKind {
	readonly type: string;
	/** Codicon name. */
	readonly icon: string;
	readonly title: string;
	/** Describes in one sentence what the node does. */
	readonly help: string;
}

/** A run that is shown on the graph. */
export interface ShownRun {
	/** Number of the run, or its time. */
	readonly label: string;
	readonly status: string;
	readonly live: boolean;
	readonly startedAt: number;
	/** Total time that the run waited for people, in milliseconds. */
	readonly waitedMs: number;
}

/** Inputs and outputs of a node in a run, as text or JSON. Absent parts are empty. */
export interface RowDetail {
	readonly inputs?: string;
	readonly outputs?: string;
	readonly error?: string;
}

/** Breakpoints, paused runs and pinned nodes of a file. */
export interface ShownStops {
	/** Nodes with breakpoints. `enabled`: true if any breakpoint of the node is enabled. */
	readonly breakpoints: readonly { readonly node: string; readonly enabled: boolean }[];
	/** Nodes at which a run is paused now. */
	readonly pausedAt: readonly string[];
	/** Nodes that ran later than the earlier step that a debugger shows. */
	readonly ranLater: readonly string[];
	/** Nodes with pinned outputs, and the run files that pin them. */
	readonly pinned: readonly { readonly node: string; readonly files: readonly string[] }[];
}

/** Messages from the host. */
export type FromGraphHost =
	/** First message; sent again when the page is recreated. */
	| {
			readonly type: 'begin';
			/** URI of the document; the page stores it so that the panel can be restored. */
			readonly uri: string;
			/** Name of the file. */
			readonly file: string;
			readonly strings: GraphStrings;
			readonly formStrings: NodeFormStrings;
			readonly kinds: readonly AddableKind[];
			/** True if the file can be edited. */
			readonly editable: boolean;
			/** True if the page handles undo keys; a custom editor handles them itself. */
			readonly undoKeys: boolean;
			/** Sequence number of the last request, from which a new page continues. */
			readonly seq: number;
	  }
	/** The graph of the current text. */
	| {
			readonly type: 'picture';
			/** Sequence number of pictures. */
			readonly number: number;
			/** The last request of the page that the picture includes. */
			readonly done: number;
			/** The complete picture, for a page that has none. If this and `change` are absent, the picture is unchanged. */
			readonly picture?: AgentPicture;
			/** The change from picture number `since`. A page that doesn't have that picture requests the complete one. */
			readonly change?: PictureChange;
			readonly since?: number;
			/** Explains why `picture` is outdated or missing. */
			readonly stale?: string;
			/** True if the file is still empty, so that a new agent can be created in it. */
			readonly empty: boolean;
	  }
	/** Problems of nodes: messages by node ID. */
	| { readonly type: 'faults'; readonly faults: readonly (readonly [id: string, sentences: readonly string[]])[] }
	/** Breakpoints, paused runs and pins; replaces the previous ones. */
	| ({ readonly type: 'stops' } & ShownStops)
	/**
	 * The nodes at the cursors of the text. `by`: the request that resulted in this selection, which is ignored if the user has selected
	 * something since.
	 */
	| { readonly type: 'select'; readonly nodes: readonly string[]; readonly by?: number }
	/** An edit was refused; `sentence` is the reason. */
	| { readonly type: 'refused'; readonly sentence: string }
	/** All requests up to this one are done or refused. Their picture and form were sent before. */
	| { readonly type: 'done'; readonly seq: number }
	/** The form of the selected node, or none. `revision` counts forms; `done`: the last request of the page that it includes. */
	| { readonly type: 'form'; readonly form?: NodeForm; readonly revision: number; readonly done: number }
	/** A run is shown (`head` and all rows) or updated (new and changed rows). Without `head`, no run is shown. */
	| {
			readonly type: 'run';
			readonly head?: ShownRun;
			readonly rows: readonly TimelineRow[];
			/** One-line previews of outputs by node ID. */
			readonly values: readonly (readonly [node: string, value: string])[];
			readonly isNew: boolean;
	  }
	/** Inputs, outputs and error of a row of the shown run. */
	| { readonly type: 'rowDetail'; readonly row: string; readonly detail: RowDetail }
	/** An SVG to convert to PNG. */
	| { readonly type: 'rasterize'; readonly svg: string; readonly width: number; readonly height: number };

export type { Doing, FromGraph, PageOperation } from './graphMessages.ts';
