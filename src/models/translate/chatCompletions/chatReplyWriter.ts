import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ChatCompletion } from '#contract/openai/chatCompletions.ts';
import { openAiProtocol } from '../../protocols.ts';
import { getOpenAiFinish } from '../openai/openAiFinish.ts';
import { toOpenAiUsage } from '../openai/openAiUsage.ts';
import type { ReplyWriter } from '../replyWriter.ts';
import { createChatHead, createReasoningFields, createSignatureFields } from './chatReply.ts';

interface SentCall {
	readonly index: number;
	hasArguments: boolean;
	hasSignature: boolean;
}

/**
 * Writes a streamed reply as chat completion chunks: one ID, the role in the first chunk, the finish reason in the last, and an index for
 * each call.
 */
export class ChatReplyWriter implements ReplyWriter {
	readonly contentType = 'text/event-stream; charset=utf-8';
	/** A comment, because the protocol has no ping event. */
	readonly ping = ': ping\n\n';
	readonly #includeUsage: boolean;
	readonly #more: Readonly<Record<string, unknown>>;
	#model: string;
	#head: Pick<ChatCompletion, 'id' | 'created' | 'model'> | undefined;
	#finished = false;
	readonly #calls = new Map<string, SentCall>();

	/**
	 * @param includeUsage true if the caller requested a final chunk with token counts
	 * @param more additional fields for every chunk
	 */
	constructor(model: string, includeUsage: boolean, more: Readonly<Record<string, unknown>> = {}) {
		this.#more = more;
		this.#model = model;
		this.#includeUsage = includeUsage;
	}

	writeStart(): string {
		return this.#head ? '' : this.#writeChunk({ role: 'assistant', content: '' });
	}

	writePart(part: LanguageModelV4StreamPart): string {
		switch (part.type) {
			case 'response-metadata':
				this.#model = part.modelId ?? this.#model;
				return '';
			case 'text-delta':
				return part.delta === '' ? '' : this.#writeDelta({ content: part.delta });
			case 'reasoning-delta':
				return part.delta === '' ? '' : this.#writeDelta(createReasoningFields(part.delta));
			case 'tool-input-start':
				return part.providerExecuted ? '' : this.#openCall(part.id, part.toolName, part.providerMetadata);
			case 'tool-input-delta':
				return this.#writeArguments(part.id, part.delta);
			case 'tool-call':
				return part.providerExecuted ? '' : this.#writeWholeCall(part);
			case 'finish':
				return this.#writeFinish(part);
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

	#openCall(id: string, name: string, metadata: LanguageModelV4ToolCall['providerMetadata']): string {
		const signed = createSignatureFields(metadata);
		const call = { index: this.#calls.size, hasArguments: false, hasSignature: 'extra_content' in signed };
		this.#calls.set(id, call);
		return this.#writeDelta({ tool_calls: [{ index: call.index, id, type: 'function', function: { name, arguments: '' }, ...signed }] });
	}

	#writeArguments(id: string, json: string): string {
		const call = this.#calls.get(id);
		if (!call || json === '') {
			return '';
		}
		call.hasArguments = true;
		return this.#writeDelta({ tool_calls: [{ index: call.index, function: { arguments: json } }] });
	}

	/** Writes a complete call. For a streamed one, only sends what is missing: empty arguments, or a late signature. */
	#writeWholeCall({ toolCallId: id, toolName, input, providerMetadata }: LanguageModelV4ToolCall): string {
		let text = this.#calls.has(id) ? '' : this.#openCall(id, toolName, providerMetadata);
		const call = this.#calls.get(id) as SentCall;
		if (!call.hasArguments) {
			text += this.#writeArguments(id, input === '' ? '{}' : input);
		}
		const signed = call.hasSignature ? {} : createSignatureFields(providerMetadata);
		if ('extra_content' in signed) {
			call.hasSignature = true;
			text += this.#writeDelta({ tool_calls: [{ index: call.index, function: { arguments: '' }, ...signed }] });
		}
		return text;
	}

	#writeFinish({ finishReason, providerMetadata, usage }: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): string {
		this.#finished = true;
		return (
			this.writeStart() +
			this.#writeChunk({}, getOpenAiFinish(finishReason, providerMetadata, this.#calls.size > 0)) +
			(this.#includeUsage ? this.#formatEvent({ choices: [], usage: toOpenAiUsage(usage) }) : '')
		);
	}

	#writeDelta(delta: Readonly<Record<string, unknown>>): string {
		return this.writeStart() + this.#writeChunk(delta);
	}

	#writeChunk(delta: Readonly<Record<string, unknown>>, reason: string | null = null): string {
		return this.#formatEvent({
			choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
			...(this.#includeUsage && { usage: null }),
		});
	}

	#formatEvent(fields: Readonly<Record<string, unknown>>): string {
		this.#head ??= createChatHead(this.#model);
		const { id, created, model } = this.#head;
		return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...this.#more, ...fields })}\n\n`;
	}
}
