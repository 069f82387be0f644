import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { openAgentDocument } from '#editor/agents/files/agentFileCommands.ts';
import { makeTempFolder, removeFolder } from '../../../../../scripts/lib/tempFolder.ts';

describe('the agent file of a command', () => {
	const folder = makeTempFolder();
	const { getConfiguration } = vscode.workspace;
	before(() => Object.assign(vscode.workspace, { getConfiguration: () => ({ get: () => ['agents'] }) }));
	after(() => {
		Object.assign(vscode.workspace, { getConfiguration });
		removeFolder(folder);
	});

	it('may be empty for commands that fill it, such as Open Agent Graph', async () => {
		const file = path.join(folder, 'agents', 'fresh.yml');
		fs.mkdirSync(path.dirname(file));
		fs.writeFileSync(file, '');
		const uri = vscode.Uri.file(file);
		assert.equal((await openAgentDocument(uri, true)).uri.fsPath, file);
		await assert.rejects(openAgentDocument(uri), /Open an agent file/);
	});
});
