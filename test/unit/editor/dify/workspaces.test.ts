import assert from 'node:assert/strict';
import { DeploymentsUnderTest } from '../../../support/editor/deploymentsUnderTest.ts';
import { DifyDeployment } from '../../../support/services/dify/difyDeployment.ts';
import { createWorkflowFile } from '../../../support/services/dify/sampleApps.ts';

describe('the workspace of a sign-in to a console', () => {
	let fake: DifyDeployment;
	let ours: DeploymentsUnderTest;
	beforeEach(async () => {
		fake = new DifyDeployment({ release: '1.13.3' });
		await fake.start();
		ours = new DeploymentsUnderTest();
		await ours.addConnection(fake);
	});
	afterEach(async () => {
		await ours.dispose();
		await fake.stop();
		assert.deepEqual(fake.errors, []);
	});
	const listNames = async () => (await ours.deployments.loadAppPage('dify', { page: 1 })).apps.map(({ name }) => name);

	it('is the selected one, on the console too', async () => {
		const other = fake.addWorkspace('Other team');
		fake.addApp(createWorkflowFile({ name: 'Theirs' }), other.id);
		const { email, password } = fake.account;
		await ours.runCommand('agentWorkbench.dify.signIn', 'dify', {
			picks: ['$(lock) Email and password', 'Other team'],
			texts: [email, password],
		});
		assert.equal(fake.account.currentWorkspace, other.id);
		assert.deepEqual(await listNames(), ['Theirs']);
	});

	it("isn't changed by a switch in the browser: listing and pushing are refused until it is switched here", async () => {
		fake.addApp(createWorkflowFile({ name: 'Ours' }));
		await ours.signInByPassword(fake);
		assert.deepEqual(await listNames(), ['Ours']);
		const other = fake.addWorkspace('Other team');
		fake.account.currentWorkspace = other.id;
		const assertSwitched = (error: Error & { remedy?: { command: string } }) => {
			assert.match(error.message, /switched to the workspace 'Other team'/);
			return error.remedy?.command === 'agentWorkbench.dify.switchWorkspace';
		};
		await assert.rejects(listNames(), assertSwitched);
		const management = await ours.deployments.getManagement('dify');
		await assert.rejects(management.importApp({ text: createWorkflowFile({ name: 'New' }) }), assertSwitched);
		assert.deepEqual(
			fake.apps.map(({ name, workspaceId }) => [name, workspaceId]),
			[['Ours', fake.workspace.id]],
		);
		// switch back to the workspace that is selected here
		await ours.runCommand('agentWorkbench.dify.switchWorkspace', 'dify', { picks: ["Ana's Workspace"] });
		assert.deepEqual(await listNames(), ['Ours']);
		fake.account.currentWorkspace = other.id;
		await ours.runCommand('agentWorkbench.dify.switchWorkspace', 'dify', { picks: ['Other team'] });
		assert.deepEqual(await listNames(), []);
		assert.equal((await ours.deployments.getWorkspace('dify'))?.name, 'Other team');
	});
});
