import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { formatServiceRunKey, parseServiceRunKey } from '#runs/serviceRun.ts';
import { PlayedPanel } from '../../support/editor/playedPanel.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play, sendJson } from '../../support/services/faultService.ts';

describe('inspectors', () => {
	const { window: api } = vscode as unknown as {
		window: { createWebviewPanel?: () => vscode.WebviewPanel; showInformationMessage?: (message: string) => Promise<unknown> };
	};
	const { createWebviewPanel, showInformationMessage } = api;
	let window: WindowUnderTest;
	let panels: PlayedPanel[];

	beforeEach(async () => {
		window = new WindowUnderTest();
		await window.start();
		window.service.behaviour.run = async response => {
			const events = new EventWriter(response);
			await events.sendEvents(play.started, play.nodeStarted(1), play.nodeFinished(1), play.finished('succeeded'));
			events.endStream();
		};
		panels = [];
		api.createWebviewPanel = () => {
			for (const panel of panels) {
				panel.active = false;
			}
			const panel = new PlayedPanel();
			panels.push(panel);
			return panel.panel;
		};
	});
	afterEach(async () => {
		Object.assign(api, { createWebviewPanel, showInformationMessage });
		await window.dispose();
	});

	const inspectRun = (argument: unknown) => Promise.resolve(window.executeCommand('agentWorkbench.run.inspect', argument));
	const runAgent = async (): Promise<string> => {
		await window.runFile();
		return window.latest.key;
	};

	it('replace the previous run with the next one', async () => {
		const [first, second] = [await runAgent(), await runAgent()];
		await inspectRun(first);
		const [panel] = panels;
		assert.equal((await panel!.requestSnapshot()).head.key, first);
		const next = panel!.waitForMessage('snapshot');
		await inspectRun(second);
		assert.equal((await next).head.key, second);
		assert.equal((await next).head.kept, false);
		assert.equal(panels.length, 1);
	});

	it('keep a run that was opened twice or pinned', async () => {
		const [first, second, third, fourth] = [await runAgent(), await runAgent(), await runAgent(), await runAgent()];
		await inspectRun(first);
		await inspectRun(first);
		assert.equal((await panels[0]!.requestSnapshot()).head.kept, true);
		await inspectRun(second);
		assert.equal(panels.length, 2);
		await panels[1]!.requestSnapshot();
		const kept = panels[1]!.waitForMessage('changes', ({ head }) => head.kept);
		panels[1]!.sendFromPage({ type: 'keepOpen' });
		await kept;
		await inspectRun(third);
		assert.equal(panels.length, 3);
		await window.executeCommand('agentWorkbench.run.keepOpen', undefined);
		await inspectRun(fourth);
		assert.equal(panels.length, 4);
		await inspectRun(first);
		assert.equal(panels.length, 4, 'an open run is shown in its existing panel');
		assert.equal(panels[0]!.active, true);
	});

	it('show nothing of a run that was replaced', async () => {
		const [first, second] = [await runAgent(), await runAgent()];
		await inspectRun(first);
		const [panel] = panels;
		await panel!.requestSnapshot();
		const sent = panel!.messages.length;
		panel!.sendFromPage({ type: 'detail', id: 'e1' });
		await inspectRun(second);
		await panel!.requestSnapshot();
		window.records.updateRun(first, { error: 'late' });
		const later = panel!.messages.slice(sent).filter(({ type }) => type !== 'graph' && type !== 'outputs');
		assert.ok(later.every(message => message.type !== 'detail'));
		assert.ok(later.every(message => !('head' in message) || message.head.key === second));
	});

	it('show a run as of an earlier moment', async () => {
		window.service.behaviour.run = async response => {
			const events = new EventWriter(response);
			await events.sendEvents(play.started, play.nodeStarted(1), play.nodeFinished(1, { outputs: { x: 5 } }), play.nodeStarted(2));
			await events.sendEvents(play.nodeFinished(2), play.finished('succeeded'));
			events.endStream();
		};
		await inspectRun(await runAgent());
		const [panel] = panels;
		const { head, rows } = await panel!.requestSnapshot();
		assert.equal(head.moments, 4);
		const received = panel!.waitForMessage('moments');
		panel!.sendFromPage({ type: 'moments', from: 1 });
		const { moments, from, key } = await received;
		assert.deepEqual([from, key, moments.length], [1, head.key, 3]);
		assert.deepEqual(
			moments.map(moment => moment.rows.map(({ status }) => status)),
			[['succeeded'], ['running'], ['succeeded']],
		);
		const readDetail = async (until?: number) => {
			const detail = panel!.waitForMessage('detail');
			panel!.sendFromPage({ type: 'detail', id: rows[0]!.id, ...(until === undefined ? {} : { until }) });
			return detail;
		};
		const early = await readDetail(moments[0]!.place - 1);
		assert.equal(early.until, moments[0]!.place - 1);
		assert.equal(early.detail.outputs, undefined);
		assert.match((await readDetail(moments[0]!.place)).detail.outputs ?? '', /5/);
		assert.match((await readDetail()).detail.outputs ?? '', /5/);
	});

	const ofService = { connectionId: 'played', agentName: 'a/b c', runId: play.ids.workflow_run_id };

	it('show a run started by another client, with the events that its service replays', async () => {
		window.service.behaviour.detail = response => sendJson(response, play.detail('succeeded', { text: 'theirs' }));
		window.service.behaviour.follow = async response => {
			const events = new EventWriter(response);
			await events.sendEvents(play.started, play.nodeStarted(1), play.nodeFinished(1, { outputs: { x: 5 } }));
			await events.sendEvents(play.finished('succeeded', { text: 'theirs' }));
			events.endStream();
		};
		await inspectRun(ofService);
		const [panel] = panels;
		const outputs = panel!.waitForMessage('outputs');
		const { head, rows } = await panel!.requestSnapshot();
		assert.deepEqual([head.key, head.agent, head.status, head.startedAt], [formatServiceRunKey(ofService), 'a/b c', 'succeeded', 1000]);
		assert.deepEqual(
			[head.elsewhere, head.actions],
			[true, ['runAgain', 'open', 'openOutputs', 'compare', 'saveAsRunFile', 'addToSuite', 'addToDataset']],
		);
		assert.deepEqual(
			rows.map(({ id, start, end, critical }) => [id, start, end, critical]),
			[['e1', 1000, 1002, true]],
		);
		assert.deepEqual((await outputs).outputs, [{ name: 'text', text: 'theirs', isText: true, cut: false }]);
		const detail = panel!.waitForMessage('detail');
		panel!.sendFromPage({ type: 'detail', id: 'e1' });
		assert.deepEqual(JSON.parse((await detail).detail.outputs ?? ''), { x: 5 });
		assert.deepEqual(parseServiceRunKey(formatServiceRunKey(ofService)), ofService);
		assert.equal(window.records.list().length, 0, 'the run is not added to the history');
	});

	it("show the result of a run without events, and why a run can't be read", async () => {
		window.service.behaviour.detail = response => sendJson(response, play.detail('failed', null));
		await inspectRun(ofService);
		const { head, rows } = await panels[0]!.requestSnapshot();
		assert.deepEqual([head.status, rows.length], ['failed', 0]);
		window.service.behaviour.detail = response => sendJson(response, { code: 'not_found', message: 'No such run.', status: 404 }, 404);
		const gone = panels[0]!.waitForMessage('gone');
		await inspectRun({ ...ofService, runId: 'other' });
		assert.equal((await gone).title, "Couldn't read this run.");
		assert.match((await gone).text, /No such run/);
	});

	it('follow a run started by another client to its end', async () => {
		let status = 'running';
		window.service.behaviour.detail = response => sendJson(response, play.detail(status));
		let continueRun: () => void = () => undefined;
		const wait = new Promise<void>(resolve => {
			continueRun = resolve;
		});
		window.service.behaviour.follow = async response => {
			const events = new EventWriter(response);
			await events.sendEvents(play.started, play.nodeStarted(1));
			await wait;
			await events.sendEvents(play.nodeFinished(1), play.finished('succeeded'));
			events.endStream();
		};
		await inspectRun(ofService);
		const { head } = await panels[0]!.requestSnapshot();
		assert.equal(head.live, true);
		const ended = panels[0]!.waitForMessage('changes', message => message.head.status === 'succeeded');
		status = 'succeeded';
		continueRun();
		assert.equal((await ended).head.live, false);
	});

	it('remember the layout of panes, and report why a node has no source', async () => {
		const key = await runAgent();
		await inspectRun(key);
		const [panel] = panels;
		assert.equal((await panel!.requestSnapshot()).layout, undefined);
		panel!.sendFromPage({ type: 'layout', layout: { columns: 40, rows: 70 } });
		panel!.sendFromPage({ type: 'layout', layout: { columns: 400, rows: 70 } });
		assert.deepEqual((await panel!.requestSnapshot()).layout, { columns: 40, rows: 70 });
		const said = new Promise<string>(resolve => {
			api.showInformationMessage = async message => resolve(message);
		});
		panel!.sendFromPage({ type: 'goToSource', node: 'n1' });
		assert.match(await said, /^Can't show the node in its file\. No graph available\. No agent file 'played\.yml'/);
	});

	it("show the local record of a run opened from the service's log", async () => {
		const key = await runAgent();
		await inspectRun(ofService);
		assert.equal((await panels[0]!.requestSnapshot()).head.key, key);
		assert.ok(!window.service.requests.some(request => request.endsWith('/events')));
	});
});
