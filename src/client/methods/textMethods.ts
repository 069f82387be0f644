import type { ChatCompletionsBody, ChatCompletionsChunk } from '#contract/openai/receivedChatCompletions.ts';
import type { CompletionsRequest, CompletionsResponse, CompletionsStreamEvent } from '#contract/text/completions.ts';
import type { GenerateContentRequest, GenerateContentResponse } from '#contract/text/content.ts';
import type { MessagesRequest, MessagesResponse, MessagesStreamEvent } from '#contract/text/messages.ts';
import type { ContentModel, ContentTokenCount, MessagesModel, MessagesModelPage, MessagesTokenCount } from '#contract/text/models.ts';
import type { Call } from '../call.ts';
import type { Caller, CallOptions } from '../caller.ts';
import { readAllPages } from '../pages.ts';
import { normalizeContent, normalizePage, readContentModels } from '../readers.ts';
import type { StreamRules } from '../streams/eventReader.ts';
import { chatCompletionsStream, completionsStream, contentStream, messagesStream } from '../streams/streamKinds.ts';

export interface Calling extends Pick<Caller, 'requestJson' | 'requestBytes'> {
	streamEvents<T extends object>(rules: StreamRules<T>, call: Call, options?: CallOptions): AsyncIterableIterator<T>;
}

/** Text generation: groups C, D and E of the contract, and chat completions of services with OpenAI's protocol. */
export abstract class TextMethods {
	protected readonly caller: Calling;

	constructor(caller: Calling) {
		this.caller = caller;
	}

	/** Requests a complete message (C1 without `stream`). */
	async createMessage(body: MessagesRequest, options?: CallOptions): Promise<MessagesResponse> {
		return this.caller.requestJson({ operation: 'createMessage', body: { ...body, stream: false } }, options);
	}

	/** Requests a message and streams it (C1 with `stream`). */
	streamMessage(body: MessagesRequest, options?: CallOptions): AsyncIterableIterator<MessagesStreamEvent> {
		return this.caller.streamEvents(messagesStream, { operation: 'createMessage', body: { ...body, stream: true }, stream: true }, options);
	}

	/** Counts the input tokens of a messages request (C1). */
	async countMessagesTokens({ max_tokens, stream, ...counted }: MessagesRequest, options?: CallOptions): Promise<MessagesTokenCount> {
		return this.caller.requestJson({ operation: 'countMessagesTokens', body: counted }, options);
	}

	/** Lists all models for messages and completions (C and D). */
	async listMessagesModels(options?: CallOptions): Promise<MessagesModel[]> {
		const fetchPage = async (after_id: string | undefined) => {
			const call = { operation: 'listMessagesModels', query: { after_id, limit: 1000 } } as const;
			const { data, has_more, last_id } = await this.caller.requestJson(call, options, { read: normalizePage<MessagesModelPage> });
			return { items: data, next: (has_more && last_id) || undefined };
		};
		return readAllPages(undefined, fetchPage, ({ id }) => id);
	}

	/** Requests a complete text completion (D1 without `stream`). */
	async createCompletion(body: CompletionsRequest, options?: CallOptions): Promise<CompletionsResponse> {
		return this.caller.requestJson({ operation: 'createCompletion', body: { ...body, stream: false } }, options);
	}

	/** Requests a text completion and streams it (D1 with `stream`). Each event's `completion` is an increment. */
	streamCompletion(body: CompletionsRequest, options?: CallOptions): AsyncIterableIterator<CompletionsStreamEvent> {
		return this.caller.streamEvents(
			completionsStream,
			{ operation: 'createCompletion', body: { ...body, stream: true }, stream: true },
			options,
		);
	}

	/** Streams a chat completion of a service with OpenAI's protocol. */
	streamChatCompletion(body: ChatCompletionsBody, options?: CallOptions): AsyncIterableIterator<ChatCompletionsChunk> {
		return this.caller.streamEvents(
			chatCompletionsStream,
			{ operation: 'chatCompletion', body: { ...body, stream: true }, stream: true },
			options,
		);
	}

	/** Requests complete content (E1). `model` may start with `models/`. */
	async generateContent(model: string, body: GenerateContentRequest, options?: CallOptions): Promise<GenerateContentResponse> {
		return this.caller.requestJson({ operation: 'generateContent', path: toModelPath(model), body }, options, { read: normalizeContent });
	}

	/** Requests content and streams it (E2). Texts are increments. */
	streamGenerateContent(
		model: string,
		body: GenerateContentRequest,
		options?: CallOptions,
	): AsyncIterableIterator<GenerateContentResponse> {
		return this.caller.streamEvents(
			contentStream,
			{ operation: 'streamGenerateContent', path: toModelPath(model), query: { alt: 'sse' }, body, stream: true },
			options,
		);
	}

	/** Counts the input tokens of a content request (E1). */
	async countContentTokens(model: string, body: GenerateContentRequest, options?: CallOptions): Promise<ContentTokenCount> {
		return this.caller.requestJson(
			{ operation: 'countContentTokens', path: toModelPath(model), body: { contents: body.contents } },
			options,
		);
	}

	/** Lists all models for content requests (E). */
	async listContentModels(options?: CallOptions): Promise<ContentModel[]> {
		const fetchPage = async (pageToken: string | undefined) => {
			const call = { operation: 'listContentModels', query: { pageToken, pageSize: 1000 } } as const;
			const { models = [], nextPageToken } = await this.caller.requestJson(call, options, { read: readContentModels });
			return { items: models, next: nextPageToken || undefined };
		};
		return readAllPages(undefined, fetchPage, ({ name }) => name);
	}
}

/** Lists name a model `models/NAME`, but paths need only its name. */
function toModelPath(name: string): NonNullable<Call['path']> {
	return { model: typeof name === 'string' ? name.replace(/^models\//, '') : name };
}
