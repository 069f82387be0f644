import assert from 'node:assert/strict';
import { managementOperations } from '#client/dify/management.ts';
import { createAgentText, manageDeployment, stopDeployments } from './managed.ts';

describe('versions of a Dify app', () => {
	afterEach(stopDeployments);

	for (const release of ['1.9.1', '1.13.3', '1.18.0']) {
		it(`are published, listed, exported and restored (${release})`, async () => {
			const { fake, management } = await manageDeployment({ release });
			const app = fake.addApp(createAgentText());
			assert.equal(await management.published(app.id), undefined);
			await management.publish(app.id, { name: 'First', comment: 'of two' });
			fake.editDraft(app, draft => {
				draft.graph.nodes[1]!.data.title = 'Changed';
			});
			fake.advanceClock(5);
			await management.publish(app.id, { name: '', comment: '' });
			const { versions, hasMore } = await management.versions(app.id, 1);
			// in 1.18 the publisher is an ID that refers to no user
			const isSigned = release !== '1.18.0';
			assert.deepEqual(
				versions.map(({ name, comment, current, by }) => [name, comment, current, by !== undefined]),
				[
					['', '', true, isSigned],
					['First', 'of two', false, isSigned],
				],
			);
			assert.equal(hasMore, false);
			assert.ok(versions[0]!.createdAt! >= versions[1]!.createdAt! + 4);
			assert.equal((await management.published(app.id))?.id, versions[0]!.id);
			const first = versions[1]!.id;
			assert.match((await management.exportApp(app.id, { versionId: first })).text, /title: End/);
			if (management.offers.has('restore')) {
				await management.restore(app.id, first);
				assert.equal(app.draft!.graph.nodes[1]!.data.title, 'End');
			} else {
				await assert.rejects(management.restore(app.id, first), {
					reason: 'not-found',
					code: 'not_offered',
					message: /Dify 1\.13\.3 or later/,
				});
			}
			await assert.rejects(management.publish(app.id, { name: 'x'.repeat(21), comment: '' }), {
				reason: 'invalid-request',
				field: 'name',
				message: /has 21 characters\. Dify allows at most 20/,
			});
		});
	}

	it('are refused with a message before a request if the generation lacks the operation', async () => {
		for (const release of ['1.9.1', '1.15.0', '1.16.0', '1.18.0']) {
			const { fake, management } = await manageDeployment({ release });
			await management.workspaces();
			const before = fake.requests.length;
			const missing = managementOperations.filter(operation => !management.offers.has(operation));
			assert.ok(missing.length > 0, release);
			for (const operation of missing) {
				const call = management[operation] as (...values: unknown[]) => Promise<unknown> & AsyncIterator<unknown>;
				const app = '11111111-1111-4111-8111-111111111111';
				const request = operation === 'runs' ? { id: app, mode: 'workflow' } : app;
				const started = call(request, operation === 'checkText' ? undefined : app, { name: '', comment: '', mode: 'workflow', inputs: {} });
				await assert.rejects('next' in started ? started.next() : started, { reason: 'not-found', code: 'not_offered' }, operation);
			}
			assert.equal(fake.requests.length, before, release);
		}
	});

	it("are published at the catalog's address, and can't be restored if the catalog lacks it", async () => {
		const { fake, management } = await manageDeployment({ release: '1.18.0' });
		const app = fake.addApp(createAgentText());
		fake.catalog.absent.add('restore.console_app.version');
		fake.catalog.changePath('publish.console_app', '/apps/{app_id}/releases');
		await management.publish(app.id, { name: 'One', comment: '' });
		assert.equal(app.versions.length, 1);
		assert.ok(!management.offers.has('restore') && management.offers.has('publish'));
		await assert.rejects(management.restore(app.id, app.versions[0]!.id), { code: 'not_offered' });
	});

	it('are published again with the new catalog if it changed', async () => {
		const { fake, management } = await manageDeployment({ release: '1.18.0' });
		const app = fake.addApp(createAgentText());
		await management.apps({ page: 1 });
		fake.catalog.changePath('publish.console_app', '/apps/{app_id}/releases');
		await management.publish(app.id, { name: 'One', comment: '' });
		assert.equal(app.versions.length, 1);
		const posts = fake.requests.filter(({ method }) => method === 'POST').map(({ path, status }) => [path.split('/').at(-1), status]);
		assert.deepEqual(posts, [
			[`${app.id}:publish`, 404],
			['releases', 200],
		]);
		fake.catalog.changeHash();
		const before = fake.requests.length;
		await management.app(app.id);
		assert.deepEqual(
			fake.requests.slice(before).map(({ path, status }) => [path.replace(/.*\//, ''), status]),
			[
				[app.id, 412],
				['_catalog', 200],
				[app.id, 200],
			],
		);
	});
});
