import assert from 'node:assert/strict';
import type { DifyLink } from '#dify/linkTypes.ts';
import { carryOutPublish, planPublish } from '#dify/publishPlan.ts';
import { planPull } from '#dify/pullPlan.ts';
import { HeldDeployment } from './heldDeployment.ts';
import { appText } from './syncedApp.ts';

const version = { name: 'one', comment: 'the first' };

describe('publishing the draft of an app', () => {
	let there: HeldDeployment;
	let link: DifyLink;

	beforeEach(async () => {
		there = new HeldDeployment();
		there.putApp('app-1', appText);
		({ link } = await planPull({ management: there.asked, appId: 'app-1' }));
	});

	const createPlan = (text?: string) => planPublish({ management: there.asked, link, ...(text === undefined ? {} : { text }) });
	const publishDraft = async () => carryOutPublish(await createPlan(), { management: there.asked, ...version });
	const listVersions = () => there.apps.get('app-1')?.versions.map(({ version: { name, comment } }) => ({ name, comment }));

	it('compares the draft with the published version, and warns if the file differs from the draft', async () => {
		const first = await createPlan(appText.replace('Hello', 'Hi'));
		assert.deepEqual([first.published, first.state], ['none', 'changed-here']);
		assert.match(first.warnings.join(' '), /doesn't match the file \(1 node differs\)\. The draft will be published\..* push it first/);
		assert.equal((await publishDraft()).kind, 'done');
		const second = await createPlan(appText);
		assert.deepEqual([(second.published as { id: string }).id, second.difference?.isSame], ['v1', true]);
		assert.deepEqual(second.warnings, ['The published version already matches the draft.']);
		there.editApp('app-1', text => text.replace('Hello', 'Hi'));
		assert.deepEqual(
			(await createPlan()).difference?.nodes.map(({ id }) => id),
			['t'],
		);
	});

	it('names the version', async () => {
		const outcome = await publishDraft();
		assert.ok(outcome.kind === 'done');
		assert.deepEqual([outcome.version?.id, outcome.replyLost, listVersions()], ['v1', false, [version]]);
	});

	it('is refused if the draft changed after the plan', async () => {
		const planned = await createPlan();
		there.editApp('app-1', text => text.replace('Hello', 'Hi'));
		const outcome = await carryOutPublish(planned, { management: there.asked, ...version });
		assert.equal(outcome.kind, 'changed-meanwhile');
		assert.deepEqual(listVersions(), []);
	});

	it('is verified after a lost response, and not sent again', async () => {
		there.fails = { name: 'publish', when: 'after', reason: 'network' };
		const found = await publishDraft();
		assert.ok(found.kind === 'done' && found.replyLost);
		there.fails = { name: 'publish', when: 'before', reason: 'timeout' };
		assert.equal((await publishDraft()).kind, 'not-arrived');
		assert.equal(listVersions()?.length, 1);
	});

	it("refuses names and comments that Dify doesn't accept, before anything is sent", async () => {
		const planned = await createPlan();
		const publishAs = (name: string, comment: string) => carryOutPublish(planned, { management: there.asked, name, comment });
		await assert.rejects(publishAs('x'.repeat(21), ''), {
			code: 'invalid',
			message: 'The version name has 21 characters. Dify allows at most 20.',
		});
		await assert.rejects(publishAs('', 'x'.repeat(101)), { code: 'invalid' });
		assert.equal((await publishAs('🤖'.repeat(20), '')).kind, 'done');
	});

	it("works without the published version if Dify doesn't return it", async () => {
		const management = { ...there.asked, offers: new Set(['exportApp', 'publish'] as const) };
		const planned = await planPublish({ management, link });
		assert.deepEqual([planned.published, planned.difference], ['unknown', undefined]);
		there.fails = { name: 'publish', when: 'after', reason: 'network' };
		assert.equal((await carryOutPublish(planned, { management, ...version })).kind, 'unknown');
	});
});
