import * as z from 'zod';
import { ratings } from '#contract/dify/appFeatures.ts';
import { fileSourceSchema, formAnswerSchema, formFilesWantedSchema } from '#runs/forms/formAnswer.ts';
import { createParser } from '../../shared/parser.ts';
import { toolDecisions } from '../transcript/toolDecisions.ts';
import { problemActions } from '../transcript/transcript.ts';

/** Text that the user wrote. It has no limit, because a message that isn't valid is dropped, and its text would be lost. */
const text = z.string();
const id = z.string().min(1).max(100);

/** Schema of messages from the webview. Invalid messages are dropped. The limits are far above normal use. */
const panelMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	/** The page missed a change and needs a complete snapshot. */
	z.object({ type: z.literal('resync') }),
	z.object({ type: z.literal('send'), text }),
	z.object({ type: z.literal('stop') }),
	z.object({ type: z.literal('retry'), turn: id }),
	/** Replace older messages by a summary, or undo that. */
	z.object({ type: z.literal('summarize') }),
	z.object({ type: z.literal('undoSummary'), turn: id }),
	/** Choose another model or agent for another version of a reply. */
	z.object({ type: z.literal('retryWith'), turn: id }),
	/** Send a request now that waits because its service was busy. */
	z.object({ type: z.literal('retryNow') }),
	z.object({ type: z.literal('continue'), turn: id }),
	z.object({ type: z.literal('inspectRun'), turn: id }),
	/** Open the messages up to a reply in the prompt playground. */
	z.object({ type: z.literal('tryPrompt'), turn: id }),
	z.object({ type: z.literal('edit'), turn: id, text }),
	z.object({ type: z.literal('branch'), turn: id, offset: z.union([z.literal(-1), z.literal(1)]) }),
	z.object({
		type: z.literal('toolResult'),
		turn: id,
		results: z.array(z.object({ id: z.string(), name: z.string(), output: text })).max(100),
	}),
	z.object({ type: z.literal('pick'), what: z.enum(['endpoint', 'model']) }),
	z.object({ type: z.literal('pickTools') }),
	/** Answer the confirmation of a tool call. */
	z.object({ type: z.literal('toolDecision'), turn: id, index: z.number().int().min(0), decision: z.enum(toolDecisions) }),
	z.object({ type: z.literal('system'), text }),
	/** Whether models get the instructions of the workspace. */
	z.object({ type: z.literal('instructions'), on: z.boolean() }),
	z.object({ type: z.literal('setting'), name: z.string().max(100), value: z.unknown() }),
	z.object({ type: z.literal('attachFiles') }),
	z.object({ type: z.literal('attachUris'), uris: z.array(z.string().max(4000)).max(50) }),
	/** Attach a pasted or dropped file in Base64. */
	z.object({ type: z.literal('attachData'), name: z.string().max(300), mimeType: z.string().max(200), data: z.string().max(40_000_000) }),
	z.object({ type: z.literal('detach'), id }),
	z.object({ type: z.literal('mentions'), trigger: z.enum(['@', '#', '/']), query: z.string().max(200) }),
	/** Attach what an entry of the list of context refers to. */
	z.object({ type: z.literal('attachContext'), source: z.string().max(8000) }),
	z.object({ type: z.literal('copy'), text }),
	z.object({ type: z.literal('code'), action: z.enum(['insert', 'newFile', 'apply']), language: z.string().max(100), text }),
	z.object({ type: z.literal('loadImage'), url: z.string().max(4000) }),
	/** Open a path from a reply, optionally with line numbers. */
	z.object({ type: z.literal('openPath'), path: z.string().min(1).max(1000) }),
	z.object({ type: z.literal('openFile'), uri: z.string().max(4000), lines: z.string().max(40).optional() }),
	formAnswerSchema.extend({ turn: id }),
	formFilesWantedSchema.extend({ turn: id }),
	/** Choose files for an input of the agent. */
	z.object({ type: z.literal('chooseInputFiles'), field: z.string().min(1).max(1000), from: fileSourceSchema }),
	/** Rate a reply; null removes the rating. */
	z.object({ type: z.literal('rate'), turn: id, rating: z.enum(ratings).nullable() }),
	z.object({ type: z.literal('comment'), turn: id }),
	z.object({ type: z.literal('speak'), turn: id }),
	z.object({ type: z.literal('listen') }),
	/** Open a file of a message that is stored by the service. */
	z.object({ type: z.literal('openStored'), turn: id, id }),
	/** Show an image of a reply that is stored by the service. */
	z.object({ type: z.literal('showStored'), turn: id, id }),
	/** Save an annotation; without an ID, a new one is created. */
	z.object({ type: z.literal('saveAnnotation'), id: id.optional(), question: text.min(1), answer: text.min(1) }),
	z.object({ type: z.literal('problemAction'), turn: id, action: z.enum(problemActions) }),
]);

/** A validated message from the webview. */
export type FromPanel = z.infer<typeof panelMessageSchema>;

/** Returns the message; `undefined` if it isn't part of the protocol. */
export const parsePanelMessage = createParser(panelMessageSchema);
