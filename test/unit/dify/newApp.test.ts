import assert from 'node:assert/strict';
import { carryOutNewApp, planNewApp } from '#dify/newApp.ts';
import { planPush } from '#dify/pushPlan.ts';
import { HeldDeployment } from './heldDeployment.ts';
import { appText } from './syncedApp.ts';

describe('pushing an agent file as a new app', () => {
	let there: HeldDeployment;
	beforeEach(() => {
		there = new HeldDeployment();
		there.putApp('app-1', appText);
	});
	const pushNewApp = async (name?: string) => {
		const plan = await planNewApp({ management: there.asked, text: appText, ...(name === undefined ? {} : { name }) });
		return carryOutNewApp(plan, { management: there.asked });
	};

	it('creates an app next to existing ones, and links the file to it', async () => {
		const before = there.getText('app-1');
		const outcome = await pushNewApp();
		assert.ok(outcome.kind === 'done');
		assert.deepEqual([outcome.link.app_id, outcome.file, outcome.backup], ['new-1', undefined, undefined]);
		assert.equal(there.getText('app-1'), before);
		assert.equal((await planPush({ management: there.asked, link: outcome.link, text: appText })).state, 'same');
	});

	it('uses the given name, and writes it to the file', async () => {
		const outcome = await pushNewApp('Host');
		assert.ok(outcome.kind === 'done');
		assert.equal(outcome.file, appText.replace('name: Greeter', 'name: Host'));
	});

	it('lists the secrets that have no value yet', async () => {
		const { effects } = await planNewApp({ management: there.asked, text: appText });
		assert.deepEqual(
			effects.map(({ kind, names }) => [kind, names]),
			[['empty-secret', ['KEY']]],
		);
	});

	it('finds the created app after a lost response, and creates no second one', async () => {
		there.fails = { name: 'importApp', when: 'after', reason: 'network' };
		const outcome = await pushNewApp();
		assert.ok(outcome.kind === 'done' && outcome.replyLost);
		assert.equal(outcome.link.app_id, 'new-1');
		there.fails = { name: 'importApp', when: 'before', reason: 'network' };
		assert.equal((await pushNewApp()).kind, 'not-arrived');
		assert.equal(there.apps.size, 2);
	});

	it('requires confirmation for a file of another version', async () => {
		there.pends = true;
		const outcome = await pushNewApp();
		assert.ok(outcome.kind === 'pending');
		assert.equal(there.apps.size, 1);
		assert.equal((await outcome.confirm()).kind, 'done');
		assert.equal(there.apps.size, 2);
	});
});
