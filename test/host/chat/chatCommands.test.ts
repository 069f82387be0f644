import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { findFileUris } from '#editor/chat/attachments/fileAttachments.ts';
import { insertCode } from '#editor/chat/code/codeActions.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { PlayedService } from '../../support/services/playedService.ts';
import { createPdfFile } from '../../unit/engine/documents/documentFiles.ts';
import { ChatUnderTest } from './chatUnderTest.ts';

describe('a chat command', () => {
	let window: ChatUnderTest;
	beforeEach(async () => {
		window = new ChatUnderTest();
		await window.openPanel();
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await window.dispose();
	});
	const getAttachmentNames = () => window.panel.chat.transcript.attachments.map(({ part }) => part);
	const getChatTitle = () => window.panel.chat.transcript.title;
	function createWorkspaceFile(name: string, contents: string | Uint8Array): vscode.Uri {
		const target = path.join(window.folder, name);
		fs.writeFileSync(target, contents);
		return vscode.Uri.file(target);
	}

	it('asks about the selection, or about the whole file if nothing is selected', async () => {
		const editor = await vscode.window.showTextDocument(createWorkspaceFile('sum.ts', 'one\ntwo\nthree\n'));
		editor.selection = new vscode.Selection(1, 0, 1, 3);
		window.commands.askAboutSelection();
		editor.selection = new vscode.Selection(0, 0, 0, 0);
		window.commands.askAboutSelection();
		const uri = editor.document.uri.toString();
		const [selected, whole] = getAttachmentNames();
		assert.deepEqual(selected, { kind: 'file', name: selected?.name, language: 'typescript', text: 'two', uri, lines: '2-2' });
		assert.deepEqual(whole, { kind: 'file', name: whole?.name, language: 'typescript', text: 'one\ntwo\nthree\n', uri });
		assert.equal(window.webview.posted.at(-1)?.type, 'focus');
	});

	it('reports that there is nothing to ask about', async () => {
		assert.throws(() => window.commands.askAboutSelection(), { reason: 'no-editor' });
		await assert.rejects(window.commands.addFiles(undefined, undefined), { reason: 'no-editor' });
	});

	it('adds each chosen file once', async () => {
		const files = [createWorkspaceFile('a.txt', 'a'), createWorkspaceFile('b.txt', 'b')];
		await window.commands.addFiles(files[0], files);
		await window.commands.addFiles(files[0], undefined);
		assert.deepEqual(
			getAttachmentNames().map(part => part.kind === 'file' && part.text),
			['a', 'b'],
		);
	});

	it('adds the unsaved text of an open file or of an untitled document', async () => {
		const uri = createWorkspaceFile('open.txt', 'saved');
		const editor = await vscode.window.showTextDocument(uri);
		await editor.edit(edit => edit.insert(new vscode.Position(0, 5), ' and changed'));
		const untitled = await vscode.workspace.openTextDocument({ content: 'never saved' });
		await window.commands.addFiles(uri, [uri, untitled.uri]);
		assert.deepEqual(
			getAttachmentNames().map(part => part.kind === 'file' && part.text),
			['saved and changed', 'never saved'],
		);
		await vscode.window.showTextDocument(uri);
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});

	it("doesn't offer files of packages", async () => {
		const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
		assert.ok(workspace);
		const folders = ['node_modules', 'mentioned'].map(name => path.join(workspace, name));
		for (const folder of folders) {
			fs.mkdirSync(folder, { recursive: true });
			fs.writeFileSync(path.join(folder, 'mention-me.txt'), '');
		}
		const found = await findFileUris('mention-me', 20);
		for (const folder of folders) {
			fs.rmSync(folder, { recursive: true });
		}
		assert.deepEqual(
			found.map(uri => vscode.workspace.asRelativePath(uri)),
			['mentioned/mention-me.txt'],
		);
	});

	it('offers the file with the typed name first, however many others contain it', async () => {
		const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
		assert.ok(workspace);
		const folder = path.join(workspace, 'ranked');
		fs.mkdirSync(path.join(folder, 'deep'), { recursive: true });
		for (let i = 0; i < 30; i++) {
			fs.writeFileSync(path.join(folder, `a-rankme-${i}.txt`), '');
		}
		for (const name of ['rankme-more.txt', 'deep/RankMe.txt']) {
			fs.writeFileSync(path.join(folder, name), '');
		}
		const find = async (query: string) => (await findFileUris(query, 5)).map(uri => vscode.workspace.asRelativePath(uri));
		const found = [await find('rankme'), await find('rankme.txt')];
		fs.rmSync(folder, { recursive: true });
		assert.deepEqual([found[0]?.[0], found[0]?.length, found[1]], ['ranked/deep/RankMe.txt', 5, ['ranked/deep/RankMe.txt']]);
	});

	it('inserts code into the last used editor, even if others are visible', async () => {
		const [first, second] = [createWorkspaceFile('first.txt', 'first'), createWorkspaceFile('second.txt', 'second')];
		await vscode.window.showTextDocument(first, { viewColumn: vscode.ViewColumn.One });
		const editor = await vscode.window.showTextDocument(second, { viewColumn: vscode.ViewColumn.Two });
		editor.selection = new vscode.Selection(0, 0, 0, 6);
		const page = vscode.window.createWebviewPanel('test', 'page', vscode.ViewColumn.Three);
		await insertCode(window.editors, 'changed');
		page.dispose();
		assert.equal(editor.document.getText(), 'changed');
		assert.equal((await vscode.workspace.openTextDocument(first)).getText(), 'first');
		await vscode.window.showTextDocument(second);
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});

	it('refuses empty folders, programs and files that are too large, and keeps earlier attachments', async () => {
		await window.commands.addFiles(createWorkspaceFile('a.txt', 'a'), undefined);
		const folder = vscode.Uri.file(path.join(window.folder, 'chats.d'));
		fs.mkdirSync(folder.fsPath);
		const large = createWorkspaceFile('large.txt', '');
		fs.truncateSync(large.fsPath, 100 * 1024 * 1024);
		for (const [uri, sentence] of [
			[folder, /chats\.d\/' has no text files/],
			[
				createWorkspaceFile('odd.bin', new Uint8Array([0, 255, 0])),
				/odd\.bin' can't be attached\. Use text, an image \(PNG, .*\), or a document \(PDF/,
			],
			[large, /large\.txt' is too large \(100\.0 MB\)\. The limit is 5\.0 MB/],
			[vscode.Uri.parse('https://h.example/x'), /is a web address/],
		] as const) {
			await assert.rejects(window.commands.addFiles(uri, undefined), { reason: 'attachment', message: sentence });
		}
		assert.equal(getAttachmentNames().length, 1);
	});

	it('adds the text of documents, read in a worker thread of the window', async () => {
		const files = [createWorkspaceFile('plan.pdf', createPdfFile(['The plan'])), createWorkspaceFile('locked.docx', 'PK')];
		await window.commands.addFiles(files[0], files);
		const [plan, locked, ...others] = getAttachmentNames();
		assert.deepEqual(others, []);
		assert.ok(plan?.kind === 'document' && locked?.kind === 'document');
		assert.equal(plan.text, 'The plan', plan.problem);
		assert.match(locked.problem ?? '', /Couldn't read text from '.*locked\.docx': Couldn't unpack the document/);
	});

	it('asks about a run, with its result and its details from the service', async () => {
		const service = new PlayedService();
		await service.start();
		await window.connections.addConnection({ baseUrl: service.url, user: 'ana' }, 'key');
		const run = { key: 'r', connectionId: 'played', agent: 'echo', status: 'failed', error: 'it broke', runId: 'run-1' };
		window.runs.set('r', run as unknown as RunRecord);
		const trouble = { title: 'Post', node_id: 'n1', node_type: 'code', status: 'failed', error: 'it broke' };
		window.story = { nodes: [{ ...trouble, inputs: { text: 'x'.repeat(9000) } }], more: 3 };
		await window.commands.askAboutRun({ run });
		assert.deepEqual(
			window.webview.posted.filter(message => message.type === 'suggestText'),
			[{ type: 'suggestText', text: "Why did the run of 'echo' fail, and how can I fix it?" }],
		);
		await service.stop();
		const [part] = getAttachmentNames();
		assert.ok(part?.kind === 'file');
		const { status, error, inputs, failing_nodes: nodes, more_failing_nodes: more } = JSON.parse(part.text);
		assert.deepEqual({ status, error, inputs, more }, { status: 'failed', error: 'it broke', inputs: { text: 'in' }, more: 3 });
		assert.deepEqual({ ...nodes[0], inputs: '' }, { ...trouble, inputs: '' });
		assert.match(nodes[0].inputs, /^\{"text":"x+… \(cut: the first 8,000 of 9,011 characters\)$/);
		await assert.rejects(window.commands.askAboutRun('gone'), { reason: 'no-run' });
	});

	it('starts a chat with the same target as the previous one', async () => {
		window.panel.chat.updateFields({ endpoint: 'completions', models: { completions: 'm' }, system: 'Be brief.' });
		const before = window.addMessage('first');
		await window.commands.openNewChat();
		const { id, endpoint, models, system, turns } = window.panel.chat.transcript;
		assert.notEqual(id, before);
		assert.deepEqual(
			{ endpoint, models, system, turns },
			{ endpoint: 'completions', models: { completions: 'm' }, system: 'Be brief.', turns: [] },
		);
	});

	it('renames the chat, but refuses an empty name', async () => {
		window.addMessage('hello');
		await answerDialogs({ texts: ['  About greetings '] }, () => window.commands.renameChat());
		await answerDialogs({ texts: ['   '] }, () => window.commands.renameChat());
		await answerDialogs({ texts: [undefined] }, () => window.commands.renameChat());
		assert.equal(getChatTitle(), 'About greetings');
		window.addMessage('another first line');
		assert.equal(getChatTitle(), 'About greetings');
	});

	it('deletes the chat permanently after a confirmation', async () => {
		const id = window.addMessage('to be deleted');
		await window.panel.chat.saveChanges();
		const asked = await answerDialogs({}, () => window.commands.delete());
		assert.deepEqual(asked.warnings, ["Delete 'to be deleted'?"]);
		assert.equal(window.panel.chat.transcript.id, id);
		await answerDialogs({ button: 'Delete' }, () => window.commands.delete());
		assert.notEqual(window.panel.chat.transcript.id, id);
		assert.deepEqual(await window.host.chats.listChats(), []);
		assert.equal(await window.host.chats.holdChat(id), undefined);
	});

	it('exports the chat as Markdown and JSON, and imports the JSON as a new chat', async () => {
		const id = window.addMessage('What is a transcript');
		window.panel.chat.updateFields({ system: 'Be brief.' });
		const markdown = vscode.Uri.file(path.join(window.folder, 'talk.md'));
		const json = vscode.Uri.file(path.join(window.folder, 'talk.json'));
		for (const saveTo of [markdown, json]) {
			await answerDialogs({ files: [saveTo] }, () => window.commands.exportChat());
		}
		assert.equal(
			fs.readFileSync(markdown.fsPath, 'utf8'),
			'# What is a transcript\n\n> System prompt: Be brief.\n\n## You\n\nWhat is a transcript\n',
		);
		await answerDialogs({ files: [json] }, () => window.commands.importChat());
		const { transcript } = window.panel.chat;
		assert.notEqual(transcript.id, id);
		assert.deepEqual(
			transcript.turns.map(({ parts }) => parts),
			[[{ kind: 'text', text: 'What is a transcript' }]],
		);
		assert.equal((await window.host.chats.listChats()).length, 2);
	});

	it("refuses to import a file that isn't a chat, and says where it isn't valid", async () => {
		const id = window.addMessage('stays');
		const importChat = (contents: string) =>
			answerDialogs({ files: [createWorkspaceFile('x.json', contents)] }, () => window.commands.importChat());
		await assert.rejects(importChat('{'), { reason: 'unreadable', message: /x\.json' isn't a valid chat file: it isn't valid JSON/ });
		await assert.rejects(importChat('{"version":1}'), {
			reason: 'unreadable',
			message: /x\.json' isn't a valid chat file\. Problem at 'id': /,
		});
		assert.equal(window.panel.chat.transcript.id, id);
	});

	it('finds chats by their messages', async () => {
		const first = window.addMessage('The quick fox');
		await window.commands.openNewChat();
		window.addMessage('nothing of it');
		await window.host.chats.listChats();
		assert.deepEqual([...(await window.host.chats.searchChats('QUICK'))], [first]);
	});
});
