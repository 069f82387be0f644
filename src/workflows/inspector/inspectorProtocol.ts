import type { RunRecord } from '../runTypes.ts';
import type { AgentGraph } from './graphTypes.ts';
import type { InspectorStrings } from './inspectorStrings.ts';
import type { TimelineRow } from './timeline.ts';

/**
 * What passes between the inspector's host side and its webview. Types alone, for both sides. What the webview sends is checked at run time
 * (inspectorMessages.ts); what the host sends is trusted. Nothing is sent to a webview before it said `ready`.
 */

/** What the head of the inspector says of its run. */
export interface InspectorHead extends Pick<RunRecord, 'key' | 'agent' | 'runId' | 'status' | 'startedAt' | 'error'> {
	readonly connection: string;
	readonly mode: string;
	readonly user: string;
	readonly draft: boolean;
	/** Name of the run file. */
	readonly file?: string;
	/** Whether the run goes on, as far as is known. */
	readonly live: boolean;
	readonly elapsedMs?: number;
	readonly tokens?: number;
	readonly steps?: number;
}

/** One output of a run: a text as it is, any other value as JSON. `cut`: it is longer than what is shown of it. */
export interface ShownOutput {
	readonly name: string;
	readonly text: string;
	readonly isText: boolean;
	readonly cut: boolean;
}

/** Parts of a node's detail, each as JSON; absent where there is nothing. */
export type DetailPart = 'inputs' | 'processData' | 'outputs' | 'error' | 'metadata' | 'raw';
export type NodeDetail = Readonly<Partial<Record<DetailPart, string>>>;

/** How the nodes of a run are shown. */
export type NodesView = 'timeline' | 'graph';

/** What the host sends. `seq` counts snapshots and changes without a gap. */
export type FromInspectorHost =
	| {
			readonly type: 'snapshot';
			readonly seq: number;
			readonly head: InspectorHead;
			readonly rows: readonly TimelineRow[];
			readonly text: string;
			readonly strings: InspectorStrings;
			/** What was chosen last in any inspector. */
			readonly nodesView: NodesView;
	  }
	| {
			readonly type: 'changes';
			readonly seq: number;
			readonly head: InspectorHead;
			/** Rows that came or changed, by their ID. */
			readonly rows: readonly TimelineRow[];
			/** Text so far, where it changed. */
			readonly text?: string;
	  }
	/** What the run put out, once it is over. */
	| { readonly type: 'outputs'; readonly outputs: readonly ShownOutput[] }
	| { readonly type: 'detail'; readonly id: string; readonly detail: NodeDetail }
	/** The agent file of the run, with its graph where the page asked for it; `why`: there is no graph to show. */
	| { readonly type: 'graph'; readonly file?: string; readonly graph?: AgentGraph; readonly why?: string }
	/** There is no such run any more. */
	| { readonly type: 'gone'; readonly title: string; readonly text: string };

export type { FromInspector } from './inspectorMessages.ts';
