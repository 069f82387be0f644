import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Maximum length of a reply with its reasoning, in characters. Real models stay far below. */
const maxLength = 10_000_000;
/** Length that each text, thought, call or source counts in addition, because thousands of empty ones fill the memory too. */
const lengthOfStart = 1_000;
const lengthOfDelta = 10;

/** Limits the length of a reply that is stored until its end. */
export class ReplyLength {
	readonly #model: string;
	#length = 0;

	/** @param model named in the error message */
	constructor(model: string) {
		this.#model = model;
	}

	/** Throws an error (502) if the reply is too long. */
	add(part: LanguageModelV4StreamPart): void {
		this.#length += getPartLength(part);
		if (this.#length > maxLength) {
			throw new ServiceFault(502, localizable`The reply from ${this.#model} is too long. The limit is ${maxLength} characters.`);
		}
	}
}

function getPartLength(part: LanguageModelV4StreamPart): number {
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
