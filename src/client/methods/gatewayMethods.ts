import type { AgentCheck, AgentList, AgentSecretValues, AgentSummary, PublishedAgent } from '#contract/agents.ts';
import type { DebugAnswer } from '#contract/debugAnswers.ts';
import type { DebugCommand, DebugEvent } from '#contract/debugging.ts';
import { debugKeyHeader } from '#contract/debugLimits.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { DatasetList, DatasetStatus } from '#contract/knowledge.ts';
import type { OpenedRecording, OpenRecordingRequest, TakenCalls } from '#contract/recordings/recordings.ts';
import type {
	ModelCacheSize,
	TextCallBodies,
	TextCallPage,
	TextCallsQuery,
	UsageEntry,
	UsageQuery,
	UsageReport,
} from '#contract/text/textCalls.ts';
import type { ResultResponse } from '#contract/workflows.ts';
import type { Call, DebugInput, RunInput } from '../call.ts';
import type { CallOptions } from '../caller.ts';
import { normalizePage, normalizeTimes, type ReadWorkflowResponse, readWorkflowResponse } from '../readers.ts';
import { workflowStream } from '../streams/streamKinds.ts';
import { TextMethods } from './textMethods.ts';

/** Identifies a debug session and proves that it belongs to the caller. */
interface DebugSessionName {
	readonly session_id: string;
	readonly key: string;
}

/** Operations that only the built-in gateway has. */
export abstract class GatewayMethods extends TextMethods {
	async listAgents(options?: CallOptions): Promise<AgentSummary[]> {
		return (await this.caller.requestJson({ operation: 'listAgents' }, options, { read: normalizePage<AgentList> })).data;
	}

	/** Publishes the current file of an agent (built-in gateway). */
	async publishAgent(name: string, options?: CallOptions): Promise<AgentSummary> {
		return this.caller.requestJson({ operation: 'publishAgent', path: { model: name }, body: {} }, options, {
			read: normalizeTimes<AgentSummary>,
		});
	}

	/** Unpublishes an agent (built-in gateway). */
	async unpublishAgent(name: string, options?: CallOptions): Promise<AgentSummary> {
		return this.caller.requestJson({ operation: 'unpublishAgent', path: { model: name }, body: {} }, options, {
			read: normalizeTimes<AgentSummary>,
		});
	}

	/** Returns the file of an agent's published version (built-in gateway). */
	async getPublishedAgent(name: string, options?: CallOptions): Promise<PublishedAgent> {
		return this.caller.requestJson({ operation: 'publishedAgent', path: { model: name } }, options);
	}

	/** Reads a string as the file of an agent, and returns its variables and diagnostics (built-in gateway). */
	async checkAgent(name: string, source: string, options?: CallOptions): Promise<AgentCheck> {
		return this.caller.requestJson({ operation: 'checkAgent', path: { model: name }, body: { source } }, options);
	}

	/** Sets values for secrets that an agent's file has no value for, until the gateway's process exits (built-in gateway). */
	async setAgentSecrets(name: string, body: AgentSecretValues, options?: CallOptions): Promise<ResultResponse> {
		return this.caller.requestJson({ operation: 'giveAgentSecrets', path: { model: name }, body }, options);
	}

	/** Returns the datasets that agents search, with their indexing progress (built-in gateway). */
	async listDatasets(options?: CallOptions): Promise<DatasetStatus[]> {
		return (await this.caller.requestJson({ operation: 'listDatasets' }, options, { read: normalizePage<DatasetList> })).data;
	}

	/** Reindexes all documents of a dataset (built-in gateway). */
	async reindexDataset(id: string, options?: CallOptions): Promise<DatasetStatus> {
		return this.caller.requestJson({ operation: 'reindexDataset', path: { id }, body: {} }, options);
	}

	/** Opens a recording for runs that replay it or add to it (built-in gateway). */
	async openRecording(body: OpenRecordingRequest, options?: CallOptions): Promise<OpenedRecording> {
		return this.caller.requestJson({ operation: 'openRecording', body }, options);
	}

	/** Takes the calls that were recorded since the last request (built-in gateway). */
	async takeRecordedCalls(id: string, options?: CallOptions): Promise<TakenCalls> {
		return this.caller.requestJson({ operation: 'takeRecordedCalls', path: { id }, body: {} }, options);
	}

	/** Closes a recording (built-in gateway). */
	async closeRecording(id: string, options?: CallOptions): Promise<ResultResponse> {
		return this.caller.requestJson({ operation: 'closeRecording', path: { id } }, options);
	}

	/** Returns one page of the request log, newest first (built-in gateway). */
	async listTextCalls(query: TextCallsQuery, options?: CallOptions): Promise<TextCallPage> {
		return this.caller.requestJson({ operation: 'listTextCalls', query }, options, { read: normalizePage<TextCallPage> });
	}

	/** Returns the request and response of a call in the request log (built-in gateway). */
	async getTextCall(id: string, options?: CallOptions): Promise<TextCallBodies> {
		return this.caller.requestJson({ operation: 'getTextCall', path: { id } }, options);
	}

	/** Returns calls, tokens and cost between two days, by day, model or agent (built-in gateway). */
	async getUsage(query: UsageQuery, options?: CallOptions): Promise<readonly UsageEntry[]> {
		return (await this.caller.requestJson({ operation: 'getUsage', query }, options, { read: normalizePage<UsageReport> })).data;
	}

	/** Returns the size of the cache of model replies (built-in gateway). */
	async getModelCacheSize(options?: CallOptions): Promise<ModelCacheSize> {
		return this.caller.requestJson({ operation: 'modelCache' }, options);
	}

	/** Clears the cache of model replies; resolves to its former size (built-in gateway). */
	async clearModelCache(options?: CallOptions): Promise<ModelCacheSize> {
		return this.caller.requestJson({ operation: 'clearModelCache' }, options);
	}

	/** Runs an agent's current file, published or not (built-in gateway); otherwise like {@link runWorkflow}. */
	async runDraft(request: RunInput, options?: CallOptions): Promise<ReadWorkflowResponse> {
		return this.caller.requestJson({ operation: 'runDraft', body: toBlockingBody(request) }, options, { read: readWorkflowResponse });
	}

	/** Runs an agent's current file, published or not (built-in gateway); otherwise like {@link streamWorkflow}. */
	streamDraft(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.caller.streamEvents(workflowStream, { operation: 'runDraft', body: toStreamingBody(request), stream: true }, options);
	}

	/**
	 * Debugs an agent's current file (built-in gateway): like {@link streamDraft}, with events of the debug session between those of the
	 * run. Leaving the stream early stops the run.
	 */
	debugRun(request: DebugInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent | DebugEvent> {
		return this.caller.streamEvents(workflowStream, { operation: 'debugRun', body: toStreamingBody(request), stream: true }, options);
	}

	/**
	 * Sends a command to the debugger of a session. Rejects if the session has ended, and with the service's message if the command can't be
	 * carried out: a value of the wrong type, an expression that fails, a branch that isn't paused.
	 */
	async sendDebugCommand<C extends DebugCommand>(
		{ session_id, key }: DebugSessionName,
		command: C,
		options?: CallOptions,
	): Promise<DebugAnswer<C>> {
		return this.caller.requestJson(
			{ operation: 'commandDebugger', path: { session_id }, headers: { [debugKeyHeader]: key }, body: command },
			options,
		);
	}
}

/** Returns the body of a run or chat turn with a complete response. */
export function toBlockingBody(request: object): NonNullable<Call['body']> {
	return { ...request, response_mode: 'blocking' };
}

/** Returns the body of a run or chat turn that streams its events. */
export function toStreamingBody(request: object): NonNullable<Call['body']> {
	return { ...request, response_mode: 'streaming' };
}
