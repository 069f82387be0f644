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

	writeStart(): string {
		return formatEvents(this.#maker.start());
	}

	writePart(part: LanguageModelV4StreamPart): string {
		return formatEvents(this.#maker.addPart(part));
	}

	writeEnd(): string | undefined {
		return this.#maker.ended ? done : undefined;
	}

	writeFault(fault: ServiceFault): string {
		return formatEvents(this.#maker.failResponse(fault)) + done;
	}
}

/** Builds a complete reply from the same parts as a streamed one. */
export function createResponsesReply({ content, ...result }: LanguageModelV4GenerateResult, maker: ResponseMaker): ResponseObject {
	if (result.response) {
		maker.addPart({ ...result.response, type: 'response-metadata' });
	}
	for (const [i, part] of content.entries()) {
		const id = String(i);
		const { providerMetadata } = part;
		const signed = providerMetadata && { providerMetadata };
		if (part.type === 'text') {
			maker.addPart({ type: 'text-delta', id, delta: part.text });
		} else if (part.type === 'reasoning') {
			maker.addPart({ type: 'reasoning-delta', id, delta: part.text, ...signed });
		} else if (part.type === 'tool-call') {
			maker.addPart(part);
		}
	}
	maker.addPart({ ...result, type: 'finish' });
	return maker.response;
}

const done = 'data: [DONE]\n\n';

function formatEvents(events: readonly ResponseStreamEvent[]): string {
	return events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
