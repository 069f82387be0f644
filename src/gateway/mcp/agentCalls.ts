import { isOneShotMode } from '#agentFile/appModes.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunData } from '#contract/workflows.ts';
import type { AgentRegistry, RunnableAgent } from '../agents/agentRegistry.ts';
import { ChatTurn } from '../chat/chatTurn.ts';
import type { RunService } from '../runs/runService.ts';
import type { Store } from '../store/store.ts';
import { type CallArguments, readArguments } from './callArguments.ts';
import { FileArguments } from './fileArguments.ts';
import { RunProgress } from './runProgress.ts';
import { createFailedReply, createToolReply, type EndedCall } from './runReply.ts';
import type { ToolCall, ToolReply } from './servedTools.ts';
import { describeInputs, getToolInputs } from './toolInputs.ts';

export interface AgentCallParts {
	readonly agents: AgentRegistry;
	readonly runs: RunService;
	readonly store: Pick<Store, 'uploads' | 'conversations'>;
}

/** A validated run that is queued. */
interface Prepared extends Disposable {
	readonly runId: string;
	/** Resolves when the run has ended or paused. Rejects if it failed as a chat turn. */
	run(): Promise<Pick<EndedCall, 'data' | 'turn'>>;
}

/**
 * Runs an agent for a tool call. Canceling the call stops its run, and the call ends once the run has stopped. Returns errors as replies.
 */
export async function callAgent(parts: AgentCallParts, name: string, call: ToolCall): Promise<ToolReply> {
	const progress = new RunProgress(call.reportProgress);
	let runId: string | undefined;
	try {
		const target = await parts.agents.getPublishedVersion(name);
		using prepared = await prepareCall(parts, target, call, progress);
		runId = prepared.runId;
		const stop = () => void parts.runs.stopRuns([prepared.runId]);
		call.signal.addEventListener('abort', stop);
		try {
			call.signal.throwIfAborted();
			const ended = await prepared.run();
			return createToolReply({ agent: name, runId, progress, ...ended });
		} finally {
			call.signal.removeEventListener('abort', stop);
		}
	} catch (error) {
		if (call.signal.aborted) {
			return createFailedReply('The call was canceled.', runId);
		}
		if (!(error instanceof ServiceFault)) {
			throw error;
		}
		return runId === undefined
			? createFailedReply(error.message)
			: createToolReply({ agent: name, runId, progress, data: { status: 'failed', error: error.message, outputs: null } });
	}
}

async function prepareCall(parts: AgentCallParts, target: RunnableAgent, call: ToolCall, progress: RunProgress): Promise<Prepared> {
	const inputs = getToolInputs(target.agent);
	// each client program counts as a user, because conversations and files belong to users
	const user = `mcp:${call.client.slice(0, 100)}`;
	try {
		const given = await readArguments(inputs, call.arguments, new FileArguments(parts.store.uploads, user));
		return isOneShotMode(target.agent.mode)
			? await prepareRun(parts, target, user, given, progress)
			: await prepareTurn(parts, target, user, given, progress);
	} catch (error) {
		// for invalid inputs, add which ones are valid
		throw error instanceof ServiceFault && error.reason === 'bad-request'
			? new ServiceFault(400, `${error.message.replace(/\.$/, '')}. ${describeInputs(inputs)}`)
			: error;
	}
}

async function prepareRun(
	{ runs }: AgentCallParts,
	target: RunnableAgent,
	user: string,
	{ inputs, files }: CallArguments,
	progress: RunProgress,
): Promise<Prepared> {
	const prepared = await runs.prepareRun({ target, inputs, files, user, mode: 'streaming' });
	return {
		runId: prepared.id,
		run: async () => {
			const live = await prepared.start(event => progress.handleEvent(event));
			const { data } = await live.done;
			return { data };
		},
		[Symbol.dispose]: () => prepared[Symbol.dispose](),
	};
}

async function prepareTurn(
	{ runs, store }: AgentCallParts,
	target: RunnableAgent,
	user: string,
	{ inputs, files, query, conversation }: CallArguments,
	progress: RunProgress,
): Promise<Prepared> {
	const prepared = await ChatTurn.prepareTurn(store.conversations, runs, target, {
		model: target.row.name,
		query,
		inputs: { ...inputs },
		files: [...files],
		user,
		response_mode: 'streaming',
		...(conversation !== undefined && { conversation_id: conversation }),
	});
	return {
		runId: prepared.runId,
		run: async () => {
			const { turn, reply } = await prepared.start(json => progress.handleEvent(JSON.parse(json) as WorkflowEvent));
			const { answer, data }: { readonly answer: string; readonly data: RunData } = await reply;
			return { data, turn: { answer, conversation: turn.conversation.id } };
		},
		[Symbol.dispose]: () => prepared[Symbol.dispose](),
	};
}
