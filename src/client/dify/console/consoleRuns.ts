import { chatStream, workflowStream } from '../../streams/streamKinds.ts';
import type { Surface } from '../offers.ts';
import { readForm, readManagedRunDetail, readNodeResult, readNodes, readRuns } from '../readers/runReaders.ts';
import type { ConsoleCall, ConsoleCalls } from './consoleCalls.ts';

const draft = '/apps/{app_id}/workflows/draft';

/** Creates the operations for runs of drafts and nodes, and their results. */
export function createConsoleRuns(calls: ConsoleCalls): Surface {
	return {
		streamDraft(appId, { inputs, files = [] }, options) {
			const call: ConsoleCall = { method: 'POST', path: `${draft}/run`, values: { app_id: appId }, body: { inputs, files }, works: true };
			return calls.requests.streamEvents(workflowStream, async () => calls.buildRequest('streamDraft', call), options);
		},
		streamDraftChat(appId, { query, inputs, conversationId }, options) {
			const call: ConsoleCall = {
				method: 'POST',
				path: '/apps/{app_id}/advanced-chat/workflows/draft/run',
				values: { app_id: appId },
				body: { query, inputs, ...(conversationId && { conversation_id: conversationId }) },
				works: true,
			};
			return calls.requests.streamEvents(chatStream, async () => calls.buildRequest('streamDraftChat', call), options);
		},
		runNode(appId, nodeId, { inputs, query }, options) {
			const values = { app_id: appId, node_id: nodeId };
			const body = { inputs, ...(query !== undefined && { query }) };
			return calls.requestJson(
				'runNode',
				{ method: 'POST', path: `${draft}/nodes/{node_id}/run`, values, body, works: true },
				options,
				readNodeResult,
			);
		},
		stopDraft: (appId, taskId, options) =>
			calls.requestJson(
				'stopDraft',
				{
					method: 'POST',
					path: '/apps/{app_id}/workflow-runs/tasks/{task_id}/stop',
					values: { app_id: appId, task_id: taskId },
					body: {},
				},
				options,
				() => undefined,
			),
		runs({ id, mode }, { lastId, limit, status, triggeredFrom } = {}, options) {
			const path = mode === 'advanced-chat' ? '/apps/{app_id}/advanced-chat/workflow-runs' : '/apps/{app_id}/workflow-runs';
			const query = { last_id: lastId, limit, status, triggered_from: triggeredFrom };
			return calls.requestJson('runs', { method: 'GET', path, values: { app_id: id }, query }, options, readRuns);
		},
		run: (appId, runId, options) =>
			calls.requestJson(
				'run',
				{ method: 'GET', path: '/apps/{app_id}/workflow-runs/{run_id}', values: { app_id: appId, run_id: runId } },
				options,
				readManagedRunDetail,
			),
		runNodes: (appId, runId, options) =>
			calls.requestJson(
				'runNodes',
				{ method: 'GET', path: '/apps/{app_id}/workflow-runs/{run_id}/node-executions', values: { app_id: appId, run_id: runId } },
				options,
				readNodes,
			),
		lastNodeRun: (appId, nodeId, options) =>
			calls.requestJsonIfAny(
				'lastNodeRun',
				{ method: 'GET', path: `${draft}/nodes/{node_id}/last-run`, values: { app_id: appId, node_id: nodeId } },
				options,
				readNodeResult,
			),
	};
}

/** Creates the operations for forms of paused runs, and for following such runs after the pause (from 1.13 on). */
export function createConsoleForms(calls: ConsoleCalls): Surface {
	const form = { path: '/form/human_input/{form_token}', hides: 'form_token' } as const;
	return {
		getForm: (_appId, token, options) =>
			calls.requestJson('getForm', { ...form, method: 'GET', values: { form_token: token } }, options, readForm),
		submitForm: (_appId, token, { inputs, action }, options) =>
			calls.requestJson(
				'submitForm',
				{ ...form, method: 'POST', values: { form_token: token }, body: { inputs, action } },
				options,
				() => undefined,
			),
		followRun(_appId, runId, options) {
			const call: ConsoleCall = {
				method: 'GET',
				path: '/workflow/{run_id}/events',
				values: { run_id: runId },
				query: { include_state_snapshot: true, continue_on_pause: false },
				works: true,
			};
			return calls.requests.streamEvents(workflowStream, async () => calls.buildRequest('followRun', call), options);
		},
	};
}
