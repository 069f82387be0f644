import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseObject, ResponseStreamEvent } from '#contract/openai/responses.ts';
import type { ReplyWriter } from '../replyWriter.ts';
import type { ResponseMaker } from './responseMaker.ts';

/** Writes a streamed reply of /v1/responses: named events, then `[DONE]`, which Open Responses requires and OpenAI's SDKs ignore. */
export class ResponsesReplyWriter implements ReplyWriter {
	readonly contentType = 'text/event-stream; charset=utf-8';
	/** The last event contains the complete response. */
	readonly keepsText = true;
	readonly ping = ': ping\n\n';
	readonly #maker: ResponseMaker;

	constructor(maker: ResponseMaker) {
		this.#maker = maker;
	}

	start(): string {
		return textOf(this.#maker.start());
	}

	part(part: LanguageModelV4StreamPart): string {
		return textOf(this.#maker.part(part));
	}

	end(): string | undefined {
		return this.#maker.ended ? done : undefined;
	}

	fault(fault: ServiceFault): string {
		return textOf(this.#maker.fail(fault)) + done;
	}
}

/** Builds a complete reply from the same parts as a streamed one. */
export function responsesReply({ content, ...result }: LanguageModelV4GenerateResult, maker: ResponseMaker): ResponseObject {
	if (result.response) {
		maker.part({ ...result.response, type: 'response-metadata' });
	}
	for (const [i, part] of content.entries()) {
		const id = String(i);
		const { providerMetadata } = part;
		const signed = providerMetadata && { providerMetadata };
		if (part.type === 'text') {
			maker.part({ type: 'text-delta', id, delta: part.text });
		} else if (part.type === 'reasoning') {
			maker.part({ type: 'reasoning-delta', id, delta: part.text, ...signed });
		} else if (part.type === 'tool-call') {
			maker.part(part);
		}
	}
	maker.part({ ...result, type: 'finish' });
	return maker.response;
}

const done = 'data: [DONE]\n\n';

function textOf(events: readonly ResponseStreamEvent[]): string {
	return events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
