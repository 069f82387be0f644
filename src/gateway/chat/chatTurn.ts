import { randomUUID } from 'node:crypto';
import type { ChatRequest } from '../../protocol/chat.ts';
import type { TextChunkEvent, WorkflowEvent } from '../../protocol/events.ts';
import type { RunData } from '../../protocol/workflows.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { ChatContext } from '../engine/engineTypes.ts';
import type { FinishedRun, LiveRun } from '../runs/liveRun.ts';
import type { PreparedRun, RunService } from '../runs/runService.ts';
import { ServiceFault } from '../server/serviceFault.ts';
import type { ConversationRow, ConversationStore } from '../store/conversationStore.ts';
import { nameFromQuery, newConversationName } from './conversationName.ts';

/** Turns that an agent is told of. */
const rememberedTurns = 200;

/** Result of a turn, as it was written. */
export interface ChatReply {
	readonly answer: string;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly data: RunData;
}

/** Sends one event of the turn, as JSON on one line. */
export type SendChatEvent = (json: string) => void;

/** One turn of a chat with an agent: its run, its message in the store, and its events in Dify's chat form. */
export class ChatTurn {
	readonly messageId = randomUUID();
	readonly conversation: ConversationRow;
	readonly createdAt = Date.now();
	readonly #store: ConversationStore;
	readonly #send: SendChatEvent;
	readonly #runIds: { readonly task_id: string; readonly workflow_run_id: string };
	#answer = '';

	private constructor(store: ConversationStore, conversation: ConversationRow, run: PreparedRun, send: SendChatEvent) {
		this.#store = store;
		this.conversation = conversation;
		this.#send = send;
		this.#runIds = { task_id: run.taskId, workflow_run_id: run.id };
	}

	/**
	 * Checks a turn, and returns a function that runs it. Throws a fault: 400 for an agent that is no chat or inputs that it does not take, 404 for a
	 * conversation that this user does not have.
	 */
	static async prepare(
		store: ConversationStore,
		runs: RunService,
		target: RunnableAgent,
		request: ChatRequest,
	): Promise<(send?: SendChatEvent) => Promise<RunningTurn>> {
		if (target.agent.mode !== 'advanced-chat') {
			throw new ServiceFault(400, 'Please check if your app mode matches the right API route.', { code: 'not_chat_app' });
		}
		const { user, query, files = [], response_mode: mode } = request;
		const known = request.conversation_id ? existing(store, target, user, request.conversation_id) : undefined;
		const inputs = known ? { ...(JSON.parse(known.inputs) as Record<string, unknown>), ...request.inputs } : request.inputs;
		const conversation = known ?? draftConversation(target, request);
		const prepared = await runs.prepare({ target, inputs, files, user, mode, chat: contextOf(store, conversation, query) });
		return async (send = () => {}) => {
			const row = known ?? store.create(conversation);
			const turn = new ChatTurn(store, row, prepared, send);
			store.startMessage(row.seq, {
				id: turn.messageId,
				run_id: prepared.id,
				created_at: turn.createdAt,
				inputs: JSON.stringify(inputs),
				files: JSON.stringify(files),
				query,
			});
			const run = await prepared.start(event => turn.#forward(event));
			return { turn, run, reply: turn.#finish(run) };
		};
	}

	/** The run's event in chat form: pieces of text become messages, everything carries the turn's IDs. */
	#forward(event: WorkflowEvent): void {
		if (event.event === 'text_chunk' || event.event === 'text_replace') {
			const { text, from_variable_selector: selector } = (event as TextChunkEvent).data;
			const replaces = event.event === 'text_replace';
			this.#answer = replaces ? text : this.#answer + text;
			this.#emit({
				event: replaces ? 'message_replace' : 'message',
				id: this.messageId,
				answer: text,
				...(selector && { from_variable_selector: selector }),
			});
			return;
		}
		if (event.event !== 'error') {
			this.#emit(event);
		}
	}

	/** Writes the turn's end, then tells it. A run that fails is an error of the turn, with what was answered until then kept. */
	async #finish(run: LiveRun): Promise<ChatReply> {
		const ended = await run.done.catch((error: unknown) => error);
		const finished = ended instanceof Error ? undefined : (ended as FinishedRun);
		const failure = finished ? failureOf(finished.data) : 'Internal Server Error, please contact support.';
		const answer = textOf(finished?.data) ?? this.#answer;
		const metadata = {
			usage: { total_tokens: finished?.data.total_tokens ?? 0, latency: finished?.data.elapsed_time ?? 0 },
			retriever_resources: [],
		};
		this.#store.finishMessage(
			this.messageId,
			{
				status: failure === undefined ? 'normal' : 'error',
				error: failure ?? null,
				metadata: JSON.stringify(metadata),
				answer,
				variables: finished && JSON.stringify(finished.variables),
			},
			Date.now(),
		);
		if (failure !== undefined) {
			const status = finished ? 400 : 500;
			const code = finished ? 'completion_request_error' : 'internal_server_error';
			this.#emit({ event: 'error', status, code, message: failure });
			throw new ServiceFault(status, failure, { code });
		}
		this.#emit({ event: 'message_end', id: this.messageId, metadata, files: [] });
		return { answer, metadata, data: (finished as FinishedRun).data };
	}

	#emit(fields: object): void {
		const { event, ...rest } = fields as { readonly event: string };
		this.#send(
			JSON.stringify({
				event,
				...this.#runIds,
				message_id: this.messageId,
				conversation_id: this.conversation.id,
				created_at: Math.floor(this.createdAt / 1000),
				...rest,
			}),
		);
	}
}

/** A turn that goes on; `reply` rejects with a fault where its run failed. */
export interface RunningTurn {
	readonly turn: ChatTurn;
	readonly run: LiveRun;
	readonly reply: Promise<ChatReply>;
}

function existing(store: ConversationStore, target: RunnableAgent, user: string, id: string): ConversationRow {
	const row = store.get(target.row.id, user, id);
	if (!row) {
		throw new ServiceFault(404, 'Conversation Not Exists.');
	}
	return row;
}

function draftConversation(target: RunnableAgent, request: ChatRequest): ConversationRow {
	const now = Date.now();
	const opening = target.agent.features['opening_statement'];
	return {
		seq: 0,
		id: randomUUID(),
		agent: target.row.id,
		user: request.user,
		name: request.auto_generate_name === false ? newConversationName : nameFromQuery(request.query),
		introduction: typeof opening === 'string' ? opening : '',
		created_at: now,
		updated_at: now,
		inputs: JSON.stringify(request.inputs),
		variables: '{}',
	};
}

function contextOf(store: ConversationStore, conversation: ConversationRow, query: string): ChatContext {
	const isNew = conversation.seq === 0;
	const turns = isNew ? [] : store.messages(conversation.seq, undefined, rememberedTurns).toReversed();
	return {
		query,
		conversationId: conversation.id,
		dialogueCount: isNew ? 0 : store.messageCount(conversation.seq),
		variables: JSON.parse(conversation.variables) as Record<string, unknown>,
		history: turns
			.filter(turn => turn.answer !== '')
			.flatMap(turn => [
				{ role: 'user', text: turn.query },
				{ role: 'assistant', text: turn.answer },
			]),
	};
}

function failureOf(data: RunData): string | undefined {
	return data.status === 'failed' ? (data.error ?? 'The run failed.') : undefined;
}

function textOf(data: RunData | undefined): string | undefined {
	const answer = data?.outputs?.['answer'];
	return typeof answer === 'string' && answer !== '' ? answer : undefined;
}
