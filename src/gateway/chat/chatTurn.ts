import { randomUUID } from 'node:crypto';
import { hasGraph, isOneShotMode } from '#agentFile/appModes.ts';
import type { ChatRequest } from '#contract/chat.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunData } from '#contract/workflows.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { fillPromptPlaceholders } from '#engine/modelApps/placeholders.ts';
import type { ChatContext } from '#engine/run/engineTypes.ts';
import type { PausedRun } from '#engine/run/pausedRun.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { FinishedRun, LiveRun } from '../runs/liveRun.ts';
import type { PreparedRun, RunOrder } from '../runs/runOrder.ts';
import type { RunService } from '../runs/runService.ts';
import type { ConversationRow, ConversationStore, MessageRow } from '../store/conversationStore.ts';
import { getHistory, toHistory } from './conversationHistory.ts';
import { createConversationName, newConversationName } from './conversationName.ts';
import { createVariableKeeper, fillVariables, type KeepVariables } from './conversationVariables.ts';
import { type KeptTurn, type SendChatEvent, TurnEvents } from './turnEvents.ts';

/** Saved result of a turn. */
interface ChatReply {
	readonly answer: string;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly data: RunData;
}

/** One turn of a chat with an agent: its run, its message in the store, and its events in Dify's format. */
export class ChatTurn {
	readonly messageId: string;
	readonly conversation: ConversationRow;
	/** Unix milliseconds. */
	readonly createdAt: number;
	readonly #store: ConversationStore;
	readonly #events: TurnEvents;
	/** Computes the variables for the next turn. */
	readonly #keep: KeepVariables;

	private constructor(
		store: ConversationStore,
		conversation: ConversationRow,
		keep: KeepVariables,
		message: Pick<MessageRow, 'id' | 'created_at'>,
		run: PreparedRun,
		agent: LoadedAgent,
		send: SendChatEvent,
		paused?: KeptTurn,
	) {
		this.#store = store;
		this.#keep = keep;
		this.messageId = message.id;
		this.createdAt = message.created_at;
		this.conversation = conversation;
		this.#events = new TurnEvents(
			{
				task_id: run.taskId,
				...(hasGraph(agent.mode) && { workflow_run_id: run.id }),
				message_id: message.id,
				conversation_id: conversation.id,
				created_at: Math.floor(message.created_at / 1000),
			},
			agent,
			send,
			paused,
		);
	}

	/** Starts a resumed run, together with its chat turn if it has one. */
	static async resumeTurn(
		store: ConversationStore,
		agent: LoadedAgent,
		run: PreparedRun,
		{ variables }: Pick<PausedRun, 'variables'>,
	): Promise<void> {
		const message = store.getTurnOfRun(run.id);
		const conversation = message && store.getBySeq(message.conversation);
		if (!conversation) {
			await run.start();
			return;
		}
		const turn = new ChatTurn(
			store,
			conversation,
			createVariableKeeper(variables['conversation'] ?? {}, agent),
			message,
			run,
			agent,
			() => {},
			message,
		);
		const live = await run.start(event => turn.#events.forwardEvent(event));
		// errors are reported to the followers of the run
		turn.#finishTurn(live).catch(() => {});
	}

	/**
	 * Validates a turn, and returns its IDs and a function that runs it. Throws an error: 400 if the agent isn't a chat agent or the inputs
	 * are invalid, 404 if this user has no such conversation. `more` has further options of the run and, if the caller stores the previous
	 * turns, these.
	 */
	static async prepareTurn(
		store: ConversationStore,
		runs: RunService,
		target: RunnableAgent,
		request: ChatRequest,
		{ history, ...more }: Pick<RunOrder, 'gate'> & { readonly history?: ChatContext['history'] } = {},
	): Promise<PreparedTurn> {
		const { user, query, files = [], response_mode: mode, mocks, attack, cache, recording } = request;
		if (isOneShotMode(target.agent.mode)) {
			throw new ServiceFault(400, 'Please check if your app mode matches the right API route.', { code: 'not_chat_app' });
		}
		if (target.agent.mode === 'agent-chat' && mode === 'blocking') {
			throw new ServiceFault(400, 'Agent Chat App does not support blocking mode', { params: 'response_mode' });
		}
		const known = request.conversation_id ? getConversation(store, target, user, request.conversation_id) : undefined;
		const inputs = known ? { ...(JSON.parse(known.inputs) as Record<string, unknown>), ...request.inputs } : request.inputs;
		const conversation = known ?? createConversation(target, request);
		const variables = fillVariables(conversation.variables, target.agent);
		const chat = { query, variables, ...getHistory(store, conversation), ...(history && toHistory(history)) };
		const prepared = await runs.prepareRun({
			target,
			inputs,
			files,
			user,
			mode,
			chat,
			...(mocks && { mocks }),
			...(attack && { attack }),
			...(cache !== undefined && { cache }),
			...(recording && { recording }),
			...more,
		});
		const keep = createVariableKeeper({ ...target.agent.conversation, ...variables }, target.agent);
		const messageId = randomUUID();
		const start = async (send: SendChatEvent = () => {}): Promise<RunningTurn> => {
			const row = known ?? store.createConversation(conversation);
			const turn = new ChatTurn(store, row, keep, { id: messageId, created_at: Date.now() }, prepared, target.agent, send);
			const begun = store.startMessage(row.seq, {
				id: turn.messageId,
				run_id: prepared.id,
				created_at: turn.createdAt,
				inputs: JSON.stringify(inputs),
				files: JSON.stringify(files),
				query,
			});
			if (!begun) {
				throw createNotFoundError();
			}
			const run = await prepared.start(event => turn.#events.forwardEvent(event)).catch((error: unknown) => turn.#onStartError(error));
			return { turn, run, reply: turn.#finishTurn(run) };
		};
		return {
			ids: { task_id: prepared.taskId, message_id: messageId },
			runId: prepared.id,
			conversationId: conversation.id,
			start,
			[Symbol.dispose]: () => prepared[Symbol.dispose](),
		};
	}

	/** Ends the turn because its run couldn't start. */
	#onStartError(error: unknown): never {
		const message = error instanceof ServiceFault ? error.message : 'Internal Server Error, please contact support.';
		this.#store.finishMessage(
			this.messageId,
			{ status: 'error', error: message, metadata: '{}', answer: '', variables: undefined },
			Date.now(),
		);
		throw error;
	}

	/** Saves the end or the progress of the turn, then reports it. A failed run is an error of the turn, with the answer so far. */
	async #finishTurn(run: LiveRun): Promise<ChatReply> {
		const { answer, metadata, thoughts, failure, finished } = this.#events.getTurnResult(await run.done.catch((error: unknown) => error));
		const paused = finished?.data.status === 'paused';
		const unkept = this.#store.finishMessage(
			this.messageId,
			{
				status: paused ? 'paused' : failure ? 'error' : 'normal',
				error: failure?.message ?? null,
				metadata: JSON.stringify({ ...metadata, ...(thoughts.length > 0 && { agent_thoughts: thoughts }) }),
				answer,
				variables: finished && this.#keep(finished.variables),
			},
			Date.now(),
		);
		if (unkept) {
			this.#events.reportFailure({ status: unkept.status, code: unkept.details.code ?? undefined, message: unkept.message });
			throw unkept;
		}
		if (failure) {
			this.#events.reportFailure(failure);
			throw new ServiceFault(failure.status, failure.message, { code: failure.code });
		}
		if (!paused) {
			this.#events.close(metadata);
		}
		return { answer, metadata, data: (finished as FinishedRun).data };
	}
}

/** A validated turn in the queue. Disposing of it frees its slot, unless its run has started. */
export interface PreparedTurn extends Disposable {
	/** IDs in its events. */
	readonly ids: { readonly task_id: string; readonly message_id: string };
	readonly runId: string;
	/** Conversation of the turn. It's known before the turn is saved. */
	readonly conversationId: string;
	start(send?: SendChatEvent): Promise<RunningTurn>;
}

/** A turn in progress; `reply` rejects if its run failed. */
interface RunningTurn {
	readonly turn: ChatTurn;
	readonly run: LiveRun;
	readonly reply: Promise<ChatReply>;
}

function getConversation(store: ConversationStore, target: RunnableAgent, user: string, id: string): ConversationRow {
	const row = store.get(target.row.id, user, id);
	if (!row) {
		throw createNotFoundError();
	}
	return row;
}

function createNotFoundError(): ServiceFault {
	return new ServiceFault(404, 'Conversation Not Exists.');
}

function createConversation(target: RunnableAgent, request: ChatRequest): ConversationRow {
	const now = Date.now();
	const { features, variables } = target.agent;
	const opening = features['opening_statement'];
	const defaults = Object.fromEntries(variables.map(({ variable, default: value }) => [variable, value ?? '']));
	return {
		seq: 0,
		id: randomUUID(),
		agent: target.row.id,
		user: request.user,
		name: request.auto_generate_name === false ? newConversationName : createConversationName(request.query),
		introduction: typeof opening === 'string' ? fillPromptPlaceholders(opening, { ...defaults, ...request.inputs }) : '',
		created_at: now,
		updated_at: now,
		inputs: JSON.stringify(request.inputs),
		variables: '{}',
	};
}
