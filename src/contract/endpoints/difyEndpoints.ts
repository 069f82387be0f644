import * as z from 'zod';
import {
	annotationRequestSchema,
	feedbackRequestSchema,
	pageQuerySchema,
	speechRequestSchema,
	variableRequestSchema,
	variablesQuerySchema,
} from '../dify/appFeatures.ts';
import { difyEndpoint } from './endpoint.ts';

const owned = z.looseObject({ user: z.string().min(1) });

/** Endpoints that only Dify apps have. */
export const difyEndpoints = {
	rateMessage: difyEndpoint('POST', '/v1/messages/{id}/feedbacks', { body: feedbackRequestSchema }),
	listFeedback: difyEndpoint('GET', '/v1/app/feedbacks', { query: pageQuerySchema }),
	suggestedQuestions: difyEndpoint('GET', '/v1/messages/{id}/suggested', { query: owned, works: true }),
	listAnnotations: difyEndpoint('GET', '/v1/apps/annotations', { query: pageQuerySchema }),
	createAnnotation: difyEndpoint('POST', '/v1/apps/annotations', { body: annotationRequestSchema }),
	updateAnnotation: difyEndpoint('PUT', '/v1/apps/annotations/{id}', { body: annotationRequestSchema }),
	deleteAnnotation: difyEndpoint('DELETE', '/v1/apps/annotations/{id}'),
	audioToText: difyEndpoint('POST', '/v1/audio-to-text', { sent: owned, works: true }),
	textToAudio: difyEndpoint('POST', '/v1/text-to-audio', { body: speechRequestSchema, works: true }),
	previewFile: difyEndpoint('GET', '/v1/files/{id}/preview', { query: owned }),
	endUser: difyEndpoint('GET', '/v1/end-users/{id}'),
	listVariables: difyEndpoint('GET', '/v1/conversations/{id}/variables', { query: variablesQuerySchema }),
	setVariable: difyEndpoint('PUT', '/v1/conversations/{id}/variables/{variable}', { body: variableRequestSchema }),
};
