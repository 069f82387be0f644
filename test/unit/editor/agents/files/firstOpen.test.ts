import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createAgent } from '#editor/agents/files/createAgent.ts';
import { openSamples, showSamples } from '#editor/explorer/commands/openSamples.ts';
import { newSamplesKey } from '#editor/platform/names.ts';
import { chooseRunFile } from '#editor/runs/files/runFileChoice.ts';
import { root } from '../../../../../scripts/lib/paths.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { MemoryState } from '../../../../support/editor/memoryState.ts';
import { recordCommands } from '../../../../support/editor/recordedCommands.ts';

describe('a window that is opened for the first time', () => {
	let folder: string;
	let memory: MemoryState;
	beforeEach(() => {
		memory = new MemoryState();
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-first-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
	const chooseParentFolder = () => [vscode.Uri.file(folder)];
	const listOpenedUris = (executed: [string, ...unknown[]][]) =>
		executed.map(([id, uri, options]) => [id, path.relative(folder, (uri as vscode.Uri).fsPath), options as vscode.Uri[]] as const);

	it('copies the samples to a new folder and opens it', async () => {
		const executed = await recordCommands(() => answerDialogs({ files: chooseParentFolder() }, () => openSamples(root, memory)));
		const copy = path.join(folder, 'agent-workbench-samples');
		assert.deepEqual(
			fs.readdirSync(copy, { recursive: true }).map(String).sort(),
			fs.readdirSync(path.join(root, 'samples'), { recursive: true }).map(String).sort(),
		);
		const [[id, name, options]] = listOpenedUris(executed as never) as never as [[string, string, { forceReuseWindow: boolean }]];
		assert.deepEqual([id, name, options.forceReuseWindow], ['vscode.openFolder', 'agent-workbench-samples', true]);
	});

	it('never overwrites existing samples', async () => {
		const mine = path.join(folder, 'agent-workbench-samples');
		fs.mkdirSync(mine);
		fs.writeFileSync(path.join(mine, 'README.md'), 'mine');
		const executed = await recordCommands(() => answerDialogs({ files: chooseParentFolder() }, () => openSamples(root, memory)));
		assert.equal(fs.readFileSync(path.join(mine, 'README.md'), 'utf8'), 'mine');
		assert.equal(listOpenedUris(executed as never)[0]?.[1], 'agent-workbench-samples-2');
		assert.ok(fs.existsSync(path.join(folder, 'agent-workbench-samples-2', 'agents', 'summarize.yml')));
	});

	it('asks where to open the samples if a folder is open, and leaves them closed on cancel', async () => {
		Reflect.set(vscode.workspace, 'workspaceFolders', [{ uri: vscode.Uri.file('/other'), name: 'other', index: 0 }]);
		try {
			for (const [button, forceNewWindow] of [
				['Open', false],
				['Open in new window', true],
			] as const) {
				const executed = await recordCommands(() =>
					answerDialogs({ files: chooseParentFolder(), button }, () => openSamples(root, memory)),
				);
				assert.equal((executed as never as [[string, unknown, { forceNewWindow: boolean }]])[0][2].forceNewWindow, forceNewWindow);
			}
			assert.deepEqual(await recordCommands(() => answerDialogs({ files: chooseParentFolder() }, () => openSamples(root, memory))), []);
		} finally {
			Reflect.set(vscode.workspace, 'workspaceFolders', undefined);
		}
	});

	it('shows the agents and the first run file in the window of the samples, once', async () => {
		await recordCommands(() => answerDialogs({ files: chooseParentFolder() }, () => openSamples(root, memory)));
		const copy = vscode.Uri.file(path.join(folder, 'agent-workbench-samples'));
		assert.equal(memory.get(newSamplesKey), copy.toString());
		const opened: string[] = [];
		const { showTextDocument } = vscode.window;
		Object.assign(vscode.window, { showTextDocument: async (uri: vscode.Uri) => opened.push(path.relative(copy.fsPath, uri.fsPath)) });
		Reflect.set(vscode.workspace, 'workspaceFolders', [{ uri: copy, name: 'samples', index: 0 }]);
		try {
			assert.deepEqual(await recordCommands(() => showSamples(memory)), [['agentWorkbench.agents.focus']]);
			assert.deepEqual(opened, [path.join('runs', 'annual-report.run.json')]);
			assert.ok(fs.existsSync(path.join(copy.fsPath, opened[0]!)));
			assert.deepEqual(memory.keys(), []);
		} finally {
			Reflect.set(vscode.workspace, 'workspaceFolders', undefined);
			Object.assign(vscode.window, { showTextDocument });
		}
	});

	it('writes nothing if no folder is chosen', async () => {
		assert.deepEqual(await recordCommands(() => answerDialogs({}, () => openSamples(root, memory))), []);
		assert.deepEqual(fs.readdirSync(folder), []);
	});

	it('asks for a folder, creates an agent in it and opens both', async () => {
		const executed = await recordCommands(() =>
			answerDialogs({ files: chooseParentFolder(), picks: ['Greeting'], texts: ['hello'] }, () => createAgent(root)),
		);
		assert.match(fs.readFileSync(path.join(folder, 'agents', 'hello.yml'), 'utf8'), /name: "hello"/);
		const [[id, name, options]] = listOpenedUris(executed as never) as never as [[string, string, { filesToOpen: vscode.Uri[] }]];
		assert.deepEqual(
			[id, name, path.relative(folder, options.filesToOpen[0]!.fsPath)],
			['vscode.openFolder', '', path.join('agents', 'hello.yml')],
		);
	});

	it('never creates an agent outside the workspace folder, whatever the settings say', async () => {
		const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-outside-'));
		const workspace = { uri: vscode.Uri.file(folder), name: 'mine', index: 0 };
		const create = (name: string) => answerDialogs({ picks: ['Greeting'], texts: [name] }, () => createAgent(root, [workspace]));
		try {
			for (const [index, value] of ['agents', [`../${path.basename(outside)}`, 5], [], null].entries()) {
				await vscode.workspace.getConfiguration('agentWorkbench').update('gateway.agentFolders', value, vscode.ConfigurationTarget.Global);
				await create(`hello-${index}`);
			}
			assert.equal(fs.readdirSync(path.join(folder, 'agents')).length, 4);
			assert.deepEqual(fs.readdirSync(outside), []);
		} finally {
			await vscode.workspace
				.getConfiguration('agentWorkbench')
				.update('gateway.agentFolders', undefined, vscode.ConfigurationTarget.Global);
			fs.rmSync(outside, { recursive: true });
		}
	});

	it("doesn't overwrite an agent that was created while the user entered the name", async () => {
		const file = path.join(folder, 'agents', 'hello.yml');
		const { showInputBox } = vscode.window;
		await answerDialogs({ files: chooseParentFolder(), picks: ['Greeting'] }, async () => {
			Object.assign(vscode.window, {
				showInputBox: async () => {
					fs.mkdirSync(path.dirname(file));
					fs.writeFileSync(file, 'mine');
					return 'hello';
				},
			});
			await assert.rejects(createAgent(root), { reason: 'taken' });
		});
		Object.assign(vscode.window, { showInputBox });
		assert.equal(fs.readFileSync(file, 'utf8'), 'mine');
	});

	it('offers samples and a new run file if there is nothing to run', async () => {
		for (const [pick, command] of [
			['Open sample workspace…', 'agentWorkbench.samples.open'],
			['New run file…', 'agentWorkbench.runFile.create'],
		] as const) {
			const executed = await recordCommands(() => answerDialogs({ picks: [pick] }, () => chooseRunFile(undefined)));
			assert.deepEqual(
				executed.map(([id]) => id),
				[command],
			);
		}
	});
});
