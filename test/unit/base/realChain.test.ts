import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { difyCommands } from '#base/commandIds.ts';
import { isCancellation } from '#base/problems.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { DifyUnderTest } from '../../support/editor/difyUnderTest.ts';
import { runInUntrustedWorkspace } from '../../support/editor/untrusted.ts';
import { type DifyDeployment, startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import type { FakeApp } from '../../support/services/dify/state.ts';
import { appText } from '../dify/syncedApp.ts';

const pull = 'agentWorkbench.difyApp.pull';
const push = 'agentWorkbench.difyApp.push';
const publish = 'agentWorkbench.difyApp.publish';

/** Cancels the work during request number `at`, which the deployment delays until after the cancellation. */
async function cancelDuring<T>(fake: DifyDeployment, at: number, work: () => Promise<T>): Promise<T> {
	const ended = new vscode.CancellationTokenSource();
	const original = vscode.window.withProgress;
	const report = { report() {} };
	Reflect.set(vscode.window, 'withProgress', (_: unknown, task: typeof original extends (o: never, t: infer T) => unknown ? T : never) =>
		(task as (progress: object, token: object) => unknown)(report, ended.token),
	);
	for (let before = 1; before < at; before++) {
		fake.faults.planFault(/./, { kind: 'held', until: Promise.resolve() });
	}
	const reached = Promise.withResolvers<void>();
	const delayRequest = () => {
		reached.resolve();
		return new Promise(resolve => setTimeout(resolve, 50));
	};
	fake.faults.planFault(/./, { kind: 'held', until: delayRequest });
	try {
		const done = work();
		await Promise.race([reached.promise.then(() => ended.cancel()), done]);
		return await done;
	} finally {
		Reflect.set(vscode.window, 'withProgress', original);
		fake.faults.clear();
	}
}

describe('the Dify commands', () => {
	it('all have an implementation', async () => {
		const ours = new DifyUnderTest();
		try {
			for (const id of difyCommands) {
				await answerDialogs({}, async () => {
					const execution = ours.core.executeCommand(id, undefined);
					assert.ok(execution instanceof Promise, id);
					await execution.catch(() => {});
				});
			}
		} finally {
			await ours.dispose();
		}
	});
});

for (const release of ['1.13.3', '1.16.0', '1.18.0']) {
	describe(`all Dify commands in one window that is signed in to Dify ${release}`, () => {
		let fake: DifyDeployment;
		let app: FakeApp;
		let ours: DifyUnderTest;
		const secret = 'sk-there-marked';
		beforeEach(async () => {
			fake = await startDifyDeployment({ release, deviceInterval: 0, rateLimit: 10_000 });
			app = fake.addApp(appText.replace("value: ''", `value: ${secret}`));
			ours = new DifyUnderTest();
			await ours.signIn(fake);
		});
		afterEach(async () => {
			await ours.dispose();
			await fake.stop();
			assert.deepEqual(fake.errors, []);
		});
		const getTemplate = () => String(app.draft?.graph.nodes.find(({ id }) => id === 't')?.data['template']);
		const editElsewhere = (text: string) =>
			fake.editDraft(app, ({ graph }) => {
				Object.assign(graph.nodes.find(({ id }) => id === 't')?.data ?? {}, { template: text });
			});
		const listImports = () => fake.requests.filter(({ method, path }) => method === 'POST' && /imports$/.test(path)).length;
		const pullApp = async () => {
			const done = await ours.runCommand(pull, ours.toAppOfDeployment(app), { texts: ['greeter'] });
			assert.equal(done.error, undefined);
			return ours.getFileUri('greeter.yml');
		};
		/** Pulls the app and changes the local file. */
		const changeLocally = async (text = 'Bonjour') => {
			await pullApp();
			return ours.changeFile('greeter.yml', before => before.replace('Hello', text));
		};
		const getStoredSecret = () => app.draft?.environment.find(({ name }) => name === 'KEY')?.value;

		it('pulls, pushes and publishes, and stores tokens, passwords and secrets only in SecretStorage', async () => {
			const uri = await changeLocally();
			const pushed = await ours.runCommand(push, uri, { buttons: ['Push', 'Push'] });
			assert.deepEqual([pushed.error, getTemplate(), getStoredSecret()], [undefined, 'Bonjour', secret]);
			editElsewhere('Hola');
			ours.changeFile('greeter.yml', text => text.replace('Bonjour', 'Ciao'));
			await ours.runCommand(push, uri, { picks: ['Cancel'] });
			await ours.runCommand('agentWorkbench.difyApp.compare', uri);
			await ours.runCommand(push, uri, { picks: ['Overwrite app in Dify…'], buttons: ['Overwrite'] });
			assert.deepEqual([getTemplate(), getStoredSecret()], ['Ciao', secret]);
			await ours.runCommand(publish, uri, { texts: ['first', ''], buttons: ['Publish'] });
			await ours.runCommand('agentWorkbench.difyApp.restoreBackup', uri, { picks: [undefined] });
			const open = await ours.readUnprotectedData();
			assert.deepEqual(
				[...fake.secrets].filter(each => open.includes(each)),
				[],
			);
		});

		it('relinks a file with a broken sidecar when the app is pulled into it', async () => {
			await changeLocally();
			const mine = ours.readFile('greeter.yml');
			const uri = ours.writeFile('greeter.dify.json', '<<<<<<< HEAD');
			assert.match((await ours.runCommand(push, uri)).error?.message ?? '', /Pull the app again to recreate it/);
			const createOverwriteAnswers = () => ({ texts: ['greeter'], buttons: ['Overwrite'] });
			const left = await ours.runCommand(pull, ours.toAppOfDeployment(app), { ...createOverwriteAnswers(), picks: ['Keep local file'] });
			assert.deepEqual([left.error, left.refusals, ours.readFile('greeter.yml')], [undefined, [], mine]);
			await ours.runCommand(pull, ours.toAppOfDeployment(app), { ...createOverwriteAnswers(), picks: ['Overwrite local file…'] });
			assert.match(ours.readFile('greeter.yml'), /template: Hello/);
			assert.deepEqual(ours.readBackups(), [mine]);
			ours.writeFile('greeter.yml', mine);
			await ours.runCommand(push, ours.getFileUri('greeter.yml'), { buttons: ['Push', 'Push'] });
			assert.equal(getTemplate(), 'Bonjour');
		});

		it('continues after the sign-in was revoked during a push, and sends nothing twice', async () => {
			const uri = await changeLocally();
			await ours.runCommand(push, uri, { buttons: ['Push'] });
			ours.changeFile('greeter.yml', text => text.replace('Bonjour', 'Ciao'));
			const sent = listImports();
			if (release === '1.13.3') {
				return;
			}
			editElsewhere('Hola');
			const revokeLastToken = () => Object.assign(fake.sessions.tokens.at(-1)!, { revoked: true });
			const ended = await ours.runCommand(push, uri, {
				picks: ['Overwrite app in Dify…'],
				buttons: ['Overwrite', undefined],
				meanwhile: revokeLastToken,
			});
			assert.match(ended.warnings.at(-1) ?? '', /The sign-in to 'Team' has expired/);
			assert.equal(ended.error?.name, 'Canceled');
			assert.deepEqual([getTemplate(), listImports()], ['Hola', sent]);
			await ours.signInAgain(fake);
			await ours.runCommand(push, uri, { picks: ['Overwrite app in Dify…'], buttons: ['Overwrite'] });
			assert.deepEqual([getTemplate(), listImports(), getStoredSecret()], ['Ciao', sent + 1, secret]);
		});

		it('can be canceled at any request: nothing is sent twice, and the next push succeeds', async () => {
			const uri = await changeLocally('v0');
			await ours.runCommand(push, uri, { buttons: ['Push'] });
			for (let at = 1; at <= 6; at++) {
				const before = getTemplate();
				const mine = `v${at}`;
				ours.changeFile('greeter.yml', text => text.replace(/template: v\d/, `template: ${mine}`));
				const sent = listImports();
				const done = await cancelDuring(fake, at, () => ours.runCommand(push, uri));
				assert.ok(done.error === undefined || isCancellation(done.error), `${at}: ${done.error?.message}`);
				assert.ok([before, mine].includes(getTemplate()), getTemplate());
				assert.ok(listImports() - sent <= 1, 'sent once at most');
				assert.equal(getTemplate() === mine, listImports() > sent, `${at}: ${JSON.stringify(done)}`);
				assert.deepEqual(done.placeHolders, []);
				const next = await ours.runCommand(push, uri);
				assert.deepEqual([next.error, next.placeHolders, getTemplate(), getStoredSecret()], [undefined, [], mine, secret]);
			}
		});

		it('reports whether the app was changed by an import that Dify refused', async () => {
			const uri = await changeLocally();
			ours.changeFile('greeter.yml', text => text.replace('name: Greeter', 'name: Host').replace('value: 7', 'value: null'));
			const refused = await ours.runCommand(push, uri, { buttons: ['Push', 'Push'] });
			const isChanged = app.name !== 'Greeter';
			assert.equal(isChanged, release === '1.13.3');
			assert.match(refused.error?.message ?? '', isChanged ? /changed despite the error/ : /didn't change the app/);
			assert.equal(/didn't change the app/.test(refused.error?.message ?? ''), !isChanged);
		});

		it('publishes a file that is pushed first, even if Dify adds fields to it', async () => {
			if (release === '1.16.0') {
				return;
			}
			const uri = await changeLocally();
			await ours.runCommand(push, uri, { buttons: ['Push', 'Push'] });
			ours.changeFile('greeter.yml', text => text.replace('Bonjour', 'Ciao'));
			fake.fillsIn = data => (data['type'] === 'end' ? { retries: 0 } : {});
			const done = await ours.runCommand(publish, uri, {
				picks: ['Push file first…'],
				texts: ['second', ''],
				buttons: [undefined, 'Publish'],
			});
			assert.deepEqual([done.error, app.versions.length, getTemplate()], [undefined, 1, 'Ciao']);
			assert.match(ours.readFile('greeter.yml'), /retries: 0/);
			assert.match((await ours.runCommand('agentWorkbench.difyApp.compare', uri)).infos[0] ?? '', /in Dify are identical/);
			const secondPush = await ours.runCommand(push, uri);
			assert.match(secondPush.infos[0] ?? '', /^Nothing to push/);
		});

		it("asks for confirmation with the app's name in Dify, not with the file name", async () => {
			if (release === '1.16.0') {
				return;
			}
			await pullApp();
			ours.writeFile('harmless.yml', ours.readFile('greeter.yml'));
			const uri = ours.getFileUri('harmless.yml');
			ours.writeFile('harmless.dify.json', ours.readFile('greeter.dify.json'));
			const asked = await ours.runCommand(publish, uri, { texts: ['', ''], buttons: [undefined] });
			assert.match(asked.warnings[0] ?? '', /^Publish the draft of 'Greeter' in Dify\?$/);
			const unsafe = await runInUntrustedWorkspace(() => ours.runCommand(publish, uri, { texts: ['', ''], button: 'Publish' }));
			assert.match(unsafe.error?.message ?? '', /in a trusted workspace/);
			assert.equal(app.versions.length, 0);
			fake.publishDraft(app, 'first');
			editElsewhere('Hola');
			const versions = 'agentWorkbench.difyApp.versions';
			const createPicks = () => ['first', 'Restore as draft…'];
			assert.match(
				(await ours.runCommand(versions, uri, { picks: createPicks(), buttons: [undefined] })).warnings[0] ?? '',
				/the draft of 'Greeter'/,
			);
			assert.ok((await runInUntrustedWorkspace(() => ours.runCommand(versions, uri, { picks: createPicks(), button: 'Restore' }))).error);
			assert.equal(getTemplate(), 'Hola');
		});
	});
}
