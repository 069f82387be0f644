import * as z from 'zod';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { createParser } from '../../shared/parser.ts';

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
/** A sequence number of requests, or a revision of forms. */
const count = z.number().int().min(0);

/** Schema of a {@link GraphOperation} from the page. */
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

/** Schema of messages from the page of a graph. Invalid messages are dropped. */
const graphMessageSchema = z.discriminatedUnion('type', [
	/** The page has loaded and needs the complete state. `selected`: the selection that the page has saved. */
	z.object({ type: z.literal('ready'), selected: nodeIds }),
	/** A change was based on a picture that the page doesn't have, so it needs a complete one. */
	z.object({ type: z.literal('wholePicture') }),
	/** The user selected nodes. The text of a single node is revealed without focus. */
	z.object({ type: z.literal('select'), nodes: nodeIds }),
	/** Show a node in the text, with focus. */
	z.object({ type: z.literal('reveal'), node: nodeId }),
	/**
	 * An edit by a gesture or a field, which is one undo step. `form`: revision of the page's form. `done`: the last request that the page
	 * knows to be done.
	 */
	z.object({ type: z.literal('edit'), operation: operationSchema, seq: count, form: count, done: count }),
	/** The value of a field while the user types, applied at the next pause. */
	z.object({ type: z.literal('typed'), operation: operationSchema, seq: count, form: count, done: count }),
	/** Edit a field as a text document in its own language. */
	z.object({ type: z.literal('openField'), node: nodeId, path }),
	/** Show the fields of the agent. No node is selected then. */
	z.object({ type: z.literal('agentForm') }),
	z.object({ type: z.literal('undo'), seq: count }),
	z.object({ type: z.literal('redo'), seq: count }),
	/** Copy nodes to the clipboard; with `cut`, delete them. */
	z.object({ type: z.literal('copy'), nodes: nodeIds, cut: z.boolean(), seq: count }),
	/** Paste from the clipboard. */
	z.object({ type: z.literal('paste'), at: point.optional(), parent: nodeId.optional(), seq: count }),
	/** Run or debug a node, or try its prompt; uses the run that is shown, if there is one. */
	z.object({ type: z.literal('onNode'), action: z.enum(['run', 'forkFrom', 'prompt', 'pin', 'unpin', 'toggleBreakpoint']), node: nodeId }),
	/** Run or debug the agent with the text of the file, or stop the run that is shown. */
	z.object({ type: z.literal('onAgent'), action: z.enum(['run', 'debug', 'stop']) }),
	z.object({ type: z.literal('export') }),
	/** The result of `rasterize`: a PNG in Base64; empty if the page couldn't create it. */
	z.object({ type: z.literal('rasterized'), png: z.string().max(60_000_000) }),
	/** Show the last run, unless a run is shown. */
	z.object({ type: z.literal('lastRun') }),
	/** Needs the inputs and outputs of a row of the shown run. */
	z.object({ type: z.literal('rowDetail'), row: z.string().max(1000) }),
	/** Choose a run from the history. */
	z.object({ type: z.literal('pickRun') }),
	/** Stop showing the run. */
	z.object({ type: z.literal('leaveRun') }),
	/** Open the shown run in an inspector. */
	z.object({ type: z.literal('inspectRun') }),
	/** Open the file as text. */
	z.object({ type: z.literal('openText') }),
]);

/** A validated message from the page of a graph. */
export type FromGraph =
	| Exclude<z.infer<typeof graphMessageSchema>, { operation: unknown }>
	| {
			readonly type: 'edit' | 'typed';
			readonly operation: PageOperation;
			readonly seq: number;
			readonly form: number;
			readonly done: number;
	  };

/** A request of the page, without its sequence number. */
export type Doing =
	| { readonly type: 'edit' | 'typed'; readonly operation: PageOperation }
	| { readonly type: 'undo' | 'redo' }
	| { readonly type: 'copy'; readonly nodes: readonly string[]; readonly cut: boolean }
	| { readonly type: 'paste'; readonly at?: { readonly x: number; readonly y: number }; readonly parent?: string };

/** An edit that a page may request. */
export type PageOperation = Exclude<GraphOperation, { readonly do: 'paste' }>;

/** Returns the message; `undefined` if it isn't part of the protocol. */
export const parseGraphMessage = createParser(graphMessageSchema) as (message: unknown) => FromGraph | undefined;
