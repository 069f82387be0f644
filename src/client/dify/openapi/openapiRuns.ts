import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from '../../errors/serviceError.ts';
import { chatStream, workflowStream } from '../../streams/streamKinds.ts';
import type { Surface } from '../offers.ts';
import { readForm, readManagedRunDetail, readNodeResult, readNodes, readRuns } from '../readers/runReaders.ts';
import type { OpenapiCalls } from './openapiCalls.ts';

/** Creates the operations for runs of drafts and nodes, and their results. */
export function createOpenapiRuns(calls: OpenapiCalls): Surface {
	return {
		streamDraft(appId, { inputs, files = [] }, options) {
			const createRunRequest = () => {
				if (files.length > 0) {
					const message = localizable`With this sign-in, draft runs accept files only as values of inputs. Nothing was sent.`;
					throw new ServiceError('invalid-request', message, { field: 'files' });
				}
				return calls.prepareRequest('streamDraft', { path: { app_id: appId }, body: { inputs }, works: true }, options);
			};
			return calls.requests.streamEvents(workflowStream, async () => createRunRequest(), options);
		},
		streamDraftChat(appId, { query, inputs, conversationId }, options) {
			const body = { query, inputs, ...(conversationId && { conversation_id: conversationId }) };
			return calls.streamEvents(chatStream, 'streamDraftChat', { path: { app_id: appId }, body }, options);
		},
		async runNode(appId, nodeId, { mode, inputs, query }, options) {
			const chat = mode === 'advanced-chat';
			const body = { inputs, ...(chat && query !== undefined && { query }) };
			const call = { path: { app_id: appId, node_id: nodeId }, body, works: true };
			return calls.requestJson(chat ? 'runChatNode' : 'runNode', call, options, readNodeResult);
		},
		stopDraft: (appId, taskId, options) =>
			calls.requestJson('stopDraft', { path: { app_id: appId, task_id: taskId }, body: {} }, options, () => undefined),
		runs(app, { lastId, limit, status, triggeredFrom } = {}, options) {
			const query = { last_id: lastId, limit, status, triggered_from: triggeredFrom };
			return calls.requestJson('runs', { path: { app_id: app.id }, query }, options, readRuns);
		},
		run: (appId, runId, options) => calls.requestJson('run', { path: { app_id: appId, run_id: runId } }, options, readManagedRunDetail),
		runNodes: (appId, runId, options) => calls.requestJson('runNodes', { path: { app_id: appId, run_id: runId } }, options, readNodes),
		getForm: (appId, token, options) =>
			calls.requestJson('getForm', { path: { app_id: appId, form_token: token }, hides: 'form_token' }, options, readForm),
		submitForm: (appId, token, { inputs, action }, options) =>
			calls.requestJson(
				'submitForm',
				{ path: { app_id: appId, form_token: token }, body: { inputs, action }, hides: 'form_token' },
				options,
				() => undefined,
			),
		followRun: (appId, runId, options) =>
			calls.streamEvents(
				workflowStream,
				'followRun',
				{ path: { app_id: appId, task_id: runId }, query: { include_state_snapshot: true, continue_on_pause: false } },
				options,
			),
	};
}
