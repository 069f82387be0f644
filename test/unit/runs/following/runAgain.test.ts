import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findRunChain } from '#runs/following/runChain.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { answerDialogs } from '../../../support/editor/answers.ts';
import { PlayedPanel } from '../../../support/editor/playedPanel.ts';
import { WindowUnderTest } from '../../../support/editor/windowUnderTest.ts';
import { EventWriter, play } from '../../../support/services/faultService.ts';

describe('running a run again', () => {
	const { window: api } = vscode as unknown as { window: { createWebviewPanel?: () => vscode.WebviewPanel } };
	const { createWebviewPanel } = api;
	let window: WindowUnderTest;
	let page: PlayedPanel;
	let status: string;

	beforeEach(async () => {
		window = new WindowUnderTest();
		await window.start();
		status = 'succeeded';
		window.service.behaviour.run = async response => {
			const events = new EventWriter(response);
			await events.sendEvents(play.started, play.nodeStarted(1), play.nodeFinished(1), play.finished(status));
			events.endStream();
		};
		page = new PlayedPanel();
		api.createWebviewPanel = () => page.panel;
	});
	afterEach(async () => {
		Object.assign(api, { createWebviewPanel });
		await vscode.workspace.getConfiguration('agentWorkbench.runs').update('reveal', undefined, vscode.ConfigurationTarget.Global);
		await window.dispose();
	});

	const runAgain = (key: string) => window.executeCommand('agentWorkbench.run.runAgain', key) as Promise<RunRecord>;

	it('shows the new run in the inspector of the previous one, with a way back', async () => {
		await window.runFile({ model: 'played', inputs: { a: 1 } });
		const first = window.latest.key;
		await window.executeCommand('agentWorkbench.run.inspect', first);
		const { head } = await page.requestSnapshot();
		assert.deepEqual([head.key, head.chain], [first, undefined]);
		const next = page.waitForMessage('snapshot');
		const second = await runAgain(first);
		assert.equal(second.repeats, first);
		assert.deepEqual([(await next).head.key, (await next).head.chain], [second.key, { place: 2, count: 2 }]);

		const before = page.waitForMessage('snapshot');
		page.sendFromPage({ type: 'step', offset: -1 });
		assert.deepEqual([(await before).head.key, (await before).head.chain], [first, { place: 1, count: 2 }]);
		page.sendFromPage({ type: 'step', offset: -1 });
		const after = page.waitForMessage('snapshot');
		page.sendFromPage({ type: 'step', offset: 1 });
		assert.equal((await after).head.key, second.key);
	});

	it('changes no inspectors of other runs, and opens none', async () => {
		await window.runFile();
		const first = window.latest.key;
		await window.runFile();
		const other = window.latest.key;
		await runAgain(first);
		assert.equal(page.webview.html, '', 'none was open');
		await window.executeCommand('agentWorkbench.run.inspect', other);
		await page.requestSnapshot();
		await runAgain(first);
		assert.equal((await page.requestSnapshot()).head.key, other);
	});

	it("shows a notification only if the run isn't visible", async () => {
		status = 'failed';
		const shown = await answerDialogs({}, async () => {
			await window.runFile();
			await window.executeCommand('agentWorkbench.run.inspect', window.latest.key);
		});
		assert.deepEqual(shown.errors.length, 1);
		await page.requestSnapshot();
		const quiet = await answerDialogs({}, () => runAgain(window.latest.key));
		assert.deepEqual(quiet.errors, []);
		page.hidePanel();
		const notified = await answerDialogs({}, () => runAgain(window.latest.key));
		assert.equal(notified.errors.length, 1);
	});

	it('opens the output channel according to the setting', async () => {
		const { channel } = window;
		const setReveal = (value: string) =>
			vscode.workspace.getConfiguration('agentWorkbench.runs').update('reveal', value, vscode.ConfigurationTarget.Global);
		const countShows = async (): Promise<number> => {
			const before = channel.shows;
			await window.runFile();
			return channel.shows - before;
		};
		assert.equal(await countShows(), 1, 'the first run of a window says where its events are');
		assert.equal(await countShows(), 0, 'what was closed stays closed');
		status = 'failed';
		assert.equal(await countShows(), 1);
		await setReveal('never');
		assert.equal(await countShows(), 0);
		status = 'succeeded';
		await setReveal('always');
		assert.equal(await countShows(), 1);
	});
});

describe('the chain of repeated runs', () => {
	const createRecord = (key: string, repeats?: string) =>
		({ key, connectionId: 'c', agent: 'a', ...(repeats ? { repeats } : {}) }) as unknown as RunRecord;
	const findChain = (records: readonly RunRecord[], key: string) => {
		const runs = {
			list: () => records.toReversed(),
			get: (wanted: string) => records.find(each => each.key === wanted),
		} as unknown as Runs;
		return findRunChain(runs.get(key)!, runs);
	};

	it('contains all of them in order, starting from any of them', () => {
		const records = [createRecord('1'), createRecord('x'), createRecord('2', '1'), createRecord('3', '1'), createRecord('4', '3')];
		assert.deepEqual(findChain(records, '1'), { place: 1, count: 4, after: '2' });
		assert.deepEqual(findChain(records, '3'), { place: 3, count: 4, before: '2', after: '4' });
		assert.deepEqual(findChain(records, '4'), { place: 4, count: 4, before: '3' });
		assert.equal(findChain(records, 'x'), undefined);
	});

	it('starts with the oldest saved run, and ends if runs repeat each other in a circle', () => {
		assert.deepEqual(findChain([createRecord('2', 'gone'), createRecord('3', '2')], '3'), { place: 2, count: 2, before: '2' });
		assert.doesNotThrow(() => findChain([createRecord('a', 'b'), createRecord('b', 'a')], 'a'));
	});
});
