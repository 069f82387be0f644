import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { AppOfDeployment } from '#editor/dify/difyTypes.ts';
import { root } from '../../../../scripts/lib/paths.ts';
import { answerDialogs } from '../../../support/editor/answers.ts';
import { DeploymentsUnderTest } from '../../../support/editor/deploymentsUnderTest.ts';
import { DifyDeployment, type DifyOptions } from '../../../support/services/dify/difyDeployment.ts';
import type { FakeApp } from '../../../support/services/dify/state.ts';

const text = fs.readFileSync(path.join(root, 'samples/agents/translate.yml'), 'utf8');

describe('an API key of an app', () => {
	let fake: DifyDeployment;
	let ours: DeploymentsUnderTest;
	let app: FakeApp;
	const startDeployment = async (options: DifyOptions) => {
		fake = new DifyDeployment({ deviceInterval: 0, ...options });
		await fake.start();
		app = fake.addApp(text);
		ours = new DeploymentsUnderTest();
		await ours.addConnection(fake);
		await (options.release === '1.13.3' ? ours.signInByPassword(fake) : ours.signInByCode(fake));
	};
	afterEach(async () => {
		await ours.dispose();
		await fake.stop();
		assert.deepEqual(fake.errors, []);
	});
	const createApp = (): AppOfDeployment => ({
		connectionId: 'dify',
		app: { id: app.id, name: app.name, description: '', mode: app.mode, updatedAt: undefined },
	});
	const listNested = () => ours.window.settings.listEntries().find(({ deployment }) => deployment === 'dify');

	it('is created by the console and saved only in SecretStorage, with a connection named after the app', async () => {
		await startDeployment({ release: '1.13.3' });
		app.serviceApi = true;
		await ours.runCommand('agentWorkbench.difyApp.createKey', createApp());
		const entry = listNested()!;
		assert.deepEqual([entry.name, entry.app, entry.baseUrl], [app.name, app.id, `${fake.origin}/v1`]);
		const [key] = app.keys;
		assert.deepEqual(await ours.window.keys.get(entry), { agent: key!.token });
		assert.ok(!ours.readLogAndSettings().includes(key!.token));
		const again = await ours.runCommand('agentWorkbench.difyApp.createKey', createApp());
		assert.match(again.infos[0]!, /already has a key/);
		assert.equal(app.keys.length, 1);
	});

	it('is created once for two requests at the same time', async () => {
		await startDeployment({ release: '1.13.3' });
		app.serviceApi = true;
		const create = ours.handlers['agentWorkbench.difyApp.createKey']!;
		await answerDialogs({}, () => Promise.all([create(createApp()), create(createApp())]));
		assert.equal(app.keys.length, 1);
		assert.equal(ours.window.settings.listEntries().filter(({ deployment }) => deployment === 'dify').length, 1);
	});

	it("isn't created before the user has agreed to turn on the service API", async () => {
		await startDeployment({ release: '1.13.3' });
		app.serviceApi = false;
		const unsure = await ours.runCommand('agentWorkbench.difyApp.createKey', createApp());
		assert.match(unsure.warnings[0]!, /^The service API of '.*' is turned off\.$/);
		assert.deepEqual([app.keys.length, listNested()], [0, undefined]);
		await ours.runCommand('agentWorkbench.difyApp.createKey', createApp(), { button: 'Enable and create key' });
		assert.deepEqual([app.serviceApi, app.keys.length], [true, 1]);
	});

	it('is one of at most ten', async () => {
		await startDeployment({ release: '1.13.3' });
		app.serviceApi = true;
		for (let n = 0; n < 10; n++) {
			app.keys.push({ id: `k${n}`, token: `app-${n}`, createdAt: fake.getTime(), lastUsedAt: null });
		}
		await assert.rejects(
			ours.runCommand('agentWorkbench.difyApp.createKey', createApp()),
			/already has 10 keys, the most that Dify allows/,
		);
		assert.equal(listNested(), undefined);
	});

	it("is pasted if the sign-in can't create keys, and leaves no connection behind if the user cancels", async () => {
		await startDeployment({ release: '1.18.0' });
		app.serviceApi = true;
		const shown = await ours.runCommand('agentWorkbench.difyApp.createKey', createApp(), { button: 'Paste key' });
		assert.match(shown.infos[0]!, /^Add an API key for '.*'$/);
		assert.equal(listNested(), undefined);
	});

	it('is deleted in Dify together with its connection', async () => {
		await startDeployment({ release: '1.13.3' });
		app.serviceApi = true;
		app.keys.push({ id: 'other', token: 'app-other-key', createdAt: fake.getTime(), lastUsedAt: null });
		await ours.runCommand('agentWorkbench.difyApp.createKey', createApp());
		const own = app.keys.find(({ id }) => id !== 'other')!.token;
		await ours.runCommand('agentWorkbench.difyApp.deleteKey', createApp(), {
			picks: [`app-…${own.slice(-4)}`],
			button: 'Delete key and connection',
		});
		assert.deepEqual(
			app.keys.map(({ id }) => id),
			['other'],
		);
		assert.equal(listNested(), undefined);
	});

	it("opens the app's page, and only web addresses", async () => {
		await startDeployment({ release: '1.18.0' });
		assert.equal(await ours.deployments.getAppUrl('dify', 'a/b'), `${fake.origin}/app/a%2Fb/workflow`);
	});
});
