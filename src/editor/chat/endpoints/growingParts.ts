import type { ChatPart, ReplyCitation, StoredPart } from '#pages/chat/transcript/transcript.ts';
import { readForm } from '#runs/forms/readForm.ts';
import type { AgentStep } from './agentMessage.ts';
import type { ReplyStep } from './endpoint.ts';

/** Parts of a reply that texts and thoughts go on in; a form and a step of the agent end both. */
export class GrowingParts {
	#count = 0;
	#text: number | undefined;
	#thinking: number | undefined;
	/** Whether any text came, and whether such came before the part that text goes on in now. */
	begun: boolean;
	#hasEarlier: boolean;
	/** The text that came last. */
	#lastText: number | undefined;
	/** Files that are parts, by their IDs. */
	readonly #files = new Set<string>();
	/** Steps of the agent that are parts, by their IDs. */
	readonly #steps = new Map<string, { readonly index: number; readonly kind: ChatPart['kind'] }>();
	/** All text that came. */
	shown = '';

	constructor(begun: boolean) {
		this.begun = begun;
		this.#hasEarlier = begun;
	}

	*text(text: string): Iterable<ReplyStep> {
		this.begun = true;
		this.shown += text;
		if (this.#text === undefined) {
			this.#text = this.#lastText = this.#count++;
			this.#thinking = undefined;
			yield { type: 'part', part: { kind: 'text', text: '' } };
		}
		yield { type: 'text', index: this.#text, text };
	}

	/** All text of the reply is this one: what stood there before was taken back, and must not stay. */
	*replaced(text: string): Iterable<ReplyStep> {
		if (this.#text === undefined) {
			yield* this.text('');
		}
		const index = this.#text ?? 0;
		this.shown = text;
		yield this.#hasEarlier ? { type: 'whole', index, text } : { type: 'patch', index, fields: { text } };
	}

	/** What is told at the end of a text that came in pieces: the whole of it, or of what came after the last step. */
	*closed(text: string): Iterable<ReplyStep> {
		if (!this.shown.endsWith(text)) {
			yield* this.replaced(text);
		}
	}

	/** A step of an agent, told once more each time that more of it is known. Text after it stands below it. */
	*step(step: AgentStep | undefined): Iterable<ReplyStep> {
		if (!step) {
			return;
		}
		const { id, tool, input, output } = step;
		const known = this.#steps.get(id);
		// agents tell as their thought what they have just said
		const text = this.shown.includes(step.text.trim()) ? '' : step.text;
		if (known?.kind === 'step') {
			yield { type: 'patch', index: known.index, fields: { text, input, output } };
		} else if (tool !== '') {
			yield* this.#begin(id, { kind: 'step', id, tool, text: known ? '' : text, input, output });
		} else if (known) {
			yield { type: 'patch', index: known.index, fields: { text: step.text } };
		} else if (text !== '') {
			yield* this.#begin(id, { kind: 'thinking', text });
		}
	}

	/** A file that was made; text after it stands below it. */
	*file(file: StoredPart | undefined): Iterable<ReplyStep> {
		if (file?.id !== undefined && !this.#files.has(file.id)) {
			this.#files.add(file.id);
			this.#count++;
			this.#end();
			yield { type: 'part', part: file };
		}
	}

	*#begin(id: string, part: Extract<ChatPart, { kind: 'step' | 'thinking' }>): Iterable<ReplyStep> {
		this.#steps.set(id, { index: this.#count++, kind: part.kind });
		this.#end();
		yield { type: 'part', part };
	}

	*thought(text: string): Iterable<ReplyStep> {
		if (text === '') {
			return;
		}
		if (this.#thinking === undefined) {
			this.#thinking = this.#count++;
			yield { type: 'part', part: { kind: 'thinking', text: '' } };
		}
		yield { type: 'text', index: this.#thinking, text };
	}

	*cite(citations: readonly ReplyCitation[]): Iterable<ReplyStep> {
		if (this.#lastText !== undefined && citations.length > 0) {
			yield { type: 'patch', index: this.#lastText, fields: { citations: [...citations] } };
		}
	}

	*form(data: unknown): Iterable<ReplyStep> {
		const form = readForm(data);
		if (form) {
			this.#count++;
			this.#end();
			yield { type: 'part', part: { kind: 'form', form } };
		}
	}

	/** What comes now stands below what came. */
	#end(): void {
		this.#hasEarlier = this.begun;
		this.#text = this.#thinking = undefined;
	}
}
