import { type Exchange, getBodyFields, getBodyText, getQueryInteger, Refusal, type Route } from '../exchange.ts';
import type { Release } from '../releases.ts';
import type { FakeRun } from '../runs/fakeRun.ts';
import { getElapsedTime } from '../runs/runEvents.ts';
import { stopRun } from '../runs/runPlayer.ts';
import { answerForm, checkFormIsOpen, createFormBody, followRun, streamRun } from '../runs/runs.ts';
import type { FakeWorkflow, Fields } from '../state.ts';
import { getAppOfKind, getRequestInputs, getRequestUser } from './serviceSurface.ts';

const bad: [number, string] = [400, 'invalid_param'];

/** Creates the routes of workflow runs, their logs, and the forms of paused runs. */
export function createRunRoutes(release: Release): Route[] {
	return [
		{ method: 'POST', path: '/workflows/run', handle: exchange => startRun(exchange, getPublishedWorkflow(exchange)) },
		{ method: 'POST', path: '/workflows/{version}/run', handle: exchange => startRun(exchange, findPublishedVersion(exchange)) },
		{ method: 'GET', path: '/workflows/run/{run}', handle: getRunDetail },
		{ method: 'POST', path: '/workflows/tasks/{task}/stop', handle: exchange => stopTask(exchange, 'workflow') },
		{ method: 'GET', path: '/workflows/logs', handle: listLogs },
		...(release.pauses
			? ([
					{ method: 'GET', path: '/form/human_input/{token}', handle: exchange => createFormBody(findForm(exchange)) },
					{ method: 'POST', path: '/form/human_input/{token}', handle: submitForm },
					{ method: 'GET', path: '/workflow/{run}/events', handle: followUserRun },
				] satisfies Route[])
			: []),
	];
}

/** Returns the published version of an app of any mode. */
export function getPublishedWorkflow({ app }: Exchange): FakeWorkflow {
	const workflow = app?.versions.find(each => each.id === app.publishedId);
	if (!workflow) {
		throw new Refusal(400, 'invalid_param', 'Workflow not published');
	}
	return workflow;
}

function findPublishedVersion({ app, params, fake }: Exchange): FakeWorkflow {
	const id = params['version'] ?? '';
	if (fake.options.edition === 'CLOUD') {
		throw new Refusal(403, 'workflow_version_execution_not_allowed', 'Running a version is not in your plan.');
	}
	if (!/^[0-9a-f-]{36}$/.test(id) || id === app?.draft?.id) {
		throw new Refusal(400, 'bad_request', `Invalid workflow_id format: '${id}'.`);
	}
	const workflow = app?.versions.find(each => each.id === id);
	if (!workflow) {
		throw new Refusal(404, 'not_found', `Workflow not found with id: ${id}`);
	}
	return workflow;
}

async function startRun(exchange: Exchange, workflow: FakeWorkflow): Promise<unknown> {
	const app = getAppOfKind(exchange, 'workflow');
	const started = exchange.fake.runs.startRun({
		app,
		workflow,
		triggeredFrom: 'app-run',
		user: getRequestUser(exchange),
		inputs: getRequestInputs(exchange),
	});
	if (getBodyText(exchange.body, 'response_mode') === 'streaming') {
		return streamRun(started);
	}
	await waitUntilRunSettles(started);
	return { task_id: started.taskId, workflow_run_id: started.id, data: toRunBody(started) };
}

/** Resolves when a run has finished or waits for human input. */
export async function waitUntilRunSettles(run: FakeRun): Promise<void> {
	for await (const { event } of run.events.readEventsFrom(
		0,
		each => each['event'] === 'workflow_finished' || each['event'] === 'workflow_paused',
	)) {
		void event;
	}
}

function toRunBody(run: FakeRun): Fields {
	return {
		id: run.id,
		workflow_id: run.workflow.id,
		status: run.status,
		outputs: run.outputs ?? {},
		error: run.error,
		elapsed_time: getElapsedTime(run),
		total_tokens: run.tokens,
		total_steps: run.executions.length,
		created_at: Math.floor(run.createdAt),
		finished_at: run.finishedAt === undefined ? null : Math.floor(run.finishedAt),
	};
}

function getRunDetail(exchange: Exchange): unknown {
	const found = exchange.fake.runs.findRun(getAppOfKind(exchange, 'workflow'), exchange.params['run']);
	if (!found) {
		throw new Refusal(404, 'not_found', 'Workflow run not found.');
	}
	return { ...toRunBody(found), inputs: JSON.stringify({ ...found.inputs, 'sys.user_id': found.user }) };
}

/** Stops a task. Succeeds even for unknown tasks, as Dify does. */
export function stopTask(exchange: Exchange, kind: 'workflow' | 'chat'): unknown {
	getAppOfKind(exchange, kind);
	getRequestUser(exchange);
	const found = exchange.fake.runs.findRunByTask(exchange.params['task']);
	if (found) {
		stopRun(found);
	}
	const message = exchange.fake.chats.agents.messages.find(({ taskId }) => taskId === exchange.params['task']);
	if (message) {
		message.stopped = true;
	}
	return { result: 'success' };
}

function listLogs(exchange: Exchange): unknown {
	const { fake, query } = exchange;
	const app = getAppOfKind(exchange, 'workflow');
	const page = getQueryInteger(exchange, 'page', { usual: 1, most: 99_999 }, bad);
	const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, bad);
	const [status, keyword] = [query.get('status'), query.get('keyword')?.slice(0, 30).toLowerCase()];
	const found = fake.runs.all
		.filter(each => each.app === app && each.triggeredFrom === 'app-run' && (status === null || each.status === status))
		.filter(
			each => !keyword || each.id === keyword || JSON.stringify([each.inputs, each.outputs, each.user]).toLowerCase().includes(keyword),
		)
		.reverse();
	const data = found.slice((page - 1) * limit, page * limit).map(each => ({
		id: each.taskId,
		workflow_run: { ...toRunBody(each), version: each.workflow.version },
		created_from: 'service-api',
		created_by_role: 'end_user',
		created_by_account: null,
		created_by_end_user: { id: each.user, type: 'service_api', is_anonymous: false, session_id: each.user },
		created_at: Math.floor(each.createdAt),
	}));
	return { page, limit, total: found.length, has_more: page * limit < found.length, data };
}

function findForm({ fake, app, params }: Exchange) {
	const form = fake.runs.findForm(params['token']);
	if (!form || form.run.app !== app) {
		throw new Refusal(404, 'not_found', 'Form not found');
	}
	checkFormIsOpen(fake, form);
	return form;
}

function submitForm(exchange: Exchange): unknown {
	getRequestUser(exchange);
	answerForm(findForm(exchange), { action: exchange.body['action'], inputs: getBodyFields(exchange.body, 'inputs') });
	return {};
}

function followUserRun(exchange: Exchange): unknown {
	const user = getRequestUser(exchange);
	const found = exchange.fake.runs.findRun(exchange.app, exchange.params['run']);
	if (!found || found.user !== user) {
		throw new Refusal(404, 'not_found', 'Workflow run not found');
	}
	return followRun(found, exchange.query);
}
