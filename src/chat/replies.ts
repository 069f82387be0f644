import { Problem } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { Chat } from './chat.ts';
import type { Chats } from './chats.ts';
import { continuationOf } from './continuation.ts';
import { imagesOf, type Words } from './endpoints/endpoint.ts';
import { ReplyRun, type ReplySource } from './replyRun.ts';
import { settingProblems } from './settingFields.ts';
import type { Targets } from './targets.ts';
import type { ChatPart, Reply, Transcript, Turn } from './transcript.ts';
import { activePath } from './turnTree.ts';

/** Starts, stops and repeats replies. A reply goes on whether a panel shows its chat or not. */
export class Replies {
	readonly #connections: Connections;
	readonly #targets: Targets;
	readonly #chats: Chats;
	readonly #words: Words;
	readonly #running = new Map<string, ReplyRun>();

	constructor(connections: Connections, targets: Targets, chats: Chats, words: Words) {
		this.#connections = connections;
		this.#targets = targets;
		this.#chats = chats;
		this.#words = words;
	}

	isRunning(chat: Chat): boolean {
		return this.#running.has(chat.transcript.id);
	}

	/**
	 * Why what is attached cannot go where the chat points, as a sentence; undefined where it can. What else stands in the way, such as a
	 * missing key, is told where the reply would stand.
	 */
	async refusal(chat: Chat): Promise<string | undefined> {
		const { transcript } = chat;
		const { endpoint: kind } = transcript;
		const model = transcript.models[kind] ?? '';
		const images = imagesOf(transcript.attachments.map(({ part }) => part));
		if (images.length === 0 || (kind === 'agent' && !model)) {
			return undefined;
		}
		try {
			const connection = this.#targets.connection(transcript);
			const endpoint = await this.#targets.endpoint(kind, connection, model);
			const client = await this.#connections.client(connection.id, { ask: false });
			return await endpoint.refusal(client, { model, settings: transcript.settings[kind] ?? {} }, images);
		} catch {
			return undefined;
		}
	}

	/** Sends a message with what is attached, below the last turn shown. Does nothing while a reply is coming. */
	send(chat: Chat, text: string): void {
		const attached = chat.transcript.attachments.map(({ part }) => part);
		const parts: ChatPart[] = [...attached, ...(text.trim() ? [{ kind: 'text' as const, text }] : [])];
		if (parts.length > 0 && !this.isRunning(chat)) {
			chat.update({ attachments: [] });
			this.#answer(chat, chat.addTurn('user', chat.transcript.leaf, parts));
		}
	}

	/** Sends the results of the tools that the last reply called. */
	sendToolResults(chat: Chat, turnId: string, results: readonly { id: string; name: string; output: string }[]): void {
		const turn = chat.turn(turnId);
		if (turn && results.length > 0 && !this.isRunning(chat)) {
			const parts = results.map(result => ({ kind: 'toolResult' as const, ...result, isError: false }));
			this.#answer(chat, chat.addTurn('user', turn.id, parts));
		}
	}

	/** Answers again: the new reply stands beside the old one. */
	retry(chat: Chat, turnId: string): void {
		const turn = chat.turn(turnId);
		const question = turn?.role === 'assistant' && turn.parent !== null ? chat.turn(turn.parent) : turn;
		if (question?.role === 'user' && !this.isRunning(chat)) {
			this.#answer(chat, question);
		}
	}

	/** Asks for the rest of the chat's last reply, which was cut: beside it, or, where the endpoint cannot go on with it, below it. */
	continue(chat: Chat, turnId: string): void {
		const turn = chat.turn(turnId);
		const how = turnId === chat.transcript.leaf ? continuationOf(chat.transcript) : undefined;
		const question = turn?.parent ? chat.turn(turn.parent) : undefined;
		if (!turn || !question || this.isRunning(chat)) {
			return;
		}
		if (how === 'prefill') {
			this.#answer(chat, question, structuredClone(turn.parts));
		} else if (how === 'message') {
			this.#answer(chat, chat.addTurn('user', turn.id, [{ kind: 'text', text: this.#words.t('Continue') }]));
		}
	}

	/** Sends a changed message beside the old one, with the same attachments. */
	edit(chat: Chat, turnId: string, text: string): void {
		const turn = chat.turn(turnId);
		if (turn?.role === 'user' && !this.isRunning(chat)) {
			const kept = turn.parts.filter(part => part.kind !== 'text');
			const parts = [...structuredClone(kept), ...(text.trim() ? [{ kind: 'text' as const, text }] : [])];
			if (parts.length > 0) {
				this.#answer(chat, chat.addTurn('user', turn.parent, parts));
			}
		}
	}

	stop(chat: Chat): void {
		this.#running.get(chat.transcript.id)?.stop();
	}

	/** `begun`: what the reply goes on from. */
	#answer(chat: Chat, question: Turn, begun: ChatPart[] = []): void {
		const { transcript } = chat;
		const reply: Reply = {
			status: 'streaming',
			endpoint: transcript.endpoint,
			connection: this.#targets.connectionName(transcript),
			model: transcript.models[transcript.endpoint] ?? '',
		};
		const turn = chat.addTurn('assistant', question.id, begun, reply);
		const run = new ReplyRun(chat, turn, reply, () => this.#open(chat, question, begun.length > 0 ? [turn] : []), this.#words);
		void this.#hold(chat, run);
	}

	async #open(chat: Chat, question: Turn, begun: readonly Turn[]): Promise<ReplySource> {
		const { transcript } = chat;
		const { endpoint: kind, system } = transcript;
		const settings = { ...transcript.settings[kind] };
		const [problem] = Object.values(settingProblems(this.#words, kind, settings));
		if (problem) {
			throw new Problem('settings', problem);
		}
		const turns = activePath(transcript, question.id);
		const connection = this.#targets.connection(transcript);
		const { user } = connection;
		const model = await this.#targets.model(transcript, connection);
		const endpoint = await this.#targets.endpoint(kind, connection, model);
		const client = await this.#connections.client(connection.id);
		const images = imagesOf(question.parts);
		const refused = images.length > 0 ? await endpoint.refusal(client, { model, settings }, images) : undefined;
		if (refused) {
			throw new Problem('attachment', refused);
		}
		const conversationId = conversationThatGoesOn(transcript, turns, connection.name, model);
		chat.update({ user, models: { ...transcript.models, [kind]: model } });
		const explain = (error: unknown) => this.#connections.problem(connection.id, error);
		return {
			endpoint,
			client,
			explain,
			request: { model, system, settings, turns: [...turns, ...begun], user, ...(conversationId && { conversationId }) },
		};
	}

	/** The chat stays in memory while its reply comes. */
	async #hold(chat: Chat, run: ReplyRun): Promise<void> {
		const { id } = chat.transcript;
		this.#running.set(id, run);
		await this.#chats.hold(id);
		chat.update({});
		await run.ended;
		this.#running.delete(id);
		chat.update({});
		await this.#chats.release(chat);
	}
}

/** The conversation of the last reply before, if it is this agent's and holds nothing that came after: the service cannot go back in one. */
function conversationThatGoesOn(transcript: Transcript, turns: readonly Turn[], connection: string, model: string): string | undefined {
	const last = turns.findLast(turn => turn.reply?.conversationId !== undefined);
	const id = last?.reply?.conversationId;
	const isTheirs = last?.reply?.connection === connection && last.reply.model === model;
	const newest = transcript.turns.findLast(turn => turn.reply?.conversationId === id);
	return id !== undefined && isTheirs && newest === last ? id : undefined;
}
