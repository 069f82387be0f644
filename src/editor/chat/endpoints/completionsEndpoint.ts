import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { CompletionsRequest, CompletionsResponse } from '#contract/text/completions.ts';
import type { AttachedPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { completionsFinish } from '../replies/finishWords.ts';
import { type EndpointRequest, plainText, type ReplyStep, type TextEndpoint, textRefused } from './endpoint.ts';

/** The contract requires a value and names no default. */
export const defaultMaxTokensToSample = 1024;

/** D: one prompt string, into which the turns are written (contract D; wire facts 3). */
export class CompletionsEndpoint implements TextEndpoint {
	readonly kind = 'completions';
	readonly #words: Localization;

	constructor(words: Localization) {
		this.#words = words;
	}

	async refusal(_client: unknown, _request: unknown, attached: readonly AttachedPart[]): Promise<string | undefined> {
		if (attached.every(part => part.kind === 'document')) {
			return textRefused(this.#words, attached);
		}
		return this.#words.t('A text completion takes text alone. Remove the image, or pick a chat model.');
	}

	async *reply(client: ServiceClient, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep> {
		let begun = false;
		for await (const event of client.streamCompletion(completionsBody(request), { signal })) {
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
				yield { type: 'finish', finish: completionsFinish(this.#words, reason) };
			}
		}
	}
}

/** The body of D1 for a chat. */
export function completionsBody(request: EndpointRequest): CompletionsRequest {
	return {
		max_tokens_to_sample: defaultMaxTokensToSample,
		...request.settings,
		model: request.model,
		prompt: promptOf(request.system, request.turns),
		stream: true,
	};
}

/**
 * The turns in D's prompt form: an optional system text, `\n\nHuman: …` and `\n\nAssistant: …` in turn, and a last `\n\nAssistant:`, with what came
 * of a reply that is to go on.
 * A marker inside a turn's own text is broken up, or the model would read it as a turn of its own.
 */
export function promptOf(system: string, turns: readonly Turn[]): string {
	const pieces = turns.flatMap(turn => {
		const text = plainText(turn)
			.trim()
			.replaceAll(/\n\n(?=(?:Human|Assistant):)/g, '\n');
		return text ? [{ role: turn.role, text }] : [];
	});
	let prompt = system.trim();
	let last: Turn['role'] | undefined;
	for (const { role, text } of pieces) {
		prompt += role === last ? `\n\n${text}` : `\n\n${role === 'user' ? 'Human' : 'Assistant'}: ${text}`;
		last = role;
	}
	return last === 'assistant' ? prompt : `${prompt}\n\nAssistant:`;
}
