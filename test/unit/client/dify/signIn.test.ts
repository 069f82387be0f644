import assert from 'node:assert/strict';
import { formatTurnId } from '#editor/dify/sessions/sessionOwner.ts';
import { answerDialogs } from '../../../support/editor/answers.ts';
import { DeploymentsUnderTest } from '../../../support/editor/deploymentsUnderTest.ts';
import { DifyDeployment, type DifyOptions } from '../../../support/services/dify/difyDeployment.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

describe('signing in to a Dify deployment', () => {
	let fake: DifyDeployment;
	let ours: DeploymentsUnderTest;
	const startSignIn = async (options: DifyOptions) => {
		fake = new DifyDeployment({ deviceInterval: 0, ...options });
		await fake.start();
		ours = new DeploymentsUnderTest();
		await ours.addConnection(fake);
	};
	afterEach(async () => {
		await ours.dispose();
		await fake.stop();
		assert.deepEqual(fake.errors, []);
	});
	/** Asserts that no issued secret is readable outside SecretStorage. */
	const assertUnseen = (text: string) =>
		assert.deepEqual(
			[...fake.secrets].filter(secret => text.includes(secret)),
			[],
		);

	for (const release of ['1.15.0', '1.16.0', '1.18.0']) {
		it(`uses a code in the browser (${release}), and stores the token only in SecretStorage`, async () => {
			await startSignIn({ release });
			assert.deepEqual(ours.deployments.getState('dify'), { kind: 'signed-out' });
			const shown = await ours.signInByCode(fake);
			assert.match(shown.infos[0]!, /^Confirm the code [A-Z]{4}-[A-Z]{4}$/);
			assert.match(shown.infos[1]!, /^Signed in to 'Team' until /);
			assert.match(shown.placeHolders[0]!, /^You can pull/);
			const state = ours.deployments.getState('dify');
			assert.deepEqual(state, {
				kind: 'signed-in',
				account: 'ana@example.com',
				workspaceId: fake.workspace.id,
				workspace: "Ana's Workspace",
			});
			assert.match(fake.sessions.tokens[0]!.label, /^Agent Workbench on .* \(Team\)$/);
			const management = await ours.deployments.getManagement('dify');
			assert.equal(management.deployment.version, release);
			assert.deepEqual(await ours.deployments.loadApps('dify'), []);
			assert.ok((await ours.readSecrets()).includes(fake.sessions.tokens[0]!.token));
			assertUnseen(ours.readLogAndSettings());
			assertUnseen([...shown.infos, ...shown.warnings, ...shown.placeHolders].join());
		});
	}

	it('uses a password for a console, and stores only the latest refresh token', async () => {
		await startSignIn({ release: '1.13.3' });
		await ours.signInByPassword(fake);
		assert.equal(ours.deployments.getState('dify').kind, 'signed-in');
		const first = await ours.readSecrets();
		const [kept, ...others] = [...fake.secrets].filter(secret => first.includes(secret));
		assert.match(kept!, /^refresh-/);
		assert.deepEqual(others, [], 'no password, no access token');
		assert.deepEqual(await ours.deployments.loadApps('dify'), []);
		const second = await ours.readSecrets();
		assert.ok(!second.includes(kept!), 'it was used, and is dead');
		assertUnseen(ours.readLogAndSettings());
	});

	it('reports why a deployment accepts no sign-in, and what its operator can enable', async () => {
		await startSignIn({ release: '1.16.0', openapiEnabled: false, passwordLogin: false });
		await assert.rejects(ours.runCommand('agentWorkbench.dify.signIn', 'dify'), /OPENAPI_ENABLED/);
		assert.equal(ours.deployments.getState('dify').kind, 'signed-out');
	});

	it('sends nothing over an unencrypted network', async () => {
		await startSignIn({ release: '1.18.0' });
		await ours.addConnection({ origin: 'http://dify.example.com' });
		await assert.rejects(ours.runCommand('agentWorkbench.dify.signIn', 'dify'), /https:\/\//);
	});

	it('asks nothing more of a user who denied it in the browser', async () => {
		await startSignIn({ release: '1.18.0' });
		const waiting = setInterval(() => fake.sessions.logins.at(-1)?.state === 'pending' && fake.sessions.denyLogin(), 5);
		const answers = { picks: ['$(globe) Browser'], button: 'Copy code' };
		await assert.rejects(ours.runCommand('agentWorkbench.dify.signIn', 'dify', answers), /denied/).finally(() => clearInterval(waiting));
		assert.equal(ours.deployments.getState('dify').kind, 'signed-out');
		assert.equal(await ours.readSecrets(), '');
	});

	it('stays valid while the origin is the same', async () => {
		await startSignIn({ release: '1.18.0' });
		await ours.signInByCode(fake);
		await ours.addConnection({ origin: 'https://other.example.com' });
		await ours.deployments.readSignIns();
		assert.equal(ours.deployments.getState('dify').kind, 'signed-out');
		await ours.addConnection({ origin: 'https://other.example.com' }, { consoleUrl: fake.origin });
		await ours.deployments.readSignIns();
		assert.equal(ours.deployments.getState('dify').kind, 'signed-in');
	});

	for (const deadTokenStatus of [401, 500] as const) {
		it(`ends when the deployment rejects the token (${deadTokenStatus}), which is then deleted`, async () => {
			await startSignIn({ release: '1.18.0', deadTokenStatus });
			await ours.signInByCode(fake);
			fake.sessions.tokens[0]!.revoked = true;
			await assert.rejects(ours.deployments.loadAppPage('dify', { page: 1 }), (error: Error & { remedy?: { title: string } }) => {
				assert.equal(error.message, "The sign-in to 'Team' has expired.");
				return error.remedy?.title === 'Sign in again';
			});
			assert.deepEqual(ours.deployments.getState('dify'), { kind: 'expired', account: 'ana@example.com' });
			assertUnseen(await ours.readSecrets());
			await ours.signInByCode(fake);
			assert.equal((await ours.deployments.loadAppPage('dify', { page: 1 })).total, 0);
		});
	}

	it('is revoked and deleted by signing out', async () => {
		await startSignIn({ release: '1.18.0' });
		await ours.signInByCode(fake);
		await ours.runCommand('agentWorkbench.dify.signOut', 'dify');
		assert.equal(ours.deployments.getState('dify').kind, 'signed-out');
		assert.equal(await ours.readSecrets(), '');
		await waitUntil('the token is revoked', () => fake.sessions.tokens[0]!.revoked);
	});

	it("is deleted by signing out even if the deployment can't be reached, which is reported", async () => {
		await startSignIn({ release: '1.13.3' });
		await ours.signInByPassword(fake);
		const { origin } = fake;
		await fake.stop();
		const shown = await answerDialogs({}, async () => {
			await ours.handlers['agentWorkbench.dify.signOut']!('dify');
			assert.equal(await ours.readSecrets(), '');
			assert.equal(ours.deployments.getState('dify').kind, 'signed-out');
			// after the turn in which the deployment would be notified
			await ours.turns.runInTurn(formatTurnId({ id: 'dify', origin }), async () => {});
		});
		assert.match(shown.warnings[0]!, /^Signed out of 'Team' on this machine, but couldn't notify the server/);
		await fake.start();
	});

	it('switches the workspace', async () => {
		await startSignIn({ release: '1.18.0' });
		await ours.signInByCode(fake);
		const other = fake.addWorkspace('Other team');
		await ours.runCommand('agentWorkbench.dify.switchWorkspace', 'dify', { picks: ['Other team'] });
		assert.deepEqual(ours.deployments.getState('dify'), {
			kind: 'signed-in',
			account: 'ana@example.com',
			workspaceId: other.id,
			workspace: 'Other team',
		});
		assert.equal((await ours.deployments.getWorkspace('dify'))?.name, 'Other team');
	});

	it('is shared by two windows, although each refresh token is valid only once', async () => {
		await startSignIn({ release: '1.13.3' });
		await ours.signInByPassword(fake);
		const other = new DeploymentsUnderTest(ours);
		try {
			for (let round = 0; round < 3; round++) {
				// both at the same time, then one after the other
				const both = await Promise.all([ours, other].map(each => each.deployments.loadAppPage('dify', { page: 1 })));
				assert.deepEqual(
					both.map(({ total }) => total),
					[0, 0],
				);
				fake.advanceClock(3700);
				await ours.deployments.loadAppPage('dify', { page: 1 });
				await other.deployments.loadAppPage('dify', { page: 1 });
				fake.advanceClock(3700);
			}
			assert.equal(ours.deployments.getState('dify').kind, 'signed-in');
			await ours.runCommand('agentWorkbench.dify.signOut', 'dify');
			await waitUntil('the other window knows', () => other.deployments.getState('dify').kind === 'signed-out');
			await assert.rejects(other.deployments.loadAppPage('dify', { page: 1 }), { reason: 'signed-out' });
		} finally {
			other.closeWindow();
		}
	});
});
