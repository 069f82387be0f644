import assert from 'node:assert/strict';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import { openManagement } from '#client/dify/openManagement.ts';
import { carryOutPush } from '#dify/carryOutPush.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { carryOutNewApp, planNewApp } from '#dify/newApp.ts';
import { carryOutPublish, planPublish } from '#dify/publishPlan.ts';
import { planPull } from '#dify/pullPlan.ts';
import { planPush } from '#dify/pushPlan.ts';
import type { PushOutcome } from '#dify/syncTypes.ts';
import { type DifyDeployment, startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import type { FakeApp } from '../../support/services/dify/state.ts';
import { appText, HeldBackups } from '../../unit/dify/syncedApp.ts';

const replaceGreeting = (text: string) => text.replace('Hello', 'Good evening');

for (const release of ['1.13.3', '1.15.0', '1.16.0', '1.18.0']) {
	describe(`the round trip with Dify ${release}`, () => {
		let fake: DifyDeployment;
		let management: DifyManagement;
		let app: FakeApp;
		let backups: HeldBackups;
		let pulled: { text: string; link: DifyLink };

		beforeEach(async () => {
			fake = await startDifyDeployment({ release, adminKey: 'admin-key-of-the-test', rateLimit: 10_000 });
			app = fake.addApp(appText.replace("value: ''", 'value: sk-there'));
			backups = new HeldBackups();
			const deployment = await detectDeployment(fake.origin);
			const workspaceId = fake.workspace.id;
			management = openManagement({
				deployment,
				workspaceId,
				session:
					deployment.generation === 'console'
						? { kind: 'admin', key: 'admin-key-of-the-test', workspaceId }
						: { kind: 'device', token: fake.sessions.issueToken().token, expiresAt: undefined, email: undefined },
				onSession: () => {},
			});
			const { text, link } = await planPull({ management, appId: app.id });
			pulled = { text: text ?? assert.fail(), link };
		});
		afterEach(async () => {
			await fake.stop();
			assert.deepEqual(fake.errors, []);
		});

		const pushText = async (text: string, overwrite = false): Promise<PushOutcome> =>
			carryOutPush(await planPush({ management, link: pulled.link, text }), { management, backups, overwrite });
		const getDraftTemplate = () => String(app.draft?.graph.nodes.find(({ id }) => id === 't')?.data['template']);
		const getStoredSecret = () => app.draft?.environment.find(({ name }) => name === 'KEY')?.value;
		const editDraftElsewhere = () =>
			fake.editDraft(app, ({ graph }) => {
				Object.assign(graph.nodes.find(({ id }) => id === 't')?.data ?? {}, { template: 'Goodbye' });
			});
		const listImportRequests = () => fake.requests.filter(({ method, path }) => method === 'POST' && /imports$/.test(path)).length;

		it('keeps file, secret and live app unchanged through pull, push and pull', async () => {
			const outcome = await pushText(replaceGreeting(pulled.text));
			assert.ok(outcome.kind === 'done', JSON.stringify(outcome));
			assert.deepEqual(
				[getDraftTemplate(), getStoredSecret(), outcome.file, outcome.replyLost],
				['Good evening', 'sk-there', undefined, false],
			);
			assert.equal(backups.kept[0]?.text, pulled.text);
			const again = await planPull({ management, appId: app.id, here: { text: replaceGreeting(pulled.text), link: outcome.link } });
			assert.deepEqual([again.kind, again.text], ['same', undefined]);
			assert.equal(again.there.text, replaceGreeting(pulled.text));
		});

		it('overwrites no remote change, whether made before or after the plan', async () => {
			const planned = await planPush({ management, link: pulled.link, text: replaceGreeting(pulled.text) });
			editDraftElsewhere();
			const late = await carryOutPush(planned, { management, backups, overwrite: true });
			assert.equal(late.kind, 'changed-meanwhile');
			await assert.rejects(pushText(replaceGreeting(pulled.text)), { code: 'changed-there' });
			assert.deepEqual([getDraftTemplate(), listImportRequests(), backups.kept], ['Goodbye', 0, []]);
			assert.equal((await pushText(replaceGreeting(pulled.text), true)).kind, 'done');
			assert.match(backups.kept[0]?.text ?? '', /Goodbye/);
		});

		if (release === '1.18.0') {
			it('overwrites no change between its export and its import', async () => {
				const planned = await planPush({ management, link: pulled.link, text: replaceGreeting(pulled.text) });
				// returns the last export again after another person has saved a change
				const keep = backups.saveBackup.bind(backups);
				backups.saveBackup = async what => {
					const kept = await keep(what);
					editDraftElsewhere();
					return kept;
				};
				const outcome = await carryOutPush(planned, { management, backups });
				assert.equal(listImportRequests(), 1);
				assert.equal(outcome.kind, 'changed-meanwhile');
				assert.equal(getDraftTemplate(), 'Goodbye');
			});
		}

		it("finds the import after a lost reply and doesn't repeat it", async () => {
			fake.faults.planFault(/^POST .*\/imports$/, { kind: 'lost' });
			const outcome = await pushText(replaceGreeting(pulled.text));
			assert.ok(outcome.kind === 'done' && outcome.replyLost, JSON.stringify(outcome));
			assert.deepEqual([getDraftTemplate(), listImportRequests()], ['Good evening', 1]);
		});

		it("reports an import as missing after a proxy's error page and doesn't repeat it", async () => {
			fake.faults.planFault(/^POST .*\/imports$/, { kind: 'page', status: 502 });
			const outcome = await pushText(replaceGreeting(pulled.text));
			assert.equal(outcome.kind, 'not-arrived');
			assert.deepEqual([getDraftTemplate(), listImportRequests()], ['Hello', 1]);
		});

		it('changes nothing while a file of a newer format is unconfirmed, and reports an expired confirmation', async () => {
			fake.freezeClock();
			const text = replaceGreeting(pulled.text).replace(/^version: .*$/m, 'version: 9.0.0');
			const outcome = await pushText(text);
			assert.ok(outcome.kind === 'pending', JSON.stringify(outcome));
			assert.deepEqual([getDraftTemplate(), outcome.importedVersion], ['Hello', '9.0.0']);
			fake.advanceClock(601);
			const late = await outcome.confirm();
			assert.ok(late.kind === 'failed', JSON.stringify(late));
			assert.match(late.message, /ten minutes/);
			assert.equal(getDraftTemplate(), 'Hello');
			const second = await pushText(text);
			assert.ok(second.kind === 'pending');
			assert.equal((await second.confirm()).kind, 'done');
			assert.deepEqual([getDraftTemplate(), getStoredSecret()], ['Good evening', 'sk-there']);
		});

		it('reports a partially refused import and backs up the changed file', async () => {
			const text = pulled.text.replace('name: Greeter', 'name: Host').replace(/^ {4}value: 7$/m, '    value: null');
			assert.match(text, /value: null/);
			const outcome = await pushText(text);
			assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
			assert.match(outcome.message, /missing value/);
			const isChanged = app.name !== 'Greeter';
			assert.equal(isChanged, release === '1.13.3');
			assert.deepEqual([outcome.backup !== undefined, /changed despite the error/.test(outcome.left ?? '')], [isChanged, isChanged]);
			assert.deepEqual([getDraftTemplate(), getStoredSecret()], ['Hello', 'sk-there']);
			const made = await carryOutNewApp(await planNewApp({ management, text }), { management });
			assert.ok(made.kind === 'failed', JSON.stringify(made));
			assert.equal(/created despite the error/.test(made.left ?? ''), fake.apps.length > 1);
		});

		it('creates a new app once even if the reply is lost', async () => {
			fake.faults.planFault(/^POST .*\/imports$/, { kind: 'lost' });
			const plan = await planNewApp({ management, text: pulled.text, name: 'Second' });
			const outcome = await carryOutNewApp(plan, { management });
			assert.ok(outcome.kind === 'done' && outcome.replyLost, JSON.stringify(outcome));
			assert.equal(fake.apps.length, 2);
			assert.equal(fake.apps[1]?.id, outcome.link.app_id);
		});

		it('publishes the draft if this sign-in is allowed to', async () => {
			const planned = await planPublish({ management, link: pulled.link, text: pulled.text });
			if (!management.offers.has('publish')) {
				await assert.rejects(carryOutPublish(planned, { management, name: 'one', comment: '' }), { reason: 'not-found' });
				return;
			}
			assert.equal(planned.published, 'none');
			fake.faults.planFault(/^POST .*publish$/, { kind: 'lost' });
			const outcome = await carryOutPublish(planned, { management, name: 'one', comment: '' });
			assert.ok(outcome.kind === 'done' && outcome.replyLost, JSON.stringify(outcome));
			assert.equal(app.versions.length, 1);
			editDraftElsewhere();
			assert.deepEqual(
				(await planPublish({ management, link: pulled.link })).difference?.nodes.map(({ id }) => id),
				['t'],
			);
		});
	});
}
