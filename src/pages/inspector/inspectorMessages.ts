import * as z from 'zod';
import type { TimelineRow } from '#runs/events/timeline.ts';
import type { FormNews } from '#runs/forms/formAnswer.ts';
import { formAnswerSchema, formFilesWantedSchema } from '#runs/forms/formAnswer.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { AgentPicture } from '../graph/picture/graphTypes.ts';
import { createParser } from '../shared/parser.ts';
import type { ShownConversation } from './detail/conversationDetail.ts';
import type { WrittenPart } from './detail/writtenDetail.ts';
import type { InspectorStrings } from './inspectorStrings.ts';

/** Of a pane, in percent. */
const share = z.number().min(1).max(99);

/** What the page may send; anything else is dropped. What the host sends is trusted. */
const inspectorMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	/** The page missed a change: it asks for the whole. */
	z.object({ type: z.literal('resync') }),
	/** The run is to stay where it is. */
	z.object({ type: z.literal('keepOpen') }),
	/** The run before or after it of those that repeat each other is to be shown. */
	z.object({ type: z.literal('step'), offset: z.union([z.literal(-1), z.literal(1)]) }),
	z.object({ type: z.literal('detail'), id: z.string().max(1000) }),
	/** The graph is to be shown. */
	z.object({ type: z.literal('graph') }),
	z.object({ type: z.literal('layout'), layout: z.object({ columns: share, rows: share }) }),
	/** A node is to be shown in its agent file. */
	z.object({ type: z.literal('goToSource'), node: z.string().max(1000) }),
	/** Something is to be done with the node of a row. */
	z.object({ type: z.literal('node'), action: z.enum(['run', 'runFrom', 'pin', 'unpin']), row: z.string().max(1000) }),
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
			'open',
			'openOutputs',
			'saveOutputs',
			'copyAsCurl',
			'saveAsRunFile',
			'addToSuite',
			'ask',
		]),
	}),
]);

/** A message of the inspector's page that was checked. */
export type FromInspector = z.infer<typeof inspectorMessageSchema>;

/** The message, or undefined for one that isn't of the protocol. */
export const parseInspectorMessage = createParser(inspectorMessageSchema);

/** What can be done with a run from its inspector. */
export type InspectorAction = Extract<FromInspector, { type: 'command' }>['command'];

/** What the head of the inspector says of its run. */
export interface InspectorHead extends Pick<RunRecord, 'key' | 'agent' | 'runId' | 'status' | 'startedAt' | 'error'> {
	readonly connection: string;
	readonly mode: string;
	readonly user: string;
	readonly draft: boolean;
	/** Whether it was started elsewhere than in this editor. */
	readonly elsewhere: boolean;
	/** Name of the run file. */
	readonly file?: string;
	/** Whether the run goes on, as far as is known. */
	readonly live: boolean;
	/** Whether it waits for a person. */
	readonly waits: boolean;
	/** What it has waited before, in milliseconds: no part of its time. */
	readonly waitedMs: number;
	/** What can be done with it. */
	readonly actions: readonly InspectorAction[];
	/** The next run that is looked at does not take this one's place. */
	readonly kept: boolean;
	/** Its place, from 1, among the runs that repeat each other, and how many these are. */
	readonly chain?: { readonly place: number; readonly count: number };
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
type DetailPart = 'inputs' | 'processData' | 'outputs' | 'thinking' | 'error' | 'metadata' | 'raw';
/** `conversation`: what a model was told and answered; `written`: what the agent file says, beside what came of it. */
export type NodeDetail = Readonly<Partial<Record<DetailPart, string>>> & {
	readonly conversation?: ShownConversation;
	readonly written?: readonly WrittenPart[];
	/** What its model's service warned of (`process_data.warnings`). */
	readonly warnings?: readonly string[];
};
/** What can be looked at of a node. */
export type DetailTab = DetailPart | 'conversation' | 'written';

/** Shares of the panes on the left and at the top, in percent. */
export interface InspectorLayout {
	readonly columns: number;
	readonly rows: number;
}

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
			/** How panes were laid out last in any inspector; absent where nobody has. */
			readonly layout?: InspectorLayout;
	  }
	| {
			readonly type: 'changes';
			readonly seq: number;
			readonly head: InspectorHead;
			/** Rows that came or changed, by their ID. */
			readonly rows: readonly TimelineRow[];
			/** What came to the text. */
			readonly textAdded?: string;
			/** The text so far, where something else took its place. */
			readonly text?: string;
	  }
	/** The forms that the run waits for. */
	| { readonly type: 'forms'; readonly forms: readonly RunForm[] }
	| FormNews
	/** The user came to fill in a form. */
	| { readonly type: 'focusForm' }
	/** What the run put out, once it is over. */
	| { readonly type: 'outputs'; readonly outputs: readonly ShownOutput[] }
	| { readonly type: 'detail'; readonly id: string; readonly detail: NodeDetail }
	/** The agent file of the run, with its graph where the page asked for it; `why`: there is no graph to show. */
	| { readonly type: 'graph'; readonly file?: string; readonly graph?: AgentPicture; readonly why?: string }
	/** There is no such run any more. */
	| { readonly type: 'gone'; readonly title: string; readonly text: string };
