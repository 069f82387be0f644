import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createFolderKind } from '#editor/chat/context/fileKinds.ts';
import { AgentInstructions } from '#editor/chat/prompts/agentInstructions.ts';
import { SlashCommands } from '#editor/chat/prompts/slashCommands.ts';

describe('prompts and instructions of a workspace', () => {
	const { workspaceFolders, getWorkspaceFolder, findFiles } = vscode.workspace;
	let root: string;
	let folder: string;
	beforeEach(() => {
		root = fs.mkdtempSync(path.join(os.tmpdir(), 'prompts-'));
		folder = path.join(root, 'workspace');
		fs.mkdirSync(path.join(folder, '.github/prompts'), { recursive: true });
		fs.writeFileSync(path.join(root, 'secret.txt'), 'key of the user');
		const workspace = { uri: vscode.Uri.file(folder), name: 'workspace', index: 0 };
		Object.assign(vscode.workspace, {
			workspaceFolders: [workspace],
			getWorkspaceFolder: () => workspace,
			findFiles: async ({ pattern }: vscode.RelativePattern) =>
				listFiles(folder).filter(({ path: file }) => !pattern.endsWith('.prompt.md') || file.endsWith('.prompt.md')),
		});
	});
	afterEach(() => {
		Object.assign(vscode.workspace, { workspaceFolders, getWorkspaceFolder, findFiles });
		fs.rmSync(root, { recursive: true });
	});

	const listFiles = (within: string) =>
		fs
			.readdirSync(within, { recursive: true, withFileTypes: true })
			.filter(entry => !entry.isDirectory())
			.map(entry => vscode.Uri.file(path.join(entry.parentPath, entry.name)));
	const writePrompt = (name: string, text: string) => fs.writeFileSync(path.join(folder, '.github/prompts', `${name}.prompt.md`), text);
	const linkToSecret = (name: string) => fs.symlinkSync(path.join(root, 'secret.txt'), path.join(folder, name));

	it('never contain a file that a link outside of the workspace leads to', async () => {
		linkToSecret('AGENTS.md');
		linkToSecret('.github/prompts/leak.prompt.md');
		fs.writeFileSync(path.join(folder, 'a.txt'), 'inside');
		const instructions = new AgentInstructions();
		assert.equal(await instructions.readText(), '');
		assert.equal(instructions.getState(), undefined);
		assert.equal(await new SlashCommands({} as never, {} as never).expand({} as never, '/leak'), undefined);
		const attached = JSON.stringify(await createFolderKind().read(String(vscode.Uri.file(folder))));
		assert.match(attached, /inside/);
		assert.doesNotMatch(attached, /key of the user/);
		fs.rmSync(path.join(folder, 'AGENTS.md'));
		fs.writeFileSync(path.join(folder, 'CLAUDE.md'), 'use tabs');
		fs.symlinkSync('CLAUDE.md', path.join(folder, 'AGENTS.md'));
		assert.equal(await instructions.readText(), 'use tabs');
		instructions.dispose();
	});

	it("can be used, and other messages sent, if one of them is gone or can't be read", async () => {
		writePrompt('good', 'Say hello.');
		writePrompt('large', 'x'.repeat(6_000_000));
		writePrompt('gone', '');
		const all = listFiles(folder);
		Object.assign(vscode.workspace, { findFiles: async () => all });
		fs.rmSync(path.join(folder, '.github/prompts/gone.prompt.md'));
		const commands = new SlashCommands({} as never, {} as never);
		assert.deepEqual(await commands.expand({} as never, '/good now'), { text: 'Say hello.\n\nnow' });
		assert.equal(await commands.expand({} as never, '/usr/bin is a folder'), undefined);
	});
});
