import * as z from 'zod';
import { endpointKinds, type ReplyFacts } from '../chat/transcript/transcript.ts';
import { createParser } from '../shared/parser.ts';
import { mostColumns, type PromptStrings } from './promptStrings.ts';

// Without limits, because a prompt that isn't valid is dropped, and a saved playground that isn't valid is closed
const text = z.string();
const name = z.string();
const count = z.number().int().min(0);
const roleSchema = z.enum(['system', 'user', 'assistant']);

/**
 * A message of the prompt. `base`: the message of the node's template that it was made from, to write changes back. `fixed`: the text is
 * shown as it was sent, because the file has a Jinja template or no such message; it isn't written back. `edited`: the user changed it,
 * for fixed messages only.
 */
const messageSchema = z.object({
	id: z.string().min(1).max(100),
	role: roleSchema,
	text,
	base: z.object({ at: count, role: roleSchema, text }).optional(),
	fixed: z.enum(['jinja', 'sent']).optional(),
	edited: z.literal(true).optional(),
});
export type PromptMessage = z.infer<typeof messageSchema>;

/** Model parameters in terms that all endpoints share. The service decides the absent ones. */
const parametersSchema = z.object({
	temperature: z.number().optional(),
	topP: z.number().optional(),
	topK: z.number().optional(),
	maxTokens: z.number().optional(),
	stop: z.array(z.string()).optional(),
});
export type PromptParameters = z.infer<typeof parametersSchema>;

const promptSchema = z.object({
	messages: z.array(messageSchema),
	/** Values of the references in the messages. Those of the last run at first; `edited` if the user entered them. */
	variables: z.array(z.object({ name, value: text, edited: z.literal(true).optional() })),
	parameters: parametersSchema,
});
/** The part that the user edits. The page owns it once it has the first snapshot. */
export type EditedPrompt = z.infer<typeof promptSchema>;
export type VariableValue = EditedPrompt['variables'][number];

/** Where a prompt comes from: a node of an agent file, a run, a chat, or nothing. */
const sourceSchema = z.object({
	title: name,
	/** URI of the agent file, and the node in it. Without them, the prompt can't be applied. */
	file: name.optional(),
	node: name.optional(),
	/** Key of the run whose values are used, and the node execution in it. */
	run: name.optional(),
	execution: name.optional(),
	/** ID of the chat's turn. */
	turn: name.optional(),
	/** Parameters and number of messages in the file when it was read. */
	parameters: parametersSchema.optional(),
	length: count.optional(),
});
export type PromptSource = z.infer<typeof sourceSchema>;

const targetFields = { connectionId: name, endpoint: z.enum(endpointKinds), model: name.min(1) };

const answerSchema = z.object({
	text,
	thinking: text.optional(),
	// written by this extension, and only shown
	reply: z.looseObject({ status: z.enum(['streaming', 'done', 'stopped', 'failed', 'interrupted']) }),
});
/** An answer of a model. `text` is what has arrived so far. */
export type PromptAnswer = { readonly text: string; readonly thinking?: string | undefined; readonly reply: ReplyFacts };

const columnSchema = z.object({ id: z.string().min(1).max(100), ...targetFields, connection: name, answer: answerSchema.optional() });
/** A model, and its last answer. `connection` is the connection's name. */
export type PromptColumn = Omit<z.infer<typeof columnSchema>, 'answer'> & { readonly answer?: PromptAnswer | undefined };

/** Everything that a playground shows, as it's saved by the page for restarts. */
const stateSchema = z.object({ source: sourceSchema, prompt: promptSchema, columns: z.array(columnSchema).max(mostColumns) });
export type PromptState = {
	readonly source: PromptSource;
	readonly prompt: EditedPrompt;
	readonly columns: readonly PromptColumn[];
};

/** Reads the state that a page saved; undefined if it isn't valid. */
export function parsePromptState(saved: unknown): PromptState | undefined {
	const parsed = stateSchema.safeParse((saved as { state?: unknown } | null)?.state);
	return parsed.success ? (parsed.data as PromptState) : undefined;
}

const column = z.string().min(1).max(100);

/** Schema of messages from the page. Invalid messages are dropped. Messages from the host are trusted. */
const fromPromptSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('prompt'), prompt: promptSchema }),
	z.object({ type: z.literal('addModel') }),
	z.object({ type: z.literal('runAll') }),
	z.object({ type: z.literal('stopAll') }),
	z.object({ type: z.literal('showSource') }),
	z.object({ type: z.literal('copy'), text }),
	z.object({
		type: z.literal('column'),
		column,
		action: z.enum(['pick', 'remove', 'run', 'stop', 'retryNow', 'setKey', 'showLog', 'compare', 'copy', 'apply', 'addToSuite']),
	}),
]);

/** A validated message from the page. */
export type FromPrompt = z.infer<typeof fromPromptSchema>;
export type ColumnAction = Extract<FromPrompt, { type: 'column' }>['action'];

/** Returns the validated message; undefined if it's invalid. */
export const parsePromptMessage = createParser(fromPromptSchema);

/** Messages from the host. */
export type FromPromptHost =
	/** Everything; replaces what the page shows. */
	| { readonly type: 'snapshot'; readonly strings: PromptStrings; readonly state: PromptState }
	| { readonly type: 'columns'; readonly columns: readonly PromptColumn[] }
	| { readonly type: 'answer'; readonly column: string; readonly answer: PromptAnswer }
	/** The prompt was written to the file: the new bases by message ID. */
	| {
			readonly type: 'applied';
			readonly source: PromptSource;
			readonly bases: Readonly<Record<string, PromptMessage['base']>>;
			readonly text: string;
	  }
	/** A result or a problem of the last action, to be shown on the page. */
	| { readonly type: 'notice'; readonly text: string; readonly isProblem: boolean };
