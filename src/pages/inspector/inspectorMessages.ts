import * as z from 'zod';
import { formAnswerSchema, formFilesWantedSchema } from '#runs/forms/formAnswer.ts';
import { parserOf } from '../shared/parser.ts';

/** Of a pane, in percent. */
const share = z.number().min(1).max(99);

/** What a webview may send; anything else is dropped. */
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
export const parseInspectorMessage = parserOf(inspectorMessageSchema);
