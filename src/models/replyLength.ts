import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Characters of a reply, its reasoning too. More than any model gives. */
const maxLength = 10_000_000;
/** What a text, a thought, a call or a source counts as besides its characters: thousands of empty ones fill the memory too. */
const lengthOfStart = 1_000;
const lengthOfDelta = 10;

/** Counts what is kept of a model's reply until its end. */
export class ReplyLength {
	readonly #model: string;
	#length = 0;

	/** `model` is named in the message. */
	constructor(model: string) {
		this.#model = model;
	}

	/** Throws a fault (502) if the reply is too long to keep. */
	add(part: LanguageModelV4StreamPart): void {
		this.#length += lengthOf(part);
		if (this.#length > maxLength) {
			throw new ServiceFault(502, `The reply of ${this.#model} is over ${maxLength} characters, the most that is kept of one.`);
		}
	}
}

function lengthOf(part: LanguageModelV4StreamPart): number {
	switch (part.type) {
		case 'text-delta':
		case 'reasoning-delta':
		case 'tool-input-delta':
			return lengthOfDelta + part.delta.length;
		case 'tool-call':
			return lengthOfStart + part.input.length;
		case 'text-start':
		case 'reasoning-start':
		case 'tool-input-start':
		case 'tool-result':
		case 'source':
			return lengthOfStart;
		default:
			return 0;
	}
}
