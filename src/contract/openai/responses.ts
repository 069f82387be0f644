import * as z from 'zod';
import { createIntegerSchema, createNumberSchema } from '../ranges.ts';
import { agentFields } from './chatCompletions.ts';

/** Part of a message's content or of a tool's output: `input_text`, `input_image`, `input_file`, `output_text`, `refusal`. */
const responsePartSchema = z.looseObject({ type: z.string().min(1) });
export type ResponsePart = z.infer<typeof responsePartSchema>;

/** Item of an input. Without a type, it's a message; other fields depend on the type. */
const responseInputItemSchema = z.looseObject({
	type: z.string().nullish(),
	id: z.string().nullish(),
	role: z.string().optional(),
	content: z.union([z.string(), z.array(responsePartSchema)]).nullish(),
	call_id: z.string().optional(),
	name: z.string().optional(),
	namespace: z.string().nullish(),
	arguments: z.string().optional(),
	input: z.string().optional(),
	output: z.union([z.string(), z.array(responsePartSchema), z.record(z.string(), z.unknown())]).nullish(),
	summary: z.array(z.looseObject({ text: z.string().optional() })).nullish(),
	encrypted_content: z.string().nullish(),
	status: z.string().nullish(),
});
export type ResponseInputItem = z.infer<typeof responseInputItemSchema>;

const toolFields = {
	type: z.string().min(1),
	name: z.string().min(1).optional(),
	description: z.string().nullish(),
	parameters: z.record(z.string(), z.unknown()).nullish(),
	strict: z.boolean().nullish(),
};

/** A tool of a request: `function` and `custom` have a name, a `namespace` contains tools, others are built into the service. */
const responseToolSchema = z.looseObject({ ...toolFields, tools: z.array(z.looseObject(toolFields)).optional() });
export type ResponseTool = z.infer<typeof responseToolSchema>;

/** Which tools may or must be called: a mode, one tool, or a list (`allowed_tools`). */
const toolChoiceSchema = z.union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string().min(1) })]);
export type ResponseToolChoice = z.infer<typeof toolChoiceSchema>;

/** Body of POST /v1/responses. A field that is null counts as absent. */
export const responsesRequestSchema = z.looseObject({
	model: z.string().min(1),
	input: z.union([z.string(), z.array(responseInputItemSchema)]).optional(),
	instructions: z.string().optional(),
	previous_response_id: z.string().optional(),
	stream: z.boolean().optional(),
	store: z.boolean().optional(),
	include: z.array(z.string()).optional(),
	tools: z.array(responseToolSchema).optional(),
	tool_choice: toolChoiceSchema.optional(),
	parallel_tool_calls: z.boolean().optional(),
	max_tool_calls: createIntegerSchema({ from: 1 }).optional(),
	max_output_tokens: createIntegerSchema({ from: 1 }).optional(),
	temperature: createNumberSchema({ from: 0, to: 2 }).optional(),
	top_p: createNumberSchema({ from: 0, to: 1 }).optional(),
	presence_penalty: createNumberSchema({ from: -2, to: 2 }).optional(),
	frequency_penalty: createNumberSchema({ from: -2, to: 2 }).optional(),
	top_logprobs: createIntegerSchema({ from: 0, to: 20 }).optional(),
	reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).optional(),
	text: z
		.looseObject({
			format: z
				.looseObject({
					type: z.enum(['text', 'json_object', 'json_schema']),
					name: z.string().optional(),
					description: z.string().nullish(),
					schema: z.record(z.string(), z.unknown()).optional(),
				})
				.nullish(),
			verbosity: z.string().nullish(),
		})
		.optional(),
	truncation: z.enum(['auto', 'disabled']).optional(),
	metadata: z.record(z.string(), z.unknown()).optional(),
	user: z.string().optional(),
	safety_identifier: z.string().optional(),
	prompt_cache_key: z.string().optional(),
	service_tier: z.string().optional(),
	background: z.boolean().optional(),
});
export type ResponsesRequest = z.infer<typeof responsesRequestSchema>;

/** Body of a request for an agent's response, with fields that OpenAI's API doesn't have. Its SDKs accept them as extra fields. */
export const agentResponseSchema = responsesRequestSchema.extend(agentFields);

/** Value of `include` that requests encrypted reasoning, which only its service can read. */
export const encryptedReasoning = 'reasoning.encrypted_content';

const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']);
/** State of an item; `incomplete` if it was cut by a limit or a filter. */
export type ResponseItemStatus = z.infer<typeof itemStatus>;

const createMessageItemSchema = () =>
	z.object({
		type: z.literal('message'),
		id: z.string(),
		role: z.literal('assistant'),
		status: itemStatus,
		content: z.array(
			z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()), logprobs: z.array(z.unknown()) }),
		),
	});
/** Text from the model. */
export type ResponseMessage = z.infer<ReturnType<typeof createMessageItemSchema>>;

/** Fields of a tool call. `namespace` is that of the tool, if it has one. */
const createCallFields = () => ({
	id: z.string(),
	call_id: z.string(),
	name: z.string(),
	namespace: z.string().exactOptional(),
	status: itemStatus,
});
const createFunctionCallSchema = () =>
	z.object({ type: z.literal('function_call'), ...createCallFields(), arguments: z.string().describe('JSON text.') });
export type ResponseFunctionCall = z.infer<ReturnType<typeof createFunctionCallSchema>>;
/** A call of a custom tool, whose input is free text. */
const createCustomCallSchema = () => z.object({ type: z.literal('custom_tool_call'), ...createCallFields(), input: z.string() });
export type ResponseCustomCall = z.infer<ReturnType<typeof createCustomCallSchema>>;

const createReasoningSchema = () =>
	z.object({
		type: z.literal('reasoning'),
		id: z.string(),
		summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
		encrypted_content: z.string().exactOptional().describe('Only readable by the service. Send it back unchanged.'),
	});
/** Reasoning of the model. */
export type ResponseReasoning = z.infer<ReturnType<typeof createReasoningSchema>>;

const createOutputItemSchema = () =>
	z.discriminatedUnion('type', [createMessageItemSchema(), createFunctionCallSchema(), createCustomCallSchema(), createReasoningSchema()]);
/** Item of a reply. */
export type ResponseOutputItem = z.infer<ReturnType<typeof createOutputItemSchema>>;

const createUsageSchema = () =>
	z.object({
		input_tokens: z.int(),
		input_tokens_details: z.object({ cached_tokens: z.int() }),
		output_tokens: z.int(),
		output_tokens_details: z.object({ reasoning_tokens: z.int() }),
		total_tokens: z.int(),
	});
/** Tokens of a reply; cached and reasoning tokens are included in the totals. */
export type ResponseUsage = z.infer<ReturnType<typeof createUsageSchema>>;

const nullableText = z.string().nullable();
const nullableInt = z.int().nullable();

/** A reply, with the settings it was made with. Times are Unix seconds. Every key is always present. */
export const createResponseObjectSchema = () =>
	z.object({
		id: z.string(),
		object: z.literal('response'),
		created_at: z.int().describe('Unix seconds.'),
		completed_at: nullableInt,
		status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
		incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
		model: z.string(),
		previous_response_id: nullableText,
		instructions: nullableText,
		output: z.array(createOutputItemSchema()),
		error: z.object({ code: z.string(), message: z.string() }).nullable(),
		tools: z.array(responseToolSchema),
		tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
		truncation: z.enum(['auto', 'disabled']),
		parallel_tool_calls: z.boolean(),
		text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
		top_p: z.number(),
		temperature: z.number(),
		presence_penalty: z.number(),
		frequency_penalty: z.number(),
		top_logprobs: z.int(),
		reasoning: z.object({ effort: nullableText, summary: nullableText }),
		user: nullableText,
		usage: createUsageSchema().nullable(),
		max_output_tokens: nullableInt,
		max_tool_calls: nullableInt,
		store: z.boolean(),
		background: z.boolean(),
		service_tier: z.string(),
		metadata: z.record(z.string(), z.unknown()),
		safety_identifier: nullableText,
		prompt_cache_key: nullableText,
		conversation_id: z.string().exactOptional().describe('Conversation ID of the agent that replied.'),
	});
export type ResponseObject = z.infer<ReturnType<typeof createResponseObjectSchema>>;

/** Event of a streamed reply, named by its `type`. */
export interface ResponseStreamEvent {
	type: string;
	sequence_number: number;
	[field: string]: unknown;
}
