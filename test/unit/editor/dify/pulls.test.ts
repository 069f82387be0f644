import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { AppsUnderTest } from '../../../support/editor/appsUnderTest.ts';
import { fakeTextDocuments } from '../../../support/editor/playedTexts.ts';
import { appText } from '../../dify/syncedApp.ts';

const pull = 'agentWorkbench.difyApp.pull';
const changeTemplate = (text: string, by: string) => text.replace('template: Hello', `template: ${by}`);

describe('pulling apps from Dify into the workspace', () => {
	let apps: AppsUnderTest;
	let findFiles: unknown;
	beforeEach(() => {
		apps = new AppsUnderTest();
		apps.held.putApp('app-1', appText);
		findFiles = vscode.workspace.findFiles;
		Reflect.set(vscode.workspace, 'findFiles', async () =>
			fs.readdirSync(apps.agents).flatMap(name => (name.endsWith('.dify.json') ? [apps.getFileUri(name)] : [])),
		);
	});
	afterEach(async () => {
		Reflect.set(vscode.workspace, 'findFiles', findFiles);
		await apps.dispose();
	});
	/** Opens a window that has read the current sidecar files. */
	const openWindow = async () => {
		const opened = new AppsUnderTest(apps);
		await opened.links.loadFiles(apps.toAppOfDeployment('app-1'));
		return opened;
	};
	const getRemoteText = () => apps.held.getText('app-1');

	it('asks for a name, and creates a file with its sidecar file', async () => {
		const done = await apps.runCommand(pull, apps.toAppOfDeployment('app-1'), { texts: ['greet'] });
		assert.equal(apps.readFile('greet.yml'), getRemoteText());
		assert.match(
			apps.readFile('greet.dify.json'),
			/"origin": "https:\/\/dify\.test",\n {2}"workspace_id": "space-1",\n {2}"app_id": "app-1"/,
		);
		assert.match(done.infos[0] ?? '', /^Pulled 'Greeter' from Dify as '.*greet\.yml'\.$/);
	});

	it('rejects names that are paths, invalid or taken', async () => {
		apps.writeFile('Other.yml', 'app: {}\n');
		for (const name of ['../greet', 'a/b', 'con', '', 'x'.repeat(300), 'other']) {
			const refused = await apps.runCommand(pull, apps.toAppOfDeployment('app-1'), { texts: [name] });
			assert.equal(refused.refusals.length, 1, name);
		}
		await apps.runCommand(pull, apps.toAppOfDeployment('app-1'), { texts: [undefined] });
		assert.deepEqual(fs.readdirSync(apps.agents), ['Other.yml']);
		assert.deepEqual(fs.readdirSync(apps.folder), ['agents']);
	});

	it("doesn't overwrite a file that is created after the name was checked", async () => {
		const actMeanwhile = () => void apps.writeFile('greet.yml', 'mine\n');
		const done = await apps.runCommand(pull, apps.toAppOfDeployment('app-1'), { texts: ['greet'], meanwhile: actMeanwhile });
		assert.match(done.placeHolders.at(-1) ?? '', /greet\.yml' differs from the app in Dify/);
		assert.equal(apps.readFile('greet.yml'), 'mine\n');
	});

	it('updates a file without local changes, and keeps a backup', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		const before = apps.readFile('greeter.yml');
		apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
		const done = await apps.runCommand(pull, uri);
		assert.equal(apps.readFile('greeter.yml'), getRemoteText());
		assert.match(done.infos[0] ?? '', /^Pulled 'Greeter' from Dify into '.*greeter\.yml': 1 node differs\./);
		assert.deepEqual(apps.readBackups(), [before]);
		assert.match((await apps.runCommand(pull, uri)).infos[0] ?? '', /greeter\.yml' and the app 'Greeter' in Dify are identical\./);
	});

	for (const [what, changesThere] of [
		['was changed here alone', false],
		['was changed on both sides', true],
	] as const) {
		it(`overwrites a file that ${what} only after confirmation`, async () => {
			const uri = apps.writePulledFile('greeter.yml', 'app-1');
			const mine = changeTemplate(getRemoteText(), 'Bonjour');
			apps.writeFile('greeter.yml', mine);
			if (changesThere) {
				apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
			}
			const sidecar = apps.readFile('greeter.dify.json');
			for (const answers of [
				{ picks: [undefined] },
				{ picks: ['Keep local file'] },
				{ picks: ['Overwrite local file…'], buttons: [undefined] },
			]) {
				const left = await apps.runCommand(pull, uri, answers);
				assert.deepEqual([left.error, left.executed[0]?.[0]], [undefined, 'vscode.diff']);
				assert.deepEqual([apps.readFile('greeter.yml'), apps.readFile('greeter.dify.json'), apps.readBackups()], [mine, sidecar, []]);
			}
			await apps.runCommand(pull, uri, { picks: ['Overwrite local file…'], buttons: ['Overwrite'] });
			assert.equal(apps.readFile('greeter.yml'), getRemoteText());
			assert.deepEqual(apps.readBackups(), [mine]);
		});
	}

	it('offers to merge when the file changes while a pull finishes', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		apps.held.editApp('app-1', text => text.replace('title: Greeting', 'title: Welcome'));
		const { rename } = fs.promises;
		fs.promises.rename = async (from, to) => {
			await rename(from, to);
			if (String(to).endsWith('greeter.dify.json')) {
				apps.writeFile('greeter.yml', changeTemplate(apps.readFile('greeter.yml'), 'Bonjour'));
			}
		};
		await apps.runCommand(pull, uri).finally(() => Object.assign(fs.promises, { rename }));
		apps.held.editApp('app-1', text => text.replace('title: Welcome', 'title: Salutation'));
		const texts = fakeTextDocuments();
		texts.open(uri, apps.readFile('greeter.yml'));
		const done = await apps.runCommand(pull, uri, { picks: ['Merge…'] });
		texts.end();
		assert.deepEqual([done.error, done.executed.at(-1)?.[0]], [undefined, '_open.mergeEditor']);
	});

	it("gives the file its text again if the sidecar file can't be written", async () => {
		// the name of the sidecar file is longer, so that the name of its temporary file is too long
		const name = 'a'.repeat(207);
		const uri = apps.writePulledFile(`${name}.yml`, 'app-1');
		const [before, sidecar] = [apps.readFile(`${name}.yml`), apps.readFile(`${name}.dify.json`)];
		apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
		const done = await apps.runCommand(pull, uri);
		assert.match(String(done.error), /ENAMETOOLONG|too long/);
		assert.deepEqual([apps.readFile(`${name}.yml`), apps.readFile(`${name}.dify.json`)], [before, sidecar]);
	});

	it('writes nothing through a link out of the workspace', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		const outside = path.join(apps.folder, 'outside.yml');
		fs.renameSync(uri.fsPath, outside);
		fs.symlinkSync(outside, uri.fsPath);
		const before = fs.readFileSync(outside, 'utf8');
		apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
		const done = await apps.runCommand(pull, uri, { picks: ['Overwrite local file…'], buttons: ['Overwrite'] });
		assert.match(done.error?.message ?? '', /^Couldn't write '.*greeter\.yml': a link in its path leads outside '.*agents'\.$/);
		assert.equal(fs.readFileSync(outside, 'utf8'), before);
	});

	it('writes nothing if the file changes, is created or is deleted while a dialog is open', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1');
		apps.writeFile('greeter.yml', changeTemplate(getRemoteText(), 'Bonjour'));
		const runDuring = (meanwhile: () => void) =>
			apps.runCommand(pull, uri, { meanwhile, picks: ['Overwrite local file…'], buttons: ['Overwrite'] });
		const changed = await runDuring(() => apps.writeFile('greeter.yml', changeTemplate(getRemoteText(), 'later')));
		assert.match(changed.error?.message ?? '', /has changed in the meantime, so it wasn't overwritten/);
		assert.match(apps.readFile('greeter.yml'), /template: later/);
		const gone = await runDuring(() => fs.rmSync(uri.fsPath));
		assert.match(gone.error?.message ?? '', /has changed in the meantime/);
		assert.equal(fs.existsSync(uri.fsPath), false);
	});

	it('updates each file of an app without local changes, and skips the others', async () => {
		for (const name of ['one.yml', 'two.yml']) {
			apps.writePulledFile(name, 'app-1');
		}
		apps.held.putApp('app-2', appText.replace('name: Greeter', 'name: Zwei'));
		apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
		const opened = await openWindow();
		const done = await opened.runCommand(pull, apps.toAppOfDeployment('app-1'), {}, [
			apps.toAppOfDeployment('app-1'),
			apps.toAppOfDeployment('app-2'),
		]);
		assert.match(done.infos[0] ?? '', /1 new, 1 updated\.$/);
		assert.ok(['one.yml', 'two.yml'].every(name => apps.readFile(name).includes('template: Hola')));
		apps.held.editApp('app-1', text => text.replace('Hola', 'Ciao'));
		const mine = apps.writeFile('one.yml', apps.readFile('one.yml').replace('Hola', 'mine'));
		const left = await opened.runCommand(pull, apps.toAppOfDeployment('app-1'), {}, [
			apps.toAppOfDeployment('app-1'),
			apps.toAppOfDeployment('app-2'),
		]);
		assert.match(left.infos[0] ?? '', /Skipped because of local changes: Greeter/);
		assert.match(fs.readFileSync(mine.fsPath, 'utf8'), /template: mine/);
		assert.match(apps.readFile('two.yml'), /template: Ciao/);
	});

	it('pulls several apps: creates and updates files, and skips those with local changes', async () => {
		for (const [id, name] of [
			['app-2', 'Zwei'],
			['app-3', '../Drei'],
			['app-4', 'drei'],
			['app-5', 'Broken'],
		] as const) {
			apps.held.putApp(id, appText.replace('name: Greeter', `name: ${name}`));
		}
		apps.writePulledFile('greeter.yml', 'app-1', changeTemplate(getRemoteText(), 'Bonjour'));
		apps.held.editApp('app-1', text => changeTemplate(text, 'Hola'));
		apps.writePulledFile('zwei.yml', 'app-2');
		apps.held.editApp('app-2', text => changeTemplate(text, 'Hola'));
		const mine = apps.readFile('greeter.yml');
		const opened = await openWindow();
		const all = ['app-1', 'app-2', 'app-3', 'app-4', 'app-5'].map(id => apps.toAppOfDeployment(id));
		apps.held.apps.get('app-5')!.content = { app: 'no app' };
		const done = await opened.runCommand(pull, all[0], { buttons: [undefined] }, all);
		assert.deepEqual(
			fs.readdirSync(apps.agents).filter(name => name.endsWith('.yml')),
			['Drei.yml', 'drei-2.yml', 'greeter.yml', 'zwei.yml'],
		);
		assert.match(apps.readFile('zwei.yml'), /template: Hola/);
		assert.equal(apps.readFile('greeter.yml'), mine);
		assert.match(
			done.warnings[0] ?? '',
			/^Pulled from Dify: 2 new, 1 updated\. Skipped because of local changes: Greeter\. Couldn't pull Broken\./,
		);
		const through = await opened.runCommand(
			pull,
			all[0],
			{ buttons: ['Review skipped apps'], picks: ['Keep local file'] },
			all.slice(0, 4),
		);
		assert.match(through.placeHolders[0] ?? '', /^Both .* and the app in Dify have changed/);
		assert.equal(apps.readFile('greeter.yml'), mine);
		opened.actions.dispose();
		opened.links.dispose();
	});

	it("asks about names of existing agents that aren't linked to an app", async () => {
		apps.held.putApp('app-2', appText.replace('name: Greeter', 'name: Zwei'));
		const own = apps.writeFile('greeter.yml', 'app: {}\n');
		const all = [apps.toAppOfDeployment('app-1'), apps.toAppOfDeployment('app-2')];
		await apps.runCommand(pull, all[0], { picks: [undefined] }, all);
		assert.deepEqual(fs.readdirSync(apps.agents), ['greeter.yml']);
		const asked = await apps.runCommand(pull, all[0], { picks: ['Skip'] }, all);
		assert.match(asked.placeHolders[0] ?? '', /Agents with these names already exist and aren't linked to an app: Greeter/);
		assert.deepEqual(fs.readdirSync(apps.agents), ['Zwei.dify.json', 'Zwei.yml', 'greeter.yml']);
		await apps.runCommand(pull, all[0], { picks: ['Use different names'] }, [all[0]!, all[0]!]);
		assert.equal(fs.readFileSync(own.fsPath, 'utf8'), 'app: {}\n');
		assert.ok(fs.existsSync(apps.getFileUri('Greeter-2.yml').fsPath));
	});

	it('stops when it is canceled, and reports what was pulled until then', async () => {
		apps.held.putApp('app-2', appText.replace('name: Greeter', 'name: Zwei'));
		const all = [apps.toAppOfDeployment('app-1'), apps.toAppOfDeployment('app-2')];
		const cancel = new vscode.CancellationTokenSource();
		const withProgress: unknown = vscode.window.withProgress;
		Reflect.set(vscode.window, 'withProgress', (_options: unknown, work: (progress: object, token: unknown) => unknown) =>
			work({ report: ({ message }: { message: string }) => (message.startsWith('2 of 2') ? cancel.cancel() : undefined) }, cancel.token),
		);
		try {
			const done = await apps.runCommand(pull, all[0], {}, all);
			assert.equal(done.error, undefined);
			assert.match(done.infos[0] ?? '', /1 new\. Canceled with 1 app remaining\./);
			assert.deepEqual(fs.readdirSync(apps.agents), ['Greeter.dify.json', 'Greeter.yml']);
		} finally {
			Reflect.set(vscode.window, 'withProgress', withProgress);
		}
	});

	it('warns once about all invalid sidecar files together', async () => {
		for (const [name, text] of [
			['a', '{'],
			['b', '{"origin":"javascript:alert(1)"}'],
			['c', `{"origin":"${'x'.repeat(100_000)}"}`],
			['d', '[[[[]]]]'],
		] as const) {
			apps.writeFile(`${name}.dify.json`, text);
			apps.writeFile(`${name}.yml`, appText);
		}
		apps.writePulledFile('greeter.yml', 'app-1');
		const warnings: string[] = [];
		const original: unknown = vscode.window.showWarningMessage;
		Reflect.set(vscode.window, 'showWarningMessage', async (message: string) => void warnings.push(message));
		try {
			const opened = await openWindow();
			assert.match(warnings.join('\n'), /[\\/][abcd]\.dify\.json.*\(4 files have problems of this kind\.\)$/);
			assert.equal(opened.links.getLink(apps.toAppOfDeployment('app-1'))?.uri.toString(), apps.getFileUri('greeter.yml').toString());
			opened.actions.dispose();
			opened.links.dispose();
		} finally {
			Reflect.set(vscode.window, 'showWarningMessage', original);
		}
	});

	it('compares a file with its app with one request, and again when the file changes', async () => {
		const uri = apps.writePulledFile('greeter.yml', 'app-1', changeTemplate(getRemoteText(), 'Bonjour'));
		const opened = await openWindow();
		const of = apps.toAppOfDeployment('app-1');
		assert.deepEqual(opened.links.getLink(of), { uri: opened.links.getLink(of)?.uri, state: undefined });
		let exports = 0;
		apps.held.before = { name: 'exportApp', act: () => exports++ };
		await opened.links.checkLink(of);
		apps.held.before = { name: 'exportApp', act: () => exports++ };
		await opened.links.checkLink(of);
		assert.equal(exports, 1);
		apps.held.before = undefined;
		assert.deepEqual([opened.links.getLink(of)?.state, opened.links.getLink(of)?.nodes], ['changed-here', 1]);
		await opened.runCommand(pull, uri, { picks: ['Overwrite local file…'], buttons: ['Overwrite'] });
		assert.equal(opened.links.getLink(of)?.state, 'same');
		await opened.links.checkLink({ ...of, app: { ...of.app, id: 'no-file' } });
		opened.actions.dispose();
		opened.links.dispose();
	});
});
