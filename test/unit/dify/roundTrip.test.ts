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
import { fakeManagement } from './fakeManagement.ts';
import { HeldBackups } from './syncedApp.ts';

const isLong = process.env['FUZZ_RUNS'] !== undefined;
/** All that were exported, and of those that are written like it some. */
const files = readAgentFiles().filter(({ name, text }, at) => {
	const isExport = name.startsWith('dify-upstream/');
	return (isExport || isLong || at % 40 === 0) && /^ {2}mode: (?:workflow|advanced-chat)$/m.test(text);
});

/** A file edited as in the graph, three operations from a seed, and as in the text: a comment, a title. */
function applyEdit(text: string, seed: number): string {
	const drawn = fc.sample(rolls, { numRuns: 3, seed });
	const byGraph = drawn.reduce((current, roll) => {
		const operation = createOperation(current, roll);
		const result = operation && applyOperation(current, operation);
		return result && 'changes' in result ? applyChanges(current, result.changes) : current;
	}, text);
	return byGraph.replace(/^(\s+)title: .*$/m, '$1title: Edited # by hand');
}

describe('the round trip of every exported file: pull, edit, push, pull', () => {
	if (!files.some(({ name }) => name.startsWith('dify-upstream/'))) {
		it.skip('is tried on the exported fixtures beside the repository too: these are absent here');
	}
	for (const [seed, { name, text }] of files.entries()) {
		it(name, async () => {
			const fake = new DifyDeployment({ release: '1.16.0' });
			const management = fakeManagement(fake);
			const appId = fake.addApp(text).id;
			const backups = new HeldBackups();
			const pull = (here?: { text: string; link: DifyLink }) => planPull({ management, appId, ...(here ? { here } : {}) });
			const push = async (here: { text: string; link: DifyLink }) => {
				const outcome = await carryOutPush(await planPush({ management, ...here }), { management, backups });
				assert.ok(outcome.kind === 'done', JSON.stringify({ ...outcome, there: undefined }));
				return outcome;
			};

			// as it is: nothing moves a byte
			const first = await pull();
			const pulled = { text: first.text ?? assert.fail(), link: first.link };
			const unchanged = await push(pulled);
			assert.deepEqual([unchanged.file, unchanged.there.text], [undefined, pulled.text]);
			assert.equal((await pull(pulled)).text, undefined);

			// edited: the file stays as it was edited, and both say the same
			const mine = applyEdit(pulled.text, seed);
			const before = (await pull()).text;
			const outcome = await push({ text: mine, link: unchanged.link });
			assert.equal(backups.kept.at(-1)?.text, before);
			const own = outcome.file ?? mine;
			if (!hasMoreThanExports(mine)) {
				assert.equal(outcome.file, undefined, outcome.warning);
			}
			const again = await pull({ text: own, link: outcome.link });
			assert.deepEqual([again.kind, again.text], ['same', undefined]);
			assert.ok(isSameApp(readApp(own), readApp(outcome.there.text)));

			// pulled over edits with comments: it says what is there, and the comments are still in it
			const theirs = applyEdit(pulled.text, seed + 1000).replaceAll(' # by hand', '');
			const merged = createPulledText(mine, theirs);
			assert.ok(isSameApp(readApp(merged), readApp(theirs)));
			assert.match(merged, / # by hand$/m);

			// what the first push changed, a second one of the same file changes no more
			assert.equal((await push({ text: own, link: outcome.link })).there.text, outcome.there.text);
		});
	}
});

/** Whether a file has what the deployment fills in or leaves out; graph edits bring triggers and credentials of their own. */
function hasMoreThanExports(text: string): boolean {
	const { content } = new AgentText(text);
	const graph = (content as { workflow?: { graph?: unknown } }).workflow?.graph;
	return getItems(graph, 'nodes').some(node => /^(?:trigger-|knowledge)/.test(String((node as { data?: { type?: string } }).data?.type)));
}
