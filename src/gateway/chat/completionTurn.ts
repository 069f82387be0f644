import { randomUUID } from 'node:crypto';
import type { CompletionRequest } from '#contract/chat.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { LiveRun } from '../runs/liveRun.ts';
import type { RunService } from '../runs/runService.ts';
import { type SendChatEvent, type TurnEnd, TurnEvents } from './turnEvents.ts';

/** A validated completion in the queue. Disposing of it frees its slot, unless its run has started. */
interface PreparedCompletion extends Disposable {
	/** IDs in its events. */
	readonly ids: { readonly task_id: string; readonly message_id: string };
	/** Unix milliseconds. */
	readonly createdAt: number;
	start(send?: SendChatEvent): Promise<{ readonly run: LiveRun; readonly reply: Promise<TurnEnd> }>;
}

/**
 * Validates a request to a completion app, and returns a function that runs it as a message without a conversation. Throws an error (400)
 * if the agent isn't a completion app, and for invalid inputs. `reply` rejects if the run failed.
 */
export async function prepareCompletion(runs: RunService, target: RunnableAgent, request: CompletionRequest): Promise<PreparedCompletion> {
	if (target.agent.mode !== 'completion') {
		throw new ServiceFault(400, 'App unavailable, please check your app configurations.', { code: 'app_unavailable' });
	}
	const { user, inputs, query = '', files = [], response_mode: mode } = request;
	const chat = { query, conversationId: '', dialogueCount: 1, variables: {}, history: [] };
	const prepared = await runs.prepareRun({ target, inputs, files, user, mode, ...(query !== '' && { chat }) });
	const ids = { task_id: prepared.taskId, message_id: randomUUID() };
	const createdAt = Date.now();
	return {
		ids,
		createdAt,
		start: async (send = () => {}) => {
			const events = new TurnEvents({ ...ids, created_at: Math.floor(createdAt / 1000) }, target.agent, send);
			const run = await prepared.start(event => events.forwardEvent(event));
			return { run, reply: finishCompletion(run, events, ids.message_id) };
		},
		[Symbol.dispose]: () => prepared[Symbol.dispose](),
	};
}

async function finishCompletion(run: LiveRun, events: TurnEvents, id: string): Promise<TurnEnd> {
	const end = events.getTurnResult(await run.done.catch((error: unknown) => error));
	const { failure, metadata } = end;
	if (failure) {
		events.emitEvent({ event: 'error', ...failure });
		throw new ServiceFault(failure.status, failure.message, { code: failure.code });
	}
	events.emitEvent({ event: 'message_end', id, metadata, files: [] });
	return end;
}
