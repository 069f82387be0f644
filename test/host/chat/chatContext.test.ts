import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatUnderTest } from './chatUnderTest.ts';

describe('the context that @ offers in a chat', () => {
	let window: ChatUnderTest;
	let sum: vscode.Uri;
	const workspace = vscode.workspace.workspaceFolders![0]!.uri;
	beforeEach(async () => {
		window = new ChatUnderTest();
		await window.openPanel();
		sum = vscode.Uri.joinPath(workspace, 'context.d', 'sum.js');
		await vscode.workspace.fs.writeFile(sum, Buffer.from('// adds\nlet sum;\n'));
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.workspace.fs.delete(vscode.Uri.joinPath(workspace, 'context.d'), { recursive: true });
		await window.dispose();
	});
	const attach = async (query: string, name: string) => {
		const { chat } = window.panel;
		const found = (await window.host.context.listMentions(query)).find(mention => mention.name === name && mention.source);
		assert.ok(found?.source, `${name} is listed for '${query}'`);
		await window.host.context.attach(chat, found.source);
		const part = chat.transcript.attachments.at(-1)?.part;
		assert.ok(part?.kind === 'file');
		return part;
	};

	it('has the nodes of agent files, with their lines', async () => {
		const part = await attach('nodes:rank', 'Rank the sentences');
		assert.equal(part.name, 'agents/summarize.yml');
		assert.match(part.text, /^\s*(?:- )?id: rank\n[\s\S]*type: code/);
		assert.doesNotMatch(part.text, /type: end/);
		const [from = 0, to = 0] = (part.lines ?? '').split('-').map(Number);
		const lines = (await vscode.workspace.openTextDocument(vscode.Uri.parse(part.uri!))).getText().split('\n');
		assert.equal(lines.slice(from - 1, to).join('\n'), part.text);
	});

	it('has agents, and folders with their text files', async () => {
		assert.equal((await attach('agents:summ', 'summarize')).name, 'agents/summarize.yml');
		await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(sum, '..', 'odd.bin'), new Uint8Array([0, 255]));
		const part = await attach('folders:context', 'context.d');
		assert.match(part.text, /^context\.d\/sum\.js\n```js\n\/\/ adds\n[\s\S]*\n```\n\nNot included, .*: context\.d\/odd\.bin$/);
	});

	it('has symbols of the last used editor, and takes their text when the message is sent', async () => {
		const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(workspace, 'agents', 'summarize.yml'));
		const before = await attach('symbols:rank', 'Rank the sentences');
		assert.match(before.text, /^\s*- id: rank\n/);
		await editor.edit(edit => edit.insert(new vscode.Position(0, 0), '# one\n# two\n'));
		await window.host.context.refreshAttachments(window.panel.chat);
		const [fresh] = window.panel.chat.transcript.attachments;
		assert.ok(fresh?.part.kind === 'file');
		assert.equal(fresh.part.text, before.text);
		assert.equal(Number.parseInt(fresh.part.lines ?? '', 10), Number.parseInt(before.lines ?? '', 10) + 2);
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});

	it('has the problems that VS Code lists, and says if there are none', async () => {
		const list = vscode.languages.createDiagnosticCollection('context');
		list.set(sum, [new vscode.Diagnostic(new vscode.Range(1, 9, 1, 12), 'No numbers here.', vscode.DiagnosticSeverity.Warning)]);
		const part = await attach('probl', 'Problems');
		assert.match(part.text, /^context\.d\/sum\.js:2:10 warning: No numbers here\.$/m);
		list.dispose();
		await assert.rejects(window.host.context.attach(window.panel.chat, `problems:${sum}`), {
			message: "'context.d/sum.js' has no problems.",
		});
	});

	it('says that nothing is selected in the terminal', async () => {
		await vscode.env.clipboard.writeText('kept');
		await assert.rejects(window.host.context.attach(window.panel.chat, 'terminal:'), { reason: 'attachment' });
		assert.equal(await vscode.env.clipboard.readText(), 'kept');
	});
});
