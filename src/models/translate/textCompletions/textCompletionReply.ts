import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { TextCompletion } from '#contract/openai/textCompletions.ts';
import { openAiProtocol } from '../../protocols.ts';
import { createId } from '../newId.ts';
import { getOpenAiFinish } from '../openai/openAiFinish.ts';
import { toOpenAiUsage } from '../openai/openAiUsage.ts';
import type { ReplyWriter } from '../replyWriter.ts';

type Head = Pick<TextCompletion, 'id' | 'object' | 'created' | 'model'>;

/**
 * Converts a complete reply to a text completion.
 * @param model name to use if the upstream sent none
 */
export function createTextCompletionReply(result: LanguageModelV4GenerateResult, model: string): TextCompletion {
	const text = result.content.map(part => (part.type === 'text' ? part.text : '')).join('');
	return {
		...createHead(result.response?.modelId ?? model),
		choices: [{ text, index: 0, logprobs: null, finish_reason: getOpenAiFinish(result.finishReason, result.providerMetadata, false) }],
		usage: toOpenAiUsage(result.usage),
	};
}

/** Writes a streamed reply as text completion chunks, each with an increment. */
export class TextCompletionReplyWriter implements ReplyWriter {
	readonly contentType = 'text/event-stream; charset=utf-8';
	readonly ping = ': ping\n\n';
	readonly #includeUsage: boolean;
	#model: string;
	#head: Head | undefined;
	#finished = false;

	/** @param includeUsage true if the caller requested a final chunk with token counts */
	constructor(model: string, includeUsage: boolean) {
		this.#model = model;
		this.#includeUsage = includeUsage;
	}

	writeStart(): string {
		return '';
	}

	writePart(part: LanguageModelV4StreamPart): string {
		switch (part.type) {
			case 'response-metadata':
				this.#model = part.modelId ?? this.#model;
				return '';
			case 'text-delta':
				return part.delta === '' ? '' : this.#formatChunk(part.delta, null);
			case 'finish':
				this.#finished = true;
				return (
					this.#formatChunk('', getOpenAiFinish(part.finishReason, part.providerMetadata, false)) +
					(this.#includeUsage ? this.#formatEvent({ choices: [], usage: toOpenAiUsage(part.usage) }) : '')
				);
			default:
				return '';
		}
	}

	writeEnd(): string | undefined {
		return this.#finished ? 'data: [DONE]\n\n' : undefined;
	}

	writeFault(fault: ServiceFault): string {
		return openAiProtocol.formatStreamFault(fault);
	}

	#formatChunk(text: string, reason: string | null): string {
		return this.#formatEvent({
			choices: [{ text, index: 0, logprobs: null, finish_reason: reason }],
			...(this.#includeUsage && { usage: null }),
		});
	}

	#formatEvent(fields: Pick<TextCompletion, 'choices' | 'usage'>): string {
		this.#head ??= createHead(this.#model);
		return `data: ${JSON.stringify({ ...this.#head, ...fields })}\n\n`;
	}
}

function createHead(model: string): Head {
	return { id: createId('cmpl-'), object: 'text_completion', created: Math.floor(Date.now() / 1000), model };
}
