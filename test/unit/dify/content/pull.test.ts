import assert from 'node:assert/strict';
import { readApp } from '#dify/content/appContent.ts';
import { hashContent, hashLayout } from '#dify/content/contentHash.ts';
import { createPulledText } from '#dify/files/pulledText.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { planPull } from '#dify/pullPlan.ts';
import { HeldDeployment } from '../heldDeployment.ts';
import { appText } from '../syncedApp.ts';

const replaceGreeting = (text: string) => text.replace('Hello', 'Good evening');
const replaceWithGoodbye = (text: string) => text.replace('Hello', 'Goodbye');

describe('a file after a pull', () => {
	it('has every digit of the numbers in Dify', () => {
		const there = appText
			.replace(/^ *#.*\n/gm, '')
			.replace('value: 7\n', 'value: 7\n  - id: e3\n    name: LONG\n    value_type: number\n    value: 9007199254740993\n');
		assert.match(createPulledText(appText, there), /value: 9007199254740993$/m);
	});

	it('keeps its line endings', () => {
		const there = appText.replace('Hello', 'Hi');
		const toPlain = (text: string) => text.replaceAll(/^ *#.*\n/gm, '');
		assert.equal(createPulledText(toPlain(appText).replaceAll('\n', '\r\n'), toPlain(there)), toPlain(there).replaceAll('\n', '\r\n'));
		assert.equal(createPulledText(appText.replaceAll('\n', '\r\n'), there), there.replaceAll('\n', '\r\n'));
		assert.equal(createPulledText(toPlain(appText), toPlain(there)), toPlain(there));
	});
});

describe('pulling an app from Dify', () => {
	let there: HeldDeployment;
	let pulled: { text: string; link: DifyLink };

	beforeEach(async () => {
		there = new HeldDeployment();
		there.putApp('app-1', appText);
		const { text, link } = await planPull({ management: there.asked, appId: 'app-1' });
		pulled = { text: text ?? '', link };
	});

	const planPullOf = (here: { text: string; link: DifyLink | undefined }) => planPull({ management: there.asked, appId: 'app-1', here });

	it('returns its exact text and a link if there is no file', async () => {
		const { kind, text, link, app, losesHere } = await planPull({ management: there.asked, appId: 'app-1' });
		assert.deepEqual([kind, losesHere, text], ['new', false, there.getText('app-1')]);
		assert.deepEqual(app, { id: 'app-1', name: 'Greeter', mode: 'workflow' });
		assert.deepEqual(link, {
			origin: 'https://dify.test',
			workspace_id: 'space-1',
			app_id: 'app-1',
			mode: 'workflow',
			base: { content_hash: hashContent(appText), layout_hash: hashLayout(readApp(appText)), dsl_version: '0.6.0' },
		});
	});

	it('changes nothing if the content is the same, however the file is formatted', async () => {
		for (const text of [pulled.text, appText, pulled.text.replace('version: 0.6.0', 'version: 0.5.0')]) {
			const { kind, text: wanted, difference } = await planPullOf({ ...pulled, text });
			assert.deepEqual([kind, wanted, difference?.isSame], ['same', undefined, true]);
		}
	});

	it('replaces an unedited file with a newer app', async () => {
		there.editApp('app-1', replaceWithGoodbye);
		const { kind, text, losesHere } = await planPullOf(pulled);
		assert.deepEqual([kind, losesHere, text], ['update', false, there.getText('app-1')]);
	});

	it('keeps the comments and the key order of a file', async () => {
		there.editApp('app-1', replaceWithGoodbye);
		const { text } = await planPullOf({ ...pulled, text: appText });
		assert.equal(text, replaceWithGoodbye(appText));
	});

	it('keeps the values of secrets in a file', async () => {
		there.editApp('app-1', replaceWithGoodbye);
		const own = pulled.text.replace('value: ""', 'value: "sk-mine"');
		assert.notEqual(own, pulled.text);
		const { text } = await planPullOf({ ...pulled, text: own });
		assert.equal(text, replaceWithGoodbye(own));
	});

	it('keeps the value of a secret that has no ID in the file, or another one', () => {
		const own = appText.replace("value: ''", 'value: sk-mine');
		for (const text of [own.replace('- id: e1\n    name', '- name'), own.replace('id: e1', 'id: mine')]) {
			assert.notEqual(text, own);
			assert.match(createPulledText(text, appText.replace('Hello', 'Hi')), /id: e1[^-]*value: sk-mine|value: sk-mine[^-]*id: e1/);
		}
	});

	it('reports a file that would lose changes: edited, edited on both sides, unlinked or linked to another app', async () => {
		const changed = replaceGreeting(pulled.text);
		const here = await planPullOf({ ...pulled, text: changed });
		assert.deepEqual([here.kind, here.losesHere], ['keeps-here', true]);
		there.editApp('app-1', replaceWithGoodbye);
		const both = await planPullOf({ ...pulled, text: changed });
		assert.deepEqual([both.kind, both.losesHere], ['conflict', true]);
		assert.deepEqual(
			both.difference?.nodes.map(({ id, kind, fields }) => [id, kind, fields]),
			[['t', 'changed', ['template']]],
		);
		const free = await planPullOf({ text: changed, link: undefined });
		assert.deepEqual([free.kind, free.losesHere], ['unlinked', true]);
		const other = await planPullOf({ text: changed, link: { ...pulled.link, app_id: 'app-2' } });
		assert.deepEqual([other.kind, other.losesHere], ['other-app', true]);
	});

	it('asks before it overwrites an unreadable file', async () => {
		const { kind, losesHere, difference, text } = await planPullOf({ ...pulled, text: 'a: [1' });
		assert.deepEqual([kind, losesHere, difference, text], ['conflict', true, undefined, there.getText('app-1')]);
	});

	it('takes over the layout if the content is the same and no nodes were moved here', async () => {
		const moveNode = (text: string, x: number) => text.replace('x: 300', `x: ${x}`);
		assert.deepEqual(await planPullOf({ ...pulled, text: moveNode(pulled.text, 310) }).then(({ kind, text }) => [kind, text]), [
			'same',
			undefined,
		]);
		there.editApp('app-1', text => moveNode(text, 333));
		const newer = await planPullOf(pulled);
		assert.deepEqual([newer.kind, newer.losesHere, newer.text], ['layout', false, there.getText('app-1')]);
		const both = await planPullOf({ ...pulled, text: moveNode(pulled.text, 310) });
		assert.deepEqual([both.kind, both.losesHere], ['layout', true]);
		const { layout_hash: _, ...base } = pulled.link.base;
		const unknown = await planPullOf({ text: moveNode(pulled.text, 310), link: { ...pulled.link, base } });
		assert.deepEqual([unknown.kind, unknown.losesHere], ['layout', true]);
		there.editApp('app-1', replaceWithGoodbye);
		const update = await planPullOf({ ...pulled, text: moveNode(pulled.text, 310) });
		assert.deepEqual([update.kind, update.losesHere], ['update', true]);
	});

	it('updates the base if both sides have the same change', async () => {
		there.editApp('app-1', replaceWithGoodbye);
		const { kind, link } = await planPullOf({ ...pulled, text: replaceWithGoodbye(pulled.text) });
		assert.equal(kind, 'same');
		assert.equal(link.base.content_hash, hashContent(readApp(replaceWithGoodbye(pulled.text))));
	});

	it('links a published version with that version as its base', async () => {
		await there.management.publish('app-1', { name: 'one', comment: '' });
		there.editApp('app-1', replaceWithGoodbye);
		const { text, link } = await planPull({ management: there.asked, appId: 'app-1', versionId: 'v1' });
		assert.equal(text, pulled.text);
		assert.equal(link.base.version_id, 'v1');
		assert.equal(link.base.content_hash, pulled.link.base.content_hash);
	});

	it("refuses an export that isn't an app", async () => {
		const management = { ...there.asked, exportApp: async () => ({ text: '<html>', draftHash: undefined }) };
		await assert.rejects(planPull({ management, appId: 'app-1' }), {
			code: 'unreadable',
			message: "The export from https://dify.test isn't a Dify app. Expected 'app' with a name and mode.",
		});
	});
});
