import { DisposableBase } from '#base/disposables.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ReplyFacts, Turn } from '#pages/chat/transcript/transcript.ts';
import { joinTextParts } from '#pages/chat/turns/shownText.ts';
import type { PromptAnswer } from '#pages/prompt/promptMessages.ts';
import { type ReplyReceiver, ReplyRun, type ReplySource } from '../chat/replies/replyRun.ts';
import { appendToPart } from '../chat/transcripts/chat.ts';

/** The answers that a playground is receiving, by column. */
export class PromptAnswers extends DisposableBase {
	readonly #words: Localization;
	readonly #onChange: (column: string) => void;
	readonly #runs = new Map<string, ReplyRun>();

	/** `onChange` is called whenever more of a column's answer has arrived. */
	constructor(words: Localization, onChange: (column: string) => void) {
		super();
		this.#words = words;
		this.#onChange = onChange;
	}

	/** Starts an answer, which replaces the column's previous one. Resolves when it has ended. Never rejects. */
	start(column: string, facts: Omit<ReplyFacts, 'status'>, open: () => Promise<ReplySource>): Promise<void> {
		this.stop(column);
		const reply: ReplyFacts = { ...facts, status: 'streaming' };
		const turn: Turn = { id: column, parent: null, role: 'assistant', parts: [], at: Date.now(), reply };
		const run = new ReplyRun(this.#createReceiver(column), turn, reply, open, this.#words);
		this.#runs.set(column, run);
		this.#onChange(column);
		return run.ended;
	}

	/** Stops a column's answer. What has arrived stays. */
	stop(column: string): void {
		this.#runs.get(column)?.stop();
	}

	/** Ends the wait before an automatic retry. */
	retryNow(column: string): void {
		this.#runs.get(column)?.retryNow();
	}

	/** Stops and forgets a column's answer. */
	remove(column: string): void {
		this.stop(column);
		this.#runs.delete(column);
	}

	/** Returns a column's answer so far; undefined if it hasn't started here. */
	get(column: string): PromptAnswer | undefined {
		const turn = this.#runs.get(column)?.turn;
		const thinking = turn?.parts.flatMap(part => (part.kind === 'thinking' ? [part.text] : [])).join('\n\n');
		return turn?.reply && { text: joinTextParts(turn.parts), ...(thinking && { thinking }), reply: turn.reply };
	}

	override dispose(): void {
		for (const run of this.#runs.values()) {
			run.stop();
		}
		super.dispose();
	}

	#createReceiver(column: string): ReplyReceiver {
		// a stopped answer may still end after the next one of its column has started
		const notify = (turn: Turn) => this.#runs.get(column)?.turn === turn && !this.disposed && this.#onChange(column);
		return {
			addPart: (turn, part) => {
				turn.parts.push(part);
				notify(turn);
			},
			addText: (turn, index, text) => void (appendToPart(turn.parts[index], text) && notify(turn)),
			patchPart: (turn, index, fields) => {
				const part = turn.parts[index];
				if (part) {
					Object.assign(part, fields);
					notify(turn);
				}
			},
			setReply: (turn, reply) => {
				turn.reply = reply;
				notify(turn);
			},
		};
	}
}
