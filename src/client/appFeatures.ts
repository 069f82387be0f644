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
import { iteratePagesByNumber, iteratePagesFrom } from './pages.ts';
import { normalizePage, normalizeTimes } from './readers.ts';

/**
 * Message features of Dify apps: feedback, annotations, audio and variables. Methods reject like the client's. An app's `/parameters` say
 * which features are enabled.
 */
export class AppFeatures {
	readonly #caller: Caller;

	constructor(caller: Caller) {
		this.#caller = caller;
	}

	/** Rates a message for its user. `rating: null` removes the rating, and rejects if there is none. */
	async rateMessage(messageId: string, body: FeedbackRequest, options?: CallOptions): Promise<void> {
		await this.#caller.requestJson({ operation: 'rateMessage', path: { message_id: messageId }, body }, options, { empty: {} });
	}

	/** Returns one page of the ratings that users and administrators gave to an app's messages. */
	async listFeedback({ page, limit }: PageQuery = {}, options?: CallOptions): Promise<FeedbackPage> {
		return this.#caller.requestJson({ operation: 'listFeedback', query: { page, limit } }, options, { read: normalizePage<FeedbackPage> });
	}

	/** Returns suggested follow-up questions for a message. Rejects with status 400 if the app has the feature disabled. */
	async getSuggestedQuestions(messageId: string, query: { readonly user: string }, options?: CallOptions): Promise<string[]> {
		return this.#caller.requestJson({ operation: 'suggestedQuestions', path: { message_id: messageId }, query }, options, {
			read: readQuestions,
		});
	}

	/** Yields an app's annotations and fetches pages on demand. `keyword` is searched for in questions and answers. */
	iterateAnnotations(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<Annotation, void> {
		return iteratePagesByNumber(query.page ?? 1, page =>
			this.#caller.requestJson({ operation: 'listAnnotations', query: { ...query, page } }, options, { read: readAnnotations }),
		);
	}

	/** Makes the app answer a question with this text from now on. */
	async createAnnotation(body: AnnotationRequest, options?: CallOptions): Promise<Annotation> {
		return this.#caller.requestJson({ operation: 'createAnnotation', body }, options, { read: readAnnotation });
	}

	/** Changes the question and answer of an annotation. */
	async updateAnnotation(id: string, body: AnnotationRequest, options?: CallOptions): Promise<Annotation> {
		return this.#caller.requestJson({ operation: 'updateAnnotation', path: { annotation_id: id }, body }, options, {
			read: readAnnotation,
		});
	}

	/** Deletes an annotation and its hit history. */
	async deleteAnnotation(id: string, options?: CallOptions): Promise<void> {
		await this.#caller.requestJson({ operation: 'deleteAnnotation', path: { annotation_id: id } }, options, { empty: {} });
	}

	/**
	 * Transcribes an audio file. Rejects with status 413 if the file is too large, 415 if its type isn't supported, and with the code
	 * `speech_to_text_disabled` if the app has the feature disabled.
	 */
	async transcribeAudio(file: UploadSource, body: { readonly user: string }, options?: CallOptions): Promise<string> {
		return this.#caller.requestJson({ operation: 'audioToText', body, file }, options, { read: readText });
	}

	/** Converts a message or a text to speech. The service chooses the audio type. */
	async convertTextToSpeech(body: SpeechRequest, options?: CallOptions): Promise<Bytes> {
		return this.#caller.requestBytes({ operation: 'textToAudio', body }, options);
	}

	/** Returns the bytes of a file that the app's messages refer to, by its upload ID. */
	async fetchFile(fileId: string, query: { readonly user: string }, options?: CallOptions): Promise<Bytes> {
		return this.#caller.requestBytes({ operation: 'previewFile', path: { file_id: fileId }, query }, options);
	}

	/** Returns the end user with an ID. */
	async getEndUser(id: string, options?: CallOptions): Promise<EndUser> {
		return this.#caller.requestJson({ operation: 'endUser', path: { end_user_id: id } }, options, { read: normalizeTimes<EndUser> });
	}

	/** Yields a conversation's variables and fetches pages on demand. */
	iterateVariables(conversationId: string, query: VariablesQuery, options?: CallOptions): AsyncGenerator<ConversationVariable, void> {
		return iteratePagesFrom(query.last_id, last_id =>
			this.#caller.requestJson(
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

	/** Sets a variable of a conversation. Rejects with status 400 if the value has the wrong type. */
	async setVariable(
		conversationId: string,
		variableId: string,
		body: VariableRequest,
		options?: CallOptions,
	): Promise<ConversationVariable> {
		return this.#caller.requestJson(
			{ operation: 'setVariable', path: { conversation_id: conversationId, variable_id: variableId }, body },
			options,
			{ read: readConversationVariable },
		);
	}
}
