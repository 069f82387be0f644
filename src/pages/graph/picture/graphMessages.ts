import * as z from 'zod';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { parserOf } from '../../shared/parser.ts';

/** IDs of nodes, as a file has them. */
const nodeId = z.string().min(1).max(1000);
const nodeIds = z.array(nodeId).max(10_000).readonly();
const point = z.object({ x: z.number().min(-1e7).max(1e7), y: z.number().min(-1e7).max(1e7) });
const exit = z.object({ node: nodeId, handle: z.string().max(1000) });
const path = z
	.array(
		z.union([
			z
				.string()
				.max(1000)
				.refine(name => name !== '__proto__'),
			z.number().int().min(0).max(1e6),
		]),
	)
	.max(50)
	.readonly();
const place = z.number().int().min(0).max(1e6);
/** Counts what a page asks to have done, and the forms that it was told: by it the host says what is done, and knows what the page had before it. */
const count = z.number().int().min(0);

/** What a page may ask to have done to the file: {@link GraphOperation} as it comes from outside. */
const operationSchema = z.discriminatedUnion('do', [
	z.object({
		do: z.literal('add'),
		type: z.string().min(1).max(100),
		at: point.optional(),
		parent: nodeId.optional(),
		behind: exit.optional(),
		before: nodeId.optional(),
	}),
	z.object({ do: z.literal('connect'), from: exit, target: nodeId }),
	z.object({ do: z.literal('disconnect'), from: exit, target: nodeId }),
	z.object({ do: z.literal('move'), nodes: z.array(point.extend({ id: nodeId })).max(10_000) }),
	z.object({ do: z.literal('duplicate'), nodes: nodeIds }),
	z.object({ do: z.literal('rename'), node: nodeId, id: z.string().max(1000) }),
	z.object({ do: z.literal('delete'), nodes: nodeIds }),
	z.object({ do: z.literal('wrap'), nodes: nodeIds, container: z.enum(['iteration', 'loop']) }),
	z.object({ do: z.literal('set'), node: nodeId.optional(), path, value: z.unknown() }),
	z.object({ do: z.literal('insertItem'), node: nodeId.optional(), path, at: place, value: z.unknown() }),
	z.object({ do: z.literal('removeItem'), node: nodeId.optional(), path, at: place }),
	z.object({ do: z.literal('moveItem'), node: nodeId.optional(), path, at: place, to: place }),
	z.object({ do: z.literal('arrange') }),
	z.object({ do: z.literal('begin'), mode: z.enum(['workflow', 'advanced-chat']), name: z.string().min(1).max(1000) }),
]);

/** What the page of a graph may send; anything else is dropped. */
const graphMessageSchema = z.discriminatedUnion('type', [
	/** The page is there: it wants all of it. `selected`: what it kept from before. */
	z.object({ type: z.literal('ready'), selected: nodeIds }),
	/** A change came of a picture that the page does not have: it wants the whole. */
	z.object({ type: z.literal('wholePicture') }),
	/** These nodes are selected now, by a gesture: the block of the only one is revealed in the text, which does not get the focus. */
	z.object({ type: z.literal('select'), nodes: nodeIds }),
	/** The text is to be shown at this node, with the focus. */
	z.object({ type: z.literal('reveal'), node: nodeId }),
	/** A gesture or a field: one operation, one step of undo. `form`: the last one that the page was told; `done`: the last that it knows to be done. */
	z.object({ type: z.literal('edit'), operation: operationSchema, seq: count, form: count, done: count }),
	/** What a field of a form holds while someone types in it: done at the next pause. */
	z.object({ type: z.literal('typed'), operation: operationSchema, seq: count, form: count, done: count }),
	/** A field of a form is to be edited as a text document of its own language. */
	z.object({ type: z.literal('openField'), node: nodeId, path }),
	/** The fields of the agent itself are to be shown; no node is selected then. */
	z.object({ type: z.literal('agentForm') }),
	z.object({ type: z.literal('undo'), seq: count }),
	z.object({ type: z.literal('redo'), seq: count }),
	/** Nodes go to the system's clipboard; with `cut` they are deleted. */
	z.object({ type: z.literal('copy'), nodes: nodeIds, cut: z.boolean(), seq: count }),
	/** What the clipboard holds is put in. */
	z.object({ type: z.literal('paste'), at: point.optional(), parent: nodeId.optional(), seq: count }),
	/** Something is to be done with a node: with what the run that is shown has of it, where one is. */
	z.object({ type: z.literal('onNode'), action: z.enum(['run', 'runFrom', 'pin', 'unpin', 'toggleBreakpoint']), node: nodeId }),
	z.object({ type: z.literal('export') }),
	/** The picture that was asked for by `rasterize`: Base64 of PNG; empty where the page could not make it. */
	z.object({ type: z.literal('rasterized'), png: z.string().max(60_000_000) }),
	/** A run of the history is to be chosen and shown. */
	z.object({ type: z.literal('pickRun') }),
	/** No run is to be shown any more. */
	z.object({ type: z.literal('leaveRun') }),
	/** The run that is shown is to be opened in an inspector. */
	z.object({ type: z.literal('inspectRun') }),
	/** The file is to be opened as text. */
	z.object({ type: z.literal('openText') }),
]);

/** A message of the graph's page that was checked. */
export type FromGraph =
	| Exclude<z.infer<typeof graphMessageSchema>, { operation: unknown }>
	| {
			readonly type: 'edit' | 'typed';
			readonly operation: PageOperation;
			readonly seq: number;
			readonly form: number;
			readonly done: number;
	  };

/** What a page asks to have done to the file, before it is counted. */
export type Doing =
	| { readonly type: 'edit' | 'typed'; readonly operation: PageOperation }
	| { readonly type: 'undo' | 'redo' }
	| { readonly type: 'copy'; readonly nodes: readonly string[]; readonly cut: boolean }
	| { readonly type: 'paste'; readonly at?: { readonly x: number; readonly y: number }; readonly parent?: string };

/** What a page may ask to have done to the file. */
export type PageOperation = Exclude<GraphOperation, { readonly do: 'paste' }>;

/** The message, or undefined for one that isn't of the protocol. */
export const parseGraphMessage = parserOf(graphMessageSchema) as (message: unknown) => FromGraph | undefined;
