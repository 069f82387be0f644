import assert from 'node:assert/strict';
import type { ResponseObject, ResponseStreamEvent } from '#contract/openai/responses.ts';

// biome-ignore lint/suspicious/noExplicitAny: items are looked into freely
type Item = any;

/**
 * Events of an item in order, by the item's type. Events with a star repeat for each chunk of text. A reasoning item without text may have
 * none.
 */
const itemEvents: Readonly<Record<string, readonly string[]>> = {
	message: ['content_part.added', 'output_text.delta*', 'output_text.done', 'content_part.done'],
	function_call: ['function_call_arguments.delta*', 'function_call_arguments.done'],
	custom_tool_call: ['custom_tool_call_input.delta*', 'custom_tool_call_input.done'],
	reasoning: [
		'reasoning_summary_part.added',
		'reasoning_summary_text.delta*',
		'reasoning_summary_text.done',
		'reasoning_summary_part.done',
	],
};

/** Keys that every response has (Open Responses, and OpenAI's `user`). */
const requiredKeys = [
	...['id', 'object', 'created_at', 'completed_at', 'status', 'incomplete_details', 'model', 'previous_response_id', 'instructions'],
	...['output', 'error', 'tools', 'tool_choice', 'truncation', 'parallel_tool_calls', 'text', 'top_p', 'temperature', 'presence_penalty'],
	...['frequency_penalty', 'top_logprobs', 'reasoning', 'user', 'usage', 'max_output_tokens', 'max_tool_calls', 'store', 'background'],
	...['service_tier', 'metadata', 'safety_identifier', 'prompt_cache_key'],
];

/**
 * Reads a stream of /v1/responses like a strict client: checks the order of events and builds the output from the deltas only. Fails if an
 * event is out of order, or if the result differs from the response in the last event, which it returns.
 */
export class ResponseReader {
	#next = 0;
	#head: ResponseObject | undefined;
	#stage: 'new' | 'created' | 'running' | 'error' | 'ended' = 'new';
	readonly #output: Item[] = [];
	#item: Item;
	/** Remaining events of the open item. */
	#expected: string[] = [];
	#deltas = '';
	#final: ResponseObject | undefined;

	/** The response of the last event; fails if there is none yet. */
	get response(): ResponseObject {
		assert.ok(this.#final, 'the stream ended before its response did');
		return this.#final;
	}

	readEvent(event: ResponseStreamEvent): void {
		assert.equal(event.sequence_number, this.#next++, `${event.type}: its number`);
		assert.notEqual(this.#stage, 'ended', `${event.type} after the end`);
		const { type } = event;
		if (type === 'error') {
			assert.deepEqual(Object.keys(event).sort(), ['code', 'message', 'param', 'sequence_number', 'type']);
			this.#changeState('running', 'error', type);
			return;
		}
		const name = type.replace(/^response\./, '');
		switch (name) {
			case 'created':
				this.#changeState('new', 'created', type);
				this.#head = checkResponse(event['response']);
				assert.equal(this.#head.status, 'in_progress');
				break;
			case 'in_progress':
				this.#changeState('created', 'running', type);
				assert.deepEqual(event['response'], this.#head);
				break;
			case 'completed':
			case 'incomplete':
			case 'failed':
				this.#checkResponseEnd(name, event);
				break;
			default:
				assert.equal(this.#stage, 'running', `${type} does not come here`);
				this.#readItemEvent(name, event);
		}
	}

	#changeState(from: string, to: 'created' | 'running' | 'error', type: string): void {
		assert.equal(this.#stage, from, `${type} does not come here`);
		assert.equal(this.#item, undefined, `${type} while an item is open`);
		this.#stage = to;
	}

	#checkResponseEnd(status: string, event: ResponseStreamEvent): void {
		assert.equal(this.#stage, status === 'failed' ? 'error' : 'running', `${event.type} does not come here`);
		assert.equal(this.#item, undefined, `${event.type} while an item is open`);
		this.#stage = 'ended';
		const final = checkResponse(event['response']);
		assert.equal(final.status, status);
		assert.deepEqual(final.output, this.#output, 'the output of the last event is that of the events before it');
		const { status: _, output, completed_at, incomplete_details, usage, error, store, ...settings } = final;
		for (const [key, value] of Object.entries(settings)) {
			assert.deepEqual(value, (this.#head as unknown as Record<string, unknown>)[key], `${key} changed on the way`);
		}
		assert.equal(completed_at === null, status !== 'completed');
		assert.equal(incomplete_details === null, status !== 'incomplete');
		assert.equal(error === null, status !== 'failed');
		this.#final = final;
	}

	#readItemEvent(name: string, event: ResponseStreamEvent): void {
		assert.equal(event['output_index'], this.#output.length, `${event.type}: output_index`);
		if (name === 'output_item.added') {
			assert.equal(this.#item, undefined, 'an item begins while another is open');
			this.#item = structuredClone(event['item']);
			this.#expected = [...(itemEvents[this.#item.type] ?? assert.fail(`an item of type ${this.#item.type}`))];
			this.#deltas = '';
			return;
		}
		assert.ok(this.#item, `${event.type} without an item`);
		if (name === 'output_item.done') {
			this.#finishItem(event['item']);
			return;
		}
		assert.equal(event['item_id'], this.#item.id);
		while (this.#expected[0] !== name && this.#expected[0] !== `${name}*`) {
			const skipped = this.#expected.shift();
			assert.ok(skipped?.endsWith('*'), `${event.type} does not come here: expected ${skipped}`);
		}
		if (!this.#expected[0]?.endsWith('*')) {
			this.#expected.shift();
		}
		this.#applyItemEvent(name, event);
	}

	#applyItemEvent(name: string, { type, delta, part, text, arguments: json, name: tool, input, logprobs }: ResponseStreamEvent): void {
		if (name.endsWith('.delta')) {
			assert.ok(typeof delta === 'string' && delta !== '', `${type} without text`);
			this.#deltas += delta;
			assert.deepEqual(logprobs, name === 'output_text.delta' ? [] : undefined);
		} else if (name.endsWith('part.added')) {
			assert.equal((part as Item).text, '');
		} else if (name.endsWith('part.done')) {
			assert.equal((part as Item).text, this.#deltas);
			this.#item[this.#item.type === 'message' ? 'content' : 'summary'] = [part];
		} else if (name === 'function_call_arguments.done') {
			assert.deepEqual([json, tool], [this.#deltas, this.#item.name]);
			this.#item.arguments = this.#deltas;
		} else if (name === 'custom_tool_call_input.done') {
			assert.equal(input, this.#deltas);
			this.#item.input = this.#deltas;
		} else {
			assert.equal(text, this.#deltas, type);
		}
	}

	/** Applies the data that only an item's last event has: its status, and data that only its service can read. */
	#finishItem(done: Item): void {
		const isSilent = this.#item.type === 'reasoning' && this.#expected.length === itemEvents['reasoning']?.length;
		assert.ok(isSilent || this.#expected.length === 0, `an item ended without ${this.#expected[0]}`);
		const { status, encrypted_content: encrypted } = done;
		assert.ok(this.#item.type === 'reasoning' ? status === undefined : ['completed', 'incomplete'].includes(status));
		const made = { ...this.#item, ...(status && { status }), ...(encrypted && { encrypted_content: encrypted }) };
		assert.deepEqual(done, made, 'an item is what its events made of it');
		this.#output.push(made);
		this.#item = undefined;
	}
}

/** Fails if the value lacks a key that every response has. */
export function checkResponse(value: unknown): ResponseObject {
	const keys = Object.keys(value as object);
	assert.deepEqual(
		requiredKeys.filter(key => !keys.includes(key)),
		[],
		'keys that are missing',
	);
	return value as ResponseObject;
}

/** Reads a complete event stream; fails if it doesn't end with `[DONE]`. */
export function readResponseStream(text: string): ResponseObject {
	const reader = new ResponseReader();
	const blocks = text.split('\n\n').filter(block => block !== '' && block !== ': ping');
	assert.equal(blocks.pop(), 'data: [DONE]');
	for (const block of blocks) {
		const [, type, data] = /^event: ([^\n]+)\ndata: ([^\n]+)$/.exec(block) ?? assert.fail(`no event: ${block}`);
		const event = JSON.parse(data ?? '') as ResponseStreamEvent;
		assert.equal(event.type, type);
		reader.readEvent(event);
	}
	return reader.response;
}
