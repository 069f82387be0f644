import type { ChatPart, ReplyCitation, StoredPart } from '#pages/chat/transcript/transcript.ts';
import { readForm } from '#runs/forms/readForm.ts';
import type { AgentStep } from './agentMessage.ts';
import type { ReplyStep } from './endpoint.ts';

/** Appends text and thoughts to the open parts of a reply. A form, file or step closes these parts. */
export class GrowingParts {
	#count = 0;
	#text: number | undefined;
	#thinking: number | undefined;
	/** `begun` is true if the reply has any text, `#hasEarlier` if it has text before the open text part. */
	begun: boolean;
	#hasEarlier: boolean;
	/** Index of the last text part. */
	#lastText: number | undefined;
	/** IDs of files that are already parts. */
	readonly #files = new Set<string>();
	/** Steps that are already parts, by ID. */
	readonly #steps = new Map<string, { readonly index: number; readonly kind: ChatPart['kind'] }>();
	/** All text received so far. */
	shown = '';

	constructor(begun: boolean) {
		this.begun = begun;
		this.#hasEarlier = begun;
	}

	*addText(text: string): Iterable<ReplyStep> {
		this.begun = true;
		this.shown += text;
		if (this.#text === undefined) {
			this.#text = this.#lastText = this.#count++;
			this.#thinking = undefined;
			yield { type: 'part', part: { kind: 'text', text: '' } };
		}
		yield { type: 'text', index: this.#text, text };
	}

	/** Replaces all text of the reply, because the service retracted it. */
	*replaceText(text: string): Iterable<ReplyStep> {
		if (this.#text === undefined) {
			yield* this.addText('');
		}
		const index = this.#text ?? 0;
		this.shown = text;
		yield this.#hasEarlier ? { type: 'whole', index, text } : { type: 'patch', index, fields: { text } };
	}

	/** Handles the complete text at the end of a stream, which is that of the whole reply or of the part since the last step. */
	*completeText(text: string): Iterable<ReplyStep> {
		if (!this.shown.endsWith(text)) {
			yield* this.replaceText(text);
		}
	}

	/** Adds an agent's step, or updates it if it was already added. Later text goes into a new part. */
	*addStep(step: AgentStep | undefined): Iterable<ReplyStep> {
		if (!step) {
			return;
		}
		const { id, tool, input, output } = step;
		const known = this.#steps.get(id);
		// some agents repeat their reply as a thought
		const text = this.shown.includes(step.text.trim()) ? '' : step.text;
		if (known?.kind === 'step') {
			yield { type: 'patch', index: known.index, fields: { text, input, output } };
		} else if (tool !== '') {
			yield* this.#startStepPart(id, { kind: 'step', id, tool, text: known ? '' : text, input, output });
		} else if (known) {
			yield { type: 'patch', index: known.index, fields: { text: step.text } };
		} else if (text !== '') {
			yield* this.#startStepPart(id, { kind: 'thinking', text });
		}
	}

	/** Adds a generated file. Later text goes into a new part. */
	*addFile(file: StoredPart | undefined): Iterable<ReplyStep> {
		if (file?.id !== undefined && !this.#files.has(file.id)) {
			this.#files.add(file.id);
			this.#count++;
			this.#closeParts();
			yield { type: 'part', part: file };
		}
	}

	*#startStepPart(id: string, part: Extract<ChatPart, { kind: 'step' | 'thinking' }>): Iterable<ReplyStep> {
		this.#steps.set(id, { index: this.#count++, kind: part.kind });
		this.#closeParts();
		yield { type: 'part', part };
	}

	*addThought(text: string): Iterable<ReplyStep> {
		if (text === '') {
			return;
		}
		if (this.#thinking === undefined) {
			this.#thinking = this.#count++;
			yield { type: 'part', part: { kind: 'thinking', text: '' } };
		}
		yield { type: 'text', index: this.#thinking, text };
	}

	*addCitations(citations: readonly ReplyCitation[]): Iterable<ReplyStep> {
		if (this.#lastText !== undefined && citations.length > 0) {
			yield { type: 'patch', index: this.#lastText, fields: { citations: [...citations] } };
		}
	}

	*addForm(data: unknown): Iterable<ReplyStep> {
		const form = readForm(data);
		if (form) {
			this.#count++;
			this.#closeParts();
			yield { type: 'part', part: { kind: 'form', form } };
		}
	}

	/** Closes the open parts, so that later text goes into new ones. */
	#closeParts(): void {
		this.#hasEarlier = this.begun;
		this.#text = this.#thinking = undefined;
	}
}
