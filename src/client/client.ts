import type Dispatcher from 'undici/types/dispatcher';
import type { AgentCheck, AgentList, AgentParameters, AgentSummary, PublishedAgent } from '../protocol/agents.ts';
import type { ChatEvent, ChatMessage, ChatMessagePage, ChatMessagesQuery, ChatResponse } from '../protocol/chat.ts';
import type { CompletionsRequest, CompletionsResponse, CompletionsStreamEvent } from '../protocol/completions.ts';
import type { GenerateContentRequest, GenerateContentResponse } from '../protocol/content.ts';
import type {
	Conversation,
	ConversationPage,
	ConversationsQuery,
	DeleteConversationRequest,
	RenameConversationRequest,
} from '../protocol/conversations.ts';
import type { WorkflowEvent } from '../protocol/events.ts';
import type { MessagesRequest, MessagesResponse, MessagesStreamEvent } from '../protocol/messages.ts';
import type {
	ContentModel,
	ContentModelPage,
	ContentTokenCount,
	MessagesModel,
	MessagesModelPage,
	MessagesTokenCount,
} from '../protocol/models.ts';
import type { UploadedFile } from '../protocol/uploads.ts';
import type { ResultResponse, StopRequest, WorkflowLogsQuery } from '../protocol/workflows.ts';
import { Caller, type CallOptions, type RequestReport } from './caller.ts';
import { type ChatInput, calls, type RunInput } from './calls.ts';
import { createDispatcher, type NetworkOptions } from './network.ts';
import type { Call, UploadSource } from './operations.ts';
import { allPages, pagesBefore, pagesByNumber, pagesFrom } from './pages.ts';
import {
	normaliseContentChunk,
	normaliseTimes,
	type ReadRunDetail,
	type ReadWorkflowLog,
	type ReadWorkflowLogPage,
	type ReadWorkflowResponse,
	readLogPage,
	readRunDetail,
	readWorkflowResponse,
} from './readers.ts';
import { isSecretHeader, Redactor } from './redaction.ts';
import { completeTimeouts, type ServiceKeys, type Target } from './requestBuilder.ts';
import { ServiceError } from './serviceError.ts';
import type { ServiceKind } from './serviceKinds.ts';
import { chatStream, completionsStream, contentStream, messagesStream, workflowStream } from './streamKinds.ts';

/** What a client is made for; the same for all its requests. */
export interface ServiceClientOptions {
	/** Where the contract's paths begin: `https://host`, or with a path; a trailing `/v1` counts once. */
	readonly baseUrl: string;
	readonly kind: ServiceKind;
	readonly keys: ServiceKeys;
	/** Extra headers of every request. Values of headers that carry credentials are redacted as keys are. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Hears of every request when it is over, each try of a retried one. */
	readonly onRequest?: (report: RequestReport) => void;
	readonly network?: NetworkOptions;
}

/**
 * One client for every operation of a service. All methods reject with {@link ServiceError}, streams throw it; limits of the contract are
 * checked before anything is sent. Streams send their request when they are first read and end it when the loop is left.
 */
export class ServiceClient {
	readonly #caller: Caller;
	#dispatcher: Dispatcher | undefined;

	/** Opens no connection. Throws {@link ServiceError} `invalid-request` where the base URL is none. */
	constructor(options: ServiceClientOptions) {
		const network = options.network ?? {};
		const target: Target = {
			baseUrl: parseBaseUrl(options.baseUrl),
			kind: options.kind,
			keys: options.keys,
			headers: options.headers ?? {},
			timeouts: completeTimeouts(network.timeouts),
		};
		this.#caller = new Caller(
			target,
			() => {
				this.#dispatcher ??= createDispatcher(target.baseUrl, network);
				return this.#dispatcher;
			},
			new Redactor(secretsOf(target, network)),
			report => options.onRequest?.(report),
		);
	}

	/** A1, `blocking`: resolves when the run has ended, whatever its status. */
	async runWorkflow(request: RunInput, options?: CallOptions): Promise<ReadWorkflowResponse> {
		return readWorkflowResponse(await this.#caller.json(calls.runWorkflow(request), options));
	}

	/** A1, `streaming`. An `error` event comes out, then the stream throws it. A run that failed ends with `workflow_finished` as any other. */
	streamWorkflow(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.#caller.stream(workflowStream, calls.streamWorkflow(request), options);
	}

	/** A2: a run by its ID (`workflow_run_id`). */
	async getRun(runId: string, query: { readonly model: string }, options?: CallOptions): Promise<ReadRunDetail> {
		return readRunDetail(await this.#caller.json(calls.getRun(runId, query), options));
	}

	/**
	 * A3: stops a streaming run by the `task_id` of its events; `user` must be the run's. Some services answer success without stopping
	 * anything (Dify; wire facts 1.1): only the run's detail tells.
	 */
	async stopRun(taskId: string, body: StopRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.#caller.json(calls.stopRun(taskId, body), options, success);
	}

	/**
	 * Events of a run from its first, those that have been and those to come, as {@link streamWorkflow} gives them (built-in gateway; Dify
	 * from 1.14). With it a run is taken up again whose stream was lost.
	 */
	followRun(runId: string, query: StopRequest, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.#caller.stream(workflowStream, calls.followRun(runId, query), options);
	}

	/** A4: one page of runs, newest first. */
	async listLogs(query: WorkflowLogsQuery, options?: CallOptions): Promise<ReadWorkflowLogPage> {
		return readLogPage(await this.#caller.json(calls.listLogs(query), options));
	}

	/** A4: all runs from the query's page on, fetched page by page while they are read. */
	allLogs(query: WorkflowLogsQuery, options?: CallOptions): AsyncGenerator<ReadWorkflowLog, void> {
		return pagesByNumber(query.page ?? 1, page => this.listLogs({ ...query, page }, options));
	}

	/** B2: one page of a user's conversations with an agent. */
	async listConversations(query: ConversationsQuery, options?: CallOptions): Promise<ConversationPage> {
		const page = await this.#caller.json<ConversationPage>(calls.listConversations(query), options);
		page.data.forEach(normaliseTimes);
		return page;
	}

	/** B2: all conversations after the query's `last_id`. */
	allConversations(query: ConversationsQuery, options?: CallOptions): AsyncGenerator<Conversation, void> {
		return pagesFrom(query.last_id, last_id => this.listConversations({ ...query, ...(last_id !== undefined && { last_id }) }, options));
	}

	/** B3: renames, or has a name generated. */
	async renameConversation(id: string, body: RenameConversationRequest, options?: CallOptions): Promise<Conversation> {
		return normaliseTimes(await this.#caller.json<Conversation>(calls.renameConversation(id, body), options));
	}

	/** B1: deletes a conversation and its messages. An answer without a body is a success (Dify since 1.0). */
	async deleteConversation(id: string, body: DeleteConversationRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.#caller.json(calls.deleteConversation(id, body), options, success);
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

	/** E1. `model` with or without `models/` before it. */
	async generateContent(model: string, body: GenerateContentRequest, options?: CallOptions): Promise<GenerateContentResponse> {
		const reply = await this.#caller.json<GenerateContentResponse>(calls.generateContent(model, body), options);
		normaliseContentChunk(reply);
		return reply;
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
		const list = await this.#caller.json<AgentList>(calls.listAgents(), options);
		return list.data.map(normaliseTimes);
	}

	/** Publishes an agent's file as it is now (built-in gateway). */
	async publishAgent(name: string, options?: CallOptions): Promise<AgentSummary> {
		return normaliseTimes(await this.#caller.json<AgentSummary>(calls.publishAgent(name), options));
	}

	/** Takes an agent's published version back (built-in gateway). */
	async unpublishAgent(name: string, options?: CallOptions): Promise<AgentSummary> {
		return normaliseTimes(await this.#caller.json<AgentSummary>(calls.unpublishAgent(name), options));
	}

	/** What a text says as the file of an agent, and what is wrong with it (built-in gateway). */
	async checkAgent(name: string, source: string, options?: CallOptions): Promise<AgentCheck> {
		return this.#caller.json(calls.checkAgent(name, source), options);
	}

	/** The text of an agent's published version (built-in gateway). */
	async publishedAgent(name: string, options?: CallOptions): Promise<PublishedAgent> {
		return this.#caller.json(calls.publishedAgent(name), options);
	}

	/** Runs an agent's file as it is now, published or not (built-in gateway); otherwise {@link runWorkflow}. */
	async runDraft(request: RunInput, options?: CallOptions): Promise<ReadWorkflowResponse> {
		return readWorkflowResponse(await this.#caller.json(calls.runDraft(request), options));
	}

	/** Runs an agent's file as it is now, published or not (built-in gateway); otherwise {@link streamWorkflow}. */
	streamDraft(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.#caller.stream(workflowStream, calls.streamDraft(request), options);
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
		return normaliseTimes(await this.#caller.json<UploadedFile>(calls.uploadFile(file, owner), options));
	}

	/** A turn of a conversation with an agent, whole. */
	async createChatMessage(body: ChatInput, options?: CallOptions): Promise<ChatResponse> {
		return normaliseTimes(await this.#caller.json<ChatResponse>(calls.createChatMessage(body), options));
	}

	/** A turn of a conversation with an agent, as it comes. */
	streamChatMessage(body: ChatInput, options?: CallOptions): AsyncIterableIterator<ChatEvent> {
		return this.#caller.stream(chatStream, calls.streamChatMessage(body), options);
	}

	/** Stops a streamed chat turn by the `task_id` of its events. */
	async stopChatMessage(taskId: string, body: StopRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.#caller.json(calls.stopChatMessage(taskId, body), options, success);
	}

	/** One page of a conversation's messages: the newest, or those before `first_id`. */
	async listChatMessages(query: ChatMessagesQuery, options?: CallOptions): Promise<ChatMessagePage> {
		const page = await this.#caller.json<ChatMessagePage>(calls.listChatMessages(query), options);
		page.data.forEach(normaliseTimes);
		return page;
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
			after_id => this.#caller.json(calls.listMessagesModels({ after_id, limit: 1000 }), options),
			page => (page.has_more ? (page.last_id ?? undefined) : undefined),
		);
		return pages.flatMap(page => page.data);
	}

	/** Models for E, all pages. */
	async listContentModels(options?: CallOptions): Promise<ContentModel[]> {
		const pages = await allPages<ContentModelPage>(
			pageToken => this.#caller.json(calls.listContentModels({ pageToken, pageSize: 1000 }), options),
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

function parseBaseUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) {
		throw new ServiceError('invalid-request', 'The base URL of this connection must begin with http:// or https://.', { field: 'baseUrl' });
	}
	return url;
}

/** Everything that must not be shown: keys, credentials in headers of the connection, passwords in its URLs. */
function* secretsOf(target: Target, network: NetworkOptions): Generator<string> {
	yield* Object.values(target.keys).filter(key => key !== undefined);
	for (const [name, value] of Object.entries(target.headers)) {
		if (isSecretHeader(name)) {
			yield value;
			yield value.replace(/^\w+\s+/, '');
		}
	}
	const environment = network.environment ?? process.env;
	const proxies = [
		network.proxy,
		...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(name => [environment[name], environment[name.toLowerCase()]]),
	];
	for (const url of [target.baseUrl.href, ...proxies]) {
		if (url && URL.canParse(url)) {
			const { password } = new URL(url);
			yield password;
			yield decodeURIComponent(password);
		}
	}
}
