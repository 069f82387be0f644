import type { Localization } from '#base/text/localization.ts';
import type {
	ChatCompletionsChunk,
	ChatCompletionsDelta,
	ChatCompletionsUsage,
	StreamedToolCall,
} from '#contract/openai/receivedChatCompletions.ts';
import type { TokenUsage } from '#contract/text/tokenPrice.ts';
import type { Usage } from '#pages/chat/transcript/transcript.ts';
import { describeChatCompletionsFinish } from '../replies/finishReasons.ts';
import type { ReplyStep } from './endpoint.ts';

interface OpenCall {
	readonly index: number;
	/** The service's index and ID of the call, if it sent any. */
	readonly place: number | undefined;
	readonly id: string;
	input: string;
}

/** Converts the chunks of a stream to steps. Uses only the first choice. */
export class ChatCompletionsReader {
	readonly #words: Localization;
	#count = 0;
	/** The part that text is appended to. */
	#open: { readonly kind: 'text' | 'thinking'; readonly index: number } | undefined;
	readonly #calls: OpenCall[] = [];
	#model = '';
	#isFinished = false;

	constructor(words: Localization) {
		this.#words = words;
	}

	*readChunk({ model, choices, usage }: ChatCompletionsChunk): Iterable<ReplyStep> {
		if (model && model !== this.#model) {
			this.#model = model;
			yield { type: 'model', model };
		}
		if (usage) {
			yield { type: 'usage', usage: toUsage(usage), billed: toBilledUsage(usage) };
		}
		const choice = choices?.find(({ index }) => (index ?? 0) === 0);
		const delta = choice?.delta ?? choice?.message;
		if (delta) {
			yield* this.#readDelta(delta);
		}
		if (choice?.finish_reason) {
			yield* this.#emitFinish(choice.finish_reason);
		}
	}

	/** Emits a finish step if the stream had none, because some services send `[DONE]` without a finish reason. */
	*endStream(): Iterable<ReplyStep> {
		if (!this.#isFinished) {
			yield* this.#emitFinish('stop');
		}
	}

	*#emitFinish(reason: string): Iterable<ReplyStep> {
		this.#isFinished = true;
		// some services send `stop` for replies with calls too
		const actual = reason === 'stop' && this.#calls.length > 0 ? 'tool_calls' : reason;
		yield { type: 'finish', finish: describeChatCompletionsFinish(this.#words, actual) };
	}

	*#readDelta({ content, reasoning_content, reasoning, refusal, tool_calls: calls }: ChatCompletionsDelta): Iterable<ReplyStep> {
		// some services send the same text in both fields
		const thought = reasoning_content || reasoning;
		yield* this.#addText(typeof thought === 'string' ? thought : '', 'thinking');
		yield* this.#addText(typeof content === 'string' ? content : '', 'text');
		yield* this.#addText(typeof refusal === 'string' ? refusal : '', 'text');
		for (const call of Array.isArray(calls) ? (calls as StreamedToolCall[]) : []) {
			yield* this.#readCall(call);
		}
	}

	*#addText(text: string, kind: 'text' | 'thinking'): Iterable<ReplyStep> {
		if (text === '') {
			return;
		}
		if (this.#open?.kind !== kind) {
			this.#open = { kind, index: this.#count++ };
			yield { type: 'part', part: { kind, text: '' } };
		}
		yield { type: 'text', index: this.#open.index, text };
	}

	*#readCall({ index: place, id, function: called, extra_content: extra }: StreamedToolCall): Iterable<ReplyStep> {
		const chunk = called?.arguments ?? '';
		const open = this.#findCall(place ?? undefined, id || undefined, called?.name || undefined);
		if (open) {
			open.input += chunk;
			yield { type: 'text', index: open.index, text: chunk };
			return;
		}
		const index = this.#count++;
		this.#open = undefined;
		this.#calls.push({ index, place: place ?? undefined, id: id ?? '', input: chunk });
		const signature = extra?.google?.thought_signature;
		yield {
			type: 'part',
			part: { kind: 'toolCall', id: id ?? '', name: called?.name ?? '', input: chunk, ...(signature !== undefined && { signature }) },
		};
	}

	/**
	 * Finds the call that a chunk belongs to. Because some services send no index, or the same one for all calls, a new ID or a new name
	 * without an ID also starts a new call.
	 */
	#findCall(place: number | undefined, id: string | undefined, name: string | undefined): OpenCall | undefined {
		const known = place === undefined ? this.#calls.at(-1) : this.#calls.findLast(call => call.place === place);
		const isOther = id !== undefined ? id !== known?.id : place === undefined && name !== undefined;
		return isOther ? this.#calls.find(call => id !== undefined && call.id === id) : known;
	}
}

/** Converts usage to billed tokens. `completion_tokens` already includes thinking tokens. */
function toBilledUsage({
	prompt_tokens: input = 0,
	completion_tokens: output = 0,
	prompt_tokens_details: details,
}: ChatCompletionsUsage): TokenUsage {
	return { input, cached: details?.cached_tokens ?? 0, output };
}

function toUsage({ prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details }: ChatCompletionsUsage): Usage {
	const thinking = completion_tokens_details?.reasoning_tokens ?? 0;
	const cached = prompt_tokens_details?.cached_tokens ?? 0;
	return {
		...(prompt_tokens !== undefined && { input: prompt_tokens }),
		...(completion_tokens !== undefined && { output: Math.max(0, completion_tokens - thinking) }),
		...(thinking > 0 && { thinking }),
		...(cached > 0 && { cached }),
	};
}
