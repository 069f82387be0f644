import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { CompletionsRequest, CompletionsResponse } from '#contract/text/completions.ts';
import type { AttachedPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { describeCompletionsFinish } from '../replies/finishReasons.ts';
import { type EndpointRequest, getTextRefusal, type ReplyStep, type TextEndpoint, toPlainText } from './endpoint.ts';

/** Default for the required field `max_tokens_to_sample`, because the contract has none. */
const defaultMaxTokensToSample = 1024;

/** Sends chats in Anthropic's older protocol, as a single prompt string (contract D; wire facts 3). */
export class CompletionsEndpoint implements TextEndpoint {
	readonly kind = 'completions';
	readonly #words: Localization;

	constructor(words: Localization) {
		this.#words = words;
	}

	async checkAttachments(_client: unknown, _request: unknown, attached: readonly AttachedPart[]): Promise<string | undefined> {
		if (attached.every(part => part.kind === 'document')) {
			return getTextRefusal(this.#words, attached);
		}
		return this.#words.t('Text completion only supports text. Remove the image or select a chat model.');
	}

	async *streamReply(client: ServiceClient, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep> {
		let begun = false;
		for await (const event of client.streamCompletion(createCompletionsBody(request), { signal })) {
			if (event.type !== 'completion') {
				continue;
			}
			const { completion, stop_reason: reason, model } = event as CompletionsResponse;
			if (!begun) {
				begun = true;
				yield { type: 'part', part: { kind: 'text', text: '' } };
				if (model) {
					yield { type: 'model', model };
				}
			}
			if (completion) {
				yield { type: 'text', index: 0, text: completion };
			}
			if (reason) {
				yield { type: 'finish', finish: describeCompletionsFinish(this.#words, reason) };
			}
		}
	}
}

/** Creates the body of a request (contract D). */
export function createCompletionsBody(request: EndpointRequest): CompletionsRequest {
	return {
		max_tokens_to_sample: request.outputLimit ?? defaultMaxTokensToSample,
		...request.settings,
		model: request.model,
		prompt: createPrompt(request.system, request.turns),
		stream: true,
	};
}

/**
 * Returns the turns in the prompt format: an optional system prompt, alternating `\n\nHuman: …` and `\n\nAssistant: …`, and a final
 * `\n\nAssistant:` with the partial reply to continue, if any. Breaks up markers inside a turn's text, so that the model doesn't read them
 * as separate turns.
 */
export function createPrompt(system: string, turns: readonly Turn[]): string {
	const parts = turns.flatMap(turn => {
		const text = toPlainText(turn)
			.trim()
			.replaceAll(/\n\n(?=(?:Human|Assistant):)/g, '\n');
		return text ? [{ role: turn.role, text }] : [];
	});
	let prompt = system.trim();
	let last: Turn['role'] | undefined;
	for (const { role, text } of parts) {
		prompt += role === last ? `\n\n${text}` : `\n\n${role === 'user' ? 'Human' : 'Assistant'}: ${text}`;
		last = role;
	}
	return last === 'assistant' ? prompt : `${prompt}\n\nAssistant:`;
}
