import assert from 'node:assert/strict';
import { logInToConsole } from '#client/dify/consoleLogin.ts';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import { createAgentText, type Managed, manageDeployment, startTrackedDeployment, stopDeployments } from './managed.ts';

const wrongEdge = createAgentText({ edgeTo: 'nowhere' });

describe('refusals of Dify', () => {
	afterEach(stopDeployments);

	for (const release of ['1.15.0', '1.16.0', '1.18.0']) {
		it(`${release}: names the switch of an app whose service API is off`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const app = fake.addApp(createAgentText());
			app.serviceApi = false;
			await assert.rejects(management.exportApp(app.id), {
				reason: 'auth',
				status: 403,
				code: 'service_api_disabled',
				message: /'Backend Service API'/,
			});
			if (management.offers.has('setServiceApi')) {
				await management.setServiceApi(app.id, true);
				assert.match((await management.exportApp(app.id)).text, /Hello/);
			}
		});

		it(`${release}: suggests signing in with an account for a run-only token`, async () => {
			const { fake, open } = await manageDeployment({ release });
			const app = fake.addApp(createAgentText());
			const runs = open({
				kind: 'device',
				token: fake.sessions.issueToken({ scope: 'run' }).token,
				expiresAt: undefined,
				email: undefined,
			});
			await assert.rejects(runs.exportApp(app.id), { reason: 'auth', code: 'unsupported_token_type', message: /Sign in again/ });
		});
	}

	for (const release of ['1.14.2', '1.16.0', '1.18.0']) {
		it(`${release}: reports an insufficient role`, async () => {
			const { fake, management } = await manageDeployment({ release, role: 'normal' });
			const app = fake.addApp(createAgentText());
			await assert.rejects(management.importApp({ text: createAgentText(), appId: app.id }), {
				reason: 'auth',
				code: 'insufficient_role',
				message: /editor or admin role/,
			});
		});

		it(`${release}: reports the app limit of the plan`, async () => {
			const { fake, management } = await manageDeployment({ release, appLimit: 1 });
			fake.addApp(createAgentText());
			await assert.rejects(management.importApp({ text: createAgentText() }), { code: 'app_limit', message: /doesn't allow more apps/ });
		});
	}

	it('lists each problem of an invalid file and checks it without an import', async () => {
		const { fake, management } = await manageDeployment({ release: '1.18.0' });
		const outcome = await management.importApp({ text: wrongEdge });
		assert.equal(outcome.status, 'failed');
		assert.deepEqual(outcome.details, [
			{ path: 'workflow.graph.edges.0.target', message: 'Edge target nowhere is not a node' },
			// a hint has an empty path
			{ path: '', message: 'Check the DSL again after each change' },
		]);
		assert.deepEqual(await management.checkText(wrongEdge), [{ message: 'Edge target nowhere is not a node' }]);
		assert.deepEqual(await management.checkText(createAgentText()), []);
		assert.equal(fake.apps.length, 0);
	});

	it('reports a changed draft for each status that deployments use', async () => {
		const { fake, management } = await manageDeployment({ release: '1.18.0' });
		const app = fake.addApp(createAgentText());
		for (const status of [400, 409, 422]) {
			fake.faults.planFault(/\/imports$/, { kind: 'refuse', status, code: 'unknown', message: 'The draft changed after it was exported.' });
			await assert.rejects(management.importApp({ text: createAgentText(), appId: app.id, draftHash: 'x' }), {
				code: 'draft_changed',
				status,
			});
		}
	});

	it('reports fields that a deployment refuses', async () => {
		const { fake, management } = await manageDeployment({ release: '1.18.0' });
		const app = fake.addApp(createAgentText());
		await assert.rejects(management.runs(app, { limit: 1000 }), { reason: 'invalid-request', status: 422 });
	});

	for (const [release, at] of [
		['1.14.2', /api-enable/],
		['1.18.0', /service-api/],
	] as const) {
		it(`${release}: waits after a rate limit and doesn't repeat a write request`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const app = fake.addApp(createAgentText());
			fake.faults.planFault(/GET .*\/apps\/[^/]+$/, { kind: 'refuse', status: 429, code: 'too_many_requests', retryAfter: 1 });
			assert.equal((await management.app(app.id)).name, 'Hello');
			fake.faults.planFault(at, { kind: 'refuse', status: 429, code: 'too_many_requests', retryAfter: 3600 });
			await assert.rejects(management.setServiceApi(app.id, false), {
				reason: 'rate-limited',
				retryAfterMs: 3_600_000,
				message: /Try again in 3600 s/,
			});
			assert.equal(app.serviceApi, true);
			// no request is sent if the delay is an hour
			const before = fake.requests.length;
			await assert.rejects(management.app(app.id), { reason: 'rate-limited', message: /Try again in 3\d\d\d s/ });
			assert.equal(fake.requests.length, before);
		});
	}

	for (const deadTokenStatus of [401, 500] as const) {
		it(`ends the session for a revoked token (${deadTokenStatus}) but not for a server error (500)`, async () => {
			const { fake, management, sessions } = await manageDeployment({ release: '1.18.0', deadTokenStatus });
			const app = fake.addApp(createAgentText());
			fake.faults.planFault(/:publish$/, { kind: 'refuse', status: 500, code: 'internal_server_error', message: 'Internal Server Error' });
			await assert.rejects(management.publish(app.id, { name: '', comment: '' }), { reason: 'server', status: 500 });
			// a server error on every path proves nothing about the token
			fake.faults.planFault(/./, { kind: 'refuse', status: 500, code: 'internal_server_error' }, 3);
			await assert.rejects(management.publish(app.id, { name: '', comment: '' }), { reason: 'server', status: 500 });
			assert.deepEqual(sessions, []);
			fake.sessions.tokens[0]!.revoked = true;
			await assert.rejects(management.publish(app.id, { name: '', comment: '' }), { reason: 'auth', code: 'session_expired' });
			await assert.rejects(management.apps({ page: 1 }), { code: 'session_expired' });
			assert.deepEqual(sessions, [undefined]);
			assert.equal(app.versions.length, 0);
		});
	}

	it('distinguishes proxy pages, invalid replies and unreachable deployments', async () => {
		const { fake, management } = await manageDeployment({ release: '1.18.0' });
		const app = fake.addApp(createAgentText());
		fake.faults.planFault(/:publish$/, { kind: 'page', status: 502 });
		await assert.rejects(management.publish(app.id, { name: '', comment: '' }), { reason: 'server', status: 502, message: /an HTML page/ });
		fake.faults.planFault(/:publish$/, { kind: 'page', status: 404 });
		await assert.rejects(management.publish(app.id, { name: '', comment: '' }), { code: 'switched_off', message: /OPENAPI_ENABLED/ });
		fake.faults.planFault(/:publish$/, { kind: 'page', status: 200 });
		await assert.rejects(management.publish(app.id, { name: '', comment: '' }), { reason: 'protocol', message: /isn't valid JSON/ });
		await fake.stop();
		await assert.rejects(management.publish(app.id, { name: '', comment: '' }), { reason: 'network' });
	});

	it('stops waiting when aborted, before or after the request was sent', async () => {
		const { fake, management } = await manageDeployment({ release: '1.18.0' });
		const app = fake.addApp(createAgentText());
		await management.app(app.id);
		const held = Promise.withResolvers<void>();
		fake.faults.planFault(/\/apps\//, { kind: 'held', until: held.promise });
		const first = new AbortController();
		const second = new AbortController();
		const under = management.app(app.id, { signal: first.signal });
		const waiting = management.publish(app.id, { name: '', comment: '' }, { signal: second.signal });
		second.abort();
		await assert.rejects(waiting, { reason: 'aborted' });
		first.abort();
		await assert.rejects(under, { reason: 'aborted' });
		held.resolve();
		assert.equal((await management.app(app.id)).name, 'Hello');
		assert.equal(app.versions.length, 0);
	});
});

describe('secrets of Dify', () => {
	afterEach(stopDeployments);

	for (const release of ['1.9.1', '1.14.2', '1.18.0']) {
		it(`are masked in every error and report (${release})`, async () => {
			const managed = await manageDeployment({ release });
			const { fake, management, session } = managed;
			const own = session.kind === 'device' ? session.token : session.kind === 'console' ? session.refreshToken : '';
			// the client can't recognize values it never received
			const foreign = new Set([...fake.secrets].filter(secret => secret !== own));
			const isSentToClient = (secret: string) => release !== '1.9.1' || !secret.startsWith('eyJcsrf');
			const listSecrets = () => [...fake.secrets].filter(secret => !foreign.has(secret) && isSentToClient(secret));
			const app = fake.addApp(createAgentText());
			const errors: unknown[] = [];
			const collectError = (work: Promise<unknown>) => work.catch(error => errors.push(error));
			await collectError(management.apps({ page: 1 }));
			if (management.offers.has('createKey')) {
				await createAndDeleteKey(managed, app.id);
			}
			// the deployment echoes everything it has received
			const everything = listSecrets().join(' ');
			assert.ok(everything.includes(own));
			for (const status of [400, 401, 403, 404, 409, 500]) {
				fake.faults.planFault(/apps/, { kind: 'refuse', status, code: everything, message: everything });
				await collectError(management.importApp({ text: createAgentText() }));
				fake.faults.planFault(/apps/, { kind: 'refuse', status, code: 'code', message: everything }, 3);
				await collectError(management.app(app.id));
				await collectError(management.streamDraft(app.id, { inputs: {} }).next());
			}
			fake.faults.clear();
			fake.sessions.endConsoleSession();
			for (const token of fake.sessions.tokens) {
				token.revoked = true;
			}
			fake.advanceClock(4000);
			await collectError(management.apps({ page: 1 }));
			await fake.stop();
			await collectError(management.apps({ page: 1 }));
			assert.ok(errors.length > 10, String(errors.length));
			const text = JSON.stringify([
				errors.map(collectErrorText),
				managed.reports,
				managed.reports.map(({ error }) => collectErrorText(error)),
			]);
			for (const secret of listSecrets()) {
				assert.ok(
					!text.includes(secret),
					`${secret.slice(0, 8)}… is in ${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 50)}`,
				);
			}
		});
	}

	for (const release of ['1.9.1', '1.14.2']) {
		it(`masks a password in every sign-in error (${release})`, async () => {
			const fake = await startTrackedDeployment({ release });
			const network = { environment: {} };
			const deployment = await detectDeployment(fake.origin, { network });
			const { email, password } = fake.account;
			const forms = [password, Buffer.from(password).toString('base64')];
			const reports: unknown[] = [];
			for (const status of [400, 401, 403, 409, 500]) {
				fake.faults.planFault(/login/, { kind: 'refuse', status, code: forms.join(' '), message: `Not ${forms.join(' nor ')}` });
				const onRequest = (report: unknown) => reports.push(report, collectErrorText((report as { error: unknown }).error));
				await logInToConsole(deployment, { email, password, network, onRequest }).catch(error => reports.push(collectErrorText(error)));
			}
			assert.ok(reports.length >= 15);
			assert.ok(!forms.some(form => JSON.stringify(reports).includes(form)));
		});
	}

	async function createAndDeleteKey({ fake, management }: Managed, appId: string): Promise<void> {
		const key = await management.createKey(appId);
		assert.ok(fake.apps[0]!.keys.some(({ token }) => token === key.token));
		const [listed] = await management.keys(appId);
		assert.equal(listed!.id, key.id);
		assert.equal(listed!.token, `app-…${key.token.slice(-4)}`);
		await management.deleteKey(appId, key.id);
		assert.deepEqual(await management.keys(appId), []);
		for (let count = 1; count <= 10; count++) {
			await management.createKey(appId);
		}
		await assert.rejects(management.createKey(appId), { reason: 'invalid-request', status: 400 });
	}

	/** Collects all text of an error and its causes. */
	function collectErrorText(error: unknown): unknown {
		return error instanceof Error ? { ...error, message: error.message, stack: error.stack, cause: collectErrorText(error.cause) } : error;
	}
});
