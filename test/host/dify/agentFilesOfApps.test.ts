import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { createDifyLenses } from '#editor/agents/files/difyFiles.ts';
import { isLinkedToApp } from '#editor/agents/files/linkOfFile.ts';
import { AppsUnderTest } from '../../support/editor/appsUnderTest.ts';
import { appText } from '../../unit/dify/syncedApp.ts';

const pull = 'agentWorkbench.difyApp.pull';
const push = 'agentWorkbench.difyApp.push';

describe('agent files of Dify apps, open in an editor', () => {
	let apps: AppsUnderTest;
	beforeEach(() => {
		apps = new AppsUnderTest();
		apps.held.putApp('app-1', appText);
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await apps.dispose();
	});
	const readRemoteText = () => apps.held.getText('app-1');
	const openDocument = async (uri: vscode.Uri) => {
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document, { preview: false });
		return document;
	};
	/** Changes an editor's text without saving it. */
	const typeText = async (document: vscode.TextDocument, before: string, after: string) => {
		const at = document.getText().indexOf(before);
		const edit = new vscode.WorkspaceEdit();
		edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + before.length)), after);
		assert.ok(await vscode.workspace.applyEdit(edit));
	};

	it('are pulled as an edit that can be undone, and are saved', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		const document = await openDocument(uri);
		const before = document.getText();
		apps.held.editApp('app-1', text => text.replace('template: Hello', 'template: Hola'));
		const done = await apps.runCommand(pull, uri);
		assert.equal(done.error, undefined);
		assert.deepEqual([document.getText(), document.isDirty, apps.readFile('greeter.yml')], [readRemoteText(), false, readRemoteText()]);
		await vscode.window.showTextDocument(document);
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), before);
	});

	it('keep their line endings, and all text around the change', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1', appText.replaceAll('\n', '\r\n').replace('Hello', 'Hello 🤖'));
		apps.held.editApp('app-1', text => text.replace('template: Hello', 'template: Hello 🤖 𠮷'));
		const document = await openDocument(uri);
		await apps.runCommand(pull, uri, { picks: ['Overwrite local file…'], buttons: ['Overwrite'] });
		assert.equal(document.getText(), appText.replaceAll('\n', '\r\n').replace('Hello', 'Hello 🤖 𠮷'));
	});

	it('are never overwritten without a prompt if they have unsaved changes', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		const document = await openDocument(uri);
		await typeText(document, 'template: Hello', 'template: unsaved');
		apps.held.editApp('app-1', text => text.replace('template: Hello', 'template: Hola'));
		const mine = document.getText();
		const left = await apps.runCommand(pull, uri, { picks: [undefined] });
		assert.match(left.placeHolders[0] ?? '', /^Both .* and the app in Dify have changed/);
		assert.deepEqual([document.getText(), document.isDirty], [mine, true]);
		await apps.runCommand(pull, uri, { picks: ['Overwrite local file…'], buttons: ['Overwrite'] });
		assert.equal(document.getText(), readRemoteText());
		assert.deepEqual(apps.readBackups(), [mine]);
		await vscode.window.showTextDocument(document);
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), mine);
	});

	it("aren't overwritten if the user types during the prompt", async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		const document = await openDocument(uri);
		await typeText(document, 'template: Hello', 'template: first');
		const done = await apps.runCommand(pull, uri, {
			meanwhile: () => typeText(document, 'template: first', 'template: second'),
			picks: ['Overwrite local file…'],
			buttons: ['Overwrite'],
		});
		assert.match(done.error?.message ?? '', /has changed in the meantime, so it wasn't overwritten/);
		assert.match(document.getText(), /template: second/);
	});

	it('are saved before they are pushed', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		const document = await openDocument(uri);
		await typeText(document, 'template: Hello', 'template: typed');
		await apps.runCommand(push, uri, { buttons: ['Push'] });
		assert.match(readRemoteText(), /template: typed/);
		assert.deepEqual([document.isDirty, apps.readFile('greeter.yml')], [false, document.getText()]);
	});

	it("are compared with Dify's draft, and with a text of many megabytes", async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		apps.held.editApp('app-1', text => text.replace('template: Hello', `template: ${'x'.repeat(1_000_000)}`));
		await apps.actions.handlers['agentWorkbench.difyApp.compare']?.(uri);
		const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
		assert.ok(input instanceof vscode.TabInputTextDiff);
		assert.equal(input.modified.toString(), uri.toString());
		const document = await vscode.workspace.openTextDocument(input.original);
		assert.ok(document.getText().includes('x'.repeat(1_000_000)));
		assert.equal(vscode.workspace.fs.isWritableFileSystem(input.original.scheme), undefined);
	});

	it('are recognized by their sidecar file, without any request', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		assert.equal(await isLinkedToApp(uri), true);
		fs.rmSync(apps.getFileUri('greeter.dify.json').fsPath);
		assert.equal(await isLinkedToApp(uri), false);
		const { daily, more } = createDifyLenses(uri);
		assert.deepEqual(
			[...daily, ...more].map(({ command }) => [command?.command, command?.arguments]),
			['pull', 'push', 'compare', 'publish', 'runDraft', 'showRuns'].map(verb => [`agentWorkbench.difyApp.${verb}`, [uri]]),
		);
	});
});
