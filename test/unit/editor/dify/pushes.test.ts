import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { runWithProgress } from '#editor/platform/progress.ts';
import { AppsUnderTest } from '../../../support/editor/appsUnderTest.ts';
import { runInUntrustedWorkspace } from '../../../support/editor/untrusted.ts';
import { waitUntil } from '../../../support/waitUntil.ts';
import { appText } from '../../dify/syncedApp.ts';

const push = 'agentWorkbench.difyApp.push';
const changeTemplate = (text: string, by: string) => text.replace('template: Hello', `template: ${by}`);

describe('pushing an agent file to its app in Dify', () => {
	let apps: AppsUnderTest;
	beforeEach(() => {
		apps = new AppsUnderTest();
		apps.held.putApp('app-1', appText);
	});
	afterEach(() => apps.dispose());

	/** Returns a pulled file with local changes and a saved consent to push it. */
	const agreeOnce = async (text?: string) => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1', text);
		await apps.runCommand(push, uri, { buttons: ['Push'] });
		return uri;
	};
	const changeLocally = async () => {
		const uri = await agreeOnce();
		apps.writeFile('greeter.yml', changeTemplate(apps.held.getText('app-1'), 'Bonjour'));
		return uri;
	};
	const changeRemotely = () => apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
	const getRemoteText = () => apps.held.getText('app-1');

	it('asks once per file and app, and sends nothing before that', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1', changeTemplate(apps.held.getText('app-1'), 'Bonjour'));
		const refused = await apps.runCommand(push, uri, { buttons: [undefined] });
		assert.match(refused.warnings[0] ?? '', /^Push '.*greeter\.yml' to this app in Dify\?$/);
		assert.match(refused.details[0] ?? '', /App: Greeter\nDify server: https:\/\/dify\.test\nConnection: Test Dify/);
		assert.deepEqual(apps.held.sent, []);
		const agreedTo = await apps.runCommand(push, uri, { buttons: ['Push'] });
		assert.equal(apps.held.sent.length, 1);
		assert.match(agreedTo.infos[0] ?? agreedTo.warnings[1] ?? '', /^Pushed '.*greeter\.yml' to Dify: 1 node differs\./);
		apps.writeFile('greeter.yml', changeTemplate(apps.held.getText('app-1'), 'Ciao').replace('template: Bonjour', 'template: Ciao'));
		const again = await apps.runCommand(push, uri);
		assert.equal(again.warnings.filter(text => text.startsWith('Push ')).length, 0);
		assert.equal(apps.held.sent.length, 2);
	});

	it("doesn't ask for a file that was pulled here", async () => {
		await apps.runCommand('agentWorkbench.difyApp.pull', apps.toAppOfDeployment('app-1'), { texts: ['greet'] });
		const uri = apps.writeFile('greet.yml', changeTemplate(apps.readFile('greet.yml'), 'Bonjour'));
		const { warnings } = await apps.runCommand(push, uri);
		assert.deepEqual([warnings.length, warnings[0]?.startsWith('Pushed ')], [1, true]);
		assert.equal(apps.held.sent.length, 1);
	});

	it('shows progress only if it takes longer than half a second, so that VS Code has room for the result', async () => {
		const uri = await changeLocally();
		const withProgress: unknown = vscode.window.withProgress;
		const shown: string[] = [];
		Reflect.set(vscode.window, 'withProgress', (options: { title: string }, work: (progress: object, token: unknown) => unknown) => {
			shown.push(options.title);
			return work({ report() {} }, new vscode.CancellationTokenSource().token);
		});
		try {
			await apps.runCommand(push, uri);
			assert.deepEqual(shown, []);
			await runWithProgress('Waiting…', () => waitUntil('progress', () => shown.length > 0));
			assert.deepEqual(shown, ['Waiting…']);
		} finally {
			Reflect.set(vscode.window, 'withProgress', withProgress);
		}
	});

	it('asks again if the sidecar file names another app or was moved', async () => {
		await agreeOnce();
		apps.held.putApp('app-2', appText.replace('name: Greeter', 'name: Payroll'));
		const uri = apps.writePulledFile('greeter.yml', 'app-2', changeTemplate(apps.held.getText('app-2'), 'Bonjour'));
		const asked = await apps.runCommand(push, uri, { buttons: [undefined] });
		assert.match(asked.details[0] ?? '', /App: Payroll/);
		assert.deepEqual(apps.held.sent, []);
		const copy = apps.writePulledFile('copy.yml', 'app-1', changeTemplate(apps.held.getText('app-1'), 'Bonjour'));
		assert.match((await apps.runCommand(push, copy, { buttons: [undefined] })).warnings[0] ?? '', /copy\.yml' to this app/);
		assert.deepEqual(apps.held.sent, []);
	});

	it("doesn't apply the link of NAME.yml to NAME.yaml, and asks again once only NAME.yaml exists", async () => {
		await agreeOnce();
		const uri = apps.writeFile('greeter.yaml', changeTemplate(apps.held.getText('app-1'), 'Bonjour'));
		assert.equal(((await apps.runCommand(push, uri)).error as { reason?: string } | undefined)?.reason, 'not-linked');
		fs.rmSync(path.join(apps.agents, 'greeter.yml'));
		assert.match((await apps.runCommand(push, uri, { buttons: [undefined] })).warnings[0] ?? '', /greeter\.yaml' to this app in Dify\?$/);
		assert.deepEqual(apps.held.sent, []);
	});

	it("doesn't change the link of a file that another branch has linked to another app", async () => {
		const uri = await changeLocally();
		apps.held.putApp('app-2', appText);
		const mine = apps.readFile('greeter.yml');
		let theirs = '';
		apps.held.before = {
			name: 'importApp',
			act: () => {
				apps.writePulledFile('greeter.yml', 'app-2', mine);
				theirs = apps.readFile('greeter.dify.json');
			},
		};
		const done = await apps.runCommand(push, uri);
		assert.match([...done.infos, ...done.warnings].join(), /now linked to another app/);
		assert.match(theirs, /app-2/);
		assert.equal(apps.readFile('greeter.dify.json'), theirs);
	});

	it('shows a foreign name on one line of the dialog', async () => {
		const uri = await agreeOnce();
		const title = JSON.stringify('Hook\nNothing is lost.\u202e\n');
		apps.writeFile(
			'greeter.yml',
			apps.held
				.getText('app-1')
				.replace(/type: start$/m, 'type: trigger-webhook')
				.replace('title: Start', `title: ${title}`),
		);
		const asked = await apps.runCommand(push, uri, { buttons: [undefined] });
		assert.match(asked.details[0] ?? '', /Check these nodes in Dify: Hook Nothing is lost\./);
		assert.doesNotMatch(asked.details[0] ?? '', /^Nothing is lost|\u202e/m);
	});

	it('sends nothing from an untrusted workspace, or to a server without a connection', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1', changeTemplate(apps.held.getText('app-1'), 'Bonjour'));
		const unsafe = await runInUntrustedWorkspace(() => apps.runCommand(push, uri, { button: 'Push' }));
		assert.match(unsafe.error?.message ?? '', /in a trusted workspace/);
		const foreign = apps.writePulledFile('foreign.yml', 'app-1', undefined, 'https://evil.test');
		const refused = await apps.runCommand(push, foreign, { button: 'Push' });
		assert.match(
			refused.error?.message ?? '',
			/foreign\.yml' is linked to an app at https:\/\/evil\.test, but you have no connection to that server/,
		);
		assert.deepEqual([refused.warnings, apps.held.sent], [[], []]);
	});

	it('reports invalid and missing sidecar files', async () => {
		const uri = apps.writeFile('greeter.yml', appText);
		assert.match((await apps.runCommand(push, uri)).error?.message ?? '', /isn't linked to an app in Dify\. Push it as a new app/);
		apps.writeFile('greeter.dify.json', '{"origin":"https://dify.test/x","__proto__":{"app_id":"app-1"}}');
		assert.match(
			(await apps.runCommand(push, uri, { button: 'Push' })).error?.message ?? '',
			/'origin' in '.*greeter\.dify\.json' is missing or invalid/,
		);
		assert.deepEqual(apps.held.sent, []);
	});

	it('pushes local changes, keeps a backup, and leaves both sides identical', async () => {
		const uri = await changeLocally();
		const before = getRemoteText();
		const done = await apps.runCommand(push, uri);
		assert.equal(done.error, undefined);
		assert.match(getRemoteText(), /template: Bonjour/);
		assert.deepEqual(apps.readBackups(), [before]);
		const again = await apps.runCommand(push, uri);
		assert.match(again.infos[0] ?? '', /^Nothing to push: .* are identical/);
		assert.equal(apps.held.sent.length, 1);
	});

	it('compares an app that changed in Dify, and overwrites it only after confirmation', async () => {
		const uri = await changeLocally();
		changeRemotely();
		const theirs = getRemoteText();
		const mine = apps.readFile('greeter.yml');
		for (const answers of [{ picks: [undefined] }, { picks: ['Cancel'] }, { picks: ['Overwrite app in Dify…'], buttons: [undefined] }]) {
			const left = await apps.runCommand(push, uri, answers);
			assert.deepEqual([left.error, left.executed[0]?.[0]], [undefined, 'vscode.diff']);
			assert.match(left.placeHolders[0] ?? '', /^Both .* and the app in Dify have changed/);
			assert.deepEqual([getRemoteText(), apps.readFile('greeter.yml'), apps.held.sent, apps.readBackups()], [theirs, mine, [], []]);
		}
		const done = await apps.runCommand(push, uri, { picks: ['Overwrite app in Dify…'], buttons: ['Overwrite'] });
		assert.match(done.details[0] ?? '', /~ node 'Greeting \(t\)' \(template-transform\): template[\s\S]*will be saved/);
		assert.match(getRemoteText(), /template: Bonjour/);
		assert.deepEqual(apps.readBackups(), [theirs]);
	});

	it('pulls instead of pushing if the user chooses to', async () => {
		const uri = await agreeOnce();
		changeRemotely();
		const done = await apps.runCommand(push, uri, { picks: ['Pull…'] });
		assert.match(done.placeHolders[0] ?? '', /The file hasn't changed\./);
		assert.match(apps.readFile('greeter.yml'), /template: Hola/);
		assert.deepEqual(apps.held.sent, []);
	});

	it('asks again without an error if the app changes before the push', async () => {
		const uri = await changeLocally();
		let exports = 0;
		const watchExports = () => {
			apps.held.before = { name: 'exportApp', act: () => (++exports === 2 ? changeRemotely() : watchExports()) };
		};
		watchExports();
		const asked = await apps.runCommand(push, uri, { picks: ['Cancel'] });
		assert.equal(asked.error, undefined);
		assert.match(asked.placeHolders[0] ?? '', /^The app in Dify has changed in the meantime/);
		assert.deepEqual(apps.held.sent, []);
		assert.match(getRemoteText(), /template: Hola/);
	});

	it('asks again if the deployment refuses because the draft has changed', async () => {
		const uri = await changeLocally();
		apps.held.before = { name: 'importApp', act: changeRemotely };
		const asked = await apps.runCommand(push, uri, { picks: ['Cancel'] });
		assert.deepEqual([asked.error, asked.placeHolders.length], [undefined, 1]);
		assert.match(getRemoteText(), /template: Hola/);
	});

	it('sends nothing if the file changes or is deleted while the dialog is open', async () => {
		const uri = await changeLocally();
		changeRemotely();
		const theirs = getRemoteText();
		const runDuring = (meanwhile: () => void) =>
			apps.runCommand(push, uri, { meanwhile, picks: ['Overwrite app in Dify…'], buttons: ['Overwrite'] });
		const changed = await runDuring(() => apps.writeFile('greeter.yml', theirs.replace('Hola', 'later')));
		assert.match(changed.error?.message ?? '', /has changed in the meantime, so it wasn't pushed/);
		const gone = await runDuring(() => fs.rmSync(uri.fsPath));
		assert.match(gone.error?.message ?? '', /so it wasn't pushed/);
		assert.deepEqual([getRemoteText(), apps.held.sent, apps.readBackups()], [theirs, [], []]);
	});

	it('cancels an import that the deployment wants confirmed, unless the user confirms', async () => {
		const uri = await changeLocally();
		const before = getRemoteText();
		apps.held.pends = true;
		const left = await apps.runCommand(push, uri, { buttons: [undefined] });
		assert.match(left.details[0] ?? '', /The file uses format version 9\.0\.0, but this server uses version 0\.6\.0/);
		assert.equal(getRemoteText(), before);
		apps.held.pends = true;
		await apps.runCommand(push, uri, { buttons: ['Import'] });
		assert.match(getRemoteText(), /template: Bonjour/);
	});

	it('finds out the result of a push whose response was lost, and never sends it twice', async () => {
		const uri = await changeLocally();
		apps.held.fails = { name: 'importApp', when: 'before', reason: 'network' };
		const lost = await apps.runCommand(push, uri);
		assert.match(lost.warnings[0] ?? '', /The response was lost .*The app in Dify hasn't changed/);
		assert.deepEqual(apps.held.sent, []);
		apps.held.fails = { name: 'importApp', when: 'after', reason: 'timeout' };
		const arrived = await apps.runCommand(push, uri);
		assert.match([...arrived.infos, ...arrived.warnings][0] ?? '', /response was lost, but .* was pushed/);
		assert.equal(apps.held.sent.length, 1);
	});

	it('continues after signing in again when the sign-in expires, and changes nothing otherwise', async () => {
		const uri = await changeLocally();
		const before = getRemoteText();
		apps.signInEnded = 1;
		const left = await apps.runCommand(push, uri, { buttons: [undefined] });
		assert.match(left.warnings[0] ?? '', /The sign-in to 'Test Dify' has expired.*Nothing is lost/);
		assert.equal(left.error?.name, 'Canceled');
		assert.equal(getRemoteText(), before);
		apps.signInEnded = 1;
		await apps.runCommand(push, uri, { buttons: ['Sign in and retry'] });
		assert.match(getRemoteText(), /template: Bonjour/);
	});

	it("sends nothing if the backup can't be written", async () => {
		const uri = await changeLocally();
		fs.writeFileSync(apps.backups, 'no folder');
		const failed = await apps.runCommand(push, uri);
		assert.match(failed.error?.message ?? '', /Couldn't save a backup in .*Nothing was overwritten/);
		assert.deepEqual(apps.held.sent, []);
	});

	it('pushes one file at a time, and a second window sees the push of the first', async () => {
		const uri = await changeLocally();
		const other = new AppsUnderTest(apps);
		try {
			const seconds: ReturnType<AppsUnderTest['runCommand']>[] = [];
			apps.held.before = { name: 'importApp', act: () => seconds.push(apps.runCommand(push, uri)) };
			const [first, refused] = [await apps.runCommand(push, uri), await seconds[0]];
			assert.equal(first.error, undefined);
			assert.match(refused?.error?.message ?? '', /is already being pushed/);
			assert.equal(apps.held.sent.length, 1);
			apps.writeFile('greeter.yml', changeTemplate(getRemoteText(), 'x').replace('template: Bonjour', 'template: Ciao'));
			apps.held.before = {
				name: 'importApp',
				act: () => apps.held.editApp('app-1', text => text.replace('template: Bonjour', 'template: of the other window')),
			};
			const conflict = await other.runCommand(push, uri, { picks: ['Cancel'] });
			assert.deepEqual([conflict.error, conflict.placeHolders.length], [undefined, 1]);
			assert.match(getRemoteText(), /of the other window/);
		} finally {
			other.actions.dispose();
			other.links.dispose();
		}
	});

	it('warns before a push that takes effect for users immediately', async () => {
		const uri = await agreeOnce();
		apps.writeFile('greeter.yml', apps.held.getText('app-1').replace('name: Greeter', 'name: Welcome'));
		const left = await apps.runCommand(push, uri, { buttons: [undefined] });
		assert.match(left.warnings[0] ?? '', /^Push '.*greeter\.yml' to Dify\?$/);
		assert.deepEqual(apps.held.sent, []);
	});
});
