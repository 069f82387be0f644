import type {
	ResponseCustomCall,
	ResponseFunctionCall,
	ResponseItemStatus,
	ResponseMessage,
	ResponseOutputItem,
	ResponseReasoning,
} from '#contract/openai/responses.ts';
import { newId } from '../newId.ts';
import { envelope, type SignedThought } from './reasoningEnvelope.ts';
import { type CallerTool, customArgument } from './responseTools.ts';

/** An event of one item: its type without `response.`, and what it says beyond whose it is. */
export interface ItemEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** An item of a reply that is being made. */
export interface OpenItem {
	/** As it is so far; whole once it is closed. */
	readonly item: ResponseOutputItem;
	/** Adds text; the events that tell of it. */
	add(text: string): ItemEvent[];
	/** Makes the item whole; the events between its last text and its own end. */
	close(status: ResponseItemStatus): ItemEvent[];
}

/** A text of the model: one part of content. */
export class OpenMessage implements OpenItem {
	readonly item: ResponseMessage = { id: newId('msg_'), type: 'message', status: 'in_progress', role: 'assistant', content: [] };
	#text = '';

	add(text: string): ItemEvent[] {
		const opening = this.#text === '' ? [{ type: 'content_part.added', content_index: 0, part: outputText('') }] : [];
		this.#text += text;
		return [...opening, { type: 'output_text.delta', content_index: 0, delta: text, logprobs: [] }];
	}

	close(status: ResponseItemStatus): ItemEvent[] {
		this.item.status = status;
		this.item.content = [outputText(this.#text)];
		return [
			{ type: 'output_text.done', content_index: 0, text: this.#text, logprobs: [] },
			{ type: 'content_part.done', content_index: 0, part: outputText(this.#text) },
		];
	}
}

/** A thought. One that only its service can read has no text, and so no summary. */
export class OpenReasoning implements OpenItem {
	readonly item: ResponseReasoning = { id: newId('rs_'), type: 'reasoning', summary: [] };
	#text = '';
	#signed: SignedThought['signed'] | undefined;

	/** Takes what the service has signed; the last words of each field count. */
	sign(signed: SignedThought['signed']): void {
		this.#signed = { ...this.#signed, ...signed };
	}

	add(text: string): ItemEvent[] {
		const opening = this.#text === '' ? [{ type: 'reasoning_summary_part.added', summary_index: 0, part: summaryText('') }] : [];
		this.#text += text;
		return [...opening, { type: 'reasoning_summary_text.delta', summary_index: 0, delta: text }];
	}

	close(): ItemEvent[] {
		if (this.#signed) {
			this.item.encrypted_content = envelope({ text: this.#text, signed: this.#signed });
		}
		if (this.#text === '') {
			return [];
		}
		this.item.summary = [summaryText(this.#text)];
		return [
			{ type: 'reasoning_summary_text.done', summary_index: 0, text: this.#text },
			{ type: 'reasoning_summary_part.done', summary_index: 0, part: summaryText(this.#text) },
		];
	}
}

/** The signature of a call as an item of its own: a call has no place for it, and callers send thoughts back. */
export class CallSignature implements OpenItem {
	readonly item: ResponseReasoning;

	constructor(call: string, signed: SignedThought['signed']) {
		this.item = { id: newId('rs_'), type: 'reasoning', summary: [], encrypted_content: envelope({ text: '', signed, call }) };
	}

	add(): ItemEvent[] {
		return [];
	}

	close(): ItemEvent[] {
		return [];
	}
}

/** A call of a function. */
export class OpenFunctionCall implements OpenItem {
	readonly item: ResponseFunctionCall;

	constructor(callId: string, { name, namespace }: CallerTool) {
		this.item = {
			id: newId('fc_'),
			type: 'function_call',
			call_id: callId,
			name,
			...(namespace !== undefined && { namespace }),
			arguments: '',
			status: 'in_progress',
		};
	}

	add(json: string): ItemEvent[] {
		this.item.arguments += json;
		return [{ type: 'function_call_arguments.delta', delta: json }];
	}

	close(status: ResponseItemStatus): ItemEvent[] {
		// callers parse it: a call without arguments has none, not no JSON
		const empty = this.item.arguments === '' && status === 'completed' ? this.add('{}') : [];
		this.item.status = status;
		return [...empty, { type: 'function_call_arguments.done', arguments: this.item.arguments, name: this.item.name }];
	}
}

/** A call of a custom tool. Its text comes in one piece: the model writes it as JSON, which can be read when it is whole. */
export class OpenCustomCall implements OpenItem {
	readonly item: ResponseCustomCall;
	#json = '';

	constructor(callId: string, { name, namespace }: CallerTool) {
		this.item = {
			id: newId('ctc_'),
			type: 'custom_tool_call',
			call_id: callId,
			name,
			...(namespace !== undefined && { namespace }),
			input: '',
			status: 'in_progress',
		};
	}

	add(json: string): ItemEvent[] {
		this.#json += json;
		return [];
	}

	close(status: ResponseItemStatus): ItemEvent[] {
		const input = customText(this.#json);
		this.item.input = input;
		this.item.status = status;
		return [
			...(input === '' ? [] : [{ type: 'custom_tool_call_input.delta', delta: input }]),
			{ type: 'custom_tool_call_input.done', input },
		];
	}
}

/** The text for a custom tool, out of the arguments that a model wrote; these themselves where they have another form. */
function customText(json: string): string {
	try {
		const value = JSON.parse(json) as unknown;
		const text = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[customArgument] : value;
		return typeof text === 'string' ? text : json;
	} catch {
		return json;
	}
}

function outputText(text: string): ResponseMessage['content'][number] {
	return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function summaryText(text: string): ResponseReasoning['summary'][number] {
	return { type: 'summary_text', text };
}
