import type {
	LanguageModelV4FinishReason,
	LanguageModelV4GenerateResult,
	LanguageModelV4StreamPart,
	LanguageModelV4ToolCall,
	LanguageModelV4Usage,
	SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { ContentBlock, MessagesResponse, MessagesStreamEvent } from '../../../protocol/messages.ts';
import type { ServiceFault } from '../../server/serviceFault.ts';
import { messagesProtocol } from '../protocols.ts';
import { newId } from './newId.ts';
import type { ReplyWriter } from './replyWriter.ts';
import { toolInput } from './toolInput.ts';

/** A whole reply in C's form. `model`: name to sign with where the upstream gave none. */
export function messagesReply(result: LanguageModelV4GenerateResult, model: string): MessagesResponse {
	return {
		...skeleton(result.response?.modelId ?? model),
		content: result.content.flatMap(contentBlocks),
		...stop(result.finishReason, result.providerMetadata),
		usage: usage(result.usage),
	};
}

function contentBlocks(part: LanguageModelV4GenerateResult['content'][number]): ContentBlock[] {
	switch (part.type) {
		case 'text':
			return [{ type: 'text', text: part.text }];
		case 'reasoning':
			return [{ type: 'thinking', thinking: part.text, signature: signatureOf(part.providerMetadata) ?? '' }];
		case 'tool-call': {
			const signature = signatureOf(part.providerMetadata);
			const block = { type: 'tool_use', id: part.toolCallId, name: part.toolName, input: toolInput(part.toolName, part.input) };
			return signature === undefined ? [block] : [{ type: 'thinking', thinking: '', signature }, block];
		}
		default:
			return [];
	}
}

/**
 * A streamed reply in C's form (wire facts 2.2). Blocks are numbered as they open; one is open at a time, as with Anthropic, so a part that comes
 * while another is open closes that first.
 */
export class MessagesReplyWriter implements ReplyWriter {
	readonly contentType = 'text/event-stream; charset=utf-8';
	readonly ping = event({ type: 'ping' });
	#model: string;
	#started = false;
	#index = -1;
	/** ID, in the model's stream, of the block that is open. */
	#open: string | undefined;
	/** Signature of the open thinking block, as far as known. */
	#signature: string | undefined;
	#isThinking = false;
	#finished = false;
	/** Tool calls whose input was streamed: the whole call that follows says nothing new. */
	readonly #streamed = new Set<string>();
	/** ID of the tool call whose input is being streamed. */
	#openCall: string | undefined;
	/** Parts that came while the input of another call was being streamed: some services mix calls, C takes one block at a time. */
	#held: LanguageModelV4StreamPart[] = [];

	constructor(model: string) {
		this.#model = model;
	}

	start(): string {
		if (this.#started) {
			return '';
		}
		this.#started = true;
		const message = {
			...skeleton(this.#model),
			content: [],
			stop_reason: null,
			stop_sequence: null,
			stop_sequences: null,
			usage: usage(undefined),
		};
		return event({ type: 'message_start', message }) + this.ping;
	}

	part(part: LanguageModelV4StreamPart): string {
		if (this.#openCall !== undefined && partId(part) !== undefined && partId(part) !== this.#openCall) {
			this.#held.push(part);
			return '';
		}
		switch (part.type) {
			case 'response-metadata':
				this.#model = part.modelId ?? this.#model;
				return '';
			case 'text-delta':
				return part.delta === ''
					? ''
					: this.#delta(`text:${part.id}`, { type: 'text', text: '' }, { type: 'text_delta', text: part.delta });
			case 'text-end':
				return this.#open === `text:${part.id}` ? this.#close() : '';
			case 'reasoning-start':
			case 'reasoning-delta':
			case 'reasoning-end':
				return this.#reasoning(part);
			case 'tool-input-start':
				this.#streamed.add(part.id);
				this.#openCall = part.id;
				return this.#openTool(part.id, part.toolName, signatureOf(part.providerMetadata));
			case 'tool-input-delta':
				return part.delta === '' ? '' : this.#inputDelta(part.delta);
			case 'tool-input-end':
				return this.#endCall(part.id);
			case 'tool-call':
				return this.#streamed.has(part.toolCallId) ? this.#endCall(part.toolCallId) : this.#wholeTool(part);
			case 'finish':
				return this.#finish(part);
			default:
				return '';
		}
	}

	end(): string | undefined {
		return this.#finished ? '' : undefined;
	}

	fault(fault: ServiceFault): string {
		return messagesProtocol.streamFault(fault);
	}

	#finish(part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): string {
		let text = this.start();
		while (this.#openCall !== undefined) {
			text += this.#endCall(this.#openCall);
		}
		this.#finished = true;
		return (
			text +
			this.#close() +
			event({ type: 'message_delta', delta: stop(part.finishReason, part.providerMetadata), usage: usage(part.usage) }) +
			event({ type: 'message_stop' })
		);
	}

	#endCall(id: string): string {
		if (this.#openCall !== id) {
			return '';
		}
		this.#openCall = undefined;
		const held = this.#held;
		this.#held = [];
		return this.#close() + held.map(part => this.part(part)).join('');
	}

	#delta(id: string, block: ContentBlock, delta: { type: string; [field: string]: unknown }): string {
		return this.#ensure(id, block) + event({ type: 'content_block_delta', index: this.#index, delta });
	}

	#reasoning(part: Extract<LanguageModelV4StreamPart, { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>): string {
		let text = this.#ensure(`reasoning:${part.id}`, { type: 'thinking', thinking: '', signature: '' });
		this.#isThinking = true;
		this.#signature = signatureOf(part.providerMetadata) ?? this.#signature;
		if (part.type === 'reasoning-delta' && part.delta !== '') {
			text += event({ type: 'content_block_delta', index: this.#index, delta: { type: 'thinking_delta', thinking: part.delta } });
		}
		return part.type === 'reasoning-end' ? text + this.#close() : text;
	}

	#openTool(id: string, name: string, signature: string | undefined): string {
		let text = '';
		if (signature !== undefined) {
			// what Gemini signs must come back with the call (wire facts 4.1); callers of C send thinking blocks back unchanged
			text = this.#ensure(`signature:${id}`, { type: 'thinking', thinking: '', signature: '' });
			this.#isThinking = true;
			this.#signature = signature;
		}
		return text + this.#ensure(`call:${id}`, { type: 'tool_use', id, name, input: {} });
	}

	#wholeTool({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall): string {
		const text = this.#openTool(toolCallId, toolName, signatureOf(providerMetadata));
		return text + (input === '' ? '' : this.#inputDelta(input)) + this.#close();
	}

	#inputDelta(json: string): string {
		return event({ type: 'content_block_delta', index: this.#index, delta: { type: 'input_json_delta', partial_json: json } });
	}

	#ensure(id: string, block: ContentBlock): string {
		if (this.#open === id) {
			return '';
		}
		const text = this.start() + this.#close();
		this.#open = id;
		this.#index++;
		return text + event({ type: 'content_block_start', index: this.#index, content_block: block });
	}

	#close(): string {
		if (this.#open === undefined) {
			return '';
		}
		const signature = this.#isThinking ? this.#signature : undefined;
		this.#open = undefined;
		this.#isThinking = false;
		this.#signature = undefined;
		return (
			(signature === undefined
				? ''
				: event({ type: 'content_block_delta', index: this.#index, delta: { type: 'signature_delta', signature } })) +
			event({ type: 'content_block_stop', index: this.#index })
		);
	}
}

/** ID of the block that a part belongs to; undefined for parts of the whole reply. */
function partId(part: LanguageModelV4StreamPart): string | undefined {
	return part.type === 'tool-call' ? part.toolCallId : 'id' in part && part.type !== 'response-metadata' ? part.id : undefined;
}

function event(data: MessagesStreamEvent): string {
	return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function skeleton(model: string) {
	return { id: newId('msg_'), type: 'message', role: 'assistant', model };
}

/** `stop_sequence` is what services send, `stop_sequences` what the contract calls it: readers of both are served. */
function stop(reason: LanguageModelV4FinishReason, metadata: SharedV4ProviderMetadata | undefined) {
	const sequence = stopSequenceOf(metadata) ?? null;
	const stopReason = isPromptBlock(metadata)
		? 'refusal'
		: sequence !== null && reason.unified === 'stop'
			? 'stop_sequence'
			: stopReasons[reason.unified];
	return {
		stop_reason: stopReason,
		stop_sequence: sequence,
		stop_sequences: sequence,
		...(stopReason === 'refusal' && { stop_details: { type: 'refusal', category: null, explanation: null } }),
	};
}

const stopReasons: Readonly<Record<LanguageModelV4FinishReason['unified'], string>> = {
	stop: 'end_turn',
	length: 'max_tokens',
	'tool-calls': 'tool_use',
	'content-filter': 'refusal',
	error: 'end_turn',
	interrupted: 'end_turn',
	other: 'end_turn',
};

/** The sequence that stopped the reply, from the providers that tell: Anthropic and the offline model. */
export function stopSequenceOf(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
	const sequence = (metadata?.['anthropic'] ?? metadata?.['offline'])?.['stopSequence'];
	return typeof sequence === 'string' ? sequence : undefined;
}

/** Whether a prompt was blocked whole: Gemini then gives no candidate, only the reason (wire facts 4.1). */
export function isPromptBlock(metadata: SharedV4ProviderMetadata | undefined): boolean {
	const feedback = metadata?.['google']?.['promptFeedback'];
	const blocked = typeof feedback === 'object' && feedback !== null && 'blockReason' in feedback && feedback['blockReason'];
	return Boolean(blocked) || metadata?.['offline']?.['promptBlocked'] === true;
}

/** Signature of a thought or a call, which has to come back unchanged in the next turn. */
function signatureOf(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
	const signature = metadata?.['google']?.['thoughtSignature'] ?? metadata?.['anthropic']?.['signature'];
	return typeof signature === 'string' ? signature : undefined;
}

function usage(usage: LanguageModelV4Usage | undefined) {
	const { inputTokens, outputTokens } = usage ?? {};
	const cached = (inputTokens?.cacheRead ?? 0) + (inputTokens?.cacheWrite ?? 0);
	return {
		input_tokens: inputTokens?.noCache ?? Math.max((inputTokens?.total ?? 0) - cached, 0),
		output_tokens: outputTokens?.total ?? 0,
		cache_creation_input_tokens: inputTokens?.cacheWrite ?? 0,
		cache_read_input_tokens: inputTokens?.cacheRead ?? 0,
	};
}
