import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { AppsUnderTest } from '../../../support/editor/appsUnderTest.ts';
import { fakeTextDocuments, type PlayedText } from '../../../support/editor/playedTexts.ts';
import { appText } from '../../dify/syncedApp.ts';

const pull = 'agentWorkbench.difyApp.pull';
const push = 'agentWorkbench.difyApp.push';

describe('merging a file and its app that both changed', () => {
	let apps: AppsUnderTest;
	let texts: ReturnType<typeof fakeTextDocuments>;
	let saved: vscode.EventEmitter<vscode.TextDocument>;
	let file: PlayedText;
	let mine: string;
	const { onDidSaveTextDocument } = vscode.workspace;
	const { showInformationMessage } = vscode.window;
	beforeEach(async () => {
		apps = new AppsUnderTest();
		apps.held.putApp('app-1', appText);
		await apps.runCommand(pull, apps.toAppOfDeployment('app-1'), { texts: ['greet'] });
		texts = fakeTextDocuments();
		saved = new vscode.EventEmitter();
		Reflect.set(vscode.workspace, 'onDidSaveTextDocument', saved.event);
		mine = apps.readFile('greet.yml').replace('template: Hello', 'template: Bonjour');
		file = texts.open(apps.writeFile('greet.yml', mine), mine);
		apps.held.editApp('app-1', text => text.replace('title: Greeting', 'title: Salutation'));
	});
	afterEach(async () => {
		texts.end();
		Reflect.set(vscode.workspace, 'onDidSaveTextDocument', onDidSaveTextDocument);
		Object.assign(vscode.window, { showInformationMessage });
		await apps.dispose();
	});
	const saveFile = (text: string) => {
		file.changeText(text);
		apps.writeFile('greet.yml', text);
		saved.fire(file.document);
	};
	const waitForMessage = () =>
		new Promise<string>(resolve =>
			Object.assign(vscode.window, {
				showInformationMessage: async (message: string) => {
					Object.assign(vscode.window, { showInformationMessage });
					resolve(message);
				},
			}),
		);

	for (const command of [pull, push] as const) {
		it(`opens the merge editor with the text of the last pull as its base: ${command}`, async () => {
			const done = await apps.runCommand(command, file.uri, { picks: ['Merge…'], buttons: ['Push'] });
			assert.equal(done.error, undefined);
			const opened = done.executed.find(([id]) => id === '_open.mergeEditor')?.[1] as { output: vscode.Uri; input1: { title: string } };
			assert.deepEqual([opened.output.fsPath, opened.input1.title], [file.uri.fsPath, 'Dify']);
			assert.match(file.text, /^<<<<<<< Local\n[\s\S]*Bonjour[\s\S]*\n=======\n[\s\S]*Salutation[\s\S]*\n>>>>>>> Dify\n$/);
			assert.deepEqual([apps.readFile('greet.yml'), apps.readBackups()], [mine, [mine]], 'nothing is saved but a backup');
		});
	}

	it('makes the state of the app the base of the file once it is saved without conflicts, so that a push overwrites nothing unseen', async () => {
		await apps.runCommand(push, file.uri, { picks: ['Merge…'], buttons: ['Push'] });
		const sidecar = apps.readFile('greet.dify.json');
		saveFile(file.text);
		assert.equal(apps.readFile('greet.dify.json'), sidecar, 'conflicts remain');
		const message = waitForMessage();
		const merged = mine.replace('title: Greeting', 'title: Salutation');
		saveFile(merged);
		assert.match(await message, /^Merged the changes in Dify into '.*greet\.yml'\. Push it/);
		const done = await apps.runCommand(push, file.uri, { button: 'Push' });
		assert.equal(done.error, undefined);
		assert.match(apps.held.getText('app-1'), /Bonjour/);
		assert.match(apps.held.getText('app-1'), /Salutation/);
	});

	it('offers to merge again when both change after a merge', async () => {
		await apps.runCommand(push, file.uri, { picks: ['Merge…'], buttons: ['Push'] });
		const message = waitForMessage();
		saveFile(mine.replace('title: Greeting', 'title: Salutation'));
		await message;
		apps.held.editApp('app-1', text => text.replace('title: Salutation', 'title: Welcome'));
		const done = await apps.runCommand(pull, file.uri, { picks: ['Merge…'] });
		assert.deepEqual([done.error, done.executed.at(-1)?.[0]], [undefined, '_open.mergeEditor']);
	});

	it('leaves the base of the file as it is if the merge was undone, so that the next push asks again', async () => {
		await apps.runCommand(push, file.uri, { picks: ['Merge…'], buttons: ['Push'] });
		const message = waitForMessage();
		saveFile(mine);
		const untold = (async () => {
			// far more turns than writing the link takes
			for (let turn = 0; turn < 2_000; turn++) {
				await setImmediate();
			}
			return 'nothing';
		})();
		assert.equal(await Promise.race([message, untold]), 'nothing');
		const done = await apps.runCommand(push, file.uri, { picks: ['Merge…'], buttons: ['Push'] });
		assert.ok(done.executed.some(([id]) => id === '_open.mergeEditor'));
		assert.match(apps.held.getText('app-1'), /Salutation/);
	});

	for (const [what, undo] of Object.entries({
		undone: () => file.changeText(mine, vscode.TextDocumentChangeReason.Undo),
		reverted: () => {
			Object.assign(file.document, { isDirty: false });
			file.changeText(mine);
		},
		'undone and saved': () => saveFile(mine),
	})) {
		it(`doesn't take later edits for the merge if it was ${what}, so that a push still asks`, async () => {
			await apps.runCommand(push, file.uri, { picks: ['Merge…'], buttons: ['Push'] });
			undo();
			let isRead = false;
			const later = mine.replace('template: Bonjour', 'template: Salut');
			const getText = () => {
				isRead = true;
				return later;
			};
			apps.writeFile('greet.yml', later);
			saved.fire(Object.create(file.document, { getText: { value: getText } }) as vscode.TextDocument);
			assert.equal(isRead, false, 'nothing waits for the merge any more');
			file.changeText(later);
			const done = await apps.runCommand(push, file.uri, { picks: ['Merge…'], button: 'Push' });
			assert.ok(done.executed.some(([id]) => id === '_open.mergeEditor'));
			assert.match(apps.held.getText('app-1'), /Salutation/);
		});
	}

	it('completes a merge whose text is for a moment that of the file, because only local changes are accepted so far', async () => {
		await apps.runCommand(push, file.uri, { picks: ['Merge…'], buttons: ['Push'] });
		const message = waitForMessage();
		file.changeText(mine);
		saveFile(mine.replace('title: Greeting', 'title: Salutation'));
		assert.match(await message, /^Merged the changes/);
	});

	it('puts no byte order mark into the text, which would stay before the first key', async () => {
		apps.writeFile('greet.yml', `\uFEFF# mine\n${mine}`);
		file.changeText(`# mine\n${mine}`);
		const done = await apps.runCommand(push, file.uri, { picks: ['Merge…'], buttons: ['Push'] });
		assert.equal(done.error, undefined);
		assert.match(file.text, /^<{7} Local\n# mine\n[\s\S]*\n={7}\n# mine\n[\s\S]*Salutation/);
		assert.ok(!file.text.includes('\uFEFF'));
	});

	it('changes nothing if the file is closed without saving', async () => {
		await apps.runCommand(pull, file.uri, { picks: ['Merge…'] });
		const sidecar = apps.readFile('greet.dify.json');
		file.closeDocument(mine);
		saved.fire(file.document);
		assert.equal(apps.readFile('greet.dify.json'), sidecar);
	});

	it("isn't offered if the text of the last pull isn't known", async () => {
		const other = apps.writePulledFile('greeter.yml', 'app-1');
		const changed = apps.readFile('greeter.yml').replace('template: Hello', 'template: Bonjour');
		texts.open(apps.writeFile('greeter.yml', changed), changed);
		apps.held.editApp('app-1', text => text.replace('title: Salutation', 'title: Hail'));
		assert.match((await apps.runCommand(pull, other, { picks: ['Merge…'] })).error?.message ?? '', /No item “Merge…”/);
	});
});
