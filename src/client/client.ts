import type Dispatcher from 'undici/types/dispatcher';
import type { AgentCheck, AgentList, AgentParameters, AgentSecretValues, AgentSummary, PublishedAgent } from '#contract/agents.ts';
import type { ChatEvent, ChatMessage, ChatMessagePage, ChatMessagesQuery, ChatResponse } from '#contract/chat.ts';
import type {
	Conversation,
	ConversationPage,
	ConversationsQuery,
	DeleteConversationRequest,
	RenameConversationRequest,
} from '#contract/conversations.ts';
import type { DebugAnswers, DebugCommand, DebugEvent } from '#contract/debugging.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { FollowRunQuery, FormSubmission, HumanInputForm } from '#contract/humanInput.ts';
import type { DatasetList, DatasetStatus } from '#contract/knowledge.ts';
import type { ChatCompletionsBody, ChatCompletionsChunk } from '#contract/openai/receivedChatCompletions.ts';
import type { CompletionsRequest, CompletionsResponse, CompletionsStreamEvent } from '#contract/text/completions.ts';
import type { GenerateContentRequest, GenerateContentResponse } from '#contract/text/content.ts';
import type { MessagesRequest, MessagesResponse, MessagesStreamEvent } from '#contract/text/messages.ts';
import type {
	ContentModel,
	ContentModelPage,
	ContentTokenCount,
	MessagesModel,
	MessagesModelPage,
	MessagesTokenCount,
} from '#contract/text/models.ts';
import type {
	ModelCacheSize,
	TextCallBodies,
	TextCallPage,
	TextCallsQuery,
	UsageEntry,
	UsageQuery,
	UsageReport,
} from '#contract/text/textCalls.ts';
import type { UploadedFile } from '#contract/uploads.ts';
import type { ResultResponse, StopRequest, WorkflowLogsQuery } from '#contract/workflows.ts';
import { Redactor } from '#network/redaction.ts';
import { AppFeatures } from './appFeatures.ts';
import { Caller, type CallOptions } from './caller.ts';
import { type ChatInput, calls, type DebugInput, type DebugSessionName, type RunInput } from './calls.ts';
import type { Call, UploadSource } from './operations.ts';
import { allPages, pagesBefore, pagesByNumber, pagesFrom } from './pages.ts';
import {
	normaliseTimes,
	type ReadRunDetail,
	type ReadWorkflowLog,
	type ReadWorkflowLogPage,
	type ReadWorkflowResponse,
	readContent,
	readContentModels,
	readLogPage,
	readPage,
	readRunDetail,
	readWorkflowResponse,
} from './readers.ts';
import { openDispatcher, type ServiceClientOptions, secretsOf, targetOf } from './serviceTarget.ts';
import {
	chatCompletionsStream,
	chatStream,
	completionsStream,
	contentStream,
	messagesStream,
	workflowStream,
} from './streams/streamKinds.ts';

/** The answer to a command. */
export type DebugAnswer<C extends DebugCommand> = C['command'] extends keyof DebugAnswers ? DebugAnswers[C['command']] : ResultResponse;

/**
 * One client for every operation of a service. All methods reject with {@link ServiceError}, streams throw it; limits of the contract are
 * checked before anything is sent. Streams send their request when they are first read and end it when the loop is left.
 */
export class ServiceClient {
	/** What apps of Dify have around their messages. */
	readonly app: AppFeatures;
	readonly #caller: Caller;
	#dispatcher: Dispatcher | undefined;

	/** Opens no connection. Throws {@link ServiceError} `invalid-request` where the base URL is none. */
	constructor(options: ServiceClientOptions) {
		const network = options.network ?? {};
		const target = targetOf(options);
		this.#caller = new Caller(
			target,
			() => {
				this.#dispatcher ??= openDispatcher(target, network);
				return this.#dispatcher;
			},
			new Redactor(secretsOf(target, network)),
			report => options.onRequest?.(report),
		);
		this.app = new AppFeatures(this.#caller);
	}

	/** A1, `blocking`: resolves when the run has ended, whatever its status. */
	async runWorkflow(request: RunInput, options?: CallOptions): Promise<ReadWorkflowResponse> {
		return this.#caller.json(calls.runWorkflow(request), options, { read: readWorkflowResponse });
	}

	/** A1, `streaming`. An `error` event comes out, then the stream throws it. A run that failed ends with `workflow_finished` as any other. */
	streamWorkflow(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.#caller.stream(workflowStream, calls.streamWorkflow(request), options);
	}

	/** A2: a run by its ID (`workflow_run_id`). */
	async getRun(runId: string, query: { readonly model: string }, options?: CallOptions): Promise<ReadRunDetail> {
		return this.#caller.json(calls.getRun(runId, query), options, { read: readRunDetail });
	}

	/**
	 * A3: stops a streaming run by the `task_id` of its events; `user` must be the run's. Some services answer success without stopping
	 * anything (Dify; wire facts 1.1): only the run's detail tells.
	 */
	async stopRun(taskId: string, body: StopRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.#caller.json(calls.stopRun(taskId, body), options, { empty: success });
	}

	/**
	 * Events of a run from its first, those that have been and those to come, as {@link streamWorkflow} gives them (built-in gateway; Dify
	 * from 1.14). With it a run is taken up again whose stream was lost, or that goes on after a form was answered.
	 */
	followRun(runId: string, query: FollowRunQuery, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.#caller.stream(workflowStream, calls.followRun(runId, query), options);
	}

	/**
	 * Events of a chat turn's run after its last pause, those that have been and those to come, as {@link streamChatMessage} gives them
	 * (built-in gateway; Dify from 1.14).
	 */
	followChatMessage(runId: string, query: FollowRunQuery, options?: CallOptions): AsyncIterableIterator<ChatEvent> {
		return this.#caller.stream(chatStream, calls.followChatMessage(runId, query), options);
	}

	/**
	 * A form that a run waits for, by the `form_token` of its `human_input_required`. Rejects with the code `human_input_form_submitted` or
	 * `human_input_form_expired` (412) where it takes no answer any more, with the reason `not-found` where there is none.
	 */
	async getForm(token: string, query: { readonly model: string }, options?: CallOptions): Promise<HumanInputForm> {
		return this.#caller.json(calls.getForm(token, query), options);
	}

	/**
	 * Answers a form; the run goes on, and {@link followRun} tells how. Rejects as {@link getForm} does, and with the code `invalid_form_data`
	 * (400) for values that the form does not take.
	 */
	async submitForm(token: string, body: FormSubmission, options?: CallOptions): Promise<void> {
		await this.#caller.json(calls.submitForm(token, body), options, { empty: {} });
	}

	/** A4: one page of runs, newest first. */
	async listLogs(query: WorkflowLogsQuery, options?: CallOptions): Promise<ReadWorkflowLogPage> {
		return this.#caller.json(calls.listLogs(query), options, { read: readLogPage });
	}

	/** A4: all runs from the query's page on, fetched page by page while they are read. */
	allLogs(query: WorkflowLogsQuery, options?: CallOptions): AsyncGenerator<ReadWorkflowLog, void> {
		return pagesByNumber(query.page ?? 1, page => this.listLogs({ ...query, page }, options));
	}

	/** B2: one page of a user's conversations with an agent. */
	async listConversations(query: ConversationsQuery, options?: CallOptions): Promise<ConversationPage> {
		return this.#caller.json(calls.listConversations(query), options, { read: readPage<ConversationPage> });
	}

	/** B2: all conversations after the query's `last_id`. */
	allConversations(query: ConversationsQuery, options?: CallOptions): AsyncGenerator<Conversation, void> {
		return pagesFrom(query.last_id, last_id => this.listConversations({ ...query, ...(last_id !== undefined && { last_id }) }, options));
	}

	/** B3: renames, or has a name generated. */
	async renameConversation(id: string, body: RenameConversationRequest, options?: CallOptions): Promise<Conversation> {
		return this.#caller.json(calls.renameConversation(id, body), options, { read: normaliseTimes<Conversation> });
	}

	/** B1: deletes a conversation and its messages. An answer without a body is a success (Dify since 1.0). */
	async deleteConversation(id: string, body: DeleteConversationRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.#caller.json(calls.deleteConversation(id, body), options, { empty: success });
	}

	/** C1 without `stream`. */
	async createMessage(body: MessagesRequest, options?: CallOptions): Promise<MessagesResponse> {
		return this.#caller.json(calls.createMessage(body), options);
	}

	/** C1 with `stream`. */
	streamMessage(body: MessagesRequest, options?: CallOptions): AsyncIterableIterator<MessagesStreamEvent> {
		return this.#caller.stream(messagesStream, calls.streamMessage(body), options);
	}

	/** D1 without `stream`. */
	async createCompletion(body: CompletionsRequest, options?: CallOptions): Promise<CompletionsResponse> {
		return this.#caller.json(calls.createCompletion(body), options);
	}

	/** D1 with `stream`; each event's `completion` is an increment. */
	streamCompletion(body: CompletionsRequest, options?: CallOptions): AsyncIterableIterator<CompletionsStreamEvent> {
		return this.#caller.stream(completionsStream, calls.streamCompletion(body), options);
	}

	/** A chat completion of a service that speaks OpenAI's protocol, as it comes. */
	streamChatCompletion(body: ChatCompletionsBody, options?: CallOptions): AsyncIterableIterator<ChatCompletionsChunk> {
		return this.#caller.stream(chatCompletionsStream, calls.streamChatCompletion(body), options);
	}

	/** E1. `model` with or without `models/` before it. */
	async generateContent(model: string, body: GenerateContentRequest, options?: CallOptions): Promise<GenerateContentResponse> {
		return this.#caller.json(calls.generateContent(model, body), options, { read: readContent });
	}

	/** E2: partial results; texts are increments. */
	streamGenerateContent(
		model: string,
		body: GenerateContentRequest,
		options?: CallOptions,
	): AsyncIterableIterator<GenerateContentResponse> {
		return this.#caller.stream(contentStream, calls.streamGenerateContent(model, body), options);
	}

	/** Agents of the built-in gateway. */
	async listAgents(options?: CallOptions): Promise<AgentSummary[]> {
		return (await this.#caller.json(calls.listAgents(), options, { read: readPage<AgentList> })).data;
	}

	/** Publishes an agent's file as it is now (built-in gateway). */
	async publishAgent(name: string, options?: CallOptions): Promise<AgentSummary> {
		return this.#caller.json(calls.publishAgent(name), options, { read: normaliseTimes<AgentSummary> });
	}

	/** Takes an agent's published version back (built-in gateway). */
	async unpublishAgent(name: string, options?: CallOptions): Promise<AgentSummary> {
		return this.#caller.json(calls.unpublishAgent(name), options, { read: normaliseTimes<AgentSummary> });
	}

	/** What a text says as the file of an agent, and what is wrong with it (built-in gateway). */
	async checkAgent(name: string, source: string, options?: CallOptions): Promise<AgentCheck> {
		return this.#caller.json(calls.checkAgent(name, source), options);
	}

	/** Gives values for the secrets that an agent's file leaves open, for as long as the gateway's process lives (built-in gateway). */
	async giveAgentSecrets(name: string, body: AgentSecretValues, options?: CallOptions): Promise<ResultResponse> {
		return this.#caller.json(calls.giveAgentSecrets(name, body), options);
	}

	/** Datasets that agents search, and how far each is indexed (built-in gateway). */
	async listDatasets(options?: CallOptions): Promise<DatasetStatus[]> {
		return (await this.#caller.json(calls.listDatasets(), options, { read: readPage<DatasetList> })).data;
	}

	/** Reads all documents of a dataset anew (built-in gateway). */
	async reindexDataset(id: string, options?: CallOptions): Promise<DatasetStatus> {
		return this.#caller.json(calls.reindexDataset(id), options);
	}

	/** One page of the request log, newest first (built-in gateway). */
	async listTextCalls(query: TextCallsQuery, options?: CallOptions): Promise<TextCallPage> {
		return this.#caller.json(calls.listTextCalls(query), options, { read: readPage<TextCallPage> });
	}

	/** What was sent and answered in a call of the request log (built-in gateway). */
	async getTextCall(id: string, options?: CallOptions): Promise<TextCallBodies> {
		return this.#caller.json(calls.getTextCall(id), options);
	}

	/** Calls, tokens and money between two days, by day, model or agent (built-in gateway). */
	async getUsage(query: UsageQuery, options?: CallOptions): Promise<readonly UsageEntry[]> {
		return (await this.#caller.json(calls.getUsage(query), options, { read: readPage<UsageReport> })).data;
	}

	/** How much the cache of replies of models holds (built-in gateway). */
	async modelCache(options?: CallOptions): Promise<ModelCacheSize> {
		return this.#caller.json(calls.modelCache(), options);
	}

	/** Clears that cache; resolves to what it held (built-in gateway). */
	async clearModelCache(options?: CallOptions): Promise<ModelCacheSize> {
		return this.#caller.json(calls.clearModelCache(), options);
	}

	/** The text of an agent's published version (built-in gateway). */
	async publishedAgent(name: string, options?: CallOptions): Promise<PublishedAgent> {
		return this.#caller.json(calls.publishedAgent(name), options);
	}

	/** Runs an agent's file as it is now, published or not (built-in gateway); otherwise {@link runWorkflow}. */
	async runDraft(request: RunInput, options?: CallOptions): Promise<ReadWorkflowResponse> {
		return this.#caller.json(calls.runDraft(request), options, { read: readWorkflowResponse });
	}

	/** Runs an agent's file as it is now, published or not (built-in gateway); otherwise {@link streamWorkflow}. */
	streamDraft(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.#caller.stream(workflowStream, calls.streamDraft(request), options);
	}

	/**
	 * Runs an agent's file as it is now under a debugger (built-in gateway): {@link streamDraft} with events of the session between those of the run.
	 * The run is stopped where the stream is left before its end.
	 */
	debugRun(request: DebugInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent | DebugEvent> {
		return this.#caller.stream(workflowStream, calls.debugRun(request), options);
	}

	/**
	 * Tells the debugger of a session what to do, or asks it. Rejects where the session is over, and with the service's sentence where the command
	 * cannot be followed: a value of the wrong type, an expression that fails, a branch that does not stand.
	 */
	async commandDebugger<C extends DebugCommand>(session: DebugSessionName, command: C, options?: CallOptions): Promise<DebugAnswer<C>> {
		return this.#caller.json(calls.commandDebugger(session, command), options);
	}

	/** What an agent tells of its input form: which files it takes (built-in gateway; Dify). */
	async agentParameters(query: { readonly model: string }, options?: CallOptions): Promise<AgentParameters> {
		return this.#caller.json(calls.agentParameters(query), options);
	}

	/** Uploads a file for a run; its `id` is a file object's `upload_file_id`. */
	async uploadFile(
		file: UploadSource,
		owner: { readonly user: string; readonly model?: string },
		options?: CallOptions,
	): Promise<UploadedFile> {
		return this.#caller.json(calls.uploadFile(file, owner), options, { read: normaliseTimes<UploadedFile> });
	}

	/** A turn of a conversation with an agent, whole. */
	async createChatMessage(body: ChatInput, options?: CallOptions): Promise<ChatResponse> {
		return this.#caller.json(calls.createChatMessage(body), options, { read: normaliseTimes<ChatResponse> });
	}

	/** A turn of a conversation with an agent, as it comes. */
	streamChatMessage(body: ChatInput, options?: CallOptions): AsyncIterableIterator<ChatEvent> {
		return this.#caller.stream(chatStream, calls.streamChatMessage(body), options);
	}

	/** Stops a streamed chat turn by the `task_id` of its events. */
	async stopChatMessage(taskId: string, body: StopRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.#caller.json(calls.stopChatMessage(taskId, body), options, { empty: success });
	}

	/** One page of a conversation's messages: the newest, or those before `first_id`. */
	async listChatMessages(query: ChatMessagesQuery, options?: CallOptions): Promise<ChatMessagePage> {
		return this.#caller.json(calls.listChatMessages(query), options, { read: readPage<ChatMessagePage> });
	}

	/** All messages of a conversation, newest first. */
	allChatMessages(query: ChatMessagesQuery, options?: CallOptions): AsyncGenerator<ChatMessage, void> {
		return pagesBefore(query.first_id, first_id =>
			this.listChatMessages({ ...query, ...(first_id !== undefined && { first_id }) }, options),
		);
	}

	/** Models for C and D, all pages. */
	async listMessagesModels(options?: CallOptions): Promise<MessagesModel[]> {
		const pages = await allPages<MessagesModelPage>(
			after_id => this.#caller.json(calls.listMessagesModels({ after_id, limit: 1000 }), options, { read: readPage<MessagesModelPage> }),
			page => (page.has_more ? (page.last_id ?? undefined) : undefined),
		);
		return pages.flatMap(page => page.data);
	}

	/** Models for E, all pages. */
	async listContentModels(options?: CallOptions): Promise<ContentModel[]> {
		const pages = await allPages<ContentModelPage>(
			pageToken => this.#caller.json(calls.listContentModels({ pageToken, pageSize: 1000 }), options, { read: readContentModels }),
			page => page.nextPageToken,
		);
		return pages.flatMap(page => page.models ?? []);
	}

	/** Tokens that a body of C1 would cost as input. */
	async countMessagesTokens(body: MessagesRequest, options?: CallOptions): Promise<MessagesTokenCount> {
		return this.#caller.json(calls.countMessagesTokens(body), options);
	}

	/** Tokens that a body of E1 would cost as input. */
	async countContentTokens(model: string, body: GenerateContentRequest, options?: CallOptions): Promise<ContentTokenCount> {
		return this.#caller.json(calls.countContentTokens(model, body), options);
	}

	/**
	 * What a method would send, as a command for a POSIX shell: `curl('streamWorkflow', request)`. Keys are environment variables in it,
	 * `$AGENT_WORKBENCH_KEY` first of all.
	 */
	async curl<M extends keyof typeof calls>(method: M, ...args: Parameters<(typeof calls)[M]>): Promise<string> {
		const call = (calls[method] as (...args: unknown[]) => Call)(...args);
		return this.#caller.curl(call);
	}

	/** Ends all requests and closes all connections. */
	async close(): Promise<void> {
		await this.#dispatcher?.destroy();
	}
}

const success: ResultResponse = { result: 'success' };
