import type {
	AnnotationRequest,
	FeedbackRequest,
	PageQuery,
	SpeechRequest,
	VariableRequest,
	VariablesQuery,
} from '#contract/dify/appFeatures.ts';
import type { Call, UploadSource } from './operations.ts';

/** The calls of {@link AppFeatures}, as those in calls.ts. */
export const appFeatureCalls = {
	rateMessage: (messageId: string, body: FeedbackRequest): Call => ({ operation: 'rateMessage', id: message(messageId), body }),
	listFeedback: ({ page, limit }: PageQuery): Call => ({ operation: 'listFeedback', query: { page, limit } }),
	suggestedQuestions: (messageId: string, query: { readonly user: string }): Call => ({
		operation: 'suggestedQuestions',
		id: message(messageId),
		query,
	}),
	listAnnotations: (query: PageQuery): Call => ({ operation: 'listAnnotations', query }),
	createAnnotation: (body: AnnotationRequest): Call => ({ operation: 'createAnnotation', body }),
	updateAnnotation: (id: string, body: AnnotationRequest): Call => ({ operation: 'updateAnnotation', id: annotation(id), body }),
	deleteAnnotation: (id: string): Call => ({ operation: 'deleteAnnotation', id: annotation(id) }),
	audioToText: (file: UploadSource, body: { readonly user: string }): Call => ({ operation: 'audioToText', body, file }),
	textToAudio: (body: SpeechRequest): Call => ({ operation: 'textToAudio', body }),
	previewFile: (fileId: string, query: { readonly user: string }): Call => ({
		operation: 'previewFile',
		id: { name: 'file_id', value: fileId },
		query,
	}),
	endUser: (id: string): Call => ({ operation: 'endUser', id: { name: 'end_user_id', value: id } }),
	listVariables: (conversationId: string, query: VariablesQuery): Call => ({
		operation: 'listVariables',
		id: conversation(conversationId),
		query,
	}),
	setVariable: (conversationId: string, variableId: string, body: VariableRequest): Call => ({
		operation: 'setVariable',
		id: conversation(conversationId),
		part: { name: 'variable_id', value: variableId },
		body,
	}),
};

function message(id: string): NonNullable<Call['id']> {
	return { name: 'message_id', value: id };
}

function annotation(id: string): NonNullable<Call['id']> {
	return { name: 'annotation_id', value: id };
}

function conversation(id: string): NonNullable<Call['id']> {
	return { name: 'conversation_id', value: id };
}
