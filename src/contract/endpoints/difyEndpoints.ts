import * as z from 'zod';
import {
	annotationRequestSchema,
	feedbackRequestSchema,
	pageQuerySchema,
	speechRequestSchema,
	variableRequestSchema,
	variablesQuerySchema,
} from '../dify/appFeatures.ts';
import { defineDifyEndpoint } from './endpoint.ts';

const owned = z.looseObject({ user: z.string().min(1) });

/** Endpoints that only Dify apps have. */
export const difyEndpoints = {
	rateMessage: defineDifyEndpoint('POST', '/v1/messages/{id}/feedbacks', { body: feedbackRequestSchema }),
	listFeedback: defineDifyEndpoint('GET', '/v1/app/feedbacks', { query: pageQuerySchema }),
	suggestedQuestions: defineDifyEndpoint('GET', '/v1/messages/{id}/suggested', { query: owned, works: true }),
	listAnnotations: defineDifyEndpoint('GET', '/v1/apps/annotations', { query: pageQuerySchema }),
	createAnnotation: defineDifyEndpoint('POST', '/v1/apps/annotations', { body: annotationRequestSchema }),
	updateAnnotation: defineDifyEndpoint('PUT', '/v1/apps/annotations/{id}', { body: annotationRequestSchema }),
	deleteAnnotation: defineDifyEndpoint('DELETE', '/v1/apps/annotations/{id}'),
	audioToText: defineDifyEndpoint('POST', '/v1/audio-to-text', { sent: owned, works: true }),
	textToAudio: defineDifyEndpoint('POST', '/v1/text-to-audio', { body: speechRequestSchema, works: true }),
	previewFile: defineDifyEndpoint('GET', '/v1/files/{id}/preview', { query: owned }),
	endUser: defineDifyEndpoint('GET', '/v1/end-users/{id}'),
	listVariables: defineDifyEndpoint('GET', '/v1/conversations/{id}/variables', { query: variablesQuerySchema }),
	setVariable: defineDifyEndpoint('PUT', '/v1/conversations/{id}/variables/{variable}', { body: variableRequestSchema }),
};
