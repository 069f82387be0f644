import type {
	LanguageModelV4FinishReason,
	LanguageModelV4GenerateResult,
	LanguageModelV4StreamPart,
	SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { CompletionsResponse } from '#contract/text/completions.ts';
import { messagesProtocol } from '../../protocols.ts';
import { createId } from '../newId.ts';
import { getStopSequence } from '../providerMetadata.ts';
import type { ReplyWriter } from '../replyWriter.ts';
import { builtInStop } from './completionsCall.ts';

/**
 * Converts a complete reply to a completion (D).
 * @param model name to use if the upstream sent none
 */
export function createCompletionsReply(result: LanguageModelV4GenerateResult, model: string): CompletionsResponse {
	const text = result.content.map(part => (part.type === 'text' ? part.text : '')).join('');
	return {
		id: createId('compl_'),
		type: 'completion',
		model: result.response?.modelId ?? model,
		completion: text,
		...getStopFields(result.finishReason, result.providerMetadata),
	};
}

/** Writes a streamed reply as completion events (D): increments, then an empty one with the reason (wire facts 3). */
export class CompletionsReplyWriter implements ReplyWriter {
	readonly contentType = 'text/event-stream; charset=utf-8';
	readonly ping = 'event: ping\ndata: {"type":"ping"}\n\n';
	readonly #id = createId('compl_');
	#model: string;
	#finished = false;

	constructor(model: string) {
		this.#model = model;
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
				return part.delta === '' ? '' : this.#formatEvent(part.delta, { stop_reason: null, stop: null });
			case 'finish':
				this.#finished = true;
				return this.#formatEvent('', getStopFields(part.finishReason, part.providerMetadata));
			default:
				return '';
		}
	}

	writeEnd(): string | undefined {
		return this.#finished ? '' : undefined;
	}

	writeFault(fault: ServiceFault): string {
		return messagesProtocol.formatStreamFault(fault);
	}

	#formatEvent(completion: string, end: { stop_reason: string | null; stop: string | null }): string {
		return `event: completion\ndata: ${JSON.stringify({ type: 'completion', id: this.#id, completion, ...end, model: this.#model })}\n\n`;
	}
}

/**
 * Returns one of the two stop reasons of completions (D). A reply that ended normally counts as stopped by the built-in stop sequence,
 * because the next human turn would have followed.
 */
function getStopFields(reason: LanguageModelV4FinishReason, metadata: SharedV4ProviderMetadata | undefined) {
	return reason.unified === 'length'
		? { stop_reason: 'max_tokens', stop: null }
		: { stop_reason: 'stop_sequence', stop: getStopSequence(metadata) ?? builtInStop };
}
