import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { TextCompletion } from '#contract/openai/textCompletions.ts';
import { openAiProtocol } from '../../protocols.ts';
import { newId } from '../newId.ts';
import { openAiFinish } from '../openai/openAiFinish.ts';
import { openAiUsage } from '../openai/openAiUsage.ts';
import type { ReplyWriter } from '../replyWriter.ts';

type Head = Pick<TextCompletion, 'id' | 'object' | 'created' | 'model'>;

/** Converts a complete reply to a text completion. @param model name to use if the upstream sent none */
export function textCompletionReply(result: LanguageModelV4GenerateResult, model: string): TextCompletion {
	const text = result.content.map(part => (part.type === 'text' ? part.text : '')).join('');
	return {
		...headOf(result.response?.modelId ?? model),
		choices: [{ text, index: 0, logprobs: null, finish_reason: openAiFinish(result.finishReason, result.providerMetadata, false) }],
		usage: openAiUsage(result.usage),
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

	/** @param includeUsage whether the caller requested a final chunk with token counts */
	constructor(model: string, includeUsage: boolean) {
		this.#model = model;
		this.#includeUsage = includeUsage;
	}

	start(): string {
		return '';
	}

	part(part: LanguageModelV4StreamPart): string {
		switch (part.type) {
			case 'response-metadata':
				this.#model = part.modelId ?? this.#model;
				return '';
			case 'text-delta':
				return part.delta === '' ? '' : this.#chunk(part.delta, null);
			case 'finish':
				this.#finished = true;
				return (
					this.#chunk('', openAiFinish(part.finishReason, part.providerMetadata, false)) +
					(this.#includeUsage ? this.#event({ choices: [], usage: openAiUsage(part.usage) }) : '')
				);
			default:
				return '';
		}
	}

	end(): string | undefined {
		return this.#finished ? 'data: [DONE]\n\n' : undefined;
	}

	fault(fault: ServiceFault): string {
		return openAiProtocol.streamFault(fault);
	}

	#chunk(text: string, reason: string | null): string {
		return this.#event({
			choices: [{ text, index: 0, logprobs: null, finish_reason: reason }],
			...(this.#includeUsage && { usage: null }),
		});
	}

	#event(fields: Pick<TextCompletion, 'choices' | 'usage'>): string {
		this.#head ??= headOf(this.#model);
		return `data: ${JSON.stringify({ ...this.#head, ...fields })}\n\n`;
	}
}

function headOf(model: string): Head {
	return { id: newId('cmpl-'), object: 'text_completion', created: Math.floor(Date.now() / 1000), model };
}
