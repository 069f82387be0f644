import assert from 'node:assert/strict';
import { type Asked, createConsoleSender, getCookies, parseStreamEvents, sendRequest } from '../../support/services/dify/asking.ts';
import { type DifyDeployment, type DifyOptions, startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { createWorkflowFile, pausingChatFile } from '../../support/services/dify/sampleApps.ts';

describe('the console of the fake Dify deployment', () => {
	let fake: DifyDeployment;
	const startConsole = async (options: DifyOptions) => {
		fake = await startDifyDeployment(options);
		fake.freezeClock();
	};
	afterEach(async () => {
		await fake.stop();
		assert.deepEqual(fake.errors, []);
	});
	const logIn = (password: string) => sendRequest(fake, '/console/api/login', { body: { email: fake.account.email, password } });
	const refreshTokens = (cookie: string) => sendRequest(fake, '/console/api/refresh-token', { method: 'POST', headers: { cookie } });
	const listEventNames = (asked: Asked) => parseStreamEvents(asked).map(each => each['event']);

	it('signs in with tokens, with cookies or with a base64 password, depending on the release', async () => {
		await startConsole({ release: '1.9.1' });
		assert.ok((await logIn(fake.account.password)).body['data']);
		await fake.stop();
		await startConsole({ release: '1.11.1' });
		assert.deepEqual(Object.keys(getCookies(await logIn(fake.account.password))), ['access_token', 'refresh_token', 'csrf_token']);
		await fake.stop();
		await startConsole({ release: '1.13.3', hostCookies: true });
		assert.equal((await logIn(fake.account.password)).body['code'], 'authentication_failed');
		const encoded = Buffer.from(fake.account.password).toString('base64');
		assert.ok(getCookies(await logIn(encoded))['__Host-access_token']);
	});
	it('locks an account after five wrong passwords', async () => {
		await startConsole({ release: '1.13.3' });
		const answers = [];
		for (let n = 0; n < 6; n += 1) {
			answers.push((await logIn('wrong')).status);
		}
		assert.deepEqual(answers, [401, 401, 401, 401, 401, 429]);
	});
	it('requires the CSRF token, expires access tokens after an hour and rotates the refresh token', async () => {
		await startConsole({ release: '1.13.3' });
		const cookies = getCookies(await logIn(Buffer.from(fake.account.password).toString('base64')));
		const cookie = `access_token=${cookies['access_token']}; csrf_token=${cookies['csrf_token']}`;
		assert.equal(
			(await sendRequest(fake, '/console/api/apps', { headers: { cookie } })).body['message'],
			'CSRF token is missing or invalid.',
		);
		const headers = { cookie, 'x-csrf-token': cookies['csrf_token']! };
		assert.equal((await sendRequest(fake, '/console/api/apps', { headers })).status, 200);
		fake.advanceClock(3601);
		assert.equal((await sendRequest(fake, '/console/api/apps', { headers })).body['message'], 'Token has expired.');
		const old = `refresh_token=${cookies['refresh_token']}`;
		assert.equal((await refreshTokens(old)).status, 200);
		assert.deepEqual((await refreshTokens(old)).body, { result: 'fail', message: 'Invalid refresh token' });
	});
	it('treats ADMIN_API_KEY as the owner of the named workspace', async () => {
		await startConsole({ release: '1.13.3', adminKey: 'admin-key' });
		const headers = { authorization: 'Bearer admin-key', 'x-workspace-id': fake.workspace.id };
		assert.equal((await sendRequest(fake, '/console/api/apps', { headers })).status, 200);
		assert.equal((await sendRequest(fake, '/console/api/apps', { headers: { authorization: 'Bearer admin-key' } })).status, 401);
	});
	it('refuses a draft that someone else changed in the meantime', async () => {
		await startConsole({ release: '1.13.3' });
		const app = fake.addApp(createWorkflowFile({ secret: 'stored' }));
		const asker = await createConsoleSender(fake);
		const { body } = await asker(`/apps/${app.id}/workflows/draft`);
		assert.doesNotMatch(JSON.stringify(body), /"stored"/);
		const sent = { ...body, environment_variables: [{ ...(body['environment_variables'] as object[])[0], value: '[__HIDDEN__]' }] };
		assert.equal((await asker(`/apps/${app.id}/workflows/draft`, { body: sent })).status, 200);
		assert.equal(app.draft?.environment[0]?.value, 'stored');
		fake.editDraft(app, ({ graph }) => Object.assign(graph.nodes[0]!.data, { title: 'By another' }));
		const refused = await asker(`/apps/${app.id}/workflows/draft`, { body: sent });
		assert.deepEqual([refused.status, refused.body['code']], [409, 'draft_workflow_not_sync']);
	});
	it('exports a package from 1.18 on unless YAML is requested', async () => {
		await startConsole({ release: '1.20.0' });
		const app = fake.addApp(createWorkflowFile());
		const asker = await createConsoleSender(fake);
		assert.match((await asker(`/apps/${app.id}/export?include_secret=false`)).text, /^PK/);
		assert.equal(typeof (await asker(`/apps/${app.id}/export?format=yaml`)).body['data'], 'string');
	});
	it('patches environment variables and refuses a complete list from 1.20 on', async () => {
		await startConsole({ release: '1.20.0' });
		const app = fake.addApp(createWorkflowFile({ secret: 'stored' }));
		const asker = await createConsoleSender(fake);
		const { body } = await asker(`/apps/${app.id}/workflows/draft`);
		const { graph, features, hash, environment_variables: list } = body;
		const path = `/apps/${app.id}/workflows/draft`;
		const refused = await asker(path, { body: { graph, features, hash, environment_variables: list } });
		assert.deepEqual([refused.status, refused.body['message']], [400, 'environment_variables: Extra inputs are not permitted']);
		assert.equal((await asker(path, { body: { graph, features, hash, environment_variable_patch: null } })).status, 200);
		assert.equal(app.draft?.environment[0]?.value, 'stored');
		const changed = { ...(list as object[])[0], value: 'new' };
		await asker(path, { body: { graph, features, hash, environment_variable_patch: { environment_variables: [changed] } } });
		assert.equal(app.draft?.environment[0]?.value, 'new');
		const ids = [app.draft?.environment[0]?.id];
		await asker(path, { body: { graph, features, hash, environment_variable_patch: { deleted_environment_variable_ids: ids } } });
		assert.deepEqual(app.draft?.environment, []);
	});
	it('publishes, lists and restores versions and allows ten keys', async () => {
		await startConsole({ release: '1.13.3' });
		const app = fake.addApp(createWorkflowFile());
		const asker = await createConsoleSender(fake);
		const at = `/apps/${app.id}`;
		assert.equal((await asker(`${at}/workflows/publish`)).text, 'null');
		await asker(`${at}/workflows/publish`, { body: { marked_name: 'first' } });
		fake.editDraft(app, ({ graph }) => Object.assign(graph.nodes[0]!.data, { title: 'Later' }));
		const [version] = (await asker(`${at}/workflows`)).body['items'] as { id: string; marked_name: string }[];
		assert.equal(version?.marked_name, 'first');
		await asker(`${at}/workflows/${version?.id}/restore`, { method: 'POST' });
		assert.equal(app.draft?.graph.nodes[0]?.data.title, 'Start');
		const made = await Promise.all(Array.from({ length: 11 }, () => asker(`${at}/api-keys`, { method: 'POST' })));
		assert.deepEqual(made.map(each => each.status).sort(), [...Array(10).fill(201), 400]);
		assert.equal((await asker(`${at}/api-keys/${app.keys[0]?.id}`, { method: 'DELETE' })).status, 204);
		const chat = fake.addApp(pausingChatFile);
		assert.equal((await asker(`/apps/${chat.id}/workflows/draft/run`, { body: { inputs: {} } })).body['code'], 'app_not_found');
	});
	it('runs a draft and its nodes and stores their traces and variables', async () => {
		await startConsole({ release: '1.13.3' });
		const app = fake.addApp(createWorkflowFile());
		const asker = await createConsoleSender(fake);
		const draft = `/apps/${app.id}/workflows/draft`;
		const never = await asker(`${draft}/nodes/llm/last-run`);
		assert.deepEqual([never.status, never.body['message']], [404, 'last run not found']);
		const run = await asker(`${draft}/run`, { body: { inputs: { who: 'Ana' } } });
		const pairs = ['node_started', 'node_finished'];
		assert.deepEqual(listEventNames(run), ['workflow_started', ...pairs, ...pairs, 'text_chunk', ...pairs, 'workflow_finished']);
		const [row] = (await asker(`/apps/${app.id}/workflow-runs`)).body['data'] as { id: string; status: string }[];
		assert.equal(row?.status, 'succeeded');
		const nodes = (await asker(`/apps/${app.id}/workflow-runs/${row?.id}/node-executions`)).body['data'] as { node_id: string }[];
		assert.deepEqual(
			nodes.map(each => each.node_id),
			['start', 'llm', 'end'],
		);
		assert.equal((await asker(`${draft}/nodes/llm/last-run`)).body['node_id'], 'llm');
		const { items } = (await asker(`${draft}/nodes/llm/variables`)).body as { items: { id: string; name: string; value: unknown }[] };
		const text = items.find(each => each.name === 'text')!;
		assert.equal((await asker(`${draft}/variables/${text.id}`, { method: 'PATCH', body: { value: 'Changed' } })).body['edited'], true);
		fake.play.failing.set('llm', 'the model is away');
		const failed = parseStreamEvents(await asker(`${draft}/run`, { body: { inputs: {} } })).at(-1) as {
			data: { status: string; error: string };
		};
		assert.deepEqual([failed.data.status, failed.data.error], ['failed', 'the model is away']);
	});
	it('pauses for a form, resumes after its answer and accepts it only once', async () => {
		await startConsole({ release: '1.13.3' });
		const app = fake.addApp(pausingChatFile);
		const asker = await createConsoleSender(fake);
		const run = await asker(`/apps/${app.id}/advanced-chat/workflows/draft/run`, { body: { query: 'Hi', inputs: {} } });
		assert.deepEqual(listEventNames(run).slice(-2), ['human_input_required', 'workflow_paused']);
		const token = fake.runs.all[0]?.forms[0]?.token;
		assert.equal((await asker(`/form/human_input/${token}`, { body: { inputs: {}, action: 'dance' } })).body['code'], 'invalid_form_data');
		const following = asker(`/workflow/${fake.runs.all[0]?.id}/events?include_state_snapshot=true`);
		assert.equal((await asker(`/form/human_input/${token}`, { body: { inputs: { note: 'yes' }, action: 'approve' } })).status, 200);
		const followed = await following;
		assert.ok(listEventNames(followed).includes('workflow_finished'));
		assert.equal(fake.runs.all[0]?.answer, 'You said yes');
		assert.equal((await asker(`/form/human_input/${token}`)).status, 412);
	});
	it('stops a run that hangs in a node', async () => {
		await startConsole({ release: '1.13.3' });
		const app = fake.addApp(createWorkflowFile());
		const asker = await createConsoleSender(fake);
		fake.play.held.set('llm', Promise.race([]));
		const running = asker(`/apps/${app.id}/workflows/draft/run`, { body: { inputs: {} } });
		while (!fake.runs.all[0]?.wake) {
			await new Promise(setImmediate);
		}
		await asker(`/apps/${app.id}/workflow-runs/tasks/${fake.runs.all[0].taskId}/stop`, { method: 'POST' });
		const last = parseStreamEvents(await running).at(-1) as { data: { status: string } };
		assert.equal(last.data.status, 'stopped');
	});
});
