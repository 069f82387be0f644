import assert from 'node:assert/strict';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import { openManagement } from '#client/dify/openManagement.ts';
import type { AppOfDeployment } from '#editor/dify/difyTypes.ts';
import { AppsUnderTest } from '../../../support/editor/appsUnderTest.ts';
import { type DifyDeployment, startDifyDeployment } from '../../../support/services/dify/difyDeployment.ts';
import type { FakeApp } from '../../../support/services/dify/state.ts';
import { appText } from '../../dify/syncedApp.ts';

const key = 'admin-key-of-the-test';

for (const release of ['1.13.3', '1.16.0', '1.18.0']) {
	describe(`the commands on apps of Dify ${release}`, () => {
		let fake: DifyDeployment;
		let app: FakeApp;
		let apps: AppsUnderTest;
		let of: AppOfDeployment;
		beforeEach(async () => {
			fake = await startDifyDeployment({ release, adminKey: key, rateLimit: 10_000 });
			app = fake.addApp(appText.replace("value: ''", 'value: sk-there'));
			const deployment = await detectDeployment(fake.origin);
			const workspaceId = fake.workspace.id;
			const session =
				deployment.generation === 'console'
					? ({ kind: 'admin', key, workspaceId } as const)
					: ({ kind: 'device', token: fake.sessions.issueToken().token, expiresAt: undefined, email: undefined } as const);
			const management = openManagement({ deployment, workspaceId, session, onSession: () => {} });
			apps = new AppsUnderTest(undefined, { management, workspaceId });
			of = { connectionId: 'dify', app: { id: app.id, name: app.name, description: '', mode: 'workflow', updatedAt: undefined } };
		});
		afterEach(async () => {
			await apps.dispose();
			await fake.stop();
			assert.deepEqual(fake.errors, []);
		});
		const getTemplate = () => String(app.draft?.graph.nodes.find(({ id }) => id === 't')?.data['template']);
		const editElsewhere = (text: string) =>
			fake.editDraft(app, ({ graph }) => {
				Object.assign(graph.nodes.find(({ id }) => id === 't')?.data ?? {}, { template: text });
			});

		it("pull, push, show another user's changes and overwrite them if confirmed, and lose no secret", async () => {
			const pull = await apps.runCommand('agentWorkbench.difyApp.pull', of, { texts: ['greeter'] });
			assert.equal(pull.error, undefined);
			const uri = apps.getFileUri('greeter.yml');
			apps.writeFile('greeter.yml', apps.readFile('greeter.yml').replace('Hello', 'Bonjour'));
			const pushed = await apps.runCommand('agentWorkbench.difyApp.push', uri, { buttons: ['Push', 'Push'] });
			assert.deepEqual([pushed.error, getTemplate()], [undefined, 'Bonjour']);
			editElsewhere('Hola');
			apps.writeFile('greeter.yml', apps.readFile('greeter.yml').replace('Bonjour', 'Ciao'));
			const left = await apps.runCommand('agentWorkbench.difyApp.push', uri, { picks: ['Cancel'] });
			assert.deepEqual([left.error, getTemplate()], [undefined, 'Hola']);
			await apps.runCommand('agentWorkbench.difyApp.push', uri, { picks: ['Overwrite app in Dify…'], buttons: ['Overwrite'] });
			assert.equal(getTemplate(), 'Ciao');
			assert.match(apps.readBackups().at(-1) ?? '', /template: Hola/);
			assert.equal(app.draft?.environment.find(({ name }) => name === 'KEY')?.value, 'sk-there');
			assert.ok(!apps.readBackups().join().includes('sk-there'));
			assert.match(
				(await apps.runCommand('agentWorkbench.difyApp.compare', uri)).infos[0] ?? '',
				/greeter\.yml' and the app 'Greeter' in Dify are identical/,
			);
		});

		it('publish, or open the page for publishing; versions are restored as the draft', async () => {
			const publishApp = () => apps.runCommand('agentWorkbench.difyApp.publish', of, { texts: ['first', ''], buttons: ['Publish'] });
			const published = await publishApp();
			assert.equal(published.error, undefined);
			if (release === '1.16.0') {
				assert.match(published.infos[0] ?? '', /^Apps on Dify 1\.16\.0 at .* can only be published in the browser/);
				return;
			}
			assert.match(published.infos[0] ?? '', /^Published 'Greeter'/);
			editElsewhere('Hola');
			const restored = await apps.runCommand('agentWorkbench.difyApp.versions', of, {
				picks: ['first', 'Restore as draft…'],
				buttons: ['Restore'],
			});
			assert.deepEqual([restored.error, getTemplate()], [undefined, 'Hello']);
			assert.match(apps.readBackups().at(-1) ?? '', /template: Hola/);
		});
	});
}
