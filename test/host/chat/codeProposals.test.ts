import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { applyCode } from '#editor/chat/code/codeActions.ts';
import { hasStoredReviews } from '#editor/chat/code/storedReviews.ts';
import { ChatUnderTest } from './chatUnderTest.ts';

describe('changes that the chat proposes in a file', () => {
	let window: ChatUnderTest;
	let document: vscode.TextDocument;
	/** A new file for each test, because VS Code keeps documents for a while after they were closed. */
	let uri: vscode.Uri;
	let files = 0;
	const original = 'function one() {\n\treturn 1;\n}\n\nlet between;\n\nlet more;\n\nfunction two() {\n\treturn 2;\n}\n';
	const code = 'function one() {\n\treturn 1 + 0;\n}\n\nfunction two() {\n\tconst more = 1;\n\treturn 1 + more;\n}\n';
	const [first, second] = ['\treturn 1 + 0;', '\tconst more = 1;\n\treturn 1 + more;'] as const;
	beforeEach(async () => {
		window = new ChatUnderTest();
		uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, `proposed${++files}.js`);
		await vscode.workspace.fs.writeFile(uri, Buffer.from(original));
		({ document } = await vscode.window.showTextDocument(uri));
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await window.dispose();
		await vscode.workspace.fs.delete(uri);
	});
	const apply = (text = code, attached: readonly string[] = []) => applyCode(window.editors, window.host.proposals, text, attached);
	/** Returns the titles of the lenses by line, of the chat under test and not of the extension's own. */
	const listLenses = async () => {
		const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 20);
		return lenses
			.filter(({ command }) => command?.command.startsWith('agentWorkbench.chat.'))
			.map(({ range, command }) => `${range.start.line + 1} ${command?.title.replace(/\$\(.+?\) /, '')}`);
	};

	it('are in its text, with lenses above each of them', async () => {
		await apply();
		assert.equal(document.getText(), original.replace('\treturn 1;', first).replace('\treturn 2;', second));
		assert.deepEqual(await listLenses(), [
			...['2 Accept', '2 Discard', '2 Accept all (2)', '2 Discard all', '2 −1 +1'],
			...['10 Accept', '10 Discard', '10 −1 +2'],
		]);
		assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
	});

	it('are accepted or discarded one by one, also after the file was edited', async () => {
		await apply();
		const editor = vscode.window.activeTextEditor!;
		await editor.edit(edit => edit.insert(new vscode.Position(0, 0), '// new\n'));
		editor.selection = new vscode.Selection(2, 3, 2, 3);
		window.host.proposals.acceptHunk();
		assert.deepEqual(await listLenses(), ['11 Accept', '11 Discard', '11 −1 +2']);
		assert.throws(() => window.host.proposals.acceptHunk(), { reason: 'no-proposal' });
		editor.selection = new vscode.Selection(11, 0, 11, 0);
		await window.host.proposals.discardHunk();
		assert.equal(document.getText(), `// new\n${original.replace('\treturn 1;', first)}`);
		assert.deepEqual(await listLenses(), []);
		await vscode.commands.executeCommand('undo');
		assert.deepEqual(await listLenses(), ['11 Accept', '11 Discard', '11 −1 +2']);
	});

	it('are undone in one step', async () => {
		await apply();
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), original);
		assert.deepEqual(await listLenses(), []);
		await vscode.commands.executeCommand('redo');
		assert.equal((await listLenses()).length, 8);
		await window.host.proposals.discardAll();
		assert.equal(document.getText(), original);
		await assert.rejects(window.host.proposals.discardAll(), { reason: 'no-proposal' });
	});

	it('stay to be decided while the file is closed and changed elsewhere', async () => {
		await apply();
		await document.save();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.workspace.fs.writeFile(uri, Buffer.from(`// changed elsewhere\n${document.getText()}`));
		({ document } = await vscode.window.showTextDocument(uri));
		await vscode.commands.executeCommand('workbench.action.files.revert');
		assert.equal((await listLenses())[0], '3 Accept');
		await window.host.proposals.discardAll();
		assert.equal(document.getText(), `// changed elsewhere\n${original}`);
	});

	it('are compared with what was there before, and a second proposal adds to the first', async () => {
		await apply();
		await vscode.commands.executeCommand('cursorTop');
		await apply('function one() {\n\treturn 11;\n}\n');
		assert.deepEqual((await listLenses()).slice(-4), ['2 −1 +1', '10 Accept', '10 Discard', '10 −1 +2']);
		await window.host.proposals.showDiff();
		const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
		assert.ok(input instanceof vscode.TabInputTextDiff);
		assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), original);
		assert.equal(String(input.modified), String(uri));
	});

	it('are made in an attached file if the code belongs there', async () => {
		const other = await vscode.workspace.openTextDocument({ content: 'something else\n' });
		await vscode.window.showTextDocument(other);
		await apply(code, [String(uri)]);
		assert.match(document.getText(), /const more = 1;/);
		assert.equal(String(vscode.window.activeTextEditor?.document.uri), String(uri));
	});

	it('are refused if the file has the code already', async () => {
		await assert.rejects(apply('function one() {\n\treturn 1;\n}\n'), {
			reason: 'not-changed',
			message: /'proposed\d\.js' already contains/,
		});
	});

	/** Ends the window and opens another one on the same workspace. The editor keeps unsaved text. */
	const reopenWindow = async () => {
		const { memory } = window;
		await window.dispose();
		window = new ChatUnderTest(memory);
	};

	it('can be accepted and discarded in the next window, which has the original content', async () => {
		await apply();
		window.host.proposals.acceptHunk(String(uri), original.indexOf('\treturn 1;'));
		await reopenWindow();
		assert.deepEqual(await listLenses(), ['10 Accept', '10 Discard', '10 −1 +2']);
		await window.host.proposals.discardAll();
		assert.equal(document.getText(), original.replace('\treturn 1;', first));
		assert.deepEqual(await listLenses(), []);
	});

	it('are found in the next window after the file was edited last', async () => {
		await apply();
		await vscode.window.activeTextEditor!.edit(edit => edit.insert(new vscode.Position(0, 0), '// new\n'));
		await reopenWindow();
		assert.equal((await listLenses())[0], '3 Accept');
		await window.host.proposals.discardAll();
		assert.equal(document.getText(), `// new\n${original}`);
	});

	it('are forgotten in the next window once they were decided, undone or lost with the unsaved text', async () => {
		await apply();
		await window.host.proposals.discardAll();
		assert.equal(hasStoredReviews(window.memory), false);
		await vscode.commands.executeCommand('undo');
		assert.equal(hasStoredReviews(window.memory), true);
		const { memory } = window;
		await window.dispose();
		await vscode.commands.executeCommand('workbench.action.files.revert');
		window = new ChatUnderTest(memory);
		assert.deepEqual(await listLenses(), []);
		assert.equal(hasStoredReviews(memory), false);
		assert.equal(document.getText(), original);
	});
});
