import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createAgent as createFrom } from '#editor/agents/files/createAgent.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';

const createAgentInFolders = (folders?: readonly vscode.WorkspaceFolder[]) => createFrom(getExtensionUnderTest().extensionPath, folders);

describe('a new agent', () => {
	const folder = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'agents');
	const file = path.join(folder, 'greeter.yml');
	let window: ConnectionsUnderTest;
	beforeEach(() => {
		window = new ConnectionsUnderTest();
	});
	afterEach(async () => {
		fs.rmSync(file, { force: true });
		await window.dispose();
	});

	it('is a file that the gateway runs immediately', async () => {
		await answerDialogs({ picks: ['Greeting'], texts: ['greeter'] }, () => createAgentInFolders());
		assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview, false, 'the next click must not replace it');
		const agent = (await window.registry.listAgents('built-in')).find(({ name }) => name === 'greeter');
		assert.equal(agent?.error, null);
		const client = await window.registry.getClient('built-in');
		const { data } = await client.runWorkflow({ model: 'greeter', inputs: { name: 'Ana' }, user: 'ana' });
		assert.deepEqual(data.outputs, { greeting: 'Hello Ana' });
	});

	it("can have a name that YAML doesn't read as a string", async () => {
		const names = ['null', '123', '-', 'true', '1e3', '0x1f'];
		try {
			for (const name of names) {
				const { refusals } = await answerDialogs({ picks: ['Greeting'], texts: [name] }, () => createAgentInFolders());
				assert.deepEqual(refusals, []);
			}
			const agents = await window.registry.listAgents('built-in');
			assert.deepEqual(
				names.map(name => agents.find(each => each.name === name)?.error),
				names.map(() => null),
			);
		} finally {
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			for (const name of names) {
				fs.rmSync(path.join(folder, `${name}.yml`), { force: true });
			}
		}
	});

	describe('in a workspace with two folders', () => {
		let second: string;
		let folders: vscode.WorkspaceFolder[];
		beforeEach(() => {
			second = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-second-'));
			folders = [vscode.workspace.workspaceFolders![0]!, { uri: vscode.Uri.file(second), name: 'second', index: 1 }];
		});
		afterEach(async () => {
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			fs.rmSync(second, { recursive: true });
		});

		it('is created in the folder that the user chooses', async () => {
			await answerDialogs({ picks: ['second', 'Greeting'], texts: ['greeter'] }, () => createAgentInFolders(folders));
			assert.ok(fs.existsSync(path.join(second, 'agents', 'greeter.yml')));
			assert.ok(!fs.existsSync(file));
		});

		it('has a name that no agent in the other folder has, because names are served once', async () => {
			const { refusals } = await answerDialogs({ picks: ['second', 'Greeting'], texts: ['summarize'] }, () =>
				createAgentInFolders(folders),
			);
			assert.deepEqual(refusals, ['An agent with this name already exists.']);
			assert.ok(!fs.existsSync(path.join(second, 'agents')));
		});

		it("isn't created if the user cancels the choice", async () => {
			await answerDialogs({ picks: [undefined], texts: ['greeter'] }, () => createAgentInFolders(folders));
			assert.ok(!fs.existsSync(file) && !fs.existsSync(path.join(second, 'agents')));
		});
	});

	for (const [name, wrong] of [
		['summarize', 'An agent with this name already exists.'],
		['../escape', 'Use only letters, digits, hyphens and underscores.'],
		['', 'Use only letters, digits, hyphens and underscores.'],
	] as const) {
		it(`can't be named '${name}'`, async () => {
			const before = fs.readdirSync(folder);
			const { refusals } = await answerDialogs({ picks: ['Greeting'], texts: [name] }, () => createAgentInFolders());
			assert.deepEqual(refusals, [wrong]);
			assert.deepEqual(fs.readdirSync(folder), before);
		});
	}
});
