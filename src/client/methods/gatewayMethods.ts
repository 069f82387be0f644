import type { AgentCheck, AgentList, AgentSecretValues, AgentSummary, PublishedAgent } from '#contract/agents.ts';
import { type DebugAnswer, type DebugCommand, type DebugEvent, debugKeyHeader } from '#contract/debugging.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { DatasetList, DatasetStatus } from '#contract/knowledge.ts';
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
import { normaliseTimes, type ReadWorkflowResponse, readPage, readWorkflowResponse } from '../readers.ts';
import { workflowStream } from '../streams/streamKinds.ts';
import { TextMethods } from './textMethods.ts';

/** Names a debug session, and proves that it is the caller's. */
interface DebugSessionName {
	readonly session_id: string;
	readonly key: string;
}

/** What only the built-in gateway has. */
export abstract class GatewayMethods extends TextMethods {
	/** Agents of the built-in gateway. */
	async listAgents(options?: CallOptions): Promise<AgentSummary[]> {
		return (await this.caller.json({ operation: 'listAgents' }, options, { read: readPage<AgentList> })).data;
	}

	/** Publishes an agent's file as it is now (built-in gateway). */
	async publishAgent(name: string, options?: CallOptions): Promise<AgentSummary> {
		return this.caller.json({ operation: 'publishAgent', path: { model: name }, body: {} }, options, {
			read: normaliseTimes<AgentSummary>,
		});
	}

	/** Unpublishes an agent (built-in gateway). */
	async unpublishAgent(name: string, options?: CallOptions): Promise<AgentSummary> {
		return this.caller.json({ operation: 'unpublishAgent', path: { model: name }, body: {} }, options, {
			read: normaliseTimes<AgentSummary>,
		});
	}

	/** The text of an agent's published version (built-in gateway). */
	async publishedAgent(name: string, options?: CallOptions): Promise<PublishedAgent> {
		return this.caller.json({ operation: 'publishedAgent', path: { model: name } }, options);
	}

	/** Reads a string as the file of an agent, and returns its variables and diagnostics (built-in gateway). */
	async checkAgent(name: string, source: string, options?: CallOptions): Promise<AgentCheck> {
		return this.caller.json({ operation: 'checkAgent', path: { model: name }, body: { source } }, options);
	}

	/** Gives values for the secrets that an agent's file leaves open, for as long as the gateway's process lives (built-in gateway). */
	async giveAgentSecrets(name: string, body: AgentSecretValues, options?: CallOptions): Promise<ResultResponse> {
		return this.caller.json({ operation: 'giveAgentSecrets', path: { model: name }, body }, options);
	}

	/** Datasets that agents search, and how far each is indexed (built-in gateway). */
	async listDatasets(options?: CallOptions): Promise<DatasetStatus[]> {
		return (await this.caller.json({ operation: 'listDatasets' }, options, { read: readPage<DatasetList> })).data;
	}

	/** Reads all documents of a dataset again (built-in gateway). */
	async reindexDataset(id: string, options?: CallOptions): Promise<DatasetStatus> {
		return this.caller.json({ operation: 'reindexDataset', path: { id }, body: {} }, options);
	}

	/** One page of the request log, newest first (built-in gateway). */
	async listTextCalls(query: TextCallsQuery, options?: CallOptions): Promise<TextCallPage> {
		return this.caller.json({ operation: 'listTextCalls', query }, options, { read: readPage<TextCallPage> });
	}

	/** What was sent and received in a call of the request log (built-in gateway). */
	async getTextCall(id: string, options?: CallOptions): Promise<TextCallBodies> {
		return this.caller.json({ operation: 'getTextCall', path: { id } }, options);
	}

	/** Calls, tokens and money between two days, by day, model or agent (built-in gateway). */
	async getUsage(query: UsageQuery, options?: CallOptions): Promise<readonly UsageEntry[]> {
		return (await this.caller.json({ operation: 'getUsage', query }, options, { read: readPage<UsageReport> })).data;
	}

	/** How much the cache of replies of models holds (built-in gateway). */
	async modelCache(options?: CallOptions): Promise<ModelCacheSize> {
		return this.caller.json({ operation: 'modelCache' }, options);
	}

	/** Clears that cache; resolves to what it held (built-in gateway). */
	async clearModelCache(options?: CallOptions): Promise<ModelCacheSize> {
		return this.caller.json({ operation: 'clearModelCache' }, options);
	}

	/** Runs an agent's file as it is now, published or not (built-in gateway); otherwise {@link runWorkflow}. */
	async runDraft(request: RunInput, options?: CallOptions): Promise<ReadWorkflowResponse> {
		return this.caller.json({ operation: 'runDraft', body: blocking(request) }, options, { read: readWorkflowResponse });
	}

	/** Runs an agent's file as it is now, published or not (built-in gateway); otherwise {@link streamWorkflow}. */
	streamDraft(request: RunInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent> {
		return this.caller.stream(workflowStream, { operation: 'runDraft', body: streaming(request), stream: true }, options);
	}

	/**
	 * Runs an agent's file as it is now under a debugger (built-in gateway): {@link streamDraft} with events of the session between those of the run.
	 * The run is stopped if the stream is left before its end.
	 */
	debugRun(request: DebugInput, options?: CallOptions): AsyncIterableIterator<WorkflowEvent | DebugEvent> {
		return this.caller.stream(workflowStream, { operation: 'debugRun', body: streaming(request), stream: true }, options);
	}

	/**
	 * Sends a command to the debugger of a session. Rejects if the session is over, and with the service's message if the command
	 * cannot be carried out: a value of the wrong type, an expression that fails, a branch that isn't paused.
	 */
	async commandDebugger<C extends DebugCommand>(
		{ session_id, key }: DebugSessionName,
		command: C,
		options?: CallOptions,
	): Promise<DebugAnswer<C>> {
		return this.caller.json(
			{ operation: 'commandDebugger', path: { session_id }, headers: { [debugKeyHeader]: key }, body: command },
			options,
		);
	}
}

/** Body of a run or a chat turn whose response comes as a whole. */
export function blocking(request: object): NonNullable<Call['body']> {
	return { ...request, response_mode: 'blocking' };
}

/** Body of a run or a chat turn whose events come as they happen. */
export function streaming(request: object): NonNullable<Call['body']> {
	return { ...request, response_mode: 'streaming' };
}
