import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunRecord } from '#runs/runTypes.ts';
import { formatServiceRunKey } from '#runs/serviceRun.ts';
import { PlayedPanel } from '../../support/editor/playedPanel.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play, sendJson } from '../../support/services/faultService.ts';

describe('a run started by another client', () => {
	const host = vscode as unknown as {
		window: { createWebviewPanel?: () => vscode.WebviewPanel };
		commands: { executeCommand: (command: string, ...args: unknown[]) => Promise<unknown> };
	};
	const { createWebviewPanel } = host.window;
	const { executeCommand } = host.commands;
	const theirs = { connectionId: 'played', agentName: 'played', runId: play.ids.workflow_run_id };
	let window: WindowUnderTest;
	let page: PlayedPanel;
	let sent: Record<string, unknown>[];
	let compared: vscode.Uri[][];

	beforeEach(async () => {
		window = new WindowUnderTest();
		await window.start();
		sent = [];
		compared = [];
		window.service.behaviour.run = async (response, body) => {
			sent.push(body);
			const events = new EventWriter(response);
			await events.sendEvents({ ...play.started, workflow_run_id: 'mine' }, play.finished('succeeded', { text: 'mine' }));
			events.endStream();
		};
		window.service.behaviour.detail = response =>
			sendJson(response, { ...play.detail('succeeded', { text: 'theirs' }), inputs: '{"a": "their input"}' });
		page = new PlayedPanel();
		host.window.createWebviewPanel = () => page.panel;
		host.commands.executeCommand = async (command, ...args) => {
			if (command === 'vscode.diff') {
				compared.push(args.slice(0, 2) as vscode.Uri[]);
			}
		};
	});
	afterEach(async () => {
		Object.assign(host.window, { createWebviewPanel });
		Object.assign(host.commands, { executeCommand });
		await window.dispose();
	});

	const runCommand = (command: 'runAgain' | 'compare', argument: unknown, selected?: unknown) =>
		Promise.resolve(window.executeCommand(`agentWorkbench.run.${command}`, argument, selected));

	it('runs again with its inputs as the user of the connection, and is followed in its open inspector', async () => {
		await window.executeCommand('agentWorkbench.run.inspect', theirs);
		await page.requestSnapshot();
		const next = page.waitForMessage('snapshot');
		const run = (await runCommand('runAgain', formatServiceRunKey(theirs))) as RunRecord;
		assert.deepEqual(sent, [{ model: 'played', inputs: { a: 'their input' }, response_mode: 'streaming', user: 'ana' }]);
		assert.equal((await next).head.key, run.key);
		assert.equal((await next).head.elsewhere, false);
	});

	it('can be compared with a run of this editor or another run of its service', async () => {
		await window.runFile();
		const own = window.latest;
		const selected = [theirs, { run: own }];
		await runCommand('compare', theirs, selected);
		await runCommand('compare', theirs, [theirs, { ...theirs, runId: 'other' }]);
		assert.equal(compared.length, 2);
		const texts = await Promise.all(compared.flat().map(uri => window.runs.documents.provideTextDocumentContent(uri)));
		assert.ok(texts.slice(0, 2).some(text => /theirs/.test(text) && /their input/.test(text)));
		assert.ok(texts.slice(0, 2).some(text => /mine/.test(text)));
		assert.ok(texts.every(text => !/no longer/.test(text)));
	});

	it('is replaced by the local record if this editor started it', async () => {
		await window.runFile({ model: 'played', inputs: { a: 'as kept' } });
		const { key } = window.latest;
		window.records.updateRun(key, { runId: theirs.runId });
		assert.equal(((await runCommand('runAgain', theirs)) as RunRecord).repeats, key);
		assert.deepEqual(sent[1]?.['inputs'], { a: 'as kept' });
	});

	it('is compared with the other selected run, even if both were started here', async () => {
		const logged = [];
		for (const runId of ['first', 'second']) {
			await window.runFile({ model: 'played', inputs: { a: runId } });
			window.records.updateRun(window.latest.key, { runId });
			logged.push({ ...theirs, runId });
		}
		for (const each of logged) {
			await runCommand('compare', each, logged);
		}
		const texts = await Promise.all(compared.flat().map(uri => window.runs.documents.provideTextDocumentContent(uri)));
		assert.deepEqual(
			texts.map(text => /# Input: a\n+(\S+)/.exec(text)?.[1]),
			['first', 'second', 'first', 'second'],
		);
	});

	it("shows the error of its service if it can't be read", async () => {
		window.service.behaviour.detail = response => sendJson(response, { code: 'not_found', message: 'No such run.', status: 404 }, 404);
		await assert.rejects(() => runCommand('runAgain', theirs), /No such run/);
	});
});
