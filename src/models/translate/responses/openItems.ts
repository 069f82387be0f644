import type {
	ResponseCustomCall,
	ResponseFunctionCall,
	ResponseItemStatus,
	ResponseMessage,
	ResponseOutputItem,
	ResponseReasoning,
} from '#contract/openai/responses.ts';
import { createId } from '../newId.ts';
import { createEnvelope, type SignedThought } from './reasoningEnvelope.ts';
import { type CallerTool, customArgument } from './responseTools.ts';

/** An event of one item: its type without `response.`, and its fields without the item's ID. */
export interface ItemEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** An item of a reply in progress. */
export interface OpenItem {
	/** The item so far; complete once it's closed. */
	readonly item: ResponseOutputItem;
	/** Adds text and returns the events for it. */
	add(text: string): ItemEvent[];
	/** Completes the item and returns the events that come before its final event. */
	close(status: ResponseItemStatus): ItemEvent[];
}

/** Text of the model as a single content part. */
export class OpenMessage implements OpenItem {
	readonly item: ResponseMessage = { id: createId('msg_'), type: 'message', status: 'in_progress', role: 'assistant', content: [] };
	#text = '';

	add(text: string): ItemEvent[] {
		const opening = this.#text === '' ? [{ type: 'content_part.added', content_index: 0, part: createOutputText('') }] : [];
		this.#text += text;
		return [...opening, { type: 'output_text.delta', content_index: 0, delta: text, logprobs: [] }];
	}

	close(status: ResponseItemStatus): ItemEvent[] {
		this.item.status = status;
		this.item.content = [createOutputText(this.#text)];
		return [
			{ type: 'output_text.done', content_index: 0, text: this.#text, logprobs: [] },
			{ type: 'content_part.done', content_index: 0, part: createOutputText(this.#text) },
		];
	}
}

/** Reasoning of the model. If only its service can read it, it has no text and no summary. */
export class OpenReasoning implements OpenItem {
	readonly item: ResponseReasoning = { id: createId('rs_'), type: 'reasoning', summary: [] };
	#text = '';
	#signed: SignedThought['signed'] | undefined;

	/** Stores signatures of the service; for each field, the last value counts. */
	addSignatures(signed: SignedThought['signed']): void {
		this.#signed = { ...this.#signed, ...signed };
	}

	add(text: string): ItemEvent[] {
		const opening = this.#text === '' ? [{ type: 'reasoning_summary_part.added', summary_index: 0, part: createSummaryText('') }] : [];
		this.#text += text;
		return [...opening, { type: 'reasoning_summary_text.delta', summary_index: 0, delta: text }];
	}

	close(): ItemEvent[] {
		if (this.#signed) {
			this.item.encrypted_content = createEnvelope({ text: this.#text, signed: this.#signed });
		}
		if (this.#text === '') {
			return [];
		}
		this.item.summary = [createSummaryText(this.#text)];
		return [
			{ type: 'reasoning_summary_text.done', summary_index: 0, text: this.#text },
			{ type: 'reasoning_summary_part.done', summary_index: 0, part: createSummaryText(this.#text) },
		];
	}
}

/** The signature of a call as a separate reasoning item, because calls have no field for it but callers send reasoning back. */
export class CallSignature implements OpenItem {
	readonly item: ResponseReasoning;

	constructor(call: string, signed: SignedThought['signed']) {
		this.item = { id: createId('rs_'), type: 'reasoning', summary: [], encrypted_content: createEnvelope({ text: '', signed, call }) };
	}

	add(): ItemEvent[] {
		return [];
	}

	close(): ItemEvent[] {
		return [];
	}
}

export class OpenFunctionCall implements OpenItem {
	readonly item: ResponseFunctionCall;

	constructor(callId: string, { name, namespace }: CallerTool) {
		this.item = {
			id: createId('fc_'),
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
		// callers parse the arguments, so a call without any gets an empty object
		const empty = this.item.arguments === '' && status === 'completed' ? this.add('{}') : [];
		this.item.status = status;
		return [...empty, { type: 'function_call_arguments.done', arguments: this.item.arguments, name: this.item.name }];
	}
}

/** A call of a custom tool. Its text is sent in one event, because the model writes it as JSON, which is only readable when complete. */
export class OpenCustomCall implements OpenItem {
	readonly item: ResponseCustomCall;
	#json = '';

	constructor(callId: string, { name, namespace }: CallerTool) {
		this.item = {
			id: createId('ctc_'),
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
		const input = readCustomText(this.#json);
		this.item.input = input;
		this.item.status = status;
		return [
			...(input === '' ? [] : [{ type: 'custom_tool_call_input.delta', delta: input }]),
			{ type: 'custom_tool_call_input.done', input },
		];
	}
}

/** Returns the text for a custom tool from the model's arguments, or the arguments themselves if they have another form. */
function readCustomText(json: string): string {
	try {
		const value = JSON.parse(json) as unknown;
		const text = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[customArgument] : value;
		return typeof text === 'string' ? text : json;
	} catch {
		return json;
	}
}

function createOutputText(text: string): ResponseMessage['content'][number] {
	return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function createSummaryText(text: string): ResponseReasoning['summary'][number] {
	return { type: 'summary_text', text };
}
