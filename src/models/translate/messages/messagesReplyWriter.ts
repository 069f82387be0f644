import type { LanguageModelV4Source, LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ContentBlock, MessagesStreamEvent } from '#contract/text/messages.ts';
import { messagesProtocol } from '../../protocols.ts';
import { HeldParts } from '../heldParts.ts';
import { getSignature } from '../providerMetadata.ts';
import type { ReplyWriter } from '../replyWriter.ts';
import { markSignature } from '../signature.ts';
import { createMessageHead, createStopFields, toMessagesUsage } from './messagesReplyParts.ts';
import { createSearchBlocks, createServerToolResult } from './serverToolBlocks.ts';

/**
 * Writes a streamed reply as message events (C; wire facts 2.2). Blocks are numbered as they open. Only one is open at a time, as with
 * Anthropic, so a part of another block closes it first.
 */
export class MessagesReplyWriter implements ReplyWriter {
	readonly contentType = 'text/event-stream; charset=utf-8';
	readonly ping = formatEvent({ type: 'ping' });
	#model: string;
	#started = false;
	#index = -1;
	/** ID of the open block in the model's stream. */
	#open: string | undefined;
	/** Gemini's signature of the open thinking block, if known. */
	#signature: string | undefined;
	#isThinking = false;
	#finished = false;
	#hasCalls = false;
	/** Tool calls whose input was streamed, so that the complete call adds nothing. */
	readonly #streamed = new Set<string>();
	/** ID of the tool call whose input is being streamed. */
	#openCall: string | undefined;
	readonly #sources: LanguageModelV4Source[] = [];
	readonly #inputTokens: number;
	/**
	 * Parts that arrived while another call was being streamed. Some services interleave calls, but messages have one open block at a time.
	 */
	readonly #held = new HeldParts();

	/** @param inputTokens an estimate for `message_start`, because services only send the count at the end */
	constructor(model: string, inputTokens: number) {
		this.#model = model;
		this.#inputTokens = inputTokens;
	}

	writeStart(): string {
		if (this.#started) {
			return '';
		}
		this.#started = true;
		const message = {
			...createMessageHead(this.#model),
			content: [],
			stop_reason: null,
			stop_sequence: null,
			stop_sequences: null,
			usage: { ...toMessagesUsage(undefined), input_tokens: this.#inputTokens },
		};
		return formatEvent({ type: 'message_start', message }) + this.ping;
	}

	writePart(part: LanguageModelV4StreamPart): string {
		const block = getPartId(part);
		if (this.#openCall !== undefined && block !== undefined && block !== this.#openCall) {
			this.#held.holdPart(block, part);
			return '';
		}
		switch (part.type) {
			case 'response-metadata':
				this.#model = part.modelId ?? this.#model;
				return '';
			case 'text-delta':
				return part.delta === ''
					? ''
					: this.#writeDelta(`text:${part.id}`, { type: 'text', text: '' }, { type: 'text_delta', text: part.delta });
			case 'text-end':
				return this.#open === `text:${part.id}` ? this.#closeBlock() : '';
			case 'reasoning-start':
			case 'reasoning-delta':
			case 'reasoning-end':
				return this.#writeReasoning(part);
			case 'tool-input-start':
				this.#streamed.add(part.id);
				this.#openCall = part.id;
				return this.#openTool(part.id, part.toolName, getSignature(part.providerMetadata), part.providerExecuted);
			case 'tool-input-delta':
				return part.delta === '' ? '' : this.#writeInputDelta(part.delta);
			case 'tool-input-end':
				return this.#closeCall(part.id);
			case 'tool-call':
				return this.#streamed.has(part.toolCallId) ? this.#closeCall(part.toolCallId) : this.#writeWholeTool(part);
			case 'tool-result':
				return this.#writeWholeBlock(createServerToolResult(part));
			case 'source':
				this.#sources.push(part);
				return '';
			case 'finish':
				return this.#writeFinish(part);
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

	#writeFinish(part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): string {
		let text = this.writeStart();
		while (this.#openCall !== undefined) {
			text += this.#closeCall(this.#openCall);
		}
		this.#finished = true;
		return (
			text +
			createSearchBlocks(this.#sources)
				.map(block => this.#writeWholeBlock(block))
				.join('') +
			this.#closeBlock() +
			formatEvent({
				type: 'message_delta',
				delta: createStopFields(part.finishReason, part.providerMetadata, this.#hasCalls),
				usage: toMessagesUsage(part.usage),
			}) +
			formatEvent({ type: 'message_stop' })
		);
	}

	#closeCall(id: string): string {
		if (this.#openCall !== id) {
			return '';
		}
		this.#openCall = undefined;
		let text = this.#closeBlock();
		this.#held.releaseParts(
			() => this.#openCall,
			part => {
				text += this.writePart(part);
			},
		);
		return text;
	}

	#writeDelta(id: string, block: ContentBlock, delta: { type: string; [field: string]: unknown }): string {
		return this.#openBlock(id, block) + formatEvent({ type: 'content_block_delta', index: this.#index, delta });
	}

	#writeReasoning(part: Extract<LanguageModelV4StreamPart, { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>): string {
		let text = this.#openBlock(`reasoning:${part.id}`, { type: 'thinking', thinking: '', signature: '' });
		this.#isThinking = true;
		this.#signature = getSignature(part.providerMetadata) ?? this.#signature;
		if (part.type === 'reasoning-delta' && part.delta !== '') {
			text += formatEvent({ type: 'content_block_delta', index: this.#index, delta: { type: 'thinking_delta', thinking: part.delta } });
		}
		return part.type === 'reasoning-end' ? text + this.#closeBlock() : text;
	}

	#openTool(id: string, name: string, signature: string | undefined, isServers = false): string {
		this.#hasCalls ||= !isServers;
		let text = '';
		if (signature !== undefined) {
			// Gemini needs its signatures back with the call (wire facts 4.1), and callers send thinking blocks back unchanged
			text = this.#openBlock(`signature:${id}`, { type: 'thinking', thinking: '', signature: '' });
			this.#isThinking = true;
			this.#signature = signature;
		}
		return text + this.#openBlock(`call:${id}`, { type: isServers ? 'server_tool_use' : 'tool_use', id, name, input: {} });
	}

	#writeWholeTool({ toolCallId, toolName, input, providerMetadata, providerExecuted }: LanguageModelV4ToolCall): string {
		const text = this.#openTool(toolCallId, toolName, getSignature(providerMetadata), providerExecuted);
		return text + (input === '' ? '' : this.#writeInputDelta(input)) + this.#closeBlock();
	}

	#writeWholeBlock(block: ContentBlock): string {
		return this.#openBlock(`block:${this.#index}`, block) + this.#closeBlock();
	}

	#writeInputDelta(json: string): string {
		return formatEvent({ type: 'content_block_delta', index: this.#index, delta: { type: 'input_json_delta', partial_json: json } });
	}

	#openBlock(id: string, block: ContentBlock): string {
		if (this.#open === id) {
			return '';
		}
		const text = this.writeStart() + this.#closeBlock();
		this.#open = id;
		this.#index++;
		return text + formatEvent({ type: 'content_block_start', index: this.#index, content_block: block });
	}

	#closeBlock(): string {
		if (this.#open === undefined) {
			return '';
		}
		const signature = this.#isThinking ? markSignature(this.#signature) : undefined;
		this.#open = undefined;
		this.#isThinking = false;
		this.#signature = undefined;
		return (
			(signature === undefined
				? ''
				: formatEvent({ type: 'content_block_delta', index: this.#index, delta: { type: 'signature_delta', signature } })) +
			formatEvent({ type: 'content_block_stop', index: this.#index })
		);
	}
}

/** Returns the ID of the block that a part belongs to; undefined for parts about the whole reply. */
function getPartId(part: LanguageModelV4StreamPart): string | undefined {
	return part.type === 'tool-call' || part.type === 'tool-result'
		? part.toolCallId
		: 'id' in part && part.type !== 'response-metadata'
			? part.id
			: undefined;
}

function formatEvent(data: MessagesStreamEvent): string {
	return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
