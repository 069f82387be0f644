import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { AppsUnderTest, origin } from '../../../support/editor/appsUnderTest.ts';
import { appText } from '../../dify/syncedApp.ts';

const changeTemplate = (text: string, by: string) => text.replace(/template: \w+/, `template: ${by}`);

describe('published versions of an app in Dify', () => {
	let apps: AppsUnderTest;
	beforeEach(() => {
		apps = new AppsUnderTest();
		apps.held.putApp('app-1', appText);
	});
	afterEach(() => apps.dispose());
	const getRemoteText = () => apps.held.getText('app-1');
	const getPublished = () => apps.held.apps.get('app-1')!.versions;

	describe('publishing', () => {
		const publish = 'agentWorkbench.difyApp.publish';

		it('shows the published version and the changes, and publishes after confirmation', async () => {
			const of = apps.toAppOfDeployment('app-1');
			const left = await apps.runCommand(publish, of, { texts: ['v1', 'first'], buttons: [undefined] });
			assert.match(left.details[0] ?? '', /^The app isn't published yet\.\nNew version: v1 – first$/);
			assert.equal(getPublished().length, 0);
			const done = await apps.runCommand(publish, of, { texts: ['v1', 'first'], buttons: ['Publish'] });
			assert.match(done.infos[0] ?? '', /^Published 'Greeter' in Dify\./);
			apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
			const next = await apps.runCommand(publish, of, { texts: ['', ''], buttons: ['Publish'] });
			assert.match(next.details[0] ?? '', /^Currently published: v1 · me .*\nChanges for users: 1 node differs\n~ node 'Greeting/);
			assert.equal(getPublished().length, 2);
		});

		it('limits the name to 20 and the comment to 100 characters, and can be canceled at each step', async () => {
			const of = apps.toAppOfDeployment('app-1');
			for (const texts of [['x'.repeat(21)], ['v1', 'y'.repeat(101)], [undefined], ['v1', undefined]]) {
				const left = await apps.runCommand(publish, of, { texts, button: 'Publish' });
				assert.equal(left.refusals.length, texts.at(-1) === undefined ? 0 : 1);
			}
			assert.equal(getPublished().length, 0);
			await apps.runCommand(publish, of, { texts: ['🤖'.repeat(20), ''], buttons: ['Publish'] });
			assert.equal(getPublished().length, 1);
		});

		it('reports that the draft differs from the file', async () => {
			const uri = apps.writePulledFile('greeter.yml', 'app-1', changeTemplate(getRemoteText(), 'Bonjour'));
			const left = await apps.runCommand(publish, uri, { picks: [undefined] });
			assert.match(left.placeHolders[0] ?? '', /^The draft in Dify differs from '.*greeter\.yml': 1 node differs$/);
			const draft = await apps.runCommand(publish, uri, { picks: ['Publish current draft…'], texts: ['', ''], buttons: ['Publish'] });
			assert.match(draft.details[0] ?? '', /The draft in Dify doesn't match the file/);
			assert.match(getPublished()[0]?.text ?? '', /template: Hello/);
			await apps.runCommand(publish, uri, { picks: ['Push file first…'], texts: ['', ''], buttons: ['Push', undefined, 'Publish'] });
			assert.match(getPublished()[1]?.text ?? '', /template: Bonjour/);
		});

		it("doesn't publish a draft that changed after the question, and asks again", async () => {
			let exports = 0;
			const watchExports = () => {
				const editOnSecondExport = () =>
					++exports === 2 ? apps.held.editApp('app-1', text => changeTemplate(text, 'Hola')) : watchExports();
				apps.held.before = { name: 'exportApp', act: editOnSecondExport };
			};
			watchExports();
			const asked = await apps.runCommand(publish, apps.toAppOfDeployment('app-1'), {
				texts: ['v1', '', 'v1', ''],
				buttons: ['Publish', undefined],
			});
			assert.deepEqual([asked.error, asked.details.length, getPublished().length], [undefined, 2, 0]);
			assert.match(asked.details[1] ?? '', /^The draft has changed in the meantime\. Nothing was published\./);
		});

		it("opens the app in the browser if the deployment can't publish", async () => {
			const opened: string[] = [];
			const openExternal: unknown = vscode.env.openExternal;
			Reflect.set(vscode.env, 'openExternal', async (uri: vscode.Uri) => opened.push(uri.toString(true)) > 0);
			try {
				apps.lacks = ['publish'];
				const done = await apps.runCommand(publish, apps.toAppOfDeployment('app-1'));
				assert.deepEqual(opened, [`${origin}/app/app-1/workflow`]);
				assert.match(done.infos[0] ?? '', /can only be published in the browser\. 'Greeter' was opened there/);
			} finally {
				Reflect.set(vscode.env, 'openExternal', openExternal);
			}
		});
	});

	describe('versions', () => {
		const versions = 'agentWorkbench.difyApp.versions';

		it('are listed and compared with the file or the draft', async () => {
			apps.publishDraft('app-1', 'first');
			apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
			const uri = apps.writePulledFile('greeter.yml', 'app-1');
			const compared = await apps.runCommand(versions, uri, { picks: ['first', 'Compare with file'] });
			const [id, left, right, title] = compared.executed[0] ?? [];
			assert.deepEqual([id, String(right)], ['vscode.diff', uri.toString()]);
			assert.match(String(left), /^agent-workbench-dify:/);
			assert.match(String(title), /greeter\.yml \(first ↔ Local\)/);
			const draft = await apps.runCommand(versions, apps.toAppOfDeployment('app-1'), { picks: ['first', 'Compare with draft'] });
			assert.match(String(draft.executed[0]?.[3]), /Greeter \(first ↔ Draft\)/);
		});

		it('are restored as the draft after confirmation, with a backup and without changing the file', async () => {
			apps.publishDraft('app-1', 'first');
			apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
			const uri = apps.writePulledFile('greeter.yml', 'app-1');
			const [draft, file] = [getRemoteText(), apps.readFile('greeter.yml')];
			const picks = ['first', 'Restore as draft…'];
			const left = await apps.runCommand(versions, uri, { picks, buttons: [undefined] });
			assert.match(left.details[0] ?? '', /^~ node 'Greeting \(t\)' \(template-transform\): template[\s\S]*Nothing will be published\.$/);
			assert.deepEqual([getRemoteText(), apps.readBackups()], [draft, []]);
			await apps.runCommand(versions, uri, { picks, buttons: ['Restore'] });
			assert.match(getRemoteText(), /template: Hello/);
			assert.deepEqual([apps.readBackups(), apps.readFile('greeter.yml')], [[draft], file]);
		});

		it("aren't restored over a draft that changed after the question", async () => {
			apps.publishDraft('app-1', 'first');
			apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
			const changeAgain = () => apps.held.editApp('app-1', text => changeTemplate(text, 'Ciao'));
			let exports = 0;
			const watchExports = () => {
				apps.held.before = { name: 'exportApp', act: () => (++exports === 2 ? changeAgain() : watchExports()) };
			};
			watchExports();
			const done = await apps.runCommand(versions, apps.toAppOfDeployment('app-1'), {
				picks: ['first', 'Restore as draft…'],
				buttons: ['Restore'],
			});
			assert.match(done.error?.message ?? '', /The draft of 'Greeter' has changed in the meantime, so nothing was restored/);
			assert.match(getRemoteText(), /template: Ciao/);
		});

		it("are shown in the browser if the deployment can't list them", async () => {
			apps.lacks = ['versions'];
			assert.match(
				(await apps.runCommand(versions, apps.toAppOfDeployment('app-1'))).error?.message ?? '',
				/shows app versions only in the browser/,
			);
		});
	});

	describe('restoring a backup', () => {
		const restore = 'agentWorkbench.difyApp.restoreBackup';
		const push = 'agentWorkbench.difyApp.push';
		/** Pushes a file that overwrites the template 'Hello'. */
		const pushApp = async () => {
			const uri = apps.writePulledFile('greeter.yml', 'app-1', changeTemplate(getRemoteText(), 'Bonjour'));
			await apps.runCommand(push, uri, { buttons: ['Push'] });
			assert.match(getRemoteText(), /template: Bonjour/);
			return uri;
		};
		const getLabel = async (uri: vscode.Uri) => {
			const labels: string[] = [];
			const original: unknown = vscode.window.showQuickPick;
			Reflect.set(vscode.window, 'showQuickPick', async (items: { label: string }[]) => {
				labels.push(...items.map(item => item.label));
			});
			await apps.actions.handlers[restore]?.(uri);
			Reflect.set(vscode.window, 'showQuickPick', original);
			return labels[0] ?? '';
		};

		it('reports that there are no backups', async () => {
			const uri = apps.writePulledFile('greeter.yml', 'app-1');
			assert.match((await apps.runCommand(restore, uri)).infos[0] ?? '', /No backups of 'greeter' in this workspace/);
		});

		it('pushes a backup after confirmation, backs up the overwritten app, and leaves the file unchanged', async () => {
			const uri = await pushApp();
			const [label, file] = [await getLabel(uri), apps.readFile('greeter.yml')];
			const left = await apps.runCommand(restore, uri, { picks: [label, 'App in Dify…'], buttons: [undefined] });
			assert.equal(left.executed[0]?.[0], 'vscode.diff');
			assert.match(getRemoteText(), /template: Bonjour/);
			await apps.runCommand(restore, uri, { picks: [label, 'App in Dify…'], buttons: ['Push'] });
			assert.match(getRemoteText(), /template: Hello/);
			assert.deepEqual([apps.readFile('greeter.yml'), apps.readBackups().length], [file, 2]);
			const next = await apps.runCommand(push, uri, { picks: ['Cancel'] });
			assert.match(next.placeHolders[0] ?? '', /has changed since .* was pulled\. The file hasn't changed/);
		});

		it('restores a backup into the file, backs up the file, and leaves Dify unchanged', async () => {
			const uri = await pushApp();
			const label = await getLabel(uri);
			await apps.runCommand(restore, uri, { picks: [label, 'Local file'] });
			assert.match(apps.readFile('greeter.yml'), /template: Hello/);
			assert.match(getRemoteText(), /template: Bonjour/);
			assert.ok(apps.readBackups().some(text => text.includes('template: Bonjour')));
		});
	});

	describe('a new app from a file', () => {
		const pushAsNew = 'agentWorkbench.difyApp.pushAsNew';

		it('is created after a name and a confirmation, and linked to the file', async () => {
			const uri = apps.writeFile('mine.yml', appText);
			const left = await apps.runCommand(pushAsNew, uri, { texts: ['Mine'], buttons: [undefined] });
			assert.match(left.details[0] ?? '', /^Dify server: https:\/\/dify\.test\nConnection: Test Dify/);
			await apps.runCommand(pushAsNew, uri, { texts: [undefined], button: 'Push' });
			assert.deepEqual([apps.held.sent, fs.readdirSync(apps.agents)], [[], ['mine.yml']]);
			const done = await apps.runCommand(pushAsNew, uri, { texts: ['Mine'], buttons: ['Push'] });
			assert.match([...done.infos, ...done.warnings].join('\n'), /Created the app 'Mine' from '.*mine\.yml'\./);
			assert.match(apps.readFile('mine.dify.json'), /"app_id": "new-1"/);
			assert.equal(getRemoteText(), apps.held.getText('app-1'));
			apps.writeFile('mine.yml', changeTemplate(apps.readFile('mine.yml'), 'Bonjour'));
			const next = await apps.runCommand('agentWorkbench.difyApp.push', uri);
			assert.deepEqual([next.error, apps.held.sent.length], [undefined, 2]);
		});

		it('leaves the file linked to its old app if the user chooses to', async () => {
			const uri = apps.writePulledFile('greeter.yml', 'app-1');
			const sidecar = apps.readFile('greeter.dify.json');
			await apps.runCommand(pushAsNew, uri, { picks: [undefined], button: 'Push' });
			assert.deepEqual(apps.held.sent, []);
			await apps.runCommand(pushAsNew, uri, { picks: ['Keep current link'], texts: ['Copy'], buttons: ['Push'] });
			assert.deepEqual([apps.held.sent.length, apps.readFile('greeter.dify.json')], [1, sidecar]);
			await apps.runCommand(pushAsNew, uri, { picks: ['Link to new app'], texts: ['Copy 2'], buttons: ['Push'] });
			assert.match(apps.readFile('greeter.dify.json'), /"app_id": "new-2"/);
		});
	});

	it("compares a file with the app in Dify node by node, in the file's own format", async () => {
		const compare = 'agentWorkbench.difyApp.compare';
		const uri = apps.writePulledFile('greeter.yml', 'app-1', appText);
		assert.match((await apps.runCommand(compare, uri)).infos[0] ?? '', /greeter\.yml' and the app 'Greeter' in Dify are identical/);
		apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
		const done = await apps.runCommand(compare, uri);
		assert.deepEqual([done.executed[0]?.[0], String(done.executed[0]?.[2])], ['vscode.diff', uri.toString()]);
		assert.match(
			done.infos[0] ?? '',
			/^The app in Dify has changed since '.*greeter\.yml' was pulled\. ~ node 'Greeting \(t\)' \(template-transform\): template\.$/,
		);
		assert.equal(apps.readFile('greeter.yml'), appText);
	});
});
