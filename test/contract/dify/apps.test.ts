import assert from 'node:assert/strict';
import { createAgentText, type Managed, manageDeployment, stopDeployments } from './managed.ts';

/** One release of each generation of app management. */
const releases = ['1.9.1', '1.11.0', '1.14.2', '1.15.0', '1.16.0', '1.18.0'];

describe('apps of a Dify deployment of each generation', () => {
	afterEach(stopDeployments);

	for (const release of releases) {
		describe(release, () => {
			let managed: Managed;
			beforeEach(async () => {
				managed = await manageDeployment({ release, hostCookies: release === '1.14.2' });
			});

			it('lists and describes apps', async () => {
				const { fake, management } = managed;
				const hello = fake.addApp(createAgentText());
				fake.addApp(createAgentText({ name: 'Talk', mode: 'advanced-chat' }));
				const { apps, page, total, hasMore } = await management.apps({ page: 1 });
				assert.deepEqual([apps.map(({ name }) => name).sort(), page, total, hasMore], [['Hello', 'Talk'], 1, 2, false]);
				assert.deepEqual(
					(await management.apps({ page: 1, mode: 'advanced-chat' })).apps.map(({ name }) => name),
					['Talk'],
				);
				assert.deepEqual(
					(await management.apps({ page: 1, name: 'hell' })).apps.map(({ name }) => name),
					['Hello'],
				);
				const app = await management.app(hello.id);
				assert.deepEqual(
					[app.id, app.name, app.description, app.mode, app.serviceApi],
					[hello.id, 'Hello', 'Says hello', 'workflow', true],
				);
				assert.ok(Math.abs(app.updatedAt! - fake.getTime()) < 600, String(app.updatedAt));
				await assert.rejects(management.app('11111111-1111-4111-8111-111111111111'), { reason: 'not-found', status: 404 });
				await assert.rejects(management.app('..'), { reason: 'invalid-request', message: /Nothing was sent/ });
			});

			it('exports apps as files and imports them', async () => {
				const { fake, management } = managed;
				const app = fake.addApp(createAgentText());
				const { text, draftHash } = await management.exportApp(app.id);
				assert.match(text, /name: Hello/);
				assert.equal(draftHash !== undefined, ['1.18.0', '1.9.1', '1.11.0', '1.14.2'].includes(release));
				const changed = text.replace('title: End', 'title: Finish');
				const outcome = await management.importApp({ text: changed, appId: app.id, ...(draftHash !== undefined && { draftHash }) });
				assert.deepEqual([outcome.status, outcome.appId, outcome.mode], ['completed', app.id, 'workflow']);
				assert.equal(app.draft!.graph.nodes[1]!.data.title, 'Finish');
				assert.deepEqual(await management.dependencies(app.id), []);

				const made = await management.importApp({ text, name: 'Second' });
				assert.equal(fake.apps.find(({ id }) => id === made.appId)?.name, 'Second');
			});

			it('asks for a confirmation if the file has a newer format', async () => {
				const { fake, management } = managed;
				const app = fake.addApp(createAgentText());
				const newer = createAgentText({ version: '9.0.0', title: 'Newer' });
				const waiting = await management.importApp({ text: newer, appId: app.id });
				assert.deepEqual([waiting.status, waiting.importedVersion, waiting.currentVersion], ['pending', '9.0.0', fake.release.dsl]);
				assert.equal(app.draft!.graph.nodes[1]!.data.title, 'End');
				assert.equal((await management.confirmImport(waiting.id)).status, 'completed');
				assert.equal(app.draft!.graph.nodes[1]!.data.title, 'Newer');

				const late = await management.importApp({ text: newer, appId: app.id });
				fake.advanceClock(601);
				await assert.rejects(management.confirmImport(late.id), { code: 'import_expired', message: /Import the file again/ });
			});

			it('imports an older format with warnings and refuses invalid files', async () => {
				const { management } = managed;
				if (release !== '1.9.1') {
					assert.equal((await management.importApp({ text: createAgentText({ version: '0.3.0' }) })).status, 'completed-with-warnings');
				}
				const failed = await management.importApp({ text: 'kind: app\n' });
				assert.deepEqual([failed.status, failed.appId, failed.error], ['failed', undefined, 'Missing app data in YAML content']);
			});

			it("doesn't overwrite a change it hasn't seen", async () => {
				const { fake, management } = managed;
				const app = fake.addApp(createAgentText());
				const { text, draftHash } = await management.exportApp(app.id);
				fake.editDraft(app, draft => {
					draft.graph.nodes[1]!.data.title = 'Theirs';
				});
				if (draftHash === undefined) {
					// before 1.18, only the console reports the draft's state
					return;
				}
				await assert.rejects(management.importApp({ text, appId: app.id, draftHash }), {
					reason: 'invalid-request',
					code: 'draft_changed',
					message: /Pull it, compare, and push again/,
				});
				assert.equal(app.draft!.graph.nodes[1]!.data.title, 'Theirs');
			});

			it('lists the workspaces with apps', async () => {
				const { fake, management } = managed;
				const other = fake.addWorkspace('Other');
				fake.addApp(createAgentText({ name: 'There' }), other.id);
				assert.deepEqual(
					(await management.workspaces()).map(({ id, current }) => [id, current]),
					[
						[fake.workspace.id, true],
						[other.id, false],
					],
				);
				assert.equal((await management.apps({ page: 1 })).total, 0);
				await management.switchWorkspace(other.id);
				assert.equal(management.workspaceId, other.id);
				assert.deepEqual(
					(await management.apps({ page: 1 })).apps.map(({ name }) => name),
					['There'],
				);
			});

			it('never repeats a write request after a lost reply', async () => {
				const { fake, management } = managed;
				fake.faults.planFault(/POST .*\/imports$/, { kind: 'lost' });
				await assert.rejects(management.importApp({ text: createAgentText({ name: 'Once' }) }), { reason: 'network' });
				assert.equal(fake.apps.filter(({ name }) => name === 'Once').length, 1);
				assert.equal(fake.requests.filter(({ path }) => path.endsWith('/imports')).length, 1);
			});

			it('repeats a read request after a lost reply', async () => {
				const { fake, management } = managed;
				const app = fake.addApp(createAgentText());
				fake.faults.planFault(new RegExp(`GET .*${app.id}(/describe)?$`), { kind: 'refuse', status: 503 });
				assert.equal((await management.app(app.id)).name, 'Hello');
				fake.faults.planFault(new RegExp(`GET .*${app.id}(/describe)?$`), { kind: 'lost' });
				assert.equal((await management.app(app.id)).name, 'Hello');
			});
		});
	}
});
