import * as z from 'zod';
import { integerIn, numberIn } from '../ranges.ts';

/** Part of a message's content or of a tool's output: `input_text`, `input_image`, `input_file`, `output_text`, `refusal`. */
export const responsePartSchema = z.looseObject({ type: z.string().min(1) });
export type ResponsePart = z.infer<typeof responsePartSchema>;

/** Item of an input. One without a type is a message; what else it holds depends on its type. */
export const responseInputItemSchema = z.looseObject({
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

/** A tool as a request offers it: `function` and `custom` have a name, a `namespace` has tools of its own, others are the service's. */
export const responseToolSchema = z.looseObject({ ...toolFields, tools: z.array(z.looseObject(toolFields)).optional() });
export type ResponseTool = z.infer<typeof responseToolSchema>;

/** Which tools may, or must, be called: a word, one tool, or some (`allowed_tools`). */
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
	max_tool_calls: integerIn({ from: 1 }).optional(),
	max_output_tokens: integerIn({ from: 1 }).optional(),
	temperature: numberIn({ from: 0, to: 2 }).optional(),
	top_p: numberIn({ from: 0, to: 1 }).optional(),
	presence_penalty: numberIn({ from: -2, to: 2 }).optional(),
	frequency_penalty: numberIn({ from: -2, to: 2 }).optional(),
	top_logprobs: integerIn({ from: 0, to: 20 }).optional(),
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

/** How far an item is; `incomplete` was cut by a limit or a filter. */
export type ResponseItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** What the model wrote. */
export interface ResponseMessage {
	id: string;
	type: 'message';
	status: ResponseItemStatus;
	role: 'assistant';
	content: { type: 'output_text'; text: string; annotations: never[]; logprobs: never[] }[];
}

/** A call of a function; `arguments` is JSON text. `namespace`: that of its tool, where it stands in one. */
export interface ResponseFunctionCall {
	id: string;
	type: 'function_call';
	call_id: string;
	name: string;
	namespace?: string;
	arguments: string;
	status: ResponseItemStatus;
}

/** A call of a custom tool, whose input is free text. */
export interface ResponseCustomCall {
	id: string;
	type: 'custom_tool_call';
	call_id: string;
	name: string;
	namespace?: string;
	input: string;
	status: ResponseItemStatus;
}

/** What the model thought. `encrypted_content`: what the service needs to see again, for it alone to read. */
export interface ResponseReasoning {
	id: string;
	type: 'reasoning';
	summary: { type: 'summary_text'; text: string }[];
	encrypted_content?: string;
}

/** Item of a reply. */
export type ResponseOutputItem = ResponseMessage | ResponseFunctionCall | ResponseCustomCall | ResponseReasoning;

/** Tokens of a reply; those from a cache, and those of thoughts, are among the others. */
export interface ResponseUsage {
	input_tokens: number;
	input_tokens_details: { cached_tokens: number };
	output_tokens: number;
	output_tokens_details: { reasoning_tokens: number };
	total_tokens: number;
}

/** A reply, with the settings it was made with. Times are Unix seconds. Every key is always there. */
export interface ResponseObject {
	id: string;
	object: 'response';
	created_at: number;
	completed_at: number | null;
	status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
	incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null;
	model: string;
	previous_response_id: string | null;
	instructions: string | null;
	output: ResponseOutputItem[];
	error: { code: string; message: string } | null;
	tools: ResponseTool[];
	tool_choice: ResponseToolChoice;
	truncation: 'auto' | 'disabled';
	parallel_tool_calls: boolean;
	text: Record<string, unknown>;
	top_p: number;
	temperature: number;
	presence_penalty: number;
	frequency_penalty: number;
	top_logprobs: number;
	reasoning: { effort: string | null; summary: string | null };
	user: string | null;
	usage: ResponseUsage | null;
	max_output_tokens: number | null;
	max_tool_calls: number | null;
	store: boolean;
	background: boolean;
	service_tier: string;
	metadata: Record<string, unknown>;
	safety_identifier: string | null;
	prompt_cache_key: string | null;
	/** That of the agent that answered, where it has conversations. */
	conversation_id?: string;
}

/** Event of a streamed reply, named by its `type`. */
export interface ResponseStreamEvent {
	type: string;
	sequence_number: number;
	[field: string]: unknown;
}
