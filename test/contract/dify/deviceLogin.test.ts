import assert from 'node:assert/strict';
import { detectDeployment } from '../../../src/client/dify/detectDeployment.ts';
import { type DeviceLogin, startDeviceLogin } from '../../../src/client/dify/deviceLogin.ts';
import type { DifyManagement, DifySession } from '../../../src/client/dify/management.ts';
import { openManagement } from '../../../src/client/dify/openManagement.ts';
import { signOut } from '../../../src/client/dify/signOut.ts';
import type { DifyDeployment, DifyOptions } from '../../support/services/dify/difyDeployment.ts';
import { asked, start, stopAll } from './managed.ts';

const network = { environment: {} };

describe('sign-in to Dify in the browser', () => {
	after(stopAll);

	async function begin(options: Partial<DifyOptions> = {}, clientId = 'difyctl'): Promise<{ fake: DifyDeployment; login: DeviceLogin }> {
		const fake = await start({ release: '1.18.0', deviceInterval: 0, ...options });
		const deployment = await detectDeployment(fake.origin, { network });
		return { fake, login: await startDeviceLogin(deployment, { clientId, deviceLabel: 'Agent Workbench on here', network }) };
	}

	/** Resolves when the login was asked after. */
	async function askedAfter(fake: DifyDeployment): Promise<void> {
		while (!fake.requests.some(({ path, status }) => path.endsWith('/device/token') && status !== undefined)) {
			await new Promise(resolve => setImmediate(resolve));
		}
	}

	for (const release of ['1.15.0', '1.16.0', '1.18.0']) {
		it(`waits for the approval (${release})`, async () => {
			const { fake, login } = await begin({ release });
			assert.match(login.userCode, /^\w{4}-\w{4}$/);
			assert.equal(login.verificationUri, `${fake.origin}/device`);
			assert.ok(login.expiresAt > Date.now());
			assert.ok(!JSON.stringify(login).includes(fake.sessions.logins[0]!.deviceCode));
			const finished = login.finish();
			await askedAfter(fake);
			fake.sessions.approve();
			const { session, account, workspaces, defaultWorkspaceId } = await finished;
			assert.deepEqual(account, { email: 'ana@example.com', name: 'Ana' });
			assert.deepEqual(workspaces, [{ id: fake.workspace.id, name: fake.workspace.name, role: 'owner', current: false }]);
			assert.equal(defaultWorkspaceId, fake.workspace.id);
			assert.ok(session.kind === 'device' && fake.sessions.living(session.token));
			assert.ok(session.kind === 'device' && session.expiresAt! > Date.now() / 1000);
			assert.equal(fake.sessions.tokens[0]!.label, 'Agent Workbench on here');
		});
	}

	it('goes on where it asked too often', async () => {
		const hasty = await begin({ deviceInterval: 0.01 });
		hasty.fake.freeze();
		const giveUp = new AbortController();
		const finished = hasty.login.finish({ signal: giveUp.signal });
		const polls = () => hasty.fake.requests.filter(({ path, status }) => path.endsWith('/device/token') && status === 400);
		while (polls().length < 2) {
			await new Promise(resolve => setImmediate(resolve));
		}
		// it would have rejected by now: the second answer was slow_down
		await assert.rejects(
			Promise.race([finished, new Promise(resolve => setImmediate(resolve)).then(() => Promise.reject('waits'))]),
			reason => reason === 'waits',
		);
		giveUp.abort();
		await assert.rejects(finished, { reason: 'aborted' });
	});

	it('waits for as long as the deployment says', async () => {
		const { fake, login } = await begin();
		fake.faults.plan(/device\/token/, { kind: 'refuse', status: 429, retryAfter: 1 });
		fake.sessions.approve();
		assert.equal((await login.finish()).session.kind, 'device');
		assert.equal(asked(fake).filter(path => path.endsWith('/device/token')).length, 2);
	});

	it('ends in words when it is denied, runs out or is given up', async () => {
		const denied = await begin();
		denied.fake.sessions.deny();
		await assert.rejects(denied.login.finish(), { reason: 'auth', code: 'access_denied', message: /denied in the browser/ });
		const late = await begin();
		late.fake.advance(901);
		await assert.rejects(late.login.finish(), { reason: 'auth', code: 'expired_token', message: /Begin again/ });
		const left = await begin();
		const giveUp = new AbortController();
		const finished = left.login.finish({ signal: giveUp.signal });
		await askedAfter(left.fake);
		giveUp.abort();
		await assert.rejects(finished, { reason: 'aborted' });
	});

	it('says which switch is off, and which program is not known', async () => {
		await assert.rejects(begin({}, 'nobody'), { code: 'unsupported_client', message: /OPENAPI_KNOWN_CLIENT_IDS/ });
		const fake = await start({ release: '1.18.0' });
		const deployment = await detectDeployment(fake.origin, { network });
		fake.faults.plan(/device\/code/, { kind: 'refuse', status: 503, code: 'bearer_auth_disabled' });
		const options = { clientId: 'difyctl', deviceLabel: 'x', network };
		await assert.rejects(startDeviceLogin(deployment, options), { code: 'switched_off', message: /ENABLE_OAUTH_BEARER=true/ });
		fake.faults.plan(/device\/code/, { kind: 'page', status: 404 });
		await assert.rejects(startDeviceLogin(deployment, options), { code: 'switched_off', message: /OPENAPI_ENABLED/ });
		await assert.rejects(startDeviceLogin({ ...deployment, origin: 'http://dify.example.com' }, options), { message: /has no TLS/ });
	});

	for (const deadTokenStatus of [401, 500] as const) {
		it(`ends at sign-out, and a token that is dead (${deadTokenStatus}) is signed out of too`, async () => {
			const { fake, login } = await begin({ deadTokenStatus });
			fake.sessions.approve();
			const { session } = await login.finish();
			const deployment = await detectDeployment(fake.origin, { network });
			await signOut(deployment, session, { network });
			assert.ok(session.kind === 'device' && !fake.sessions.living(session.token));
			await signOut(deployment, session, { network });

			const kept: (DifySession | undefined)[] = [];
			const management: DifyManagement = openManagement({ deployment, session, network, onSession: next => void kept.push(next) });
			await assert.rejects(management.workspaces(), { reason: 'auth', code: 'session_expired', message: /Sign in again/ });
			assert.deepEqual(kept, [undefined]);
		});
	}
});
