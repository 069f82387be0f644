import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AgentText } from '#agentFile/agentText.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { getItems } from '#base/records/plainValues.ts';
import { carryOutPush } from '#dify/carryOutPush.ts';
import { readApp } from '#dify/content/appContent.ts';
import { createPulledText } from '#dify/files/pulledText.ts';
import { isSameApp } from '#dify/linkState.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { planPull } from '#dify/pullPlan.ts';
import { planPush } from '#dify/pushPlan.ts';
import { readAgentFiles } from '../../support/agentFiles.ts';
import { createOperation, rolls } from '../../support/graphOperations.ts';
import { DifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { createFakeManagement } from './fakeManagement.ts';
import { HeldBackups } from './syncedApp.ts';

const isLong = process.env['FUZZ_RUNS'] !== undefined;
/** All exported files, and some that are written in the same form. */
const files = readAgentFiles().filter(({ name, text }, at) => {
	const isExport = name.startsWith('dify-upstream/');
	return (isExport || isLong || at % 40 === 0) && /^ {2}mode: (?:workflow|advanced-chat)$/m.test(text);
});

/** Applies three seeded graph operations, and a text edit that changes a title and adds a comment. */
function applyEdit(text: string, seed: number): string {
	const drawn = fc.sample(rolls, { numRuns: 3, seed });
	const byGraph = drawn.reduce((current, roll) => {
		const operation = createOperation(current, roll);
		const result = operation && applyOperation(current, operation);
		return result && 'changes' in result ? applyChanges(current, result.changes) : current;
	}, text);
	return byGraph.replace(/^(\s+)title: .*$/m, '$1title: Edited # by hand');
}

describe('the round trip of every exported file (pull, edit, push, pull)', () => {
	if (!files.some(({ name }) => name.startsWith('dify-upstream/'))) {
		it.skip('includes the exported fixtures next to the repository, which are missing here');
	}
	for (const [seed, { name, text }] of files.entries()) {
		it(`keeps the content of ${name}`, async () => {
			const fake = new DifyDeployment({ release: '1.16.0' });
			const management = createFakeManagement(fake);
			const appId = fake.addApp(text).id;
			const backups = new HeldBackups();
			const pullApp = (here?: { text: string; link: DifyLink }) => planPull({ management, appId, ...(here ? { here } : {}) });
			const pushFile = async (here: { text: string; link: DifyLink }) => {
				const outcome = await carryOutPush(await planPush({ management, ...here }), { management, backups });
				assert.ok(outcome.kind === 'done', JSON.stringify({ ...outcome, there: undefined }));
				return outcome;
			};

			// without edits, no byte changes
			const first = await pullApp();
			const pulled = { text: first.text ?? assert.fail(), link: first.link };
			const unchanged = await pushFile(pulled);
			assert.deepEqual([unchanged.file, unchanged.there.text], [undefined, pulled.text]);
			assert.equal((await pullApp(pulled)).text, undefined);

			// after edits, the file keeps them, and both sides have the same content
			const mine = applyEdit(pulled.text, seed);
			const before = (await pullApp()).text;
			const outcome = await pushFile({ text: mine, link: unchanged.link });
			assert.equal(backups.kept.at(-1)?.text, before);
			const own = outcome.file ?? mine;
			if (!hasMoreThanExports(mine)) {
				assert.equal(outcome.file, undefined, outcome.warning);
			}
			const again = await pullApp({ text: own, link: outcome.link });
			assert.deepEqual([again.kind, again.text], ['same', undefined]);
			assert.ok(isSameApp(readApp(own), readApp(outcome.there.text)));

			// a pull over a file with comments takes the content from Dify and keeps the comments
			const theirs = applyEdit(pulled.text, seed + 1000).replaceAll(' # by hand', '');
			const merged = createPulledText(mine, theirs);
			assert.ok(isSameApp(readApp(merged), readApp(theirs)));
			assert.match(merged, / # by hand$/m);

			// a second push of the same file changes nothing
			assert.equal((await pushFile({ text: own, link: outcome.link })).there.text, outcome.there.text);
		});
	}
});

/** True if a file has content that the deployment fills in or omits; graph edits add triggers and knowledge nodes. */
function hasMoreThanExports(text: string): boolean {
	const { content } = new AgentText(text);
	const graph = (content as { workflow?: { graph?: unknown } }).workflow?.graph;
	return getItems(graph, 'nodes').some(node => /^(?:trigger-|knowledge)/.test(String((node as { data?: { type?: string } }).data?.type)));
}
