import * as z from 'zod';
import { createDebugResponseSchema } from '../debugAnswers.ts';
import { debugCommandSchema, debugRequestSchema } from '../debugging.ts';
import { createHumanInputFormSchema, formQuerySchema, formSubmissionSchema, runEventsQuerySchema } from '../humanInput.ts';
import { createUploadedFileSchema } from '../uploads.ts';
import {
	createResultResponseSchema,
	createWorkflowLogPageSchema,
	createWorkflowResponseSchema,
	createWorkflowRunDetailSchema,
	draftRunRequestSchema,
	stopRequestSchema,
	workflowLogsQuerySchema,
	workflowRunRequestSchema,
} from '../workflows.ts';
import { defineEndpoints } from './endpoint.ts';

const agent = defineEndpoints('agent');

/** Runs of workflows (A): of published agents and of drafts, their events, forms and files, and debug sessions. */
export const runEndpoints = {
	runWorkflow: agent('POST', '/v1/agent/workflows/run', {
		summary: 'Execute workflow (A1).',
		paths: { dify: '/v1/workflows/run' },
		body: workflowRunRequestSchema,
		response: createWorkflowResponseSchema,
		stream: 'on demand',
	}),
	getRun: agent('GET', '/v1/agent/workflows/run/{id}', {
		summary: 'Get workflow run detail (A2).',
		paths: { dify: '/v1/workflows/run/{id}' },
		query: z.object({ model: z.string().min(1) }),
		response: createWorkflowRunDetailSchema,
	}),
	stopRun: agent('POST', '/v1/agent/workflows/tasks/{task}/stop', {
		summary: 'Stop workflow (A3).',
		paths: { dify: '/v1/workflows/tasks/{task}/stop' },
		body: stopRequestSchema,
		response: createResultResponseSchema,
	}),
	listLogs: agent('GET', '/v1/agent/workflows/logs', {
		summary: 'Get workflow logs (A4).',
		paths: { dify: '/v1/workflows/logs' },
		query: workflowLogsQuerySchema,
		response: createWorkflowLogPageSchema,
	}),
	runDraft: agent('POST', '/v1/agent/workflows/draft/run', {
		summary: 'Run the current draft of an agent without publishing it.',
		body: draftRunRequestSchema,
		response: createWorkflowResponseSchema,
		stream: 'on demand',
	}),
	followRun: agent('GET', '/v1/agent/workflows/run/{id}/events', {
		summary: 'Stream all events of a run, from its first, until it ends or is waiting for input.',
		paths: { dify: '/v1/workflow/{id}/events' },
		query: runEventsQuerySchema,
		stream: 'always',
	}),
	// Dify's endpoint: the stream starts where the last one ended, and its events depend on the kind of app
	followChatMessage: agent('GET', '/v1/agent/workflow/{id}/events', {
		summary: 'Stream the events of a run after its last pause; for chats, chat events. Dify clients use it to follow a run.',
		paths: { dify: '/v1/workflow/{id}/events' },
		query: runEventsQuerySchema,
		stream: 'always',
	}),

	debugRun: agent('POST', '/v1/agent/workflows/debug', {
		summary:
			"Debug a run of the current draft of an agent. The stream has the session's events among those of the run. Closing the stream stops the run.",
		body: debugRequestSchema,
		stream: 'always',
	}),
	commandDebugger: agent('POST', '/v1/agent/workflows/debug/{session_id}', {
		summary: "Send a command to a debug session. Requires the session's key, which its stream reports in the header x-debug-key.",
		body: debugCommandSchema,
		response: createDebugResponseSchema,
	}),

	// the form's token is all that's needed to answer it
	getForm: agent('GET', '/v1/agent/form/human_input/{token}', {
		summary: 'Get a form that a run is waiting for.',
		paths: { dify: '/v1/form/human_input/{token}' },
		secretPath: true,
		query: formQuerySchema,
		response: createHumanInputFormSchema,
	}),
	submitForm: agent('POST', '/v1/agent/form/human_input/{token}', {
		summary: 'Answer a form. Its run continues.',
		paths: { dify: '/v1/form/human_input/{token}' },
		secretPath: true,
		body: formSubmissionSchema,
		response: () => z.strictObject({}),
	}),

	uploadFile: agent('POST', '/v1/agent/files/upload', {
		summary: 'Upload a file for runs, as a multipart form with user and file.',
		paths: { dify: '/v1/files/upload' },
		sent: z.looseObject({ user: z.string().min(1), model: z.string().min(1).optional() }),
		response: createUploadedFileSchema,
		status: 201,
		works: true,
	}),
	getUpload: agent('GET', '/v1/agent/files/{id}/preview', {
		summary: 'Download an uploaded file or a file that a node received.',
		response: 'bytes',
	}),
};
