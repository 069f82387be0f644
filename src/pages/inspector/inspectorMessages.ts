import * as z from 'zod';
import type { RunCosts } from '#runs/events/runCosts.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import type { ReplacedText, TimelineMoment } from '#runs/events/timelineHistory.ts';
import type { FormNews } from '#runs/forms/formAnswer.ts';
import { formAnswerSchema, formFilesWantedSchema } from '#runs/forms/formAnswer.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { AgentPicture } from '../graph/picture/graphTypes.ts';
import { createParser } from '../shared/parser.ts';
import type { ShownConversation } from './detail/conversationDetail.ts';
import type { WrittenPart } from './detail/writtenDetail.ts';
import type { InspectorStrings } from './inspectorStrings.ts';

/** Size of a pane in percent. */
const share = z.number().min(1).max(99);

/** Schema of messages from the page. Invalid messages are dropped. Messages from the host are trusted. */
const inspectorMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	/** The page missed a change and requests a new snapshot. */
	z.object({ type: z.literal('resync') }),
	/** Keeps this run open when another run is inspected. */
	z.object({ type: z.literal('keepOpen') }),
	/** Shows the previous or next run with the same inputs. */
	z.object({ type: z.literal('step'), offset: z.union([z.literal(-1), z.literal(1)]) }),
	/** Shows another run of the tree of forks. */
	z.object({ type: z.literal('showRun'), key: z.string().max(1000) }),
	/** Requests the details of a row. `until`: index of the last journal entry to consider. */
	z.object({ type: z.literal('detail'), id: z.string().max(1000), until: z.int().nonnegative().optional() }),
	/** Requests the moments of the run from this index on. */
	z.object({ type: z.literal('moments'), from: z.int().nonnegative() }),
	/** Requests the graph. */
	z.object({ type: z.literal('graph') }),
	z.object({ type: z.literal('layout'), layout: z.object({ columns: share, rows: share }) }),
	/** Shows a node in its agent file. */
	z.object({ type: z.literal('goToSource'), node: z.string().max(1000) }),
	/** Performs an action on the node of a row. */
	z.object({ type: z.literal('node'), action: z.enum(['run', 'forkFrom', 'prompt', 'pin', 'unpin']), row: z.string().max(1000) }),
	z.object({ type: z.literal('nodesView'), view: z.enum(['timeline', 'graph']) }),
	formAnswerSchema,
	formFilesWantedSchema,
	z.object({ type: z.literal('copy'), text: z.string().max(4_000_000) }),
	z.object({
		type: z.literal('command'),
		command: z.enum([
			'stop',
			'runAgain',
			'compare',
			'compareWithParent',
			'open',
			'openOutputs',
			'saveOutputs',
			'copyAsCurl',
			'saveAsRunFile',
			'addToSuite',
			'addToDataset',
			'debugRecorded',
			'ask',
		]),
	}),
]);

/** A validated message from the page. */
export type FromInspector = z.infer<typeof inspectorMessageSchema>;

/** Returns the validated message; undefined if it's invalid. */
export const parseInspectorMessage = createParser(inspectorMessageSchema);

export type InspectorAction = Extract<FromInspector, { type: 'command' }>['command'];

/** The run as the inspector's header shows it. */
export interface InspectorHead extends Pick<RunRecord, 'key' | 'agent' | 'runId' | 'status' | 'startedAt' | 'error'> {
	readonly connection: string;
	readonly mode: string;
	readonly user: string;
	readonly draft: boolean;
	/** True if the run was started outside this editor. */
	readonly elsewhere: boolean;
	/** Name of the run file. */
	readonly file?: string;
	/** True if the run is in progress, to our knowledge. */
	readonly live: boolean;
	/** True if the run is waiting for human input. */
	readonly waits: boolean;
	/** Time that the run spent waiting so far, in milliseconds. Not part of its duration. */
	readonly waitedMs: number;
	/** Number of moments so far. */
	readonly moments: number;
	readonly actions: readonly InspectorAction[];
	/** True if the next inspected run opens in another panel. */
	readonly kept: boolean;
	/** Position of the run (from 1) among the runs with the same inputs, and their number. */
	readonly chain?: { readonly place: number; readonly count: number };
	/** The runs that this one is a fork of, and their forks; absent if there are none. */
	readonly tree?: readonly ShownTreeRun[];
	readonly costs?: RunCosts;
	readonly elapsedMs?: number;
	readonly tokens?: number;
	readonly steps?: number;
}

/** A run in the tree of forks. */
export interface ShownTreeRun extends Pick<RunRecord, 'key' | 'status' | 'startedAt'> {
	/** Number of runs that it is a fork of. */
	readonly depth: number;
	/** Shortened ID. */
	readonly id: string;
	/** Title of the node from which it was forked, and its changed values; absent for the first run. */
	readonly fork?: { readonly node: string; readonly changes: string };
	readonly costs?: RunCosts;
}

/** One output of a run: strings as they are, other values as JSON. `cut`: true if the text was shortened. */
export interface ShownOutput {
	readonly name: string;
	readonly text: string;
	readonly isText: boolean;
	readonly cut: boolean;
}

/** Parts of a node's details, each as text or JSON. Empty parts are absent. */
type DetailPart = 'inputs' | 'processData' | 'outputs' | 'thinking' | 'error' | 'metadata' | 'raw';
/** `conversation`: prompt and reply of a model; `written`: texts of the agent file with their values in the run. */
export type NodeDetail = Readonly<Partial<Record<DetailPart, string>>> & {
	readonly conversation?: ShownConversation;
	readonly written?: readonly WrittenPart[];
	/** Warnings of the model's service (`process_data.warnings`). */
	readonly warnings?: readonly string[];
};
export type DetailTab = DetailPart | 'conversation' | 'written';

/** Sizes of the left and the top pane in percent. */
export interface InspectorLayout {
	readonly columns: number;
	readonly rows: number;
}

export type NodesView = 'timeline' | 'graph';

/** Messages from the host. `seq` counts snapshots and changes without a gap. */
export type FromInspectorHost =
	| {
			readonly type: 'snapshot';
			readonly seq: number;
			readonly head: InspectorHead;
			readonly rows: readonly TimelineRow[];
			readonly text: string;
			readonly strings: InspectorStrings;
			/** The view last chosen in any inspector. */
			readonly nodesView: NodesView;
			/** The layout last set in any inspector; absent if it was never changed. */
			readonly layout?: InspectorLayout;
	  }
	| {
			readonly type: 'changes';
			readonly seq: number;
			readonly head: InspectorHead;
			/** New and changed rows. */
			readonly rows: readonly TimelineRow[];
			/** Text to append. */
			readonly textAdded?: string;
			/** The text so far, if it was replaced. */
			readonly text?: string;
	  }
	/** The forms that the run is waiting for. */
	| { readonly type: 'forms'; readonly forms: readonly RunForm[] }
	| FormNews
	/** The user opened the inspector to fill in a form. */
	| { readonly type: 'focusForm' }
	/** Outputs of the finished run. */
	| { readonly type: 'outputs'; readonly outputs: readonly ShownOutput[] }
	/** `until` as in the request. */
	| { readonly type: 'detail'; readonly id: string; readonly until?: number; readonly detail: NodeDetail }
	/** Moments of the run `key` from the index `from` on, and all replaced texts. */
	| {
			readonly type: 'moments';
			readonly key: string;
			readonly from: number;
			readonly moments: readonly TimelineMoment[];
			readonly replaced: readonly ReplacedText[];
	  }
	/** The agent file of the run, with its graph if the page requested it. `why`: the reason there is no graph. */
	| { readonly type: 'graph'; readonly file?: string; readonly graph?: AgentPicture; readonly why?: string }
	/** The run no longer exists. */
	| { readonly type: 'gone'; readonly title: string; readonly text: string };
