import * as z from 'zod';

export const branch = z.number().int().describe('ID of a branch from `debug_stopped`.');

/** Limits of a reply by hand: characters of its text, and tool calls. */
const [longestReply, mostCalls] = [1_000_000, 100];

/** A reply that replaces that of a model: text, tool calls, or both. `arguments`: the arguments of a tool. */
const modelReplySchema = z.strictObject({
	text: z.string().max(longestReply).optional(),
	calls: z
		.array(z.strictObject({ name: z.string().min(1).max(200), arguments: z.record(z.string(), z.unknown()) }))
		.max(mostCalls)
		.optional(),
});
export type DebugModelReply = z.infer<typeof modelReplySchema>;

/** Commands for the model calls that a debugged run is paused at. */
export const modelCallCommands = [
	z.strictObject({ command: z.literal('model_call'), branch }).describe('Returns the model call that the branch is paused at.'),
	z
		.strictObject({
			command: z.literal('answer'),
			branch,
			call: z.int().describe('Number of the call, from `debug_stopped`.'),
			reply: modelReplySchema,
		})
		.describe(
			'Replaces the reply of a model. The reply is checked against the schema and the tools of the call. If it is refused, the branch stays paused. Otherwise its node continues; other paused branches stay paused.',
		),
] as const;

/** The model call that a branch of a debugged run is paused at. */
export const createDebugModelCallSchema = () =>
	z.object({
		/** Number of the call in the session. */
		call: z.int(),
		model: z.string(),
		/** `calls`: tool calls in JSON, for messages of a model. */
		messages: z.array(z.object({ role: z.string(), text: z.string(), calls: z.string().exactOptional() })),
		/** Tools that the reply may call. */
		tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) })),
		/** JSON schema that the text must follow. */
		schema: z.record(z.string(), z.unknown()).exactOptional(),
	});
export type DebugModelCall = z.infer<ReturnType<typeof createDebugModelCallSchema>>;
