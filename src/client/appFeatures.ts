import type {
	Annotation,
	AnnotationRequest,
	ConversationVariable,
	EndUser,
	FeedbackPage,
	FeedbackRequest,
	PageQuery,
	SpeechRequest,
	VariableRequest,
	VariablesQuery,
} from '#contract/dify/appFeatures.ts';
import { readAnnotation, readAnnotations, readConversationVariable, readQuestions, readText, readVariables } from './appFeatureReaders.ts';
import type { UploadSource } from './call.ts';
import type { Bytes, Caller, CallOptions } from './caller.ts';
import { pagesByNumber, pagesFrom } from './pages.ts';
import { normaliseTimes, readPage } from './readers.ts';

/** What apps of Dify have around their messages. Methods reject as those of the client do; an app's `/parameters` tell what is switched on. */
export class AppFeatures {
	readonly #caller: Caller;

	constructor(caller: Caller) {
		this.#caller = caller;
	}

	/** Says what a user thinks of a message of theirs; `rating: null` takes it back, and rejects where there is nothing to take back. */
	async rateMessage(messageId: string, body: FeedbackRequest, options?: CallOptions): Promise<void> {
		await this.#caller.json({ operation: 'rateMessage', path: { message_id: messageId }, body }, options, { empty: {} });
	}

	/** One page of what users and their administrators think of an app's messages. */
	async listFeedback({ page, limit }: PageQuery = {}, options?: CallOptions): Promise<FeedbackPage> {
		return this.#caller.json({ operation: 'listFeedback', query: { page, limit } }, options, { read: readPage<FeedbackPage> });
	}

	/** Questions that could come after a message. Rejects with the status 400 where the app offers none. */
	async suggestedQuestions(messageId: string, query: { readonly user: string }, options?: CallOptions): Promise<string[]> {
		return this.#caller.json({ operation: 'suggestedQuestions', path: { message_id: messageId }, query }, options, { read: readQuestions });
	}

	/** An app's annotations, fetched page by page while they are read; `keyword` is looked for in questions and answers. */
	allAnnotations(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<Annotation, void> {
		return pagesByNumber(query.page ?? 1, page =>
			this.#caller.json({ operation: 'listAnnotations', query: { ...query, page } }, options, { read: readAnnotations }),
		);
	}

	/** Has the app answer a question with this text from now on. */
	async createAnnotation(body: AnnotationRequest, options?: CallOptions): Promise<Annotation> {
		return this.#caller.json({ operation: 'createAnnotation', body }, options, { read: readAnnotation });
	}

	/** Changes question and answer of an annotation. */
	async updateAnnotation(id: string, body: AnnotationRequest, options?: CallOptions): Promise<Annotation> {
		return this.#caller.json({ operation: 'updateAnnotation', path: { annotation_id: id }, body }, options, { read: readAnnotation });
	}

	/** Deletes an annotation, and with it the list of its matches. */
	async deleteAnnotation(id: string, options?: CallOptions): Promise<void> {
		await this.#caller.json({ operation: 'deleteAnnotation', path: { annotation_id: id } }, options, { empty: {} });
	}

	/**
	 * What is said in an audio file. Rejects with the status 413 for one that is too large, 415 for one of a kind that is not taken, and with the code
	 * `speech_to_text_disabled` where the app does not listen.
	 */
	async audioToText(file: UploadSource, body: { readonly user: string }, options?: CallOptions): Promise<string> {
		return this.#caller.json({ operation: 'audioToText', body, file }, options, { read: readText });
	}

	/** A message or a text, spoken: audio of the type that the service names. */
	async textToAudio(body: SpeechRequest, options?: CallOptions): Promise<Bytes> {
		return this.#caller.bytes({ operation: 'textToAudio', body }, options);
	}

	/** The bytes of a file that messages of the app refer to, by the ID that its upload gave. */
	async previewFile(fileId: string, query: { readonly user: string }, options?: CallOptions): Promise<Bytes> {
		return this.#caller.bytes({ operation: 'previewFile', path: { file_id: fileId }, query }, options);
	}

	/** Whom an ID of an end user names. */
	async endUser(id: string, options?: CallOptions): Promise<EndUser> {
		return this.#caller.json({ operation: 'endUser', path: { end_user_id: id } }, options, { read: normaliseTimes<EndUser> });
	}

	/** A conversation's variables, fetched page by page while they are read. */
	allVariables(conversationId: string, query: VariablesQuery, options?: CallOptions): AsyncGenerator<ConversationVariable, void> {
		return pagesFrom(query.last_id, last_id =>
			this.#caller.json(
				{
					operation: 'listVariables',
					path: { conversation_id: conversationId },
					query: { ...query, ...(last_id !== undefined && { last_id }) },
				},
				options,
				{
					read: readVariables,
				},
			),
		);
	}

	/** Gives a variable of a conversation another value. Rejects with the status 400 for one of another type. */
	async setVariable(
		conversationId: string,
		variableId: string,
		body: VariableRequest,
		options?: CallOptions,
	): Promise<ConversationVariable> {
		return this.#caller.json(
			{ operation: 'setVariable', path: { conversation_id: conversationId, variable_id: variableId }, body },
			options,
			{ read: readConversationVariable },
		);
	}
}
