import assert from 'node:assert/strict';
import { type Ask, type Asked, createConsoleSender, createOpenapiSender } from '../../support/services/dify/asking.ts';
import { type DifyDeployment, type DifyOptions, startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { loadPyYaml } from '../../support/services/dify/pyYaml/pyYamlReader.ts';
import { dumpPyYaml } from '../../support/services/dify/pyYaml/pyYamlWriter.ts';
import { createWorkflowFile } from '../../support/services/dify/sampleApps.ts';
import type { FakeApp } from '../../support/services/dify/state.ts';

type Asker = (path: string, how?: Ask) => Promise<Asked>;

describe('the YAML of the fake Dify deployment', () => {
	it('has the same sorted keys, floats, quotes and folded lines as PyYAML', () => {
		const text = "a: 1.0\nb: 'yes'\nc: 'x: y'\nd: \"tab\\t\"\ne: 'two\n\n  lines'\nf: []\ng:\n- h: '1'\n  i: null\n";
		assert.equal(dumpPyYaml(loadPyYaml(text)), text);
		const long = `k: ${'word '.repeat(30).trim()}\n`;
		assert.match(dumpPyYaml(loadPyYaml(long)), /^k: (word ){15}word\n {2}word/);
	});
});

describe('imports and exports of the fake Dify deployment', () => {
	let fake: DifyDeployment;
	let asker: Asker;
	let app: FakeApp;
	const startDeployment = async (options: DifyOptions) => {
		fake = await startDifyDeployment(options);
		fake.freezeClock();
		app = fake.addApp(createWorkflowFile({ secret: 'stored-secret', version: fake.release.dsl }));
		asker = fake.release.openapi ? createOpenapiSender(fake) : await createConsoleSender(fake);
	};
	afterEach(async () => {
		await fake.stop();
		assert.deepEqual(fake.errors, []);
	});
	const exportAppContent = async () => {
		const path = fake.release.openapi === undefined || fake.release.openapi === '1.15' ? 'export' : 'dsl';
		return (await asker(`/apps/${app.id}/${path}`)).body as { data: string; draft_hash?: string };
	};
	const requestImport = async (yaml_content: string, more: object = {}) =>
		await asker(fake.release.openapi ? `/workspaces/${fake.workspace.id}/apps/imports` : '/apps/imports', {
			body: { mode: 'yaml-content', yaml_content, app_id: app.id, ...more },
		});

	it('exports an imported file in its own format without the secret', async () => {
		await startDeployment({ release: '1.13.0' });
		assert.equal((await exportAppContent()).data, createWorkflowFile());
		assert.ok(fake.secrets.has('stored-secret'));
	});
	it('erases a stored secret for an empty value and keeps it for its placeholder and ID', async () => {
		await startDeployment({ release: '1.13.3' });
		await requestImport(createWorkflowFile({ secret: '[__HIDDEN__]' }));
		assert.equal(app.draft?.environment[0]?.value, 'stored-secret');
		await requestImport(createWorkflowFile({ secret: '' }));
		assert.equal(app.draft?.environment[0]?.value, '');
	});
	it('keeps a stored secret for an empty value from 1.18 on', async () => {
		await startDeployment({ release: '1.18.0' });
		await requestImport(createWorkflowFile({ version: '0.7.0' }));
		assert.equal(app.draft?.environment[0]?.value, 'stored-secret');
	});
	it('renames an app immediately, publishes nothing and refuses a stale draft_hash', async () => {
		await startDeployment({ release: '1.18.0' });
		const { data, draft_hash } = await exportAppContent();
		await requestImport(data.replace('Greeter', 'Renamed'), { draft_hash });
		assert.deepEqual([app.name, app.publishedId, app.versions.length], ['Renamed', undefined, 0]);
		fake.editDraft(app, ({ graph }) => Object.assign(graph.nodes[0]!.data, { title: 'By another' }));
		const stale = await requestImport(data, { draft_hash });
		assert.deepEqual([stale.status, stale.body['code']], [409, 'draft_changed']);
	});
	it('keeps the draft_hash if only nodes move', async () => {
		await startDeployment({ release: '1.18.0' });
		const { draft_hash } = await exportAppContent();
		fake.editDraft(app, ({ graph }) => Object.assign(graph.nodes[0]!, { position: { x: 5, y: 5 } }));
		assert.equal((await exportAppContent()).draft_hash, draft_hash);
	});
	it('keeps a newer file for ten minutes until it is confirmed', async () => {
		await startDeployment({ release: '1.16.0' });
		const pending = await requestImport(createWorkflowFile({ version: '0.9.0', name: 'Newer' }));
		assert.deepEqual([pending.status, pending.body['status'], app.name], [202, 'pending', 'Greeter']);
		const confirmImport = () => asker(`/workspaces/${fake.workspace.id}/apps/imports/${pending.body['id']}:confirm`, { method: 'POST' });
		assert.deepEqual([(await confirmImport()).body['status'], app.name], ['completed', 'Newer']);
		const late = await requestImport(createWorkflowFile({ version: '0.9.0' }));
		fake.advanceClock(601);
		const refused = await asker(`/workspaces/${fake.workspace.id}/apps/imports/${late.body['id']}:confirm`, { method: 'POST' });
		assert.deepEqual([refused.status, refused.body['error']], [400, 'Import information expired or does not exist']);
		assert.equal((await requestImport(createWorkflowFile({ version: '0.5.0' }))).body['status'], 'completed-with-warnings');
	});
	it('refuses invalid files, and up to 1.13 leaves a partial import behind', async () => {
		await startDeployment({ release: '1.13.3' });
		assert.match(String((await requestImport('a: [')).body['error']), /^Invalid YAML format: /);
		assert.equal((await requestImport('kind: app')).body['error'], 'Missing app data in YAML content');
		assert.equal((await requestImport(createWorkflowFile(), { app_id: crypto.randomUUID() })).body['error'], 'App not found');
		const half = await requestImport('version: 0.6.0\napp: {name: Half, mode: workflow}');
		assert.deepEqual([half.status, half.body['error'], app.name], [400, 'Missing workflow data for workflow/advanced chat app', 'Half']);
	});
	it('drops references of another workspace: datasets, credentials, webhook addresses', async () => {
		await startDeployment({ release: '1.13.3' });
		const other = fake.addWorkspace('Other');
		const nodes = `    - {id: k, data: {type: knowledge-retrieval, dataset_ids: [11111111-1111-4111-8111-111111111111]}}
    - {id: t, data: {type: tool, credential_id: cred-1}}
    - {id: w, data: {type: trigger-webhook, webhook_url: 'https://hook.example/x'}}
`;
		await requestImport(createWorkflowFile({ nodes }));
		const text = (await exportAppContent()).data;
		assert.doesNotMatch(text, /11111111-1111|cred-1|hook\.example/);
		await requestImport(text);
		const getDatasetIds = (of: FakeApp) => of.draft?.graph.nodes.find(each => each.id === 'k')?.data['dataset_ids'];
		assert.deepEqual(getDatasetIds(app), ['11111111-1111-4111-8111-111111111111']);
		assert.deepEqual(getDatasetIds(fake.addApp(text, other.id)), []);
	});
	it('names plugins that the workspace lacks for ten minutes', async () => {
		await startDeployment({ release: '1.16.0' });
		const needs = "dependencies:\n- {type: marketplace, value: {marketplace_plugin_unique_identifier: 'langgenius/openai:0.1.0@x'}}";
		await requestImport(createWorkflowFile({ version: '0.7.0' }).replace('dependencies: []', needs));
		const countMissingPlugins = async () =>
			((await asker(`/apps/${app.id}/dependencies:check`)).body['leaked_dependencies'] as unknown[]).length;
		assert.equal(await countMissingPlugins(), 1);
		fake.advanceClock(601);
		assert.equal(await countMissingPlugins(), 0);
	});
	it("refuses broken graphs before the import from 1.18 on, and new apps beyond the plan's limit", async () => {
		await startDeployment({ release: '1.18.0', appLimit: 1 });
		const broken = await requestImport(createWorkflowFile({ version: '0.7.0' }).replace('target: end', 'target: nowhere'));
		assert.deepEqual([broken.status, broken.body['code']], [422, 'dsl_invalid']);
		const further = await requestImport(createWorkflowFile({ version: '0.7.0' }), { app_id: undefined });
		assert.equal(further.body['message'], 'The number of apps has reached the limit of your subscription.');
	});
});
