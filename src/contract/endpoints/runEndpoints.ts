import * as z from 'zod';
import { debugCommandSchema, debugRequestSchema, debugResponseSchema } from '../debugging.ts';
import { formQuerySchema, formSubmissionSchema, humanInputFormSchema, runEventsQuerySchema } from '../humanInput.ts';
import { uploadedFileSchema } from '../uploads.ts';
import {
	draftRunRequestSchema,
	resultResponseSchema,
	stopRequestSchema,
	workflowLogPageSchema,
	workflowLogsQuerySchema,
	workflowResponseSchema,
	workflowRunDetailSchema,
	workflowRunRequestSchema,
} from '../workflows.ts';
import { endpointsOf } from './endpoint.ts';

const agent = endpointsOf('agent');

/** Runs of workflows (A): of published agents and of drafts, their events, forms and files, and debug sessions. */
export const runEndpoints = {
	runWorkflow: agent('POST', '/v1/agent/workflows/run', {
		summary: 'Execute workflow (A1).',
		paths: { dify: '/v1/workflows/run' },
		body: workflowRunRequestSchema,
		response: workflowResponseSchema,
		stream: 'on demand',
	}),
	getRun: agent('GET', '/v1/agent/workflows/run/{id}', {
		summary: 'Get workflow run detail (A2).',
		paths: { dify: '/v1/workflows/run/{id}' },
		query: z.object({ model: z.string().min(1) }),
		response: workflowRunDetailSchema,
	}),
	stopRun: agent('POST', '/v1/agent/workflows/tasks/{task}/stop', {
		summary: 'Stop workflow (A3).',
		paths: { dify: '/v1/workflows/tasks/{task}/stop' },
		body: stopRequestSchema,
		response: resultResponseSchema,
	}),
	listLogs: agent('GET', '/v1/agent/workflows/logs', {
		summary: 'Get workflow logs (A4).',
		paths: { dify: '/v1/workflows/logs' },
		query: workflowLogsQuerySchema,
		response: workflowLogPageSchema,
	}),
	runDraft: agent('POST', '/v1/agent/workflows/draft/run', {
		summary: "Run an agent's file as it is now, without publishing it.",
		body: draftRunRequestSchema,
		response: workflowResponseSchema,
		stream: 'on demand',
	}),
	followRun: agent('GET', '/v1/agent/workflows/run/{id}/events', {
		summary: 'Events of a run from its first one on, those to come too, until it ends or waits for a person.',
		paths: { dify: '/v1/workflow/{id}/events' },
		query: runEventsQuerySchema,
		stream: 'always',
	}),
	// Dify's, whose streams begin where the last one ended, and have the form of the app
	followChatMessage: agent('GET', '/v1/agent/workflow/{id}/events', {
		summary: "Events of a run after its last pause, those to come too; of a chat in its form. Dify's clients follow a run by it.",
		paths: { dify: '/v1/workflow/{id}/events' },
		query: runEventsQuerySchema,
		stream: 'always',
	}),

	debugRun: agent('POST', '/v1/agent/workflows/debug', {
		summary:
			"Debug a run of an agent's file as it is now: events of the session come between those of the run, which is stopped when the stream is closed.",
		body: debugRequestSchema,
		stream: 'always',
	}),
	commandDebugger: agent('POST', '/v1/agent/workflows/debug/{session_id}', {
		summary: 'A command of a debug session, with the key that its stream told in the header x-debug-key.',
		body: debugCommandSchema,
		response: debugResponseSchema,
	}),

	// whoever has the token of a form can answer it
	getForm: agent('GET', '/v1/agent/form/human_input/{token}', {
		summary: 'A form that a run waits for.',
		paths: { dify: '/v1/form/human_input/{token}' },
		secretPath: true,
		query: formQuerySchema,
		response: humanInputFormSchema,
	}),
	submitForm: agent('POST', '/v1/agent/form/human_input/{token}', {
		summary: 'Answer a form; its run goes on.',
		paths: { dify: '/v1/form/human_input/{token}' },
		secretPath: true,
		body: formSubmissionSchema,
		response: () => z.strictObject({}),
	}),

	uploadFile: agent('POST', '/v1/agent/files/upload', {
		summary: 'Upload a file for runs: a multipart form with user and file.',
		paths: { dify: '/v1/files/upload' },
		sent: z.looseObject({ user: z.string().min(1), model: z.string().min(1).optional() }),
		response: uploadedFileSchema,
		status: 201,
		works: true,
	}),
	getUpload: agent('GET', '/v1/agent/files/{id}/preview', {
		summary: 'The bytes of an uploaded file, or of one that a node was sent.',
		response: 'bytes',
	}),
};
