import type { NodeContext } from '../nodeType.ts';
import { type ReplyPiece, ThinkingFilter } from './thinking.ts';

/** Joins the chunks of a reply, with thoughts included or separated, and streams the text as the node's output `text`. */
export class ReplyText {
	readonly #context: Pick<NodeContext<unknown>, 'stream' | 'streamReasoning'>;
	readonly #separated: boolean;
	readonly #filter = new ThinkingFilter();
	#tagOpen = false;
	#text = '';
	/** Thoughts so far; the last one is open until text arrives. */
	readonly #thoughts: string[] = [];
	#thinking = false;

	/** @param separated true if thoughts aren't part of the text (`reasoning_format`) */
	constructor(context: Pick<NodeContext<unknown>, 'stream' | 'streamReasoning'>, separated: boolean) {
		this.#context = context;
		this.#separated = separated;
	}

	get text(): string {
		return this.#separated ? removeBlankLines(this.#text).trim() : this.#text;
	}

	/** Thoughts, separated by newlines. */
	get reasoning(): string {
		return this.#thoughts
			.map(thought => thought.trim())
			.filter(thought => thought !== '')
			.join('\n');
	}

	push(type: 'text' | 'reasoning', piece: string): void {
		if (this.#separated) {
			this.#addParts(type === 'reasoning' ? [{ type, text: piece }] : this.#filter.push(piece));
			return;
		}
		const opens = type === 'reasoning';
		const tag = opens === this.#tagOpen ? '' : opens ? '<think>\n' : '\n</think>\n';
		this.#tagOpen = opens;
		this.#addText(tag + piece);
	}

	endReply(): void {
		if (this.#separated) {
			this.#addParts(this.#filter.endText());
		} else if (this.#tagOpen) {
			this.#addText('\n</think>\n');
		}
		if (this.#thoughts.length > 0) {
			this.#context.streamReasoning('', true);
		}
		this.#context.stream('text', '', true);
	}

	#addParts(pieces: readonly ReplyPiece[]): void {
		for (const { type, text } of pieces) {
			if (type === 'text') {
				this.#thinking = false;
				this.#addText(text);
				continue;
			}
			if (!this.#thinking) {
				this.#thoughts.push('');
			}
			this.#thinking = true;
			this.#thoughts.push(`${this.#thoughts.pop()}${text}`);
			this.#context.streamReasoning(text, false);
		}
	}

	#addText(piece: string): void {
		if (piece !== '') {
			this.#text += piece;
			this.#context.stream('text', piece, false);
		}
	}
}

/** Reduces several blank lines to one empty line. */
function removeBlankLines(text: string): string {
	return text.replace(/\s+/g, blanks => {
		const [first, last] = [blanks.indexOf('\n'), blanks.lastIndexOf('\n')];
		return first < last ? `${blanks.slice(0, first)}\n\n${blanks.slice(last + 1)}` : blanks;
	});
}
