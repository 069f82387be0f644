import { type Exchange, getBodyFields, getBodyText, Refusal } from '../exchange.ts';
import type { FakeRun } from '../runs/fakeRun.ts';
import { runNode } from '../runs/nodeRun.ts';
import { stopRun } from '../runs/runPlayer.ts';
import { createRunPage, toNodeRow, toNodeRows, toRunDetail } from '../runs/runRows.ts';
import { answerForm, checkFormIsOpen, createFormBody, followRun, streamRun } from '../runs/runs.ts';
import { findWorkflow } from './openapiApps.ts';
import { getAppWithGraph } from './openapiVersions.ts';
import { createInvalidError, createNewestPath, createRenamedPath, declareOperation, type Paths } from './operation.ts';

const runFields = ['inputs', 'files', 'attachments', 'workspace_id'];
const chatFields = [...runFields, 'query', 'conversation_id', 'auto_generate_name'];
const publishedPaths: Paths = { '1.15': '/apps/{app_id}/run', '1.16': '/apps/{app_id}:run' };

/** Operations for runs of published versions, drafts and single nodes, and for their traces and forms. */
export const openapiRuns = [
	declareOperation(undefined, 'POST', publishedPaths, { body: [...chatFields, 'workflow_id'] }, exchange => startRun(exchange, 'app-run')),
	declareOperation(
		'run.app.workflow',
		'POST',
		createNewestPath('/apps/{app_id}/workflow:run'),
		{ body: [...runFields, 'workflow_id'], streams: true },
		exchange => startRun(exchange, 'app-run'),
	),
	declareOperation(
		'run.app.advanced_chat',
		'POST',
		createNewestPath('/apps/{app_id}/advanced-chat:run'),
		{ body: [...chatFields, 'workflow_id'], streams: true },
		exchange => startRun(exchange, 'app-run'),
	),
	declareOperation(
		'test.console_app.workflow',
		'POST',
		createNewestPath('/apps/{app_id}/draft/workflow:run'),
		{ body: runFields, needs: 'editor', streams: true },
		exchange => startRun(exchange, 'debugging', 'workflow'),
	),
	declareOperation(
		'test.console_app.advanced_chat',
		'POST',
		createNewestPath('/apps/{app_id}/draft/advanced-chat:run'),
		{ body: chatFields, needs: 'editor', streams: true },
		exchange => startRun(exchange, 'debugging', 'advanced-chat'),
	),
	declareOperation(
		'test.console_app.workflow_node',
		'POST',
		createNewestPath('/apps/{app_id}/draft/workflow/nodes/{node_id}:run'),
		{ body: ['inputs'], needs: 'editor' },
		exchange => runSingleNode(exchange, 'workflow'),
	),
	declareOperation(
		'test.console_app.advanced_chat_node',
		'POST',
		createNewestPath('/apps/{app_id}/draft/advanced-chat/nodes/{node_id}:run'),
		{ body: ['inputs', 'query'], needs: 'editor' },
		exchange => runSingleNode(exchange, 'advanced-chat'),
	),
	declareOperation(
		'stop.run',
		'POST',
		createRenamedPath('/apps/{app_id}/tasks/{task_id}/stop', '/apps/{app_id}/tasks/{task_id}:stop'),
		{},
		({ fake, params }) => {
			const found = fake.runs.findRunByTask(params['task_id']);
			if (found) {
				stopRun(found);
			}
			return { result: 'success' };
		},
	),
	declareOperation(
		'follow.run',
		'GET',
		createRenamedPath('/apps/{app_id}/tasks/{run_id}/events', '/apps/{app_id}/tasks/{run_id}/events'),
		{ query: ['include_state_snapshot', 'continue_on_pause'], streams: true },
		exchange => followRun(findRun(exchange, ['not_found', 'Workflow run not found']), exchange.query),
	),
	declareOperation(
		'get.run',
		'GET',
		createNewestPath('/apps/{app_id}/runs'),
		{ query: ['last_id', 'limit', 'status', 'triggered_from'] },
		exchange => {
			getAppWithGraph(exchange);
			return { ...createRunPage(exchange, [422, 'invalid_param']), hints: [] };
		},
	),
	declareOperation('describe.run', 'GET', createNewestPath('/apps/{app_id}/runs/{run_id}'), {}, exchange =>
		toRunDetail(exchange.fake, findRun(exchange)),
	),
	declareOperation('get.run.node', 'GET', createNewestPath('/apps/{app_id}/runs/{run_id}/nodes'), {}, exchange =>
		toNodeRows(exchange.fake, findRun(exchange)),
	),
	declareOperation(
		'describe.human_input_form',
		'GET',
		createRenamedPath('/apps/{app_id}/form/human_input/{form_token}', '/apps/{app_id}/human-input-forms/{form_token}'),
		{},
		exchange => createFormBody(findForm(exchange)),
	),
	declareOperation(
		'submit.human_input_form',
		'POST',
		createRenamedPath('/apps/{app_id}/form/human_input/{form_token}', '/apps/{app_id}/human-input-forms/{form_token}:submit'),
		{ body: ['inputs', 'action', 'files'] },
		exchange => {
			answerForm(findForm(exchange), { action: exchange.body['action'], inputs: getBodyFields(exchange.body, 'inputs') });
			return {};
		},
	),
];

function startRun(exchange: Exchange, triggeredFrom: FakeRun['triggeredFrom'], mode?: string): unknown {
	const { fake, body } = exchange;
	const app = getAppWithGraph(exchange);
	if (mode !== undefined && app.mode !== mode) {
		throw new Refusal(422, 'invalid_param', 'mode_not_supported');
	}
	const query = getBodyText(body, 'query');
	if (app.mode === 'workflow' ? query !== undefined : !query?.trim()) {
		throw app.mode === 'workflow'
			? new Refusal(422, 'invalid_param', 'query_not_supported_for_workflow')
			: new Refusal(422, 'invalid_param', 'query_required_for_chat');
	}
	const version = getBodyText(body, 'workflow_id');
	const workflow =
		triggeredFrom === 'debugging' ? app.draft : findWorkflow({ ...app, draft: undefined }, version ?? app.publishedId ?? null);
	if (!workflow) {
		throw version === undefined
			? createInvalidError([{ type: 'value_error', loc: [], msg: 'Workflow not published' }])
			: new Refusal(404, 'not_found', `Workflow not found with id: ${version}`);
	}
	const started = fake.runs.startRun({
		app,
		workflow,
		triggeredFrom,
		inputs: getBodyFields(body, 'inputs'),
		query,
		conversationId: getBodyText(body, 'conversation_id'),
	});
	return streamRun(started);
}

function runSingleNode(exchange: Exchange, mode: string): unknown {
	const { fake, params, body } = exchange;
	const app = getAppWithGraph(exchange);
	const node = app.draft?.graph.nodes.find(each => each.id === params['node_id']);
	if (app.mode !== mode) {
		throw new Refusal(422, 'invalid_param', 'mode_not_supported');
	}
	if (!node) {
		throw new Refusal(404, 'node_not_found', 'The draft has no node with this id.');
	}
	if (node.data.type === 'loop' || node.data.type === 'iteration') {
		throw new Refusal(400, 'bad_request', `A ${node.data.type} node cannot be run alone.`);
	}
	return toNodeRow(fake, runNode(fake, app, node, getBodyFields(body, 'inputs')));
}

function findRun(
	{ fake, app, params }: Exchange,
	[code, message] = ['run_not_found', 'No run with this id exists for this app.'],
): FakeRun {
	const found = fake.runs.findRun(app, params['run_id']);
	if (!found) {
		throw new Refusal(404, code ?? '', message ?? '');
	}
	return found;
}

function findForm({ fake, app, params }: Exchange) {
	const form = fake.runs.findForm(params['form_token']);
	if (!form || form.run.app.id !== app?.id) {
		throw new Refusal(404, 'form_not_found', 'No human-input form matches this token. It may be wrong, expired, or already submitted.');
	}
	checkFormIsOpen(fake, form);
	return form;
}
