import assert from 'node:assert/strict';
import { carryOutPush } from '#dify/carryOutPush.ts';
import { hashContent } from '#dify/content/contentHash.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { planPull } from '#dify/pullPlan.ts';
import { planPush } from '#dify/pushPlan.ts';
import type { PushOutcome } from '#dify/syncTypes.ts';
import { HeldDeployment } from './heldDeployment.ts';
import { appText, HeldBackups } from './syncedApp.ts';

const replaceGreeting = (text: string) => text.replace('Hello', 'Good evening');
const replaceWithGoodbye = (text: string) => text.replace(/Hello|Good evening/, 'Goodbye');

describe('pushing an agent file to a deployment', () => {
	let there: HeldDeployment;
	let backups: HeldBackups;
	let link: DifyLink;

	beforeEach(async () => {
		there = new HeldDeployment();
		backups = new HeldBackups();
		there.putApp('app-1', appText);
		there.apps.get('app-1')?.secrets.set('e1', 'sk-there');
		({ link } = await planPull({ management: there.asked, appId: 'app-1' }));
	});

	const createPlan = (text: string) => planPush({ management: there.asked, link, text });
	const pushFile = async (text: string, overwrite = false) =>
		carryOutPush(await createPlan(text), { management: there.asked, backups, overwrite });
	function requireDone(outcome: PushOutcome): Extract<PushOutcome, { kind: 'done' }> {
		assert.ok(outcome.kind === 'done', JSON.stringify(outcome));
		return outcome;
	}

	it("sends the file, backs up the app, and doesn't change the file", async () => {
		const before = there.getText('app-1');
		const outcome = requireDone(await pushFile(replaceGreeting(appText)));
		assert.match(there.getText('app-1'), /Good evening/);
		assert.equal(outcome.file, undefined);
		assert.equal(outcome.replyLost, false);
		assert.deepEqual(
			backups.kept.map(({ side, name, text }) => ({ side, name, text })),
			[{ side: 'there', name: 'Greeter', text: before }],
		);
		assert.equal(outcome.link.base.content_hash, hashContent(replaceGreeting(appText)));
		assert.deepEqual(outcome.missing, [{ type: 'marketplace', name: 'langgenius/openai:0.0.13' }]);
		assert.equal((await planPush({ management: there.asked, link: outcome.link, text: replaceGreeting(appText) })).state, 'same');
	});

	it('keeps the secrets in Dify without their values, and changes nothing else in the text', async () => {
		await pushFile(replaceGreeting(appText));
		assert.equal(there.apps.get('app-1')?.secrets.get('e1'), 'sk-there');
		assert.equal(there.sent[0], replaceGreeting(appText).replace("value: ''", "value: '[__HIDDEN__]'"));
	});

	it('sends no placeholder for a secret from the environment', async () => {
		await pushFile(appText.replace("value: ''", ['value: $', '{env:KEY}'].join('')).replace('Hello', 'Hi'));
		assert.equal(there.apps.get('app-1')?.secrets.get('e1'), 'sk-there');
		assert.doesNotMatch(there.sent[0] ?? '', /env:KEY/);
	});

	it('sends empty secrets to Dify 1.18, which keeps its own', async () => {
		there = new HeldDeployment('openapi-1.18');
		there.putApp('app-1', appText);
		there.apps.get('app-1')?.secrets.set('e1', 'sk-there');
		({ link } = await planPull({ management: there.asked, appId: 'app-1' }));
		await pushFile(replaceGreeting(appText));
		assert.equal(there.sent[0], replaceGreeting(appText));
		assert.equal(there.apps.get('app-1')?.secrets.get('e1'), 'sk-there');
	});

	it('announces deleted and sent secrets, and immediate changes for users', async () => {
		const text = appText
			.replace('name: Greeter', 'name: Host')
			.replace("value: ''", 'value: sk-mine')
			.replace('data: {type: end, title: End, outputs: []}', 'data: {type: tool, title: Search, credential_id: c1, outputs: []}');
		const { effects } = await createPlan(text);
		assert.deepEqual(
			effects.map(({ kind, names }) => [kind, names]),
			[
				['renames', ['name']],
				['draft-variables', []],
				['sends-secret', ['KEY']],
				['credentials', ['Search']],
			],
		);
		assert.doesNotMatch(JSON.stringify(effects), /sk-mine/);
		const gone = await createPlan(appText.replace(/ {2}- id: e1\n(?: {4}.*\n)+/, ''));
		assert.deepEqual(gone.effects.find(({ kind }) => kind === 'loses-secret')?.names, ['KEY']);
	});

	it('refuses to overwrite changes made in Dify since the pull, and sends nothing', async () => {
		there.editApp('app-1', replaceWithGoodbye);
		for (const text of [appText, replaceGreeting(appText)]) {
			const now = await createPlan(text);
			assert.equal(now.state, text === appText ? 'changed-there' : 'changed-both');
			assert.deepEqual(
				now.difference.nodes.map(({ id, fields }) => [id, fields]),
				[['t', ['template']]],
			);
			await assert.rejects(carryOutPush(now, { management: there.asked, backups }), { name: 'SyncFault', code: 'changed-there' });
		}
		assert.deepEqual(there.sent, []);
		assert.deepEqual(backups.kept, []);
		assert.match(there.getText('app-1'), /Goodbye/);
	});

	it('overwrites changes in Dify if asked to, and the backup can be restored', async () => {
		there.editApp('app-1', replaceWithGoodbye);
		const before = there.getText('app-1');
		const outcome = requireDone(await pushFile(replaceGreeting(appText), true));
		assert.match(there.getText('app-1'), /Good evening/);
		const [backup] = await backups.listBackups();
		const text = await backups.readBackup(backup ?? assert.fail('nothing was kept'));
		assert.equal(text, before);
		requireDone(
			await carryOutPush(await planPush({ management: there.asked, link: outcome.link, text }), { management: there.asked, backups }),
		);
		assert.equal(there.getText('app-1'), before);
		assert.equal(there.apps.get('app-1')?.secrets.get('e1'), 'sk-there');
	});

	it('sends nothing if the app changed after the plan, even when overwriting', async () => {
		const planned = await createPlan(replaceGreeting(appText));
		there.editApp('app-1', replaceWithGoodbye);
		for (const overwrite of [false, true]) {
			const outcome = await carryOutPush(planned, { management: there.asked, backups, overwrite });
			assert.ok(outcome.kind === 'changed-meanwhile');
			assert.equal(outcome.plan.state, 'changed-both');
		}
		assert.deepEqual([there.sent, backups.kept], [[], []]);
		assert.match(there.getText('app-1'), /Goodbye/);
	});

	it('reports a change between export and import that Dify 1.18 refuses', async () => {
		there = new HeldDeployment('openapi-1.18');
		there.putApp('app-1', appText);
		({ link } = await planPull({ management: there.asked, appId: 'app-1' }));
		const planned = await createPlan(replaceGreeting(appText));
		there.before = { name: 'importApp', act: () => there.editApp('app-1', replaceWithGoodbye) };
		const outcome = await carryOutPush(planned, { management: there.asked, backups });
		assert.equal(outcome.kind, 'changed-meanwhile');
		assert.match(there.getText('app-1'), /Goodbye/);
	});

	it('warns the first of two windows that push at the same time', async () => {
		const planned = await createPlan(replaceGreeting(appText));
		const other = await createPlan(replaceWithGoodbye(appText));
		// both exported before either imported: before 1.18, the server can't refuse the later one
		there.before = { name: 'dependencies', act: () => there.putApp('app-1', other.text) };
		const outcome = requireDone(await carryOutPush(planned, { management: there.asked, backups }));
		assert.match(outcome.warning ?? '', /changed right after/);
		assert.equal(outcome.file, undefined);
		const next = await planPush({ management: there.asked, link: outcome.link, text: replaceGreeting(appText) });
		assert.equal(next.state, 'changed-there');
		assert.match(there.getText('app-1'), /Goodbye/);
	});

	it('sends nothing from the later of two windows that push the same plan', async () => {
		const [first, second] = [await createPlan(replaceGreeting(appText)), await createPlan(replaceWithGoodbye(appText))];
		requireDone(await carryOutPush(first, { management: there.asked, backups }));
		const outcome = await carryOutPush(second, { management: there.asked, backups });
		assert.equal(outcome.kind, 'changed-meanwhile');
		assert.equal(there.sent.length, 1);
	});

	for (const reason of ['network', 'timeout', 'server', 'aborted'] as const) {
		it(`finds the import after its response is lost (${reason}), and doesn't send it again`, async () => {
			there.fails = { name: 'importApp', when: 'after', reason };
			const outcome = requireDone(await pushFile(replaceGreeting(appText)));
			assert.equal(outcome.replyLost, true);
			assert.equal(there.sent.length, 1);
			assert.equal(outcome.link.base.content_hash, hashContent(replaceGreeting(appText)));
		});

		it(`reports an import that didn't arrive (${reason}), and doesn't send it again`, async () => {
			const before = there.getText('app-1');
			there.fails = { name: 'importApp', when: 'before', reason };
			const outcome = await pushFile(replaceGreeting(appText));
			assert.equal(outcome.kind, 'not-arrived');
			assert.equal(there.sent.length, 0);
			assert.equal(there.getText('app-1'), before);
		});
	}

	it('reports an unknown outcome and the current app if another user edits while the response is lost', async () => {
		there.fails = { name: 'importApp', when: 'before', reason: 'network' };
		there.before = { name: 'importApp', act: () => there.editApp('app-1', replaceWithGoodbye) };
		const outcome = await pushFile(replaceGreeting(appText));
		assert.ok(outcome.kind === 'unknown');
		assert.match(outcome.there?.text ?? '', /Goodbye/);
	});

	it('reports an unknown outcome if the response is lost and Dify is unreachable afterwards', async () => {
		const planned = await createPlan(replaceGreeting(appText));
		there.fails = { name: 'importApp', when: 'after', reason: 'network' };
		there.before = {
			name: 'importApp',
			act: () => {
				const { fails } = there;
				there.before = { name: 'exportApp', act: () => (there.fails = { name: 'exportApp', when: 'before', reason: 'network' }) };
				there.fails = fails;
			},
		};
		const outcome = await carryOutPush(planned, { management: there.asked, backups });
		assert.ok(outcome.kind === 'unknown');
		assert.equal(outcome.there, undefined);
	});

	it('fails with the error of a refused account', async () => {
		there.fails = { name: 'importApp', when: 'before', reason: 'auth' };
		await assert.rejects(pushFile(replaceGreeting(appText)), { name: 'ServiceError', reason: 'auth' });
	});

	it('changes nothing until a pending import is confirmed', async () => {
		const before = there.getText('app-1');
		there.pends = true;
		const outcome = await pushFile(replaceGreeting(appText));
		assert.ok(outcome.kind === 'pending');
		assert.deepEqual([outcome.currentVersion, outcome.importedVersion], ['0.6.0', '9.0.0']);
		assert.equal(there.getText('app-1'), before);
		requireDone(await outcome.confirm());
		assert.match(there.getText('app-1'), /Good evening/);
	});

	it('fails with a message if a pending import has expired, and changes nothing', async () => {
		there.pends = true;
		const outcome = await pushFile(replaceGreeting(appText));
		assert.ok(outcome.kind === 'pending');
		await there.management.confirmImport('pending-1');
		there.putApp('app-1', appText);
		assert.deepEqual(await outcome.confirm(), {
			kind: 'failed',
			message: 'Import information expired or does not exist',
			details: [],
			left: undefined,
			backup: undefined,
		});
		assert.doesNotMatch(there.getText('app-1'), /Good evening/);
	});

	it("doesn't confirm a pending import if the app has changed meanwhile", async () => {
		there.pends = true;
		const outcome = await pushFile(replaceGreeting(appText));
		assert.ok(outcome.kind === 'pending');
		there.editApp('app-1', replaceWithGoodbye);
		assert.equal((await outcome.confirm()).kind, 'changed-meanwhile');
		assert.match(there.getText('app-1'), /Goodbye/);
	});

	it('overwrites nothing if the backup fails', async () => {
		backups.full = true;
		await assert.rejects(pushFile(replaceGreeting(appText)), /no space left/);
		assert.deepEqual(there.sent, []);
	});

	it('returns the file without the fields that Dify omitted, with its comments', async () => {
		const text = appText.replace('title: Greeting', 'title: Greeting\n        credential_id: c1');
		const outcome = requireDone(await pushFile(text));
		assert.equal(outcome.file, appText);
		assert.equal(outcome.link.base.content_hash, hashContent(appText));
	});

	it('refuses to overwrite an app of another mode', async () => {
		await assert.rejects(createPlan(appText.replace('mode: workflow', 'mode: chat')), { code: 'mode', message: /Push it as a new app/ });
		await assert.rejects(createPlan(appText.replace('mode: workflow', 'mode: advanced-chat')), { code: 'mode' });
	});

	it('refuses a sidecar of another deployment or workspace', async () => {
		const failOnAsk = () => assert.fail('the deployment was asked');
		const management = { ...there.asked, exportApp: failOnAsk, importApp: failOnAsk };
		for (const other of [{ origin: 'https://evil.test' }, { workspace_id: 'space-2' }]) {
			await assert.rejects(planPush({ management, link: { ...link, ...other }, text: appText }), { code: 'elsewhere' });
		}
	});

	it("refuses a file that isn't an app with a message", async () => {
		await assert.rejects(createPlan('a: [1'), { code: 'unreadable', message: /^The file isn't valid YAML: / });
		await assert.rejects(createPlan('a: 1'), {
			code: 'unreadable',
			message: "The file isn't a Dify app. Expected 'app' with a name and mode.",
		});
	});
});
