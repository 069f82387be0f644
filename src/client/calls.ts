import type { AgentSecretValues } from '#contract/agents.ts';
import type { ChatMessagesQuery, ChatRequest } from '#contract/chat.ts';
import type { ConversationsQuery, DeleteConversationRequest, RenameConversationRequest } from '#contract/conversations.ts';
import type { DebugCommand, DebugRequest } from '#contract/debugging.ts';
import type { FollowRunQuery, FormSubmission } from '#contract/humanInput.ts';
import type { ChatCompletionsBody } from '#contract/openai/receivedChatCompletions.ts';
import type { CompletionsRequest } from '#contract/text/completions.ts';
import type { GenerateContentRequest } from '#contract/text/content.ts';
import type { MessagesRequest } from '#contract/text/messages.ts';
import type { TextCallsQuery, UsageQuery } from '#contract/text/textCalls.ts';
import type { StopRequest, WorkflowLogsQuery, WorkflowRunRequest } from '#contract/workflows.ts';
import type { Call, Operation, UploadSource } from './operations.ts';

/** A body some of whose fields the method fills in (`Omit` would lose all fields of a type that lets others pass). */
type Without<T, K extends keyof T> = { [F in keyof T as string extends F ? never : F extends K ? never : F]: T[F] } & {
	[F in K]?: T[F];
} & {
	[field: string]: unknown;
};

/** Body of a run; the method says its mode. */
export type RunInput = Without<WorkflowRunRequest, 'response_mode'>;
/** Body of a debugged run; it is always streamed. */
export type DebugInput = Without<DebugRequest, 'response_mode'>;
/** Body of a chat turn; the method says its mode. */
export type ChatInput = Without<ChatRequest, 'response_mode'>;

/** Names a debug session, and proves that it is one's own. */
export interface DebugSessionName {
	readonly session_id: string;
	readonly key: string;
}

/** The call of each of the client's methods; the same is sent and shown as cURL. */
export const calls = {
	runWorkflow: (request: RunInput) => work('runWorkflow', request),
	streamWorkflow: (request: RunInput) => streamedWork('runWorkflow', request),
	runDraft: (request: RunInput) => work('runDraft', request),
	streamDraft: (request: RunInput) => streamedWork('runDraft', request),
	debugRun: (request: DebugInput) => streamedWork('debugRun', request),
	commandDebugger: ({ session_id, key }: DebugSessionName, command: DebugCommand): Call => ({
		operation: 'commandDebugger',
		id: { name: 'session_id', value: session_id },
		headers: { 'x-debug-key': key },
		body: command,
	}),
	getRun: (runId: string, query: { readonly model: string }): Call => ({
		operation: 'getRun',
		id: { name: 'workflow_id', value: runId },
		query,
	}),
	stopRun: (taskId: string, body: StopRequest): Call => ({ operation: 'stopRun', id: { name: 'task_id', value: taskId }, body }),
	followRun: (runId: string, query: FollowRunQuery) => following('followRun', runId, query),
	followChatMessage: (runId: string, query: FollowRunQuery) => following('followChatMessage', runId, query),
	getForm: (token: string, query: { readonly model: string }): Call => ({ operation: 'getForm', id: form(token), query }),
	submitForm: (token: string, body: FormSubmission): Call => ({ operation: 'submitForm', id: form(token), body }),
	listLogs: (query: WorkflowLogsQuery): Call => ({ operation: 'listLogs', query }),

	listConversations: (query: ConversationsQuery): Call => ({ operation: 'listConversations', query }),
	renameConversation: (id: string, body: RenameConversationRequest): Call => ({
		operation: 'renameConversation',
		id: conversation(id),
		body,
	}),
	deleteConversation: (id: string, body: DeleteConversationRequest): Call => ({
		operation: 'deleteConversation',
		id: conversation(id),
		body,
	}),

	createMessage: (body: MessagesRequest) => generation('createMessage', body),
	streamMessage: (body: MessagesRequest) => streamedGeneration('createMessage', body),
	countMessagesTokens: ({ max_tokens, stream, ...body }: MessagesRequest): Call => ({ operation: 'countMessagesTokens', body }),
	listMessagesModels: (query: { readonly after_id?: string | undefined; readonly limit?: number } = {}): Call => ({
		operation: 'listMessagesModels',
		query,
	}),
	createCompletion: (body: CompletionsRequest) => generation('createCompletion', body),
	streamCompletion: (body: CompletionsRequest) => streamedGeneration('createCompletion', body),

	streamChatCompletion: (body: ChatCompletionsBody) => streamedGeneration('chatCompletion', body),

	generateContent: (name: string, body: GenerateContentRequest): Call => ({ operation: 'generateContent', id: model(name), body }),
	streamGenerateContent: (name: string, body: GenerateContentRequest): Call => ({
		operation: 'streamGenerateContent',
		id: model(name),
		query: { alt: 'sse' },
		body,
		stream: true,
	}),
	countContentTokens: (name: string, body: Pick<GenerateContentRequest, 'contents'>): Call => ({
		operation: 'countContentTokens',
		id: model(name),
		body: { contents: body.contents },
	}),
	listContentModels: (query: { readonly pageToken?: string | undefined; readonly pageSize?: number } = {}): Call => ({
		operation: 'listContentModels',
		query,
	}),

	listAgents: (): Call => ({ operation: 'listAgents' }),
	publishAgent: (name: string): Call => ({ operation: 'publishAgent', id: { name: 'model', value: name }, body: {} }),
	unpublishAgent: (name: string): Call => ({ operation: 'unpublishAgent', id: { name: 'model', value: name }, body: {} }),
	checkAgent: (name: string, source: string): Call => ({ operation: 'checkAgent', id: { name: 'model', value: name }, body: { source } }),
	giveAgentSecrets: (name: string, body: AgentSecretValues): Call => ({
		operation: 'giveAgentSecrets',
		id: { name: 'model', value: name },
		body,
	}),
	listDatasets: (): Call => ({ operation: 'listDatasets' }),
	reindexDataset: (id: string): Call => ({ operation: 'reindexDataset', id: { name: 'id', value: id }, body: {} }),
	listTextCalls: (query: TextCallsQuery): Call => ({ operation: 'listTextCalls', query }),
	getTextCall: (id: string): Call => ({ operation: 'getTextCall', id: { name: 'id', value: id } }),
	getUsage: (query: UsageQuery): Call => ({ operation: 'getUsage', query }),
	modelCache: (): Call => ({ operation: 'modelCache' }),
	clearModelCache: (): Call => ({ operation: 'clearModelCache' }),
	publishedAgent: (name: string): Call => ({ operation: 'publishedAgent', id: { name: 'model', value: name } }),
	agentParameters: (query: { readonly model: string }): Call => ({ operation: 'agentParameters', query }),
	uploadFile: (file: UploadSource, owner: { readonly user: string; readonly model?: string }): Call => ({
		operation: 'uploadFile',
		body: owner,
		file,
	}),
	createChatMessage: (body: ChatInput) => work('createChatMessage', body),
	streamChatMessage: (body: ChatInput) => streamedWork('createChatMessage', body),
	stopChatMessage: (taskId: string, body: StopRequest): Call => ({
		operation: 'stopChatMessage',
		id: { name: 'task_id', value: taskId },
		body,
	}),
	listChatMessages: (query: ChatMessagesQuery): Call => ({ operation: 'listChatMessages', query }),
};

function work(operation: Operation, request: object): Call {
	return { operation, body: { ...request, response_mode: 'blocking' } };
}

function streamedWork(operation: Operation, request: object): Call {
	return { operation, body: { ...request, response_mode: 'streaming' }, stream: true };
}

function following(operation: Operation, runId: string, query: FollowRunQuery): Call {
	const { model, user, include_state_snapshot, continue_on_pause } = query;
	return {
		operation,
		id: { name: 'workflow_id', value: runId },
		query: {
			model,
			...(user !== undefined && { user }),
			...(include_state_snapshot !== undefined && { include_state_snapshot }),
			...(continue_on_pause !== undefined && { continue_on_pause }),
		},
		stream: true,
	};
}

function form(token: string): NonNullable<Call['id']> {
	return { name: 'form_token', value: token };
}

function generation(operation: Operation, request: object): Call {
	return { operation, body: { ...request, stream: false } };
}

function streamedGeneration(operation: Operation, request: object): Call {
	return { operation, body: { ...request, stream: true }, stream: true };
}

function conversation(id: string): NonNullable<Call['id']> {
	return { name: 'conversation_id', value: id };
}

/** Lists call a model `models/NAME`, paths want its name. */
function model(name: string): NonNullable<Call['id']> {
	return { name: 'model', value: typeof name === 'string' ? name.replace(/^models\//, '') : name };
}
