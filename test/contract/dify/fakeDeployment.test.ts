import assert from 'node:assert/strict';
import { createOpenapiSender, sendRequest } from '../../support/services/dify/asking.ts';
import { type DifyDeployment, type DifyOptions, startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { createWorkflowFile, pausingChatFile } from '../../support/services/dify/sampleApps.ts';

describe('sign-in to the fake Dify deployment', () => {
	const started: DifyDeployment[] = [];
	const startDeployment = async (options: DifyOptions) => {
		const fake = await startDifyDeployment(options);
		fake.freezeClock();
		started.push(fake);
		return fake;
	};
	afterEach(async () => {
		for (const fake of started.splice(0)) {
			await fake.stop();
			assert.deepEqual(fake.errors, []);
		}
	});

	it('sends its release with every console response and has no /openapi before 1.15', async () => {
		for (const release of ['1.9.1', '1.13.3', '1.14.2']) {
			const fake = await startDeployment({ release });
			const features = await sendRequest(fake, '/console/api/system-features');
			assert.equal(features.headers.get('x-version'), release);
			const version = await sendRequest(fake, '/openapi/v1/_version');
			assert.equal(version.status, 404);
			assert.match(version.headers.get('content-type') ?? '', /html/);
		}
	});
	it('has a catalog from 1.18 on and answers nothing if /openapi is off', async () => {
		const newest = await startDeployment({ release: '1.18.0' });
		assert.match((await sendRequest(newest, '/openapi/v1/_version')).headers.get('x-dify-catalog') ?? '', /^[0-9a-f]{64}$/);
		const middle = await startDeployment({ release: '1.16.0' });
		assert.equal((await sendRequest(middle, '/openapi/v1/_version')).headers.get('x-dify-catalog'), null);
		const off = await startDeployment({ release: '1.18.0', openapiEnabled: false });
		assert.equal((await sendRequest(off, '/openapi/v1/_version')).status, 404);
	});
	it('signs a device in after the approval and returns the token only once', async () => {
		const fake = await startDeployment({ release: '1.16.0' });
		const begun = await sendRequest(fake, '/openapi/v1/oauth/device/code', { body: { client_id: 'difyctl', device_label: 'here' } });
		assert.match(String(begun.body['user_code']), /^[A-Z]{4}-[A-Z]{4}$/);
		const pollForToken = async () => {
			const { status, body } = await sendRequest(fake, '/openapi/v1/oauth/device/token', {
				body: { device_code: begun.body['device_code'], client_id: 'difyctl' },
			});
			return status === 200 ? body : body['error'];
		};
		assert.equal(await pollForToken(), 'authorization_pending');
		assert.equal(await pollForToken(), 'slow_down');
		fake.advanceClock(5);
		fake.sessions.approveLogin();
		const given = (await pollForToken()) as { token: string };
		assert.match(given.token, /^dfoa_/);
		assert.ok(fake.secrets.has(given.token));
		fake.advanceClock(5);
		assert.equal(await pollForToken(), 'expired_token');
	});
	it('refuses unknown clients, denied logins and late polls', async () => {
		const fake = await startDeployment({ release: '1.18.0' });
		const stranger = await sendRequest(fake, '/openapi/v1/oauth/device/code', { body: { client_id: 'other', device_label: 'here' } });
		assert.deepEqual(stranger.body, { error: 'unsupported_client' });
		const getPollOutcome = async (meanwhile: () => void) => {
			const { body } = await sendRequest(fake, '/openapi/v1/oauth/device/code', { body: { client_id: 'difyctl', device_label: 'here' } });
			meanwhile();
			return (
				await sendRequest(fake, '/openapi/v1/oauth/device/token', { body: { device_code: body['device_code'], client_id: 'difyctl' } })
			).body['error'];
		};
		assert.equal(await getPollOutcome(() => fake.sessions.denyLogin()), 'access_denied');
		assert.equal(await getPollOutcome(() => fake.advanceClock(901)), 'expired_token');
	});
	it('invalidates the previous token of a label and refuses it with the chosen status', async () => {
		for (const deadTokenStatus of [401, 500] as const) {
			const fake = await startDeployment({ release: '1.16.0', deadTokenStatus });
			const former = createOpenapiSender(fake);
			assert.equal((await former('/account')).status, 200);
			fake.sessions.issueToken();
			assert.equal((await former('/account')).status, deadTokenStatus);
		}
	});
	it("requires the current catalog hash with each request and uses the catalog's paths", async () => {
		const fake = await startDeployment({ release: '1.18.0' });
		const { token } = fake.sessions.issueToken();
		const authorization = `Bearer ${token}`;
		const stale = await sendRequest(fake, '/openapi/v1/account', { headers: { authorization } });
		assert.deepEqual([stale.status, stale.body['code']], [412, 'catalog_stale']);
		const asker = createOpenapiSender(fake, token);
		const app = fake.addApp(createWorkflowFile());
		fake.catalog.changePath('export.console_app.dsl', '/moved/{app_id}/file');
		assert.equal((await asker(`/apps/${app.id}/dsl`)).status, 404);
		assert.equal((await asker(`/moved/${app.id}/file`)).status, 200);
	});
	it('refuses too many requests, unknown fields, apps without service API, strangers and low roles', async () => {
		const fake = await startDeployment({ release: '1.16.0', rateLimit: 4, role: 'normal' });
		const asker = createOpenapiSender(fake);
		const app = fake.addApp(createWorkflowFile());
		const unknown = await asker(`/apps?workspace_id=${fake.workspace.id}&colour=red`);
		assert.deepEqual([unknown.status, (unknown.body['details'] as { loc: string[] }[])[0]?.loc], [422, ['colour']]);
		assert.equal((await asker(`/apps/${app.id}/dsl`)).body['message'], 'insufficient workspace role');
		app.serviceApi = false;
		assert.equal((await asker(`/apps/${app.id}`)).body['message'], 'service_api_disabled');
		assert.equal((await asker('/apps?workspace_id=00000000-0000-4000-8000-000000000000')).body['message'], 'workspace not found');
		const flood = await asker('/account');
		assert.deepEqual([flood.status, flood.headers.get('retry-after')], [429, '60']);
		fake.advanceClock(61);
		assert.equal((await asker('/account')).status, 200);
	});
	it('simulates faults: lost replies, refusals, error pages and broken streams', async () => {
		const fake = await startDeployment({ release: '1.16.0' });
		const asker = createOpenapiSender(fake);
		fake.faults.planFault(/^POST .*imports$/, { kind: 'lost' });
		const body = { mode: 'yaml-content', yaml_content: createWorkflowFile() };
		await assert.rejects(asker(`/workspaces/${fake.workspace.id}/apps/imports`, { body }));
		assert.equal(fake.apps.length, 1);
		fake.faults.planFault(/account/, { kind: 'refuse', status: 429, code: 'too_many_requests', retryAfter: 7 });
		assert.equal((await asker('/account')).headers.get('retry-after'), '7');
		fake.faults.planFault(/account/, { kind: 'page', status: 502 });
		assert.match((await asker('/account')).text, /<html>/);
		const chat = fake.addApp(pausingChatFile);
		await asker(`/workspaces/${fake.workspace.id}/apps/imports`, { body: { ...body, app_id: chat.id } });
		assert.equal(fake.requests.filter(each => each.path.endsWith('imports')).length, 2);
	});
});
