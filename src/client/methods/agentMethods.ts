import type { AgentParameters } from '#contract/agents.ts';
import type { ChatEvent, ChatMessage, ChatMessagePage, ChatMessagesQuery, ChatResponse } from '#contract/chat.ts';
import type {
	Conversation,
	ConversationPage,
	ConversationsQuery,
	DeleteConversationRequest,
	RenameConversationRequest,
} from '#contract/conversations.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { FollowRunQuery, FormSubmission, HumanInputForm } from '#contract/humanInput.ts';
import type { UploadedFile } from '#contract/uploads.ts';
import type { ResultResponse, StopRequest, WorkflowLogsQuery } from '#contract/workflows.ts';
import type { Call, ChatInput, RunInput, UploadSource } from '../call.ts';
import type { CallOptions } from '../caller.ts';
import { iteratePagesBefore, iteratePagesByNumber, iteratePagesFrom } from '../pages.ts';
import {
	normalizePage,
	normalizeTimes,
	type ReadRunDetail,
	type ReadWorkflowLog,
	type ReadWorkflowLogPage,
	type ReadWorkflowResponse,
	readLogPage,
	readRunDetail,
	readWorkflowResponse,
} from '../readers.ts';
import { chatStream, workflowStream } from '../streams/streamKinds.ts';
import { GatewayMethods, toBlockingBody, toStreamingBody } from './gatewayMethods.ts';

/** Agents, their runs and conversations: groups A and B of the contract, and related operations. */
export abstract class AgentMethods extends GatewayMethods {
	/** Runs a workflow and returns its result (A1, `blocking`). Resolves when the run has finished, with any status. */
	async runWorkflow(request: RunInput, options?: CallOptions): Promise<ReadWorkflowResponse> {
		return this.caller.requestJson({ operation: 'runWorkflow', body: toBlockingBody(request) }, options, { read: readWorkflowResponse });
	}

	/**
	 * Runs a workflow and streams its events (A1, `streaming`). An `error` event is returned, and then the stream throws it. A failed run ends
	 * with `workflow_finished` like any other.
	 */
	streamWorkflow(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.caller.streamEvents(workflowStream, { operation: 'runWorkflow', body: toStreamingBody(request), stream: true }, options);
	}

	/** Returns a run by its ID, `workflow_run_id` (A2). */
	async getRun(runId: string, query: { readonly model: string }, options?: CallOptions): Promise<ReadRunDetail> {
		return this.caller.requestJson({ operation: 'getRun', path: { workflow_id: runId }, query }, options, { read: readRunDetail });
	}

	/**
	 * Stops a streaming run by the `task_id` of its events (A3). `user` must be the user who started it. Some services report success without
	 * stopping anything (Dify; wire facts 1.1), so only the run's details show whether it stopped.
	 */
	async stopRun(taskId: string, body: StopRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.caller.requestJson({ operation: 'stopRun', path: { task_id: taskId }, body }, options, { empty: success });
	}

	/**
	 * Streams all events of a run, past and future, like {@link streamWorkflow} (built-in gateway; Dify from 1.14). Use it to resume a lost
	 * stream, or a run that continues after a form was submitted.
	 */
	followRun(runId: string, query: FollowRunQuery, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.caller.streamEvents(workflowStream, createFollowCall('followRun', runId, query), options);
	}

	/**
	 * Streams all events, past and future, of a chat turn's run after its last pause, like {@link streamChatMessage} (built-in gateway; Dify
	 * from 1.14).
	 */
	followChatMessage(runId: string, query: FollowRunQuery, options?: CallOptions): AsyncIterableIterator<ChatEvent> {
		return this.caller.streamEvents(chatStream, createFollowCall('followChatMessage', runId, query), options);
	}

	/**
	 * Returns a form that a run waits for, by the `form_token` of its `human_input_required`. Rejects with the code
	 * `human_input_form_submitted` or `human_input_form_expired` (412) if it no longer accepts a submission, and with the reason `not-found`
	 * if it doesn't exist.
	 */
	async getForm(token: string, query: { readonly model: string }, options?: CallOptions): Promise<HumanInputForm> {
		return this.caller.requestJson({ operation: 'getForm', path: { form_token: token }, query }, options);
	}

	/**
	 * Submits a form; the run continues, and {@link followRun} reports its events. Rejects like {@link getForm}, and with the code
	 * `invalid_form_data` (400) for values that the form doesn't accept.
	 */
	async submitForm(token: string, body: FormSubmission, options?: CallOptions): Promise<void> {
		await this.caller.requestJson({ operation: 'submitForm', path: { form_token: token }, body }, options, { empty: {} });
	}

	/** Returns one page of runs, newest first (A4). */
	async listLogs(query: WorkflowLogsQuery, options?: CallOptions): Promise<ReadWorkflowLogPage> {
		return this.caller.requestJson({ operation: 'listLogs', query }, options, { read: readLogPage });
	}

	/** Yields all runs from the query's page on, and fetches pages on demand (A4). */
	iterateLogs(query: WorkflowLogsQuery, options?: CallOptions): AsyncGenerator<ReadWorkflowLog, void> {
		return iteratePagesByNumber(query.page ?? 1, page => this.listLogs({ ...query, page }, options));
	}

	/** Returns one page of a user's conversations with an agent (B2). */
	async listConversations(query: ConversationsQuery, options?: CallOptions): Promise<ConversationPage> {
		return this.caller.requestJson({ operation: 'listConversations', query }, options, { read: normalizePage<ConversationPage> });
	}

	/** Yields all conversations after the query's `last_id` (B2). */
	iterateConversations(query: ConversationsQuery, options?: CallOptions): AsyncGenerator<Conversation, void> {
		return iteratePagesFrom(query.last_id, last_id =>
			this.listConversations({ ...query, ...(last_id !== undefined && { last_id }) }, options),
		);
	}

	/** Renames a conversation, or generates a name (B3). */
	async renameConversation(id: string, body: RenameConversationRequest, options?: CallOptions): Promise<Conversation> {
		return this.caller.requestJson({ operation: 'renameConversation', path: { conversation_id: id }, body }, options, {
			read: normalizeTimes<Conversation>,
		});
	}

	/** Deletes a conversation and its messages (B1). A response without a body is a success (Dify since 1.0). */
	async deleteConversation(id: string, body: DeleteConversationRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.caller.requestJson({ operation: 'deleteConversation', path: { conversation_id: id }, body }, options, { empty: success });
	}

	/** Returns an agent's input form and the files it accepts (built-in gateway; Dify). */
	async getAgentParameters(query: { readonly model: string }, options?: CallOptions): Promise<AgentParameters> {
		return this.caller.requestJson({ operation: 'agentParameters', query }, options);
	}

	/** Uploads a file for a run; its `id` is a file object's `upload_file_id`. */
	async uploadFile(
		file: UploadSource,
		owner: { readonly user: string; readonly model?: string },
		options?: CallOptions,
	): Promise<UploadedFile> {
		return this.caller.requestJson({ operation: 'uploadFile', body: owner, file }, options, { read: normalizeTimes<UploadedFile> });
	}

	/** Runs a chat turn with an agent and returns the complete reply. */
	async createChatMessage(body: ChatInput, options?: CallOptions): Promise<ChatResponse> {
		return this.caller.requestJson({ operation: 'createChatMessage', body: toBlockingBody(body) }, options, {
			read: normalizeTimes<ChatResponse>,
		});
	}

	/** Runs a chat turn with an agent and streams the reply. */
	streamChatMessage(body: ChatInput, options?: CallOptions): AsyncIterableIterator<ChatEvent> {
		return this.caller.streamEvents(chatStream, { operation: 'createChatMessage', body: toStreamingBody(body), stream: true }, options);
	}

	/** Stops a streamed chat turn by the `task_id` of its events. */
	async stopChatMessage(taskId: string, body: StopRequest, options?: CallOptions): Promise<ResultResponse> {
		return this.caller.requestJson({ operation: 'stopChatMessage', path: { task_id: taskId }, body }, options, { empty: success });
	}

	/** Returns one page of a conversation's messages: the newest, or those before `first_id`. */
	async listChatMessages(query: ChatMessagesQuery, options?: CallOptions): Promise<ChatMessagePage> {
		return this.caller.requestJson({ operation: 'listChatMessages', query }, options, { read: normalizePage<ChatMessagePage> });
	}

	/** Yields all messages of a conversation, newest first. */
	iterateChatMessages(query: ChatMessagesQuery, options?: CallOptions): AsyncGenerator<ChatMessage, void> {
		return iteratePagesBefore(query.first_id, first_id =>
			this.listChatMessages({ ...query, ...(first_id !== undefined && { first_id }) }, options),
		);
	}
}

function createFollowCall(operation: Call['operation'], runId: string, query: FollowRunQuery): Call {
	const { model, user, include_state_snapshot: snapshot, continue_on_pause: pause } = query;
	return {
		operation,
		path: { workflow_id: runId },
		query: {
			model,
			...(user !== undefined && { user }),
			...(snapshot !== undefined && { include_state_snapshot: String(snapshot) }),
			...(pause !== undefined && { continue_on_pause: String(pause) }),
		},
		stream: true,
	};
}

const success: ResultResponse = { result: 'success' };
