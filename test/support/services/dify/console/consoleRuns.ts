import { type Exchange, getBodyFields, getBodyText, Refusal } from '../exchange.ts';
import type { Release } from '../releases.ts';
import type { FakeRun } from '../runs/fakeRun.ts';
import { runNode } from '../runs/nodeRun.ts';
import { stopRun } from '../runs/runPlayer.ts';
import { createRunPage, toNodeRow, toNodeRows, toRunDetail } from '../runs/runRows.ts';
import { answerForm, checkFormIsOpen, createFormBody, followRun, streamRun } from '../runs/runs.ts';
import type { FakeApp } from '../state.ts';
import { getDraft } from './consoleDraft.ts';
import type { ConsoleRoute } from './consoleSurface.ts';

const both = ['workflow', 'advanced-chat'];
const bad: [number, string] = [400, 'invalid_param'];

/** Creates the routes for runs of the draft and its nodes, their traces, and the forms of paused runs. */
export function createRunRoutes(release: Release): ConsoleRoute[] {
	const createRoute = (method: string, path: string, modes: readonly string[], handle: ConsoleRoute['handle']): ConsoleRoute => ({
		method,
		path: `/apps/{app}${path}`,
		needs: 'editor',
		modes,
		handle,
	});
	return [
		createRoute('POST', '/workflows/draft/run', ['workflow'], exchange => startRun(exchange, release)),
		createRoute('POST', '/advanced-chat/workflows/draft/run', ['advanced-chat'], exchange => startRun(exchange, release)),
		createRoute('POST', '/workflow-runs/tasks/{task}/stop', both, ({ fake, params }) => {
			const found = fake.runs.findRunByTask(params['task']);
			if (found) {
				stopRun(found);
			}
			return { result: 'success' };
		}),
		createRoute('POST', '/workflows/draft/nodes/{node}/run', both, runSingleNode),
		...(['iteration', 'loop'] as const).flatMap(kind => [
			createRoute('POST', `/workflows/draft/${kind}/nodes/{node}/run`, ['workflow'], exchange => startRun(exchange, release)),
			createRoute('POST', `/advanced-chat/workflows/draft/${kind}/nodes/{node}/run`, ['advanced-chat'], exchange =>
				startRun(exchange, release),
			),
		]),
		createRoute('GET', '/workflows/draft/nodes/{node}/last-run', both, ({ fake, app, params }) => {
			const last = fake.drafts.getMemory(app as FakeApp).lastRuns.get(params['node'] ?? '');
			if (!last) {
				throw new Refusal(404, 'not_found', 'last run not found');
			}
			return toNodeRow(fake, last);
		}),
		createRoute('GET', '/workflow-runs', both, exchange => createRunPage(exchange, bad)),
		createRoute('GET', '/advanced-chat/workflow-runs', ['advanced-chat'], exchange => createRunPage(exchange, bad)),
		createRoute('GET', '/workflow-runs/{run}', both, exchange => toRunDetail(exchange.fake, findRun(exchange))),
		createRoute('GET', '/workflow-runs/{run}/node-executions', both, exchange => toNodeRows(exchange.fake, findRun(exchange))),
		...(release.pauses ? pausedRoutes : []),
	];
}

const pausedRoutes: readonly ConsoleRoute[] = [
	{ method: 'GET', path: '/form/human_input/{token}', handle: exchange => createFormBody(findForm(exchange)) },
	{
		method: 'POST',
		path: '/form/human_input/{token}',
		handle: exchange => {
			answerForm(findForm(exchange), { action: exchange.body['action'], inputs: getBodyFields(exchange.body, 'inputs') });
			return {};
		},
	},
	{ method: 'GET', path: '/workflow/{run}/events', handle: exchange => followRun(findRunInAnyApp(exchange), exchange.query) },
	{
		method: 'GET',
		path: '/workflow/{run}/pause-details',
		handle: exchange => {
			const waiting = findRunInAnyApp(exchange).forms.filter(each => each.answer === undefined);
			return {
				paused_at: null,
				paused_nodes: waiting.map(each => ({
					node_id: each.node.id,
					node_title: each.node.data.title,
					pause_type: { type: 'human_input', form_id: each.id },
				})),
			};
		},
	},
];

function startRun(exchange: Exchange, release: Release): unknown {
	const { fake, body } = exchange;
	const app = exchange.app as FakeApp;
	const workflow = getDraft(exchange, release);
	const query = getBodyText(body, 'query');
	if (app.mode === 'advanced-chat' && query === undefined) {
		throw new Refusal(400, 'invalid_param', 'query: Field required');
	}
	if (typeof body['inputs'] !== 'object' && app.mode === 'workflow') {
		throw new Refusal(400, 'invalid_param', 'inputs: Field required');
	}
	return streamRun(
		fake.runs.startRun({
			app,
			workflow,
			triggeredFrom: 'debugging',
			inputs: getBodyFields(body, 'inputs'),
			query,
			conversationId: getBodyText(body, 'conversation_id'),
		}),
	);
}

function runSingleNode({ fake, app, params, body }: Exchange): unknown {
	const node = app?.draft?.graph.nodes.find(each => each.id === params['node']);
	if (!app || !node) {
		throw new Refusal(400, 'invalid_param', 'node data not found in workflow graph');
	}
	return toNodeRow(fake, runNode(fake, app, node, getBodyFields(body, 'inputs')));
}

function findRun({ fake, app, params }: Exchange): FakeRun {
	const found = fake.runs.findRun(app, params['run']);
	if (!found) {
		throw new Refusal(404, 'not_found', 'Workflow run not found');
	}
	return found;
}

function findRunInAnyApp({ fake, params }: Exchange): FakeRun {
	const found = fake.runs.all.find(each => each.id === params['run']);
	if (!found) {
		throw new Refusal(404, 'not_found', 'WorkflowRun not found');
	}
	return found;
}

function findForm({ fake, params }: Exchange) {
	const form = fake.runs.findForm(params['token']);
	if (!form) {
		throw new Refusal(404, 'not_found', 'Form not found');
	}
	checkFormIsOpen(fake, form);
	return form;
}
