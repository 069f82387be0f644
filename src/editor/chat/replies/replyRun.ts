import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import { waitUnlessAborted } from '#base/timing/unlessAborted.ts';
import type { TokenPrice } from '#contract/text/tokenPrice.ts';
import type { ToolDecision } from '#pages/chat/transcript/toolDecisions.ts';
import type { ChatPart, ReplyFacts, Turn } from '#pages/chat/transcript/transcript.ts';
import type { ReplyStep } from '../endpoints/endpoint.ts';
import type { Chat } from '../transcripts/chat.ts';
import { AutomaticRetry } from './automaticRetry.ts';
import { createCutProblem, isFailedStop, isUserStop, toReplyProblem } from './failures.ts';
import { isUnansweredForm } from './formAnswers.ts';
import { ReplyUsage } from './replyUsage.ts';
import type { ToolRounds } from './toolRounds.ts';

/** Sends a reply's requests and streams their steps. */
export interface ReplySource {
	streamSteps(signal: AbortSignal): AsyncIterable<ReplyStep>;
	/** Model of the request, if it was chosen only when the reply started. */
	readonly model?: string;
	/** Price of the model's tokens, if the service may send none. */
	readonly price?: TokenPrice;
	/** Converts a service error to one that names the connection and the problem. */
	explainError(error: unknown): unknown;
	/** Runs the reply's tool calls. Their results are sent with the next call of `streamSteps`. */
	readonly tools?: ToolRounds;
}

/** Receives a streamed reply: a chat, or an answer that isn't part of one. */
export type ReplyReceiver = Pick<Chat, 'addPart' | 'addText' | 'patchPart' | 'setReply'>;

/** Finish reason of a run that ended before its stop request arrived. */
const succeeded = 'succeeded';

/** Steps that come before the content of a reply. */
const headSteps: ReadonlySet<ReplyStep['type']> = new Set(['price', 'model', 'usage']);

/**
 * Maximum length of a reply, in UTF-16 units. An endless reply would fill the memory, and a chat with a longer one couldn't be saved.
 */
const longestReply = 16 * 1024 * 1024;
/** Length that each part adds besides its text, because a service can send any number of empty parts. */
const partLength = 100;
/** Maximum number of different notes of a reply. */
const mostNotes = 20;

/** Streams one reply into its receiver until it ends, fails or is stopped. If `open` rejects, the reply gets the error's message. */
export class ReplyRun {
	readonly turn: Turn;
	/** Resolves when the reply has ended, even if it failed. Never rejects. */
	readonly ended: Promise<void>;
	readonly #chat: ReplyReceiver;
	readonly #words: Localization;
	readonly #abort = new AbortController();
	readonly #started = performance.now();
	/** Number of parts that existed before the current request. */
	#begun: number;
	readonly #usage = new ReplyUsage();
	#tools: ToolRounds | undefined;
	/** Set if the first text is appended to the last existing part. It's `begins` until that text arrives. */
	#joined: 'begins' | 'yes' | undefined;
	#came = 0;
	/** Length of everything that was received. */
	#length = 0;
	/** True if the current request's reply has started, so that sending it again would repeat something. */
	#hasStarted = false;
	#retry = new AutomaticRetry();
	#reply: ReplyFacts;

	constructor(chat: ReplyReceiver, turn: Turn, reply: ReplyFacts, open: () => Promise<ReplySource>, words: Localization) {
		this.turn = turn;
		this.#chat = chat;
		this.#words = words;
		this.#reply = reply;
		this.#begun = turn.parts.length;
		this.ended = this.#run(open);
	}

	/** Stops the reply. The parts received so far stay. */
	stop(): void {
		this.#abort.abort();
	}

	async #run(open: () => Promise<ReplySource>): Promise<void> {
		let source: ReplySource | undefined;
		try {
			const { signal } = this.#abort;
			source = await waitUnlessAborted(open(), signal);
			this.#tools = source.tools;
			this.#usage.setKnownPrice(source.price);
			this.#reply = { ...this.#reply, model: source.model ?? this.#reply.model };
			do {
				signal.throwIfAborted();
				await this.#readWithRetries(source, signal);
			} while (await this.#runTools(signal));
			this.#finishReply({ status: 'done' });
		} catch (error) {
			if (!isFailedStop(error) && (this.#abort.signal.aborted || isUserStop(error))) {
				this.#finishReply({ status: 'stopped' });
			} else {
				this.#finishReply({
					status: 'failed',
					problem: toReplyProblem(this.#words, source && !isFailedStop(error) ? source.explainError(error) : error),
				});
			}
		}
	}

	/** Passes on the user's decision about a waiting tool call. `index` is its position in the turn's parts. */
	decideToolCall(index: number, decision: ToolDecision): void {
		this.#tools?.applyDecision(index, decision);
	}

	/** Ends the wait for an automatic retry. */
	retryNow(): void {
		this.#retry.retryNow();
	}

	/** Reads the steps of one request. While the service is too busy to start a reply, waits and sends the request again. */
	async #readWithRetries(source: ReplySource, signal: AbortSignal): Promise<void> {
		this.#retry = new AutomaticRetry();
		for (;;) {
			this.#hasStarted = false;
			try {
				return await this.#readSteps(source, signal);
			} catch (error) {
				const planned = this.#hasStarted || signal.aborted ? undefined : this.#retry.planRetry(error);
				if (!planned) {
					throw error;
				}
				const { ms, ...retry } = planned;
				this.#chat.setReply(this.turn, { ...this.#reply, retry });
				await this.#retry.wait(ms, signal);
				this.#chat.setReply(this.turn, this.#reply);
			}
		}
	}

	/** Reads the steps of one request. */
	async #readSteps(source: ReplySource, signal: AbortSignal): Promise<void> {
		for await (const step of source.streamSteps(signal)) {
			this.#applyStep(step);
		}
		if (this.#reply.finish?.reason !== succeeded) {
			signal.throwIfAborted();
		}
		if (!this.#reply.finish) {
			throw createCutProblem(this.#words);
		}
	}

	/** Runs the requested tool calls. Returns true if the reply continues with their results. */
	async #runTools(signal: AbortSignal): Promise<boolean> {
		const { finish } = this.#reply;
		const answered = finish ? await this.#tools?.runCalls(finish, signal) : false;
		if (typeof answered === 'object') {
			this.#reply = { ...this.#reply, finish: answered };
			return false;
		}
		if (answered) {
			// the next request numbers its parts from 0 again
			this.#begun = this.turn.parts.length;
			this.#joined = undefined;
			this.#came = 0;
			this.#usage.startRound(this.#reply);
			const { finish: _, ...going } = this.#reply;
			this.#reply = going;
		}
		return answered ?? false;
	}

	#applyStep(step: ReplyStep): void {
		this.#hasStarted ||= !headSteps.has(step.type);
		this.#length += measureStep(step);
		if (this.#length > longestReply) {
			throw new Problem('too-large', this.#words.t('The reply is longer than {0} MB. The rest was dropped.', longestReply / 1048576));
		}
		switch (step.type) {
			case 'part':
				// an empty text part isn't the first token; the text that follows is
				if (!('text' in step.part) || step.part.text) {
					this.#recordFirstToken();
				}
				this.#addPart(step.part);
				break;
			case 'text':
				this.#recordFirstToken();
				this.#addText(this.#toTurnIndex(step.index), step.text);
				break;
			case 'patch':
				this.#chat.patchPart(this.turn, this.#toTurnIndex(step.index), step.fields);
				break;
			case 'whole':
				this.#setWholeText(this.#toTurnIndex(step.index), step.text);
				break;
			case 'price':
				this.#usage.setPrice(step.price);
				break;
			case 'usage':
				this.#reply = { ...this.#reply, ...this.#usage.addUsage(step.usage, step.billed, step.cost) };
				break;
			case 'finish':
				this.#reply = { ...this.#reply, finish: step.finish };
				break;
			case 'model':
				this.#reply = { ...this.#reply, model: step.model };
				break;
			case 'conversation':
				this.#reply = { ...this.#reply, conversationId: step.id };
				break;
			case 'run':
				this.#reply = { ...this.#reply, runId: step.id };
				break;
			case 'message':
				this.#reply = { ...this.#reply, messageId: step.id };
				break;
			case 'note':
				this.#reply = { ...this.#reply, notes: [...new Set([...(this.#reply.notes ?? []), step.text])].slice(0, mostNotes) };
				break;
			case 'answered':
				this.#closeForm(step.nodeId, step.answer);
				break;
		}
	}

	/**
	 * Sets a part's text from the text of the whole reply. Earlier text parts keep their share, or become empty if the whole text differs.
	 */
	#setWholeText(index: number, text: string): void {
		const { parts } = this.turn;
		const before = parts.slice(0, index).flatMap(part => (part.kind === 'text' ? [part.text] : []));
		const known = before.join('');
		if (!text.startsWith(known)) {
			for (const [at, part] of parts.slice(0, index).entries()) {
				if (part.kind === 'text') {
					this.#chat.patchPart(this.turn, at, { text: '' });
				}
			}
		}
		this.#chat.patchPart(this.turn, index, { text: text.startsWith(known) ? text.slice(known.length) : text });
	}

	/** Closes the node's oldest open form. A node that runs several times creates a form each time. */
	#closeForm(nodeId: string, answer: string): void {
		const index = this.turn.parts.findIndex(part => isUnansweredForm(part) && part.form.nodeId === nodeId);
		if (index >= 0) {
			this.#chat.patchPart(this.turn, index, { answer });
		}
	}

	#addPart(part: ChatPart): void {
		const isFirst = this.#came++ === 0;
		if (isFirst && part.kind === 'text' && this.turn.parts.at(-1)?.kind === 'text') {
			this.#joined = 'begins';
			this.#addText(this.#begun - 1, part.text);
		} else {
			this.#chat.addPart(this.turn, part);
		}
	}

	#addText(index: number, text: string): void {
		const part = this.turn.parts[index];
		if (this.#joined === 'begins' && text && part?.kind === 'text') {
			this.#joined = 'yes';
			// the partial text was sent without trailing whitespace, so many models start with a space
			if (/^\s/.test(text)) {
				this.#chat.patchPart(this.turn, index, { text: part.text.trimEnd() });
			}
		}
		this.#chat.addText(this.turn, index, text);
	}

	/** Converts the endpoint's part index to an index in the turn. */
	#toTurnIndex(index: number): number {
		return this.#begun + index - (this.#joined ? 1 : 0);
	}

	#recordFirstToken(): void {
		if (this.#reply.firstTokenMs === undefined) {
			this.#reply = { ...this.#reply, firstTokenMs: Math.round(performance.now() - this.#started) };
			this.#chat.setReply(this.turn, this.#reply);
		}
	}

	#finishReply(fields: Pick<ReplyFacts, 'status' | 'problem'>): void {
		this.#reply = { ...this.#reply, ...fields, durationMs: Math.round(performance.now() - this.#started) };
		this.#chat.setReply(this.turn, this.#reply);
	}
}

/** Returns the length of what a step adds to a reply. */
function measureStep(step: ReplyStep): number {
	switch (step.type) {
		case 'text':
			return step.text.length;
		case 'part':
			return partLength + Object.values(step.part).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
		default:
			return 0;
	}
}
