import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { ToolDecision } from '#pages/chat/transcript/toolDecisions.ts';
import type { ChatPart, ReplyFacts, Turn } from '#pages/chat/transcript/transcript.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import type { FormAnswerMessage } from '#runs/forms/formAnswer.ts';
import type { FormRefusal } from '#runs/forms/formOutcome.ts';
import type { Connections, PrepareAgent } from '../../connections/connectionTypes.ts';
import { markMilestone } from '../../platform/milestones.ts';
import { getAttachments } from '../endpoints/endpoint.ts';
import type { Targets } from '../targets.ts';
import type { ChosenTools } from '../tools/chatTool.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { Chats } from '../transcripts/chats.ts';
import { getContinuation } from './continuation.ts';
import { findWaitingForm, sendFormAnswer, type WaitingForm } from './formAnswers.ts';
import { ReplyRun, type ReplySource } from './replyRun.ts';
import { ReplySources } from './replySources.ts';
import { createStartedReply, type ReplyTarget, replaceTarget } from './replyTarget.ts';
import { findSummaryEnd, readSummary } from './summaries.ts';

/** Starts, stops and retries replies. A reply continues even if no panel shows its chat. */
export class Replies {
	readonly #connections: Connections;
	readonly #targets: Targets;
	readonly #chats: Chats;
	readonly #words: Localization;
	readonly #prepare: PrepareAgent;
	readonly #sources: ReplySources;
	readonly #running = new Map<string, ReplyRun>();
	/** Chats whose forms are being answered. Their reply is about to continue. */
	readonly #answering = new Set<string>();
	#afterReply: (chat: Chat, turn: Turn) => Promise<void> = async () => {};

	/** `readInstructions` returns what models get before the system prompt of each chat. */
	constructor(
		connections: Connections,
		targets: Targets,
		chats: Chats,
		words: Localization,
		prepare: PrepareAgent,
		tools: ChosenTools,
		readInstructions: () => Promise<string>,
	) {
		this.#sources = new ReplySources({ connections, targets, words, prepare, tools, readInstructions });
		this.#prepare = prepare;
		this.#connections = connections;
		this.#targets = targets;
		this.#chats = chats;
		this.#words = words;
	}

	/** Sets a callback that runs after each complete reply, before the chat can be unloaded. It must not reject. */
	setReplyCallback(act: (chat: Chat, turn: Turn) => Promise<void>): void {
		this.#afterReply = act;
	}

	isRunning(chat: Chat): boolean {
		const { id } = chat.transcript;
		return this.#running.has(id) || this.#answering.has(id);
	}

	/** Returns why the chat's target doesn't accept the attachments, or undefined. Other problems are reported when the message is sent. */
	async checkAttachments(chat: Chat): Promise<string | undefined> {
		const { transcript } = chat;
		const { endpoint: kind } = transcript;
		const model = transcript.models[kind] ?? '';
		const attached = getAttachments(transcript.attachments.map(({ part }) => part));
		if (attached.length === 0 || (kind === 'agent' && !model)) {
			return undefined;
		}
		try {
			const connection = this.#targets.getConnection(transcript);
			const endpoint = await this.#targets.createEndpoint(kind, connection, model);
			const client = await this.#connections.getClient(connection.id, { ask: false });
			return await endpoint.checkAttachments(client, { model, settings: transcript.settings[kind] ?? {} }, attached);
		} catch {
			return undefined;
		}
	}

	/** Sends a message with the attachments after the last shown turn. Does nothing while a reply is running. */
	send(chat: Chat, text: string): void {
		const attached = chat.transcript.attachments.map(({ part }) => part);
		const parts: ChatPart[] = [...attached, ...(text.trim() ? [{ kind: 'text' as const, text }] : [])];
		if (parts.length > 0 && !this.isRunning(chat)) {
			chat.updateFields({ attachments: [] });
			this.#startReply(chat, chat.addTurn('user', chat.transcript.leaf, parts));
		}
	}

	/** Sends the results of the tools that the last reply called. */
	sendToolResults(chat: Chat, turnId: string, results: readonly { id: string; name: string; output: string }[]): void {
		const turn = chat.getTurn(turnId);
		if (turn && results.length > 0 && !this.isRunning(chat)) {
			const parts = results.map(result => ({ kind: 'toolResult' as const, ...result, isError: false }));
			this.#startReply(chat, chat.addTurn('user', turn.id, parts));
		}
	}

	/** Requests another version of a reply, from another model or agent if `target` is given. The old one stays as a sibling. */
	retryReply(chat: Chat, turnId: string, target?: ReplyTarget): void {
		const turn = chat.getTurn(turnId);
		const question = turn?.role === 'assistant' && turn.parent !== null ? chat.getTurn(turn.parent) : turn;
		if (question?.role === 'user' && !this.isRunning(chat)) {
			this.#startReply(chat, question, [], target);
		}
	}

	/** Retries in a new conversation that includes the earlier messages, because the service has deleted the old one. */
	startConversation(chat: Chat, turnId: string): void {
		const turn = chat.getTurn(turnId);
		if (!turn || this.isRunning(chat)) {
			return;
		}
		const id = getActivePath(chat.transcript, turn.id).findLast(({ reply }) => reply?.conversationId !== undefined)?.reply?.conversationId;
		for (const each of chat.transcript.turns.filter(({ reply }) => id !== undefined && reply?.conversationId === id)) {
			const { conversationId: _gone, ...reply } = each.reply!;
			chat.setReply(each, reply);
		}
		this.retryReply(chat, turnId);
	}

	/** Requests the rest of a cut reply: as a longer version of the reply, or as a new turn if the endpoint can't prefill. */
	continueReply(chat: Chat, turnId: string): void {
		const turn = chat.getTurn(turnId);
		const how = turnId === chat.transcript.leaf ? getContinuation(chat.transcript) : undefined;
		const question = turn?.parent ? chat.getTurn(turn.parent) : undefined;
		if (!turn || !question || this.isRunning(chat)) {
			return;
		}
		if (how === 'prefill') {
			this.#startReply(chat, question, structuredClone(turn.parts));
		} else if (how === 'message') {
			this.#startReply(chat, chat.addTurn('user', turn.id, [{ kind: 'text', text: this.#words.t('Continue') }]));
		}
	}

	/** Sends an edited version of a message with the same attachments. The old one stays as a sibling. */
	editMessage(chat: Chat, turnId: string, text: string): void {
		const turn = chat.getTurn(turnId);
		if (turn?.role === 'user' && !this.isRunning(chat)) {
			const kept = turn.parts.filter(part => part.kind !== 'text');
			const parts = [...structuredClone(kept), ...(text.trim() ? [{ kind: 'text' as const, text }] : [])];
			if (parts.length > 0) {
				this.#startReply(chat, chat.addTurn('user', turn.parent, parts));
			}
		}
	}

	/**
	 * Answers a form that a reply waits for, and resumes the reply. Returns why the answer was refused, or undefined. If another client
	 * answered first, the answer is refused but the reply resumes too.
	 */
	async answerForm(chat: Chat, turnId: string, formId: string, answer: FormAnswerMessage): Promise<FormRefusal | undefined> {
		const waiting = findWaitingForm(chat, turnId, formId, this.#connections, this.#words);
		if (!waiting || this.isRunning(chat)) {
			return undefined;
		}
		const { id } = chat.transcript;
		this.#answering.add(id);
		chat.refreshViews();
		try {
			return await this.#answerWaitingForm(chat, waiting, answer);
		} finally {
			this.#answering.delete(id);
			chat.refreshViews();
		}
	}

	async #answerWaitingForm(chat: Chat, waiting: WaitingForm, answer: FormAnswerMessage): Promise<FormRefusal | undefined> {
		const { turn, index, form, connection, model } = waiting;
		// the reply needs the secrets to resume, but the gateway forgets them when it restarts
		await this.#prepare(connection, model);
		const client = await this.#connections.getClient(connection.id);
		const explainError = (error: unknown) => this.#connections.toProblem(connection.id, error);
		const refusal = await sendFormAnswer(client, waiting, answer, this.#words, explainError);
		if (!refusal) {
			const title = form.actions.find(({ id }) => id === answer.action)?.title ?? answer.action;
			const { token: _, ...answered } = form;
			chat.patchPart(turn, index, { form: answered, answer: title });
		}
		if (!refusal || refusal.closed) {
			this.#resumeReply(chat, waiting, client, explainError);
		}
		return refusal;
	}

	#resumeReply(chat: Chat, waiting: WaitingForm, client: ServiceClient, explainError: ReplySource['explainError']): void {
		const { turn, connection, model, user } = waiting;
		const { finish: _finish, problem: _problem, ...reply } = turn.reply ?? { status: 'done', endpoint: 'agent', connection: '', model };
		const run = reply.runId;
		if (run === undefined) {
			return;
		}
		const begun = turn.parts.some(part => part.kind === 'text' && part.text !== '');
		const openSource = async (): Promise<ReplySource> => {
			const endpoint = await this.#targets.createEndpoint(reply.endpoint, connection, model);
			return {
				explainError,
				streamSteps: signal => endpoint.resumeReply?.(client, { model, user, run, begun }, signal) ?? yieldNothing(),
			};
		};
		const going: ReplyFacts = { ...reply, status: 'streaming' };
		chat.setReply(turn, going);
		void this.#trackRun(chat, new ReplyRun(chat, turn, going, openSource, this.#words));
	}

	stop(chat: Chat): void {
		this.#running.get(chat.transcript.id)?.stop();
	}

	/** Sends a request again that waits because its service was busy. */
	retryNow(chat: Chat): void {
		this.#running.get(chat.transcript.id)?.retryNow();
	}

	/** True if older messages of the chat can be replaced by a summary. */
	canSummarize({ transcript }: Chat): boolean {
		return transcript.endpoint !== 'agent' && findSummaryEnd(getActivePath(transcript)) !== undefined;
	}

	/** Summarizes all but the last messages. From then on, the model gets the summary instead of them. Rejects if the model doesn't reply. */
	async summarizeOlderTurns(chat: Chat, signal: AbortSignal): Promise<void> {
		const path = getActivePath(chat.transcript);
		const end = findSummaryEnd(path);
		if (!end || this.isRunning(chat) || chat.transcript.endpoint === 'agent') {
			throw new Problem('no-older-turns', this.#words.t('There are no older messages to summarize.'));
		}
		const source = await this.#sources.openSummary(chat);
		try {
			const text = await readSummary(source.streamReply(path.slice(0, path.indexOf(end) + 1), signal));
			if (!text) {
				throw new Problem('no-summary', this.#words.t('The model returned no summary.'));
			}
			chat.setSummary(end, text);
		} catch (error) {
			throw source.explainError(error);
		}
	}

	/** Passes on the user's decision about a waiting tool call. `index` is its position in the turn's parts. */
	decideToolCall(chat: Chat, turnId: string, index: number, decision: ToolDecision): void {
		const run = this.#running.get(chat.transcript.id);
		if (run?.turn.id === turnId) {
			run.decideToolCall(index, decision);
		}
	}

	/** Starts a reply to a user turn. `begun` has the parts of the partial reply to continue from. */
	#startReply(chat: Chat, question: Turn, begun: ChatPart[] = [], target?: ReplyTarget): void {
		const transcript = target ? replaceTarget(chat.transcript, target) : chat.transcript;
		const connectionId = transcript.connectionId || this.#connections.getDefault().id;
		const reply = createStartedReply(transcript, this.#targets.getConnectionName(transcript), connectionId);
		const turn = chat.addTurn('assistant', question.id, begun, reply);
		const run = new ReplyRun(chat, turn, reply, () => this.#sources.openReply(chat, question, turn, target), this.#words);
		void this.#trackRun(chat, run);
	}

	/** Keeps the chat in memory while its reply runs. */
	async #trackRun(chat: Chat, run: ReplyRun): Promise<void> {
		const { id } = chat.transcript;
		this.#running.set(id, run);
		await this.#chats.holdChat(id);
		chat.refreshViews();
		await run.ended;
		this.#running.delete(id);
		chat.refreshViews();
		if (run.turn.reply?.status === 'done') {
			markMilestone('hasReply');
			await this.#afterReply(chat, run.turn);
		}
		await this.#chats.releaseChat(chat);
	}
}

async function* yieldNothing(): AsyncIterable<never> {}
