import assert from 'node:assert/strict';
import { logInToConsole } from '#client/dify/consoleLogin.ts';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import type { DifySession } from '#client/dify/management.ts';
import { openManagement } from '#client/dify/openManagement.ts';
import { signOut } from '#client/dify/signOut.ts';
import {
	createAgentText,
	createDeviceSession,
	listRequests,
	manageDeployment,
	startTrackedDeployment,
	stopDeployments,
} from './managed.ts';

const network = { environment: {} };

describe("sessions of Dify's console", () => {
	afterEach(stopDeployments);

	for (const [release, hostCookies] of [
		['1.9.1', false],
		['1.9.2', false],
		['1.11.1', true],
		['1.11.2', false],
		['1.14.2', true],
	] as const) {
		it(`${release}: encodes a password correctly, stores each refreshed session and ends at sign-out`, async () => {
			const { fake, management, sessions } = await manageDeployment({ release, hostCookies });
			assert.equal(fake.account.failedLogins, 0);
			await Promise.all([management.apps({ page: 1 }), management.workspaces(), management.apps({ page: 1 })]);
			assert.equal(listRequests(fake).filter(path => path.includes('refresh')).length, 1);
			// an access token is valid for an hour
			fake.advanceClock(3700);
			await Promise.all([management.apps({ page: 1 }), management.apps({ page: 1 })]);
			assert.equal(listRequests(fake).filter(path => path.includes('refresh')).length, 2);
			const made = await management.importApp({ text: createAgentText() });
			fake.advanceClock(3700);
			// the request was refused before it took effect, so it is sent again with a new token
			await management.setServiceApi(made.appId!, false);
			assert.equal(fake.apps[0]!.serviceApi, false);
			assert.equal(sessions.length, 3);
			const last = sessions.at(-1)!;
			assert.ok(last.kind === 'console' && fake.sessions.isRefreshToken(last.refreshToken));
			assert.equal(last.email, fake.account.email);

			const deployment = await detectDeployment(fake.origin, { network });
			await signOut(deployment, last, { network });
			assert.ok(!fake.sessions.isRefreshToken(last.refreshToken));
			await signOut(deployment, last, { network });
		});
	}

	it('stores a new refresh token before it sends a request with the new access token', async () => {
		const { fake } = await manageDeployment({ release: '1.14.2' });
		const deployment = await detectDeployment(fake.origin, { network });
		const { session } = await logInToConsole(deployment, { ...fake.account, network });
		const order: string[] = [];
		let fails = true;
		const management = openManagement({
			deployment,
			session,
			network,
			onRequest: ({ operation }) => order.push(operation),
			onSession: async kept => {
				order.push(kept === undefined ? 'over' : 'keeping');
				await new Promise(resolve => setImmediate(resolve));
				if (fails) {
					throw new Error('The keychain is locked');
				}
				order.push('kept');
			},
		});
		await assert.rejects(management.apps({ page: 1 }), { message: 'The keychain is locked' });
		fails = false;
		await management.apps({ page: 1 });
		assert.deepEqual(order, ['refresh', 'keeping', 'keeping', 'kept', 'apps']);
	});

	it('reports an ended session to the caller and to the session store, once', async () => {
		const { fake, management, sessions } = await manageDeployment({ release: '1.14.2' });
		fake.sessions.endConsoleSession();
		await assert.rejects(management.apps({ page: 1 }), { reason: 'auth', code: 'session_expired', message: /Sign in again/ });
		assert.deepEqual(sessions, [undefined]);
	});

	it("doesn't retry a refresh after a lost reply", async () => {
		const { fake, management, sessions } = await manageDeployment({ release: '1.14.2' });
		fake.faults.planFault(/refresh-token/, { kind: 'lost' });
		await assert.rejects(management.publish('a', { name: '', comment: '' }), { reason: 'network' });
		assert.deepEqual(listRequests(fake), ['POST /console/api/refresh-token']);
		await assert.rejects(management.apps({ page: 1 }), { code: 'session_expired' });
		assert.deepEqual(sessions, [undefined]);
	});

	it('explains a refused sign-in and suggests a fix', async () => {
		const fake = await startTrackedDeployment({ release: '1.14.2' });
		const deployment = await detectDeployment(fake.origin, { network });
		const logIn = (password = fake.account.password) => logInToConsole(deployment, { email: fake.account.email, password, network });
		for (let tries = 1; tries <= 5; tries++) {
			await assert.rejects(logIn('wrong-password'), { reason: 'auth', code: 'authentication_failed' });
		}
		await assert.rejects(logIn(), { reason: 'rate-limited', code: 'email_code_login_limit', message: /for a day/ });
		fake.account.failedLogins = 0;
		fake.account.banned = true;
		await assert.rejects(logIn(), { code: 'account_banned' });
		fake.account.banned = false;
		const { roles } = fake.account;
		const [[workspace, role] = ['', '']] = [...roles];
		roles.clear();
		await assert.rejects(logIn(), { code: 'no_workspace', message: /invitation/ });
		roles.set(workspace, role);
		assert.equal((await logIn()).defaultWorkspaceId, workspace);
		assert.deepEqual(listRequests(fake).filter(path => path.endsWith('/login')).length, 9);
		const closed = await startTrackedDeployment({ release: '1.14.2', passwordLogin: false });
		const there = { ...deployment, origin: closed.origin };
		await assert.rejects(logInToConsole(there, { ...closed.account, network }), { reason: 'auth', message: /doesn't accept passwords/ });
		await assert.rejects(logInToConsole({ ...deployment, version: undefined }, { ...fake.account, network }), { code: 'unknown_release' });
	});

	it('acts as the owner of the named workspace with an admin key', async () => {
		const fake = await startTrackedDeployment({ release: '1.14.2', adminKey: 'admin-key-of-the-server' });
		const deployment = await detectDeployment(fake.origin, { network });
		const other = fake.addWorkspace('Other', 'normal');
		fake.addApp(createAgentText(), other.id);
		const session: DifySession = { kind: 'admin', key: 'admin-key-of-the-server', workspaceId: fake.workspace.id };
		const management = openManagement({ deployment, session, network, onSession() {} });
		assert.equal((await management.apps({ page: 1 })).total, 0);
		await management.switchWorkspace(other.id);
		assert.equal((await management.apps({ page: 1 })).total, 1);
		assert.equal(fake.account.currentWorkspace, fake.workspace.id);
		const wrong = openManagement({ deployment, session: { ...session, key: 'another-key' }, network, onSession() {} });
		await assert.rejects(wrong.apps({ page: 1 }), { code: 'session_expired' });
	});

	it('refuses a device token for a deployment without /openapi before sending it', async () => {
		const fake = await startTrackedDeployment({ release: '1.18.0', openapiEnabled: false });
		const deployment = await detectDeployment(fake.origin, { network });
		assert.throws(() => openManagement({ deployment, session: createDeviceSession(fake), network, onSession() {} }), {
			code: 'switched_off',
		});
	});
});
