import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { PlayedPanel } from '../../../../support/editor/playedPanel.ts';
import { WindowUnderTest } from '../../../../support/editor/windowUnderTest.ts';
import { EventWriter, play } from '../../../../support/services/faultService.ts';

describe('the status bar', () => {
	const { window: api } = vscode as unknown as {
		window: { createStatusBarItem: () => vscode.StatusBarItem; createWebviewPanel?: () => vscode.WebviewPanel };
	};
	const { createStatusBarItem, createWebviewPanel } = api;
	let window: WindowUnderTest;
	let item: vscode.StatusBarItem;
	let page: PlayedPanel;
	beforeEach(async () => {
		api.createStatusBarItem = () => {
			item = createStatusBarItem();
			return item;
		};
		page = new PlayedPanel();
		api.createWebviewPanel = () => page.panel;
		window = new WindowUnderTest();
		await window.start();
	});
	afterEach(async () => {
		Object.assign(api, { createStatusBarItem, createWebviewPanel });
		await window.dispose();
	});
	const clickItem = (picks: string[] = []) => {
		const { command, arguments: given = [] } = item.command as vscode.Command;
		return answerDialogs({ picks }, async () => window.executeCommand(command as 'agentWorkbench.run.inspect', given[0]));
	};

	it('counts several active runs in one item, which asks for the one to inspect', async () => {
		window.service.behaviour.run = async response => {
			await new EventWriter(response).sendEvents(play.started, play.nodeStarted(1));
		};
		const runs = ['first', 'second'].map(model => window.runFile({ model, inputs: {} }, `${model}.run.json`));
		await window.waitForRun(() => window.records.list().filter(({ node }) => node !== undefined).length === 2);
		assert.match(item.text, /2 runs/);
		assert.deepEqual((await clickItem(['first'])).placeHolders, ['Select a run']);
		assert.equal((await page.requestSnapshot()).head.agent, 'first');
		assert.deepEqual((await clickItem()).infos, [], 'no message after a cancellation');
		window.closeWindow();
		await Promise.allSettled(runs);
	});

	it('inspects a single run directly', async () => {
		window.service.behaviour.run = async response => {
			const events = new EventWriter(response);
			await events.sendEvents(play.started, play.finished('succeeded'));
			events.endStream();
		};
		await window.runFile({ model: 'only', inputs: {} });
		assert.deepEqual((await clickItem()).placeHolders, []);
		assert.equal((await page.requestSnapshot()).head.agent, 'only');
	});
});
