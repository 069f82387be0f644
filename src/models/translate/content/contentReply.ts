import type {
	LanguageModelV4Content,
	LanguageModelV4FinishReason,
	LanguageModelV4GenerateResult,
	LanguageModelV4Source,
	LanguageModelV4StreamPart,
	LanguageModelV4ToolCall,
	LanguageModelV4Usage,
	SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { createErrorBody } from '#contract/faults/errorBody.ts';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { GenerateContentResponse, Part } from '#contract/text/content.ts';
import { contentProtocol } from '../../protocols.ts';
import { createId } from '../newId.ts';
import { isPromptBlock } from '../providerMetadata.ts';
import type { ReplyWriter } from '../replyWriter.ts';
import { parseToolInput } from '../toolInput.ts';
import { type AnthropicThought, createSignedThought, encodeThoughts, toSignedThought } from './thoughtToken.ts';

/**
 * Converts a complete reply to generated content (E).
 * @param model name to use if the upstream sent none
 */
export function createContentReply(result: LanguageModelV4GenerateResult, model: string): GenerateContentResponse {
	const { finishReason, usage, providerMetadata } = result;
	const signed = { usageMetadata: toUsageMetadata(usage), modelVersion: result.response?.modelId ?? model, responseId: createId('') };
	if (isPromptBlock(providerMetadata)) {
		return { ...blocked, ...signed };
	}
	const thoughts = new Thoughts();
	const parts = result.content.flatMap(part => toContentParts(part, thoughts));
	const found = createGrounding(result.content.filter(part => part.type === 'source'));
	return {
		candidates: [{ content: { role: 'model', parts }, finishReason: finishReasons[finishReason.unified], index: 0, ...found }],
		...signed,
	};
}

function toContentParts(part: LanguageModelV4Content, thoughts: Thoughts): Part[] {
	switch (part.type) {
		case 'text':
			return [{ text: part.text }];
		case 'reasoning':
			thoughts.add(createId(''), toSignedThought(part));
			return [{ text: part.text, thought: true, ...createSignature(part.providerMetadata) }];
		case 'tool-call':
			return toFunctionCall(part, thoughts);
		case 'file':
			return part.data.type === 'data' && typeof part.data.data === 'string'
				? [{ inlineData: { mimeType: part.mediaType, data: part.data.data } }]
				: [];
		default:
			return [];
	}
}

/**
 * Writes a streamed reply as generated content (E; wire facts 4.2): server-sent events with `alt=sse`, otherwise a JSON array in chunks.
 * Text is incremental. The last chunk has finish reason and usage.
 */
export class ContentReplyWriter implements ReplyWriter {
	readonly contentType: string;
	/** The signature of a thought comes at its end, and covers its text. */
	readonly keepsThinking = true;
	readonly #asEvents: boolean;
	readonly #responseId = createId('');
	#model: string;
	#chunks = 0;
	readonly #thoughts = new Thoughts();
	/** Thinking text so far, by ID. */
	readonly #thinking = new Map<string, string>();
	readonly #sources: LanguageModelV4Source[] = [];
	#finished = false;

	constructor(model: string, asEvents: boolean) {
		this.#model = model;
		this.#asEvents = asEvents;
		this.contentType = asEvents ? 'text/event-stream' : 'application/json; charset=UTF-8';
	}

	writeStart(): string {
		return '';
	}

	writePart(part: LanguageModelV4StreamPart): string {
		switch (part.type) {
			case 'response-metadata':
				this.#model = part.modelId ?? this.#model;
				return '';
			case 'text-delta':
				return part.delta === '' ? '' : this.#writeParts([{ text: part.delta }]);
			case 'reasoning-start':
				this.#thoughts.add(part.id, createSignedThought('', part.providerMetadata));
				return '';
			case 'reasoning-delta': {
				const text = (this.#thinking.get(part.id) ?? '') + part.delta;
				this.#thinking.set(part.id, text);
				this.#thoughts.add(part.id, createSignedThought(text, part.providerMetadata));
				return part.delta === '' && !part.providerMetadata
					? ''
					: this.#writeParts([{ text: part.delta, thought: true, ...createSignature(part.providerMetadata) }]);
			}
			case 'tool-call':
			case 'file':
				return this.#writeParts(toContentParts(part, this.#thoughts));
			case 'source':
				this.#sources.push(part);
				return '';
			case 'finish':
				return this.#writeFinish(part);
			default:
				return '';
		}
	}

	writeEnd(): string | undefined {
		if (!this.#finished) {
			return undefined;
		}
		return this.#asEvents ? '' : ']';
	}

	writeFault(fault: ServiceFault): string {
		if (this.#asEvents) {
			return contentProtocol.formatStreamFault(fault);
		}
		return `${this.#chunks === 0 ? '[' : '\n,\n'}${JSON.stringify(createErrorBody('content', fault, ''))}]`;
	}

	#writeParts(parts: Part[]): string {
		return parts.length === 0 ? '' : this.#writeChunk({ candidates: [{ content: { role: 'model', parts }, index: 0 }] });
	}

	#writeFinish({ finishReason, usage, providerMetadata }: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): string {
		this.#finished = true;
		const last = isPromptBlock(providerMetadata)
			? blocked
			: {
					candidates: [
						{
							content: { role: 'model', parts: [{ text: '' }] },
							finishReason: finishReasons[finishReason.unified],
							index: 0,
							...createGrounding(this.#sources),
						},
					],
				};
		return this.#writeChunk({ ...last, usageMetadata: toUsageMetadata(usage) });
	}

	#writeChunk(chunk: GenerateContentResponse): string {
		const json = JSON.stringify({ ...chunk, modelVersion: this.#model, responseId: this.#responseId });
		this.#chunks++;
		return this.#asEvents ? `data: ${json}\r\n\r\n` : `${this.#chunks === 1 ? '[' : ',\n'}${json}\n`;
	}
}

const blocked: GenerateContentResponse = {
	promptFeedback: {
		blockReason: 'SAFETY',
		safetyRatings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }],
	},
};

const finishReasons: Readonly<Record<LanguageModelV4FinishReason['unified'], string>> = {
	stop: 'STOP',
	length: 'MAX_TOKENS',
	'tool-calls': 'STOP',
	'content-filter': 'SAFETY',
	error: 'OTHER',
	interrupted: 'OTHER',
	other: 'OTHER',
};

/** Collects signed thinking since the last tool call, to be sent with the next call. */
class Thoughts {
	/** Thinking by ID, because a repeated signature covers all text so far. */
	#open = new Map<string, AnthropicThought>();

	add(id: string, thought: AnthropicThought | undefined): void {
		if (thought) {
			this.#open.set(id, thought);
		}
	}

	takeThoughts(): readonly AnthropicThought[] {
		const taken = [...this.#open.values()];
		this.#open = new Map();
		return taken;
	}
}

/** Converts a call for the caller. Returns undefined for calls that the service ran itself. */
function toFunctionCall({ toolCallId, toolName, input, providerExecuted }: LanguageModelV4ToolCall, thoughts: Thoughts): Part[] {
	return providerExecuted
		? []
		: [
				{
					functionCall: { id: toolCallId, name: toolName, args: parseToolInput(toolName, input) },
					...encodeThoughts(thoughts.takeThoughts()),
				},
			];
}

/** Converts the sources of a web search to Google's form. */
function createGrounding(sources: readonly LanguageModelV4Source[]): { groundingMetadata?: { groundingChunks: unknown[] } } {
	const pages = new Map(
		sources.flatMap(source => (source.sourceType === 'url' ? [[source.url, source.title ?? source.url] as const] : [])),
	);
	return pages.size === 0 ? {} : { groundingMetadata: { groundingChunks: [...pages].map(([uri, title]) => ({ web: { uri, title } })) } };
}

/** Returns Anthropic's signature in Gemini's field for it, which callers send back. */
function createSignature(metadata: SharedV4ProviderMetadata | undefined): { thoughtSignature?: string } {
	const value = metadata?.['anthropic']?.['signature'];
	return typeof value === 'string' ? { thoughtSignature: value } : {};
}

function toUsageMetadata({ inputTokens, outputTokens }: LanguageModelV4Usage) {
	const prompt = inputTokens.total ?? 0;
	const thoughts = outputTokens.reasoning ?? 0;
	const all = outputTokens.total ?? 0;
	return {
		promptTokenCount: prompt,
		candidatesTokenCount: outputTokens.text ?? all - thoughts,
		...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
		...(inputTokens.cacheRead && { cachedContentTokenCount: inputTokens.cacheRead }),
		totalTokenCount: prompt + all,
	};
}
