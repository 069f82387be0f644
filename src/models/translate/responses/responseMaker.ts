import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { createOpenAiError } from '#contract/faults/errorBody.ts';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseItemStatus, ResponseObject, ResponseOutputItem, ResponseStreamEvent } from '#contract/openai/responses.ts';
import { HeldParts } from '../heldParts.ts';
import { isPromptBlock } from '../providerMetadata.ts';
import { CallSignature, type ItemEvent, OpenCustomCall, OpenFunctionCall, type OpenItem, OpenMessage, OpenReasoning } from './openItems.ts';
import { findSignatures } from './reasoningEnvelope.ts';
import { toResponseUsage } from './responseHead.ts';
import type { ResponseTools } from './responseTools.ts';

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

interface ResponseMakerOptions {
	readonly tools: ResponseTools;
	/** True if reasoning items include encrypted content. */
	readonly showsEncrypted: boolean;
	/** Unix milliseconds. */
	readonly now: () => number;
	/** Called with the complete reply, including hidden content, before the caller gets it. May change the reply's fields. */
	readonly onEnded: (response: ResponseObject) => void;
}

/**
 * Builds a reply from a model's parts, and the events for it. As callers expect, only one item is open at a time: a part of another item
 * closes it first, and parts of a second tool call wait for the first to end. An item stays open until the next one starts or the reply
 * ends, because only then is it known whether it was cut.
 */
export class ResponseMaker {
	readonly response: ResponseObject;
	readonly #options: ResponseMakerOptions;
	/** Items as they are stored, including content that isn't shown to the caller. */
	readonly #output: ResponseOutputItem[] = [];
	#sequence = 0;
	#started = false;
	#ended = false;
	/** The open item, with the key of its block in the model's stream. */
	#open: OpenItem | undefined;
	#key: string | undefined;
	/** ID of the tool call whose input is arriving. */
	#openCall: string | undefined;
	readonly #held = new HeldParts();
	/** True if the open call has received input. */
	#hasInput = false;
	readonly #signedCalls = new Set<string>();

	constructor(head: ResponseObject, options: ResponseMakerOptions) {
		this.response = head;
		this.#options = options;
	}

	get ended(): boolean {
		return this.#ended;
	}

	/** Returns the first events. Returns none after the first call. */
	start(): ResponseStreamEvent[] {
		if (this.#started) {
			return [];
		}
		this.#started = true;
		return [
			this.#createEvent('created', { response: structuredClone(this.response) }),
			this.#createEvent('in_progress', { response: structuredClone(this.response) }),
		];
	}

	/** Accepts a part of the model's stream and returns its events. Ignores parts after the end of the reply. */
	addPart(part: LanguageModelV4StreamPart): ResponseStreamEvent[] {
		if (this.#ended) {
			return [];
		}
		const block = getBlockKey(part);
		if (this.#openCall !== undefined && block !== undefined && block !== this.#openBlock) {
			this.#held.holdPart(block, part);
			return [];
		}
		switch (part.type) {
			case 'response-metadata':
				if (!this.#started) {
					this.response.model = part.modelId ?? this.response.model;
				}
				return [];
			case 'text-delta':
				return part.delta === '' ? [] : this.#addText(`text:${part.id}`, () => new OpenMessage(), part.delta);
			case 'reasoning-start':
			case 'reasoning-delta':
			case 'reasoning-end':
				return this.#addReasoning(part);
			case 'tool-input-start':
				return part.providerExecuted ? [] : this.#openNewCall(part.id, part.toolName, findSignatures(part.providerMetadata));
			case 'tool-input-delta':
				return this.#openCall === part.id ? this.#addInput(part.delta) : [];
			case 'tool-call':
				return part.providerExecuted ? [] : this.#addWholeCall(part);
			case 'finish':
				return this.#onFinish(part);
			default:
				return [];
		}
	}

	/** Ends the reply with an error. A finished reply stays as it is. */
	failResponse(fault: ServiceFault): ResponseStreamEvent[] {
		if (this.#ended) {
			return [];
		}
		const { message, type, code, param } = createOpenAiError(fault).error;
		const events = [...this.start(), ...this.#closeAll('incomplete')];
		this.response.status = 'failed';
		this.response.error = { code: code ?? type, message };
		return [...events, this.#numberEvent({ type: 'error', code: code ?? type, message, param }), ...this.#endResponse('failed')];
	}

	#addText(key: string, make: () => OpenItem, delta: string): ResponseStreamEvent[] {
		return [...this.#openItem(key, make), ...this.#createItemEvents(this.#open?.add(delta) ?? [])];
	}

	#addReasoning(part: Extract<LanguageModelV4StreamPart, { type: `reasoning-${'start' | 'delta' | 'end'}` }>): ResponseStreamEvent[] {
		const key = `reasoning:${part.id}`;
		const signed = findSignatures(part.providerMetadata);
		const delta = part.type === 'reasoning-delta' ? part.delta : '';
		if (!signed && delta === '') {
			return [];
		}
		const events = delta === '' ? this.#openItem(key, () => new OpenReasoning()) : this.#addText(key, () => new OpenReasoning(), delta);
		if (signed && this.#open instanceof OpenReasoning) {
			this.#open.addSignatures(signed);
		}
		return events;
	}

	#openNewCall(id: string, functionName: string, signed: ReturnType<typeof findSignatures>): ResponseStreamEvent[] {
		const tool = this.#options.tools.getCallerTool(functionName);
		const signature = this.#addSignature(id, signed);
		this.#openCall = id;
		this.#hasInput = false;
		const createCallItem = () => (tool.kind === 'custom' ? new OpenCustomCall(id, tool) : new OpenFunctionCall(id, tool));
		return [...signature, ...this.#openItem(`call:${id}`, createCallItem)];
	}

	#addInput(json: string): ResponseStreamEvent[] {
		if (json === '' || !this.#open) {
			return [];
		}
		this.#hasInput = true;
		return this.#createItemEvents(this.#open.add(json));
	}

	/** Handles a complete call, or the rest of a streamed one. */
	#addWholeCall({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall): ResponseStreamEvent[] {
		const signed = findSignatures(providerMetadata);
		const events = this.#openCall === toolCallId ? [] : this.#openNewCall(toolCallId, toolName, signed);
		if (!this.#hasInput) {
			events.push(...this.#addInput(input));
		}
		this.#openCall = undefined;
		// some services only sign a call after it's complete
		events.push(...this.#addSignature(toolCallId, signed));
		this.#releasePendingParts(events);
		return events;
	}

	get #openBlock(): string | undefined {
		return this.#openCall === undefined ? undefined : `call:${this.#openCall}`;
	}

	#releasePendingParts(events: ResponseStreamEvent[]): void {
		this.#held.releaseParts(
			() => this.#openBlock,
			part => events.push(...this.addPart(part)),
		);
	}

	#addSignature(call: string, signed: ReturnType<typeof findSignatures>): ResponseStreamEvent[] {
		if (!signed || this.#signedCalls.has(call)) {
			return [];
		}
		this.#signedCalls.add(call);
		return this.#openItem(`signature:${call}`, () => new CallSignature(call, signed));
	}

	#onFinish({ finishReason, usage, providerMetadata }: Finish): ResponseStreamEvent[] {
		this.response.usage = toResponseUsage(usage);
		const cut = isPromptBlock(providerMetadata) ? 'content_filter' : cutReasons[finishReason.unified];
		const events = [...this.start(), ...this.#closeAll(cut ? 'incomplete' : 'completed')];
		if (cut) {
			this.response.status = 'incomplete';
			this.response.incomplete_details = { reason: cut };
			return [...events, ...this.#endResponse('incomplete')];
		}
		this.response.status = 'completed';
		this.response.completed_at = Math.floor(this.#options.now() / 1000);
		return [...events, ...this.#endResponse('completed')];
	}

	#endResponse(type: 'completed' | 'incomplete' | 'failed'): ResponseStreamEvent[] {
		this.#ended = true;
		const shown = this.response.output;
		this.response.output = this.#output;
		this.#options.onEnded(this.response);
		this.response.output = shown;
		return [this.#createEvent(type, { response: this.response })];
	}

	/** Closes the open item, and writes the parts that waited for an unfinished call. */
	#closeAll(status: ResponseItemStatus): ResponseStreamEvent[] {
		const events: ResponseStreamEvent[] = [];
		while (this.#openCall !== undefined) {
			this.#openCall = undefined;
			events.push(...this.#closeItem(status));
			this.#releasePendingParts(events);
		}
		return [...events, ...this.#closeItem(status)];
	}

	#openItem(key: string, make: () => OpenItem): ResponseStreamEvent[] {
		if (this.#key === key) {
			return [];
		}
		const events = [...this.start(), ...this.#closeItem('completed')];
		this.#open = make();
		this.#key = key;
		return [
			...events,
			this.#createEvent('output_item.added', { output_index: this.#output.length, item: this.#copyForCaller(this.#open.item) }),
		];
	}

	#closeItem(status: ResponseItemStatus): ResponseStreamEvent[] {
		if (!this.#open) {
			return [];
		}
		const events = this.#createItemEvents(this.#open.close(status));
		const { item } = this.#open;
		const shown = this.#copyForCaller(item);
		events.push(this.#createEvent('output_item.done', { output_index: this.#output.length, item: shown }));
		this.#output.push(item);
		this.response.output.push(shown);
		this.#open = undefined;
		this.#key = undefined;
		return events;
	}

	#createItemEvents(events: readonly ItemEvent[]): ResponseStreamEvent[] {
		const whose = { item_id: this.#open?.item.id, output_index: this.#output.length };
		return events.map(({ type, ...fields }) => this.#createEvent(type, { ...whose, ...fields }));
	}

	/** Returns a copy of an item as the caller sees it. */
	#copyForCaller(item: ResponseOutputItem): ResponseOutputItem {
		const copy = structuredClone(item);
		if (copy.type === 'reasoning' && !this.#options.showsEncrypted) {
			delete copy.encrypted_content;
		}
		return copy;
	}

	#createEvent(type: string, fields: Readonly<Record<string, unknown>>): ResponseStreamEvent {
		return this.#numberEvent({ type: `response.${type}`, ...fields });
	}

	#numberEvent({ type, ...fields }: { type: string; [field: string]: unknown }): ResponseStreamEvent {
		return { type, sequence_number: this.#sequence++, ...fields };
	}
}

/** Maps finish reasons to the reasons for incomplete replies. */
const cutReasons: Partial<Readonly<Record<LanguageModelV4FinishReason['unified'], 'max_output_tokens' | 'content_filter'>>> = {
	length: 'max_output_tokens',
	'content-filter': 'content_filter',
};

/** Returns the block that a part belongs to: a text, thinking or call, with its ID. Undefined for parts about the whole reply. */
function getBlockKey(part: LanguageModelV4StreamPart): string | undefined {
	if (part.type === 'tool-call') {
		return `call:${part.toolCallId}`;
	}
	const kind = blockKinds[part.type.replace(/-(start|delta|end)$/, '')];
	return kind !== undefined && 'id' in part ? `${kind}:${part.id}` : undefined;
}

const blockKinds: Readonly<Record<string, string>> = { text: 'text', reasoning: 'reasoning', 'tool-input': 'call' };
