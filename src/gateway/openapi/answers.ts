import * as z from 'zod';
import type { AgentCheck, AgentList, AgentParameters, AgentSummary, PublishedAgent } from '#contract/agents.ts';
import type { ChatMessagePage, ChatResponse, CompletionResponse } from '#contract/chat.ts';
import type { Conversation, ConversationPage } from '#contract/conversations.ts';
import type { DebugAnswers, DebugVariable } from '#contract/debugging.ts';
import type { HumanInputForm } from '#contract/humanInput.ts';
import type { DatasetStatus } from '#contract/knowledge.ts';
import type { CompletionsResponse } from '#contract/text/completions.ts';
import type { GenerateContentResponse } from '#contract/text/content.ts';
import type { BatchEmbedContentsResponse, EmbedContentResponse } from '#contract/text/contentEmbeddings.ts';
import type { MessagesResponse } from '#contract/text/messages.ts';
import type {
	ContentModel,
	ContentModelPage,
	ContentTokenCount,
	MessagesModel,
	MessagesModelPage,
	MessagesTokenCount,
} from '#contract/text/models.ts';
import type { ModelCacheSize, TextCallBodies, TextCallPage, UsageReport } from '#contract/text/textCalls.ts';
import type { UploadedFile } from '#contract/uploads.ts';
import type { ResultResponse, WorkflowLogPage, WorkflowResponse, WorkflowRunDetail } from '#contract/workflows.ts';

// What is answered, for the description alone: nothing is checked with it. Each schema is held to the type that both sides share.

const values = z.record(z.string(), z.unknown());
const texts = z.array(z.string());
const timestamp = z.union([z.number(), z.string()]);

const summary = {
	id: z.string(),
	workflow_id: z.string(),
	status: z.string(),
	error: z.string().nullable(),
	elapsed_time: z.number(),
	total_tokens: z.int(),
	total_steps: z.union([z.int(), z.string()]),
	created_at: timestamp,
	finished_at: timestamp.nullable(),
};

/** Answers of A and B, and of what stands beside them. */
export const workflowAnswer: z.ZodType<WorkflowResponse> = z.looseObject({
	workflow_run_id: z.string(),
	task_id: z.string(),
	data: z.looseObject({ ...summary, outputs: values.nullable() }),
});

const changeByHand = z.looseObject({
	selector: z.array(z.union([z.string(), z.int()])),
	value: z.unknown(),
	previous: z.unknown(),
	node_id: z.string(),
	agent: z.string().exactOptional(),
	created_at: z.number(),
});

export const runDetailAnswer: z.ZodType<WorkflowRunDetail> = z.looseObject({
	...summary,
	inputs: z.union([values, z.string()]),
	outputs: z.union([values, z.string()]).nullable(),
	changed_by_hand: z.array(changeByHand).exactOptional(),
});

export const resultAnswer: z.ZodType<ResultResponse> = z.looseObject({ result: z.literal('success') });

const debugVariable: z.ZodType<DebugVariable> = z.looseObject({
	name: z.string(),
	text: z.string(),
	type: z.string(),
	children: z.int(),
	path: z.array(z.union([z.string(), z.int()])).exactOptional(),
	selector: z.string().exactOptional(),
	settable: z.boolean(),
	value: z.string().exactOptional(),
});
const debugScope = z.looseObject({
	name: z.string(),
	path: z.array(z.string()),
	children: z.int(),
	expensive: z.boolean().exactOptional(),
});
const completion = z.looseObject({ label: z.string(), detail: z.string().exactOptional(), start: z.int(), length: z.int() });
export const debugAnswer: z.ZodType<DebugAnswers[keyof DebugAnswers] | ResultResponse> = z.union([
	resultAnswer,
	z.looseObject({ scopes: z.array(debugScope) }),
	z.looseObject({ variables: z.array(debugVariable), total: z.int() }),
	z.looseObject({ items: z.array(completion) }),
	debugVariable,
]);

const { workflow_id: _, ...logged } = summary;
export const logsAnswer: z.ZodType<WorkflowLogPage> = z.looseObject({
	page: z.int(),
	limit: z.int(),
	total: z.int(),
	has_more: z.boolean(),
	data: z.array(
		z.looseObject({
			id: z.string(),
			workflow_run: z.looseObject({ ...logged, version: z.string().exactOptional() }),
			created_from: z.string().exactOptional(),
			created_by_role: z.string().exactOptional(),
			created_by_account: z.looseObject({ id: z.string(), name: z.string(), email: z.string() }).nullable().exactOptional(),
			created_by_end_user: z
				.looseObject({ id: z.string(), type: z.string(), is_anonymous: z.boolean(), session_id: z.string() })
				.nullable()
				.exactOptional(),
			created_at: timestamp,
		}),
	),
});

const conversation = z.looseObject({
	id: z.string(),
	name: z.string(),
	inputs: values,
	status: z.string(),
	introduction: z.string(),
	created_at: timestamp,
	updated_at: timestamp.exactOptional(),
});
export const conversationAnswer: z.ZodType<Conversation> = conversation;
export const conversationsAnswer: z.ZodType<ConversationPage> = z.looseObject({
	data: z.array(conversation),
	has_more: z.boolean(),
	limit: z.int(),
});

const completionMessage = {
	event: z.string(),
	task_id: z.string(),
	id: z.string(),
	message_id: z.string(),
	mode: z.string(),
	answer: z.string(),
	metadata: values,
	created_at: timestamp,
};
export const completionMessageAnswer: z.ZodType<CompletionResponse> = z.looseObject(completionMessage);
export const chatAnswer: z.ZodType<ChatResponse> = z.looseObject({ ...completionMessage, conversation_id: z.string() });

export const chatMessagesAnswer: z.ZodType<ChatMessagePage> = z.looseObject({
	limit: z.int(),
	has_more: z.boolean(),
	data: z.array(
		z.looseObject({
			id: z.string(),
			conversation_id: z.string(),
			inputs: values,
			query: z.string(),
			answer: z.string(),
			status: z.string().exactOptional(),
			error: z.string().nullable().exactOptional(),
			created_at: timestamp,
		}),
	),
});

const source = { type: z.string(), selector: texts.exactOptional() };
export const formAnswer: z.ZodType<HumanInputForm> = z.looseObject({
	form_content: z.string(),
	inputs: z.array(
		z.looseObject({
			type: z.string(),
			output_variable_name: z.string(),
			default: z
				.looseObject({ ...source, value: z.string().exactOptional() })
				.nullable()
				.exactOptional(),
			option_source: z.looseObject({ ...source, value: texts.exactOptional() }).exactOptional(),
			allowed_file_types: texts.exactOptional(),
			allowed_file_extensions: texts.exactOptional(),
			allowed_file_upload_methods: z.array(z.enum(['local_file', 'remote_url'])).exactOptional(),
			number_limits: z.int().exactOptional(),
		}),
	),
	resolved_default_values: z.record(z.string(), z.string()),
	user_actions: z.array(z.looseObject({ id: z.string(), title: z.string(), button_style: z.string() })),
	expiration_time: z.int().nullable(),
});
export const formTakenAnswer = z.strictObject({});

export const uploadAnswer: z.ZodType<UploadedFile> = z.looseObject({
	id: z.string(),
	name: z.string(),
	size: z.int(),
	extension: z.string().nullable(),
	mime_type: z.string().nullable(),
	created_by: z.union([z.string(), z.number()]).nullable().exactOptional(),
	created_at: timestamp,
});

const variable = z.looseObject({
	variable: z.string(),
	label: z.string(),
	type: z.string(),
	required: z.boolean(),
	max_length: z.int().exactOptional(),
	options: texts.exactOptional(),
	default: z.unknown().exactOptional(),
	hint: z.string().exactOptional(),
	allowed_file_types: texts.exactOptional(),
	allowed_file_extensions: texts.exactOptional(),
	allowed_file_upload_methods: texts.exactOptional(),
});
const trigger = z.looseObject({ id: z.string(), title: z.string(), type: z.string(), variables: z.array(variable) });
const agent = z.looseObject({
	name: z.string(),
	mode: z.string(),
	description: z.string(),
	published: z.boolean(),
	draft: z.boolean(),
	workflow_id: z.string().nullable(),
	file: z.string().nullable(),
	variables: z.array(variable),
	triggers: z.array(trigger).exactOptional(),
	error: z.string().nullable(),
	updated_at: timestamp,
});
export const agentAnswer: z.ZodType<AgentSummary> = agent;
export const agentsAnswer: z.ZodType<AgentList> = z.looseObject({ data: z.array(agent) });
export const checkAnswer: z.ZodType<AgentCheck> = z.looseObject({
	variables: z.array(variable),
	triggers: z.array(trigger).exactOptional(),
	mode: z.string(),
	faults: z.array(
		z.looseObject({ message: z.string(), line: z.int(), path: z.string(), severity: z.union([z.literal('error'), z.literal('warning')]) }),
	),
});
export const publishedAnswer: z.ZodType<PublishedAgent> = z.looseObject({
	workflow_id: z.string().nullable(),
	source: z.string().nullable(),
});
export const parametersAnswer: z.ZodType<AgentParameters> = z.looseObject({
	file_upload: z.looseObject({ enabled: z.boolean().exactOptional() }).exactOptional(),
	user_input_form: z
		.array(z.record(z.string(), z.looseObject({ variable: z.string(), max_length: z.int().exactOptional() })))
		.exactOptional(),
	system_parameters: z
		.looseObject({ image_file_size_limit: z.number().exactOptional(), file_size_limit: z.number().exactOptional() })
		.exactOptional(),
});
export const infoAnswer = z.looseObject({ name: z.string(), description: z.string(), tags: texts, mode: z.string() });
export const metaAnswer = z.looseObject({ tool_icons: values });
export const healthAnswer = z.looseObject({ status: z.literal('ok'), service: z.string(), pid: z.int(), problem: z.string().optional() });
/** What answers at `/`, with the paths of its description and its health. */
export const rootAnswer = z.looseObject({ service: z.string(), description: z.string(), health: z.string() });
/** The description itself. */
export const descriptionAnswer = z.looseObject({ openapi: z.string(), info: values, paths: values });

const known = z.int().nullable();
export const textCallsAnswer: z.ZodType<TextCallPage> = z.looseObject({
	limit: z.int(),
	has_more: z.boolean(),
	next_id: z.string().nullable(),
	data: z.array(
		z.looseObject({
			id: z.string(),
			created_at: z.number(),
			endpoint: z.string(),
			model: z.string(),
			route: z.string(),
			provider: z.string(),
			status: z.int(),
			error: z.string().nullable(),
			user: z.string(),
			agent: z.string().nullable(),
			run_id: z.string().nullable(),
			tries: z.int(),
			cache_hit: z.boolean(),
			elapsed_time: z.number(),
			input_tokens: known,
			cached_tokens: known,
			output_tokens: known,
			cost: z.number().nullable(),
			currency: z.string().nullable(),
		}),
	),
});
export const textCallAnswer: z.ZodType<TextCallBodies> = z.looseObject({ request: z.string().nullable(), reply: z.string().nullable() });
export const usageAnswer: z.ZodType<UsageReport> = z.looseObject({
	data: z.array(
		z.looseObject({
			name: z.string(),
			currency: z.string(),
			calls: z.int(),
			failed: z.int(),
			cache_hits: z.int(),
			input_tokens: z.int(),
			cached_tokens: z.int(),
			output_tokens: z.int(),
			cost: z.number(),
		}),
	),
});
export const modelCacheAnswer: z.ZodType<ModelCacheSize> = z.looseObject({ entries: z.int(), bytes: z.int() });

const messagesModel = z.looseObject({
	type: z.string(),
	id: z.string(),
	display_name: z.string(),
	created_at: z.string().exactOptional(),
	object: z.literal('model').exactOptional(),
	created: z.int().exactOptional(),
	owned_by: z.string().exactOptional(),
	max_input_tokens: z.int().exactOptional(),
});
const contentModel = z.looseObject({
	name: z.string(),
	displayName: z.string().exactOptional(),
	supportedGenerationMethods: texts.exactOptional(),
});

/** Answers of C. */
export const messagesAnswer: z.ZodType<MessagesResponse> = z.looseObject({
	id: z.string(),
	type: z.literal('message'),
	role: z.literal('assistant'),
	model: z.string(),
	content: z.array(z.looseObject({ type: z.string(), text: z.string().exactOptional() })),
	stop_reason: z.string().nullable(),
	stop_sequence: z.string().nullable().exactOptional(),
	stop_sequences: z.string().nullable().exactOptional(),
	usage: z.looseObject({ input_tokens: z.int().exactOptional(), output_tokens: z.int().exactOptional() }),
});
export const messagesCountAnswer: z.ZodType<MessagesTokenCount> = z.looseObject({ input_tokens: z.int() });
export const messagesModelAnswer: z.ZodType<MessagesModel> = messagesModel;
export const messagesModelsAnswer: z.ZodType<MessagesModelPage> = z.looseObject({
	data: z.array(messagesModel),
	has_more: z.boolean(),
	first_id: z.string().nullable(),
	last_id: z.string().nullable(),
});

/** Answer of D. */
export const completionsAnswer: z.ZodType<CompletionsResponse> = z.looseObject({
	id: z.string(),
	type: z.literal('completion'),
	model: z.string(),
	completion: z.string(),
	stop_reason: z.string().nullable(),
});

/** Answers of E. */
export const contentAnswer: z.ZodType<GenerateContentResponse> = z.looseObject({
	candidates: z
		.array(
			z.looseObject({
				content: z
					.looseObject({
						role: z.string().exactOptional(),
						parts: z.array(z.looseObject({ text: z.string().exactOptional() })).exactOptional(),
					})
					.exactOptional(),
				finishReason: z.string().exactOptional(),
				index: z.int().exactOptional(),
			}),
		)
		.exactOptional(),
	promptFeedback: z.looseObject({ blockReason: z.string().exactOptional() }).exactOptional(),
	usageMetadata: z
		.looseObject({
			promptTokenCount: z.int().exactOptional(),
			candidatesTokenCount: z.int().exactOptional(),
			totalTokenCount: z.int().exactOptional(),
		})
		.exactOptional(),
	modelVersion: z.string().exactOptional(),
	responseId: z.string().exactOptional(),
});
export const contentCountAnswer: z.ZodType<ContentTokenCount> = z.looseObject({ totalTokens: z.int() });
const contentEmbedding = z.looseObject({ values: z.array(z.number()) });
const embeddingUsage = z.looseObject({ promptTokenCount: z.int().exactOptional() }).exactOptional();
export const embedContentAnswer: z.ZodType<EmbedContentResponse> = z.looseObject({
	embedding: contentEmbedding,
	usageMetadata: embeddingUsage,
});
export const batchEmbedContentsAnswer: z.ZodType<BatchEmbedContentsResponse> = z.looseObject({
	embeddings: z.array(contentEmbedding),
	usageMetadata: embeddingUsage,
});
export const contentModelAnswer: z.ZodType<ContentModel> = contentModel;
export const contentModelsAnswer: z.ZodType<ContentModelPage> = z.looseObject({
	models: z.array(contentModel),
	nextPageToken: z.string().exactOptional(),
});

const count = z.int().optional();

export const datasetAnswer: z.ZodType<DatasetStatus> = z.looseObject({
	id: z.string(),
	name: z.string(),
	kind: z.enum(['folder', 'dify']),
	folder: z.string().optional(),
	state: z.enum(['indexing', 'ready', 'failed']),
	documents: count,
	waiting: count,
	left_out: count,
	failed: count,
	segments: count,
	embedded: count,
	notes: z.array(z.string()),
	problems: z.array(z.looseObject({ path: z.string(), problem: z.string() })),
}) as z.ZodType<DatasetStatus>;

export const datasetsAnswer = z.looseObject({ data: z.array(datasetAnswer) });
