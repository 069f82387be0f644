import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkflowEvent } from '#contract/events.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { formatServiceRunKey, parseServiceRunKey } from '#runs/serviceRun.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { DraftsUnderTest } from '../../support/editor/draftsUnderTest.ts';
import { createManagedRun, createNodeResult } from '../../support/editor/playedManagement.ts';
import { PlayedPanel } from '../../support/editor/playedPanel.ts';

const ids = { task_id: 'task-1', workflow_run_id: 'run-1' };
const data = { id: 'run-1', workflow_id: 'w', created_at: 1 };
const started: WorkflowEvent = { event: 'workflow_started', ...ids, data };
const finished: WorkflowEvent = {
	event: 'workflow_finished',
	...ids,
	data: { ...data, status: 'succeeded', outputs: {}, error: null, elapsed_time: 1, total_tokens: 0, total_steps: 1, finished_at: 2 },
};
const form = {
	form_id: 'f1',
	node_id: 'ask',
	node_title: 'Approve',
	form_content: 'Go?',
	inputs: [],
	actions: [{ id: 'yes', title: 'Yes', button_style: 'primary' }],
	display_in_ui: true,
	resolved_default_values: {},
	expiration_time: 4_000_000_000,
};
const createFormEvent = (token: string | null): WorkflowEvent => ({
	event: 'human_input_required',
	...ids,
	data: { ...form, form_token: token },
});
const paused: WorkflowEvent = {
	event: 'workflow_paused',
	...ids,
	data: {
		workflow_run_id: 'run-1',
		paused_nodes: ['ask'],
		outputs: {},
		reasons: [],
		status: 'paused',
		created_at: 1,
		elapsed_time: 1,
		total_tokens: 0,
		total_steps: 1,
	},
};

describe('commands for Dify drafts and their runs', () => {
	const window = vscode.window as unknown as { createWebviewPanel?: () => vscode.WebviewPanel };
	const { createWebviewPanel } = window;
	let drafts: DraftsUnderTest;
	let page: PlayedPanel;

	beforeEach(async () => {
		drafts = new DraftsUnderTest();
		await drafts.window.start();
		drafts.there.stream = () => iterateEvents(started, finished);
		page = new PlayedPanel();
		window.createWebviewPanel = () => page.panel;
	});
	afterEach(async () => {
		Object.assign(window, { createWebviewPanel });
		await drafts.dispose();
	});

	const listCalls = (name: string) => drafts.there.calls.filter(call => call[0] === name);
	const executeCommand = (command: string, ...args: unknown[]) =>
		Promise.resolve(drafts.window.executeCommand(`agentWorkbench.${command}` as 'agentWorkbench.run.stop', args[0], args[1]));

	it('asks for the inputs of the start node, and offers the last values again', async () => {
		await answerDialogs({ texts: ['milk', 'warm'] }, () => drafts.executeCommand('runDraft'));
		assert.deepEqual(listCalls('streamDraft')[0]?.[2], { inputs: { topic: 'milk', note: 'warm' } });
		await answerDialogs({ picks: ['Use last inputs'] }, () => drafts.executeCommand('runDraft'));
		assert.deepEqual(listCalls('streamDraft')[1]?.[2], { inputs: { topic: 'milk', note: 'warm' } });
		assert.equal(drafts.window.latest.repeats, drafts.window.records.list()[1]?.key);
	});

	it('names the required Dify version and sends nothing if the server is older', async () => {
		drafts.there.offers = new Set(['apps', 'exportApp']);
		drafts.there.version = '1.16.0';
		const shown = await answerDialogs({}, () => drafts.executeCommand('runDraft'));
		assert.deepEqual(shown.warnings, [
			'Drafts and draft runs require Dify 1.18 or later, or a sign-in to the console of a self-hosted server. This server runs Dify 1.16.0.',
		]);
		await answerDialogs({}, () => drafts.executeCommand('runNode'));
		await answerDialogs({}, () => drafts.executeCommand('showRuns'));
		assert.deepEqual(drafts.there.calls, []);
	});

	it('runs a node with values of a run in Dify, or with entered values', async () => {
		drafts.there.list = ({ triggeredFrom }) => ({ runs: triggeredFrom === 'debugging' ? [createManagedRun()] : [], hasMore: false });
		drafts.there.detail = async () => createManagedRun();
		drafts.there.nodes = async () => [createNodeResult('start', { outputs: { topic: 'green tea' } })];
		drafts.there.node = async () => createNodeResult('write');
		await answerDialogs({ picks: ['Write', 'Use values from a run in Dify…', 'succeeded'] }, () => drafts.executeCommand('runNode'));
		assert.deepEqual(listCalls('runNode')[0]?.[3], { mode: 'workflow', inputs: { '#start.topic#': 'green tea' } });
		assert.deepEqual(drafts.window.latest.deploymentDraft, { app: 'app-1', mode: 'workflow', node: 'write' });
		await answerDialogs({ picks: ['Enter values…'], texts: ['black'] }, () =>
			drafts.executeCommand('runNode', { ...{ connectionId: 'dify', app: drafts.app }, node: 'write' }),
		);
		assert.deepEqual(listCalls('runNode')[1]?.[3], { mode: 'workflow', inputs: { '#start.topic#': 'black' } });
	});

	it('loads older runs on request, and shows the nodes, inputs and graph of a run', async () => {
		const graph = { nodes: [{ id: 'write', data: { type: 'code', title: 'As it ran' } }], edges: [] };
		drafts.there.list = ({ triggeredFrom, lastId }) =>
			triggeredFrom === 'debugging'
				? { runs: [], hasMore: false }
				: lastId === undefined
					? { runs: [createManagedRun({ id: 'new', status: 'failed' })], hasMore: true }
					: { runs: [createManagedRun({ id: 'old' })], hasMore: false };
		drafts.there.detail = async id => createManagedRun({ id, graph });
		drafts.there.nodes = async () => [createNodeResult('write', { inputs: { t: 'tea' }, process_data: { p: 1 } })];
		await answerDialogs({ picks: ['Load older runs…', 'succeeded'] }, () => drafts.executeCommand('showRuns'));
		const { head, rows } = await page.requestSnapshot();
		assert.deepEqual([head.runId, head.status, head.draft, head.elsewhere], ['old', 'succeeded', false, true]);
		assert.deepEqual(
			rows.map(({ nodeId, status }) => [nodeId, status]),
			[['write', 'succeeded']],
		);
		page.sendFromPage({ type: 'detail', id: rows[0]?.id ?? '' });
		const { detail } = await page.waitForMessage('detail');
		assert.deepEqual([JSON.parse(detail.inputs ?? ''), JSON.parse(detail.processData ?? '')], [{ t: 'tea' }, { p: 1 }]);
		page.sendFromPage({ type: 'graph' });
		assert.equal((await page.waitForMessage('graph')).graph?.nodes[0]?.title, 'As it ran');
	});

	it('runs the draft again with the inputs and the query of a run in Dify', async () => {
		drafts.there.detail = async () => createManagedRun({ inputs: { topic: 'tea', 'sys.query': 'Who?', 'sys.user_id': 'u' } });
		drafts.there.chat = () => iterateEvents(started, finished);
		const app = { id: 'app-1', mode: 'advanced-chat', published: false };
		const key = formatServiceRunKey({ connectionId: 'dify', agentName: 'Tea', runId: 'run/1', app });
		assert.deepEqual(parseServiceRunKey(key)?.app, app);
		const record = (await executeCommand('run.runAgain', key)) as RunRecord;
		assert.deepEqual(listCalls('streamDraftChat')[0]?.[2], { query: 'Who?', inputs: { topic: 'tea' } });
		assert.deepEqual(record.deploymentDraft, { app: 'app-1', mode: 'advanced-chat' });
	});

	it('submits the form of a paused draft once, and follows the run to its end', async () => {
		drafts.there.stream = () => iterateEvents(started, createFormEvent('tok'), paused);
		let status = 'paused';
		drafts.there.detail = async () => createManagedRun({ status });
		drafts.there.follow = () => iterateEvents({ ...started, data: { ...data, reason: 'resumption' } } as WorkflowEvent, finished);
		drafts.there.submit = async () => {
			status = 'running';
		};
		const record = await drafts.runDraft();
		assert.deepEqual([record.status, record.forms?.length], ['paused', 1]);
		await answerDialogs({ picks: ['Yes'] }, () => executeCommand('run.answer', record.key));
		assert.deepEqual(listCalls('submitForm'), [['submitForm', 'app-1', 'tok', { inputs: {}, action: 'yes' }]]);
		await drafts.window.waitForRun(({ status: at }) => at === 'succeeded');
	});

	it('reports a form that was already answered, or that can only be answered by email', async () => {
		drafts.there.stream = () => iterateEvents(started, createFormEvent('tok'), paused);
		drafts.there.detail = async () => createManagedRun({ status: 'paused' });
		drafts.there.follow = () => iterateEvents();
		drafts.there.submit = () => Promise.reject(Object.assign(new Error('submitted'), { code: 'human_input_form_submitted', status: 412 }));
		const record = await drafts.runDraft();
		const shown = await answerDialogs({ picks: ['Yes'] }, () => executeCommand('run.answer', record.key));
		assert.match(shown.errors[0] ?? '', /This form has already been answered/);
		drafts.there.stream = () => iterateEvents({ ...started, workflow_run_id: 'run-2' } as WorkflowEvent, createFormEvent(null), paused);
		const second = await drafts.runDraft();
		await assert.rejects(
			executeCommand('run.answer', second.key),
			/can't be answered here\. The service asks for input in another way, for example by email/,
		);
	});
});

async function* iterateEvents<T>(...events: readonly unknown[]): AsyncGenerator<T> {
	yield* events as readonly T[];
}
