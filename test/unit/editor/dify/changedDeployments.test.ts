import assert from 'node:assert/strict';
import { answerDialogs } from '../../../support/editor/answers.ts';
import { DeploymentsUnderTest } from '../../../support/editor/deploymentsUnderTest.ts';
import { DifyDeployment, type DifyOptions } from '../../../support/services/dify/difyDeployment.ts';
import { createWorkflowFile } from '../../../support/services/dify/sampleApps.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

describe('a deployment that changes during a sign-in', () => {
	const started: DifyDeployment[] = [];
	let ours: DeploymentsUnderTest;
	const startDeployment = async (options: DifyOptions) => {
		const fake = new DifyDeployment({ deviceInterval: 0, ...options });
		await fake.start();
		started.push(fake);
		return fake;
	};
	afterEach(async () => {
		await ours.dispose();
		for (const fake of started.splice(0)) {
			await fake.stop();
			assert.deepEqual(fake.errors, []);
		}
	});

	it('is detected again after an unexpected response, because it was updated', async () => {
		const fake = await startDeployment({ release: '1.15.0' });
		const app = fake.addApp(createWorkflowFile());
		app.serviceApi = true;
		ours = new DeploymentsUnderTest();
		await ours.addConnection(fake);
		await ours.signInByCode(fake);
		const before = await ours.deployments.getManagement('dify');
		assert.equal(before.deployment.generation, 'openapi-1.15');
		assert.match((await before.exportApp(app.id)).text, /Greeter/);
		fake.updateRelease('1.18.0');
		await assert.rejects(before.exportApp(app.id));
		const after = await ours.deployments.getManagement('dify');
		assert.equal(after.deployment.generation, 'openapi-1.18');
		assert.match((await after.exportApp(app.id)).text, /Greeter/);
		assert.ok(after.offers.has('publish') && !before.offers.has('publish'));
	});

	it('is detected again at each sign-in', async () => {
		const fake = await startDeployment({ release: '1.13.3' });
		ours = new DeploymentsUnderTest();
		await ours.addConnection(fake);
		await ours.signInByPassword(fake);
		assert.equal((await ours.deployments.getDeployment('dify')).generation, 'console');
		fake.updateRelease('1.18.0');
		await ours.signInByCode(fake);
		assert.equal((await ours.deployments.loadAppPage('dify', { page: 1 })).total, 0);
	});

	for (const change of ['removed', 'moved'] as const) {
		it(`revokes the new token if the connection is ${change} during the sign-in`, async () => {
			const fake = await startDeployment({ release: '1.18.0' });
			ours = new DeploymentsUnderTest();
			await ours.addConnection(fake);
			const answers = { picks: ['$(globe) Browser'], button: 'Copy code' };
			await answerDialogs(answers, async () => {
				const signIn = Promise.resolve(ours.handlers['agentWorkbench.dify.signIn']!('dify'));
				const refused = assert.rejects(signIn, /was removed or changed in the meantime/);
				await waitUntil('it waits', () => fake.sessions.logins.length > 0);
				await (change === 'removed'
					? ours.window.settings.removeEntries(['dify'])
					: ours.addConnection({ origin: 'https://elsewhere.example.com' }));
				fake.sessions.approveLogin();
				await refused;
			});
			assert.equal(fake.sessions.tokens[0]?.revoked, true);
			assert.equal(await ours.readSecrets(), '');
		});
	}

	it("isn't signed in once its connection is removed from the settings", async () => {
		const fake = await startDeployment({ release: '1.18.0' });
		ours = new DeploymentsUnderTest();
		await ours.addConnection(fake);
		await ours.signInByCode(fake);
		await ours.window.settings.removeEntries(['dify']);
		assert.deepEqual(ours.deployments.getState('dify'), { kind: 'signed-out' });
		assert.deepEqual(ours.deployments.listConnectionsAt(fake.origin), []);
		await assert.rejects(ours.deployments.getManagement('dify'), { reason: 'unknown-connection' });
	});
});
