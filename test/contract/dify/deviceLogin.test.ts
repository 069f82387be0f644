import assert from 'node:assert/strict';
import http from 'node:http';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import { type DeviceLogin, startDeviceLogin } from '#client/dify/deviceLogin.ts';
import type { DifyManagement, DifySession } from '#client/dify/management.ts';
import { openManagement } from '#client/dify/openManagement.ts';
import { signOut } from '#client/dify/signOut.ts';
import type { DifyDeployment, DifyOptions } from '../../support/services/dify/difyDeployment.ts';
import { closeServers, getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';
import { listRequests, startTrackedDeployment, stopDeployments } from './managed.ts';

const network = { environment: {} };

describe('sign-in to Dify in the browser', () => {
	after(async () => {
		await stopDeployments();
		await Promise.all(servers.map(server => closeServers(server)));
	});

	async function startLogin(
		options: Partial<DifyOptions> = {},
		clientId = 'difyctl',
	): Promise<{ fake: DifyDeployment; login: DeviceLogin }> {
		const fake = await startTrackedDeployment({ release: '1.18.0', deviceInterval: 0, ...options });
		const deployment = await detectDeployment(fake.origin, { network });
		return { fake, login: await startDeviceLogin(deployment, { clientId, deviceLabel: 'Agent Workbench on here', network }) };
	}

	const honest = {
		device_code: 'device-code-0123456789',
		user_code: 'ABCD-EFGH',
		verification_uri: 'https://dify.example.com/device',
		expires_in: 900,
		interval: 0,
	};
	/**
	 * Starts a login at a server that responds to the start with `answer`, and to polls with `approved` or else `authorization_pending`.
	 */
	async function createScriptedLogin(answer: object, approved?: object): Promise<DeviceLogin> {
		const server = http.createServer((request, response) => {
			const begins = request.url?.endsWith('/code');
			response.writeHead(begins || approved ? 200 : 400, { 'content-type': 'application/json' });
			response.end(JSON.stringify(begins ? answer : (approved ?? { error: 'authorization_pending' })));
		});
		servers.push(server);
		await listenOnLoopback(server);
		const deployment = {
			origin: getServerUrl(server),
			generation: 'openapi-1.18',
			version: '1.18.0',
			edition: undefined,
			signIns: ['device'],
		} as const;
		return startDeviceLogin(deployment, { clientId: 'difyctl', deviceLabel: 'here', network });
	}
	const servers: http.Server[] = [];

	/** Resolves after the first poll. */
	async function waitForFirstPoll(fake: DifyDeployment): Promise<void> {
		while (!fake.requests.some(({ path, status }) => path.endsWith('/device/token') && status !== undefined)) {
			await new Promise(resolve => setImmediate(resolve));
		}
	}

	for (const release of ['1.15.0', '1.16.0', '1.18.0']) {
		it(`waits for the approval (${release})`, async () => {
			const { fake, login } = await startLogin({ release });
			assert.match(login.userCode, /^\w{4}-\w{4}$/);
			assert.equal(login.verificationUri, `${fake.origin}/device`);
			assert.ok(login.expiresAt > Date.now());
			assert.ok(!JSON.stringify(login).includes(fake.sessions.logins[0]!.deviceCode));
			const finished = login.finish();
			await waitForFirstPoll(fake);
			fake.sessions.approveLogin();
			const { session, account, workspaces, defaultWorkspaceId } = await finished;
			assert.deepEqual(account, { email: 'ana@example.com', name: 'Ana' });
			assert.deepEqual(workspaces, [{ id: fake.workspace.id, name: fake.workspace.name, role: 'owner', current: false }]);
			assert.equal(defaultWorkspaceId, fake.workspace.id);
			assert.ok(session.kind === 'device' && fake.sessions.findToken(session.token));
			assert.ok(session.kind === 'device' && session.expiresAt! > Date.now() / 1000);
			assert.equal(fake.sessions.tokens[0]!.label, 'Agent Workbench on here');
		});
	}

	it('continues after slow_down', async () => {
		const hasty = await startLogin({ deviceInterval: 0.01 });
		hasty.fake.freezeClock();
		const giveUp = new AbortController();
		const finished = hasty.login.finish({ signal: giveUp.signal });
		const countPolls = () => hasty.fake.requests.filter(({ path, status }) => path.endsWith('/device/token') && status === 400);
		while (countPolls().length < 2) {
			await new Promise(resolve => setImmediate(resolve));
		}
		// without the longer interval the login would have failed by now, because the second response was slow_down
		await assert.rejects(
			Promise.race([finished, new Promise(resolve => setImmediate(resolve)).then(() => Promise.reject('waits'))]),
			reason => reason === 'waits',
		);
		giveUp.abort();
		await assert.rejects(finished, { reason: 'aborted' });
	});

	it("waits for the delay in the deployment's response", async () => {
		const { fake, login } = await startLogin();
		fake.faults.planFault(/device\/token/, { kind: 'refuse', status: 429, retryAfter: 1 });
		fake.sessions.approveLogin();
		assert.equal((await login.finish()).session.kind, 'device');
		assert.equal(listRequests(fake).filter(path => path.endsWith('/device/token')).length, 2);
	});

	it('continues after a lost response or a temporary error page of a proxy', async () => {
		const { fake, login } = await startLogin();
		fake.faults.planFault(/device\/token/, { kind: 'page', status: 502 });
		fake.faults.planFault(/device\/token/, { kind: 'page', status: 503 });
		fake.faults.planFault(/device\/token/, { kind: 'lost' });
		const finished = login.finish();
		while (listRequests(fake).filter(path => path.endsWith('/device/token')).length < 4) {
			await new Promise(resolve => setImmediate(resolve));
		}
		fake.sessions.approveLogin();
		assert.equal((await finished).session.kind, 'device');
	});

	for (const [what, lie, said] of [
		['a page that is a script', { verification_uri: 'javascript:alert(1)' }, /invalid address for its sign-in page/],
		['a page with a password', { verification_uri: 'https://dify.ai@evil.example.com/device' }, /invalid address for its sign-in page/],
		[
			'a page address of a megabyte',
			{ verification_uri: `https://evil.example.com/${'x'.repeat(1_000_000)}` },
			/invalid address for its sign-in page/,
		],
		['a code with invisible characters', { user_code: 'AB\u202eCD' }, /sign-in code that can't be displayed/],
		['a code of a megabyte', { user_code: 'A'.repeat(1_000_000) }, /sign-in code that can't be displayed/],
		['a code that is an object', { user_code: { a: 1 } }, /has unexpected content/],
	] as const) {
		it(`refuses ${what}`, async () => {
			await assert.rejects(
				createScriptedLogin({ ...honest, ...lie }),
				(error: Error) => said.test(error.message) && error.message.length < 1000,
			);
		});
	}

	it("refuses a token that would add a line to the file it's written to", async () => {
		const login = await createScriptedLogin(honest, { token: 'dfoa_secret\nNODE_OPTIONS=--inspect' });
		await assert.rejects(
			login.finish(),
			(error: Error) => /can't be sent in a request/.test(error.message) && !/secret/.test(error.message),
		);
	});

	it("shows the verification URL in the browser's form", async () => {
		const login = await createScriptedLogin({ ...honest, verification_uri: 'https://d\u0456fy.example.com/de\tvice\u202e' });
		assert.match(login.verificationUri, /^https:\/\/xn--[\w-]+\.example\.com\/device%E2%80%AE$/);
	});

	it('ends when its code expires, no matter how often the deployment allows polls', async () => {
		const login = await createScriptedLogin({ ...honest, interval: 1e9, expires_in: 0 });
		await assert.rejects(login.finish(), { code: 'expired_token' });
		const long = await createScriptedLogin({ ...honest, expires_in: 1e300 });
		assert.ok(long.expiresAt < Date.now() + 3_700_000);
	});

	it('ends with a message when it is denied, expires or is canceled', async () => {
		const denied = await startLogin();
		denied.fake.sessions.denyLogin();
		await assert.rejects(denied.login.finish(), { reason: 'auth', code: 'access_denied', message: /denied in the browser/ });
		const late = await startLogin();
		late.fake.advanceClock(901);
		await assert.rejects(late.login.finish(), { reason: 'auth', code: 'expired_token', message: /Sign in again/ });
		const left = await startLogin();
		const giveUp = new AbortController();
		const finished = left.login.finish({ signal: giveUp.signal });
		await waitForFirstPoll(left.fake);
		giveUp.abort();
		await assert.rejects(finished, { reason: 'aborted' });
	});

	it('names the disabled switch, and an unknown client program', async () => {
		await assert.rejects(startLogin({}, 'nobody'), { code: 'unsupported_client', message: /OPENAPI_KNOWN_CLIENT_IDS/ });
		const fake = await startTrackedDeployment({ release: '1.18.0' });
		const deployment = await detectDeployment(fake.origin, { network });
		fake.faults.planFault(/device\/code/, { kind: 'refuse', status: 503, code: 'bearer_auth_disabled' });
		const options = { clientId: 'difyctl', deviceLabel: 'x', network };
		await assert.rejects(startDeviceLogin(deployment, options), { code: 'switched_off', message: /ENABLE_OAUTH_BEARER=true/ });
		fake.faults.planFault(/device\/code/, { kind: 'page', status: 404 });
		await assert.rejects(startDeviceLogin(deployment, options), { code: 'switched_off', message: /OPENAPI_ENABLED/ });
		await assert.rejects(startDeviceLogin({ ...deployment, origin: 'http://dify.example.com' }, options), {
			message: /without encryption/,
		});
	});

	for (const deadTokenStatus of [401, 500] as const) {
		it(`ends at sign-out, which also accepts an expired token (${deadTokenStatus})`, async () => {
			const { fake, login } = await startLogin({ deadTokenStatus });
			fake.sessions.approveLogin();
			const { session } = await login.finish();
			const deployment = await detectDeployment(fake.origin, { network });
			await signOut(deployment, session, { network });
			assert.ok(session.kind === 'device' && !fake.sessions.findToken(session.token));
			await signOut(deployment, session, { network });

			const kept: (DifySession | undefined)[] = [];
			const management: DifyManagement = openManagement({ deployment, session, network, onSession: next => void kept.push(next) });
			await assert.rejects(management.workspaces(), { reason: 'auth', code: 'session_expired', message: /Sign in again/ });
			assert.deepEqual(kept, [undefined]);
		});
	}
});
