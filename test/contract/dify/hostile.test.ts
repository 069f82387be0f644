import assert from 'node:assert/strict';
import type { DifyManagement } from '#client/dify/management.ts';
import { createWorkflowFile } from '../../support/services/dify/sampleApps.ts';
import type { FakeApp } from '../../support/services/dify/state.ts';
import { createPasswordSession, listRequests, type Managed, manageDeployment, stopDeployments } from './managed.ts';

type Act = (management: DifyManagement, app: FakeApp) => Promise<unknown>;
const changes: Record<string, [releases: string[], path: RegExp, act: Act]> = {
	import: [['1.13.3', '1.18.0'], /imports$/, (dify, app) => dify.importApp({ text: createWorkflowFile({ name: 'New' }), appId: app.id })],
	publish: [['1.13.3', '1.18.0'], /publish$/, (dify, app) => dify.publish(app.id, { name: 'v', comment: '' })],
	restore: [['1.13.3', '1.18.0'], /restore$/, (dify, app) => dify.restore(app.id, app.versions[0]!.id)],
	'new key': [['1.13.3'], /api-keys$/, (dify, app) => dify.createKey(app.id)],
	'service API': [['1.13.3', '1.18.0'], /(api-enable|service-api)$/, (dify, app) => dify.setServiceApi(app.id, false)],
};

describe('managing a hostile Dify deployment', () => {
	let managed: Managed;
	let app: FakeApp;
	const startManagedRelease = async (release: string) => {
		managed = await manageDeployment({ release });
		app = managed.fake.addApp(createWorkflowFile({ secret: 'stored-in-dify', version: managed.fake.release.dsl }));
		managed.fake.publishDraft(app);
	};
	const countSentRequests = (path: RegExp) => listRequests(managed.fake).filter(each => !each.startsWith('GET ') && path.test(each)).length;
	/** Asserts that no report or error contains an issued or stored secret. */
	const assertSecretsHidden = (error?: unknown) => {
		const { fake, reports } = managed;
		const shown = JSON.stringify([
			reports.map(each => ({ ...each, error: each.error && { ...each.error, message: each.error.message } })),
			String(error),
		]);
		assert.deepEqual(
			[...fake.secrets].filter(each => each !== '' && shown.includes(each)),
			[],
		);
	};
	afterEach(stopDeployments);

	for (const [name, [releases, path, act]] of Object.entries(changes)) {
		for (const release of releases) {
			it(`${name}: isn't sent again after a lost reply (${release})`, async () => {
				await startManagedRelease(release);
				managed.fake.faults.planFault(path, { kind: 'lost' });
				const error = await act(managed.management, app).then(
					() => undefined,
					(reason: unknown) => reason,
				);
				assert.equal((error as { reason?: string } | undefined)?.reason, 'network');
				assert.equal(countSentRequests(path), 1);
				assertSecretsHidden(error);
			});
			it(`${name}: isn't sent again after a rate limit (${release})`, async () => {
				await startManagedRelease(release);
				managed.fake.faults.planFault(path, { kind: 'refuse', status: 429, code: 'too_many_requests', retryAfter: 90 }, 5);
				await assert.rejects(act(managed.management, app), { reason: 'rate-limited', retryAfterMs: 90_000 });
				assert.equal(countSentRequests(path), 1);
			});
			it(`${name}: reports a proxy's error page (${release})`, async () => {
				await startManagedRelease(release);
				managed.fake.faults.planFault(path, { kind: 'page', status: 200 }, 5);
				await assert.rejects(act(managed.management, app), { reason: 'protocol' });
				assert.equal(countSentRequests(path), 1);
				assertSecretsHidden();
			});
		}
	}

	it('refuses a catalog that changes at each request and imports nothing', async () => {
		await startManagedRelease('1.18.0');
		const { fake, management } = managed;
		const before = fake.catalog.computeHash.bind(fake.catalog);
		fake.catalog.computeHash = routes => {
			fake.catalog.changeHash();
			return before(routes);
		};
		await assert.rejects(management.importApp({ text: createWorkflowFile({ name: 'New' }), appId: app.id }));
		assert.equal(app.name, 'Greeter');
		assert.ok(countSentRequests(/imports$/) <= 2);
	});
	it('refreshes the console session once for many concurrent requests', async () => {
		await startManagedRelease('1.13.3');
		await Promise.all(Array.from({ length: 12 }, () => managed.management.exportApp(app.id)));
		assert.equal(countSentRequests(/refresh-token$/), 1);
		managed.fake.advanceClock(3601);
		await Promise.all(Array.from({ length: 5 }, () => managed.management.exportApp(app.id)));
		assert.equal(countSentRequests(/refresh-token$/), 2);
		assert.equal(managed.sessions.length, 2);
	});
	it('ends the session with a message after a lost refresh reply and sends no pending request', async () => {
		await startManagedRelease('1.13.3');
		managed.fake.faults.planFault(/refresh-token$/, { kind: 'lost' });
		const publishApp = () => managed.management.publish(app.id, { name: '', comment: '' });
		await assert.rejects(publishApp(), { reason: 'network' });
		await assert.rejects(publishApp(), { reason: 'auth', code: 'session_expired' });
		assert.equal(countSentRequests(/publish$/), 0);
		assert.deepEqual(managed.sessions, [undefined]);
	});
	it("reports a broken stream and doesn't restart it", async () => {
		for (const release of ['1.13.3', '1.18.0']) {
			await startManagedRelease(release);
			managed.fake.faults.planFault(/run$/, { kind: 'cut', afterEvents: 3 });
			const seen: string[] = [];
			const readDraftEvents = async () => {
				for await (const { event } of managed.management.streamDraft(app.id, { inputs: {} })) {
					seen.push(event);
				}
			};
			await assert.rejects(readDraftEvents(), { reason: 'network' });
			assert.ok(seen.includes('workflow_started'));
			assert.equal(managed.fake.runs.all.length, 1);
			assertSecretsHidden();
		}
	});
	it('ends the session with a message if its refresh token was used elsewhere', async () => {
		await startManagedRelease('1.13.3');
		const session = await createPasswordSession(managed.fake);
		const [one, other] = [managed.open(session), managed.open(session)];
		await one.exportApp(app.id);
		await assert.rejects(other.exportApp(app.id), { code: 'session_expired' });
	});
});
