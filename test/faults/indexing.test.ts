import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { Log } from '#gateway/process/log.ts';
import { RunRecorder } from '#gateway/runs/runRecorder.ts';
import { Store } from '#gateway/store/store.ts';
import { cleanUpGateways, createTemporaryFolder } from '../contract/gateway/gatewayProcess.ts';
import { chooseSize } from './support/long.ts';

describe('thirty runs with 250 KB of input each', () => {
	afterEach(cleanUpGateways);

	it('are indexed outside the event loop, and found before and after', async () => {
		const log = new Log('text', () => {});
		const store = new Store(createTemporaryFolder(), 0, log);
		const recorder = new RunRecorder(store.runs, store.late, log);
		const agent = store.agents.ensureAgent('a').id;
		const runs = chooseSize(30, 300);
		for (let i = 0; i < runs; i++) {
			const text = Array.from({ length: 25_000 }, (_, n) => `${(n * 7919 + i) % 100_003} needle`)
				.join(' ')
				.slice(0, 250_000);
			const run = { id: `run ${i}`, taskId: `task ${i}`, agent, listed: true, workflowId: 'w', user: 'ana', createdAt: i };
			const seq = store.runs.start({ ...run, inputs: JSON.stringify({ text }) });
			const figures = { elapsedTime: 0, totalTokens: 0, totalSteps: 0, exceptionsCount: 0, finishedAt: i };
			recorder.finishRun(seq, { status: 'succeeded', outputs: null, error: null, ...figures });
		}
		const searchRuns = async () =>
			(await store.search.findRuns({ agent, keyword: 'needle', status: undefined, offset: 0, limit: 20 })).total;
		assert.equal(await searchRuns(), runs);
		const before = performance.eventLoopUtilization();
		while (await store.search.indexSomeRuns());
		const { active, idle } = performance.eventLoopUtilization(before);
		assert.ok(active < (active + idle) / 4, `the loop was busy for ${active.toFixed(0)} of ${(active + idle).toFixed(0)} ms`);
		assert.equal(await searchRuns(), runs);
		recorder.stop();
		await store.close();
	});
});

describe('texts with two million distinct trigrams', () => {
	afterEach(cleanUpGateways);

	it('are searched for one or two letters within a second, with exact totals', async () => {
		const log = new Log('text', () => {});
		const store = new Store(createTemporaryFolder(), 0, log);
		const agent = store.agents.ensureAgent('a').id;
		const runs = chooseSize(4, 40);
		const letters = Array.from({ length: 126 }, (_, i) => String.fromCharCode(0x4e00 + i));
		let state = 1;
		const pickRandomLetter = () => {
			state = (state * 48_271) % 2_147_483_647;
			return letters[state % letters.length] as string;
		};
		const texts = Array.from({ length: runs }, () => Array.from({ length: 200_000 }, pickRandomLetter).join(''));
		for (const [i, text] of texts.entries()) {
			const run = { id: `run ${i}`, taskId: `task ${i}`, agent, listed: true, workflowId: 'w', user: 'ana', createdAt: i };
			const seq = store.runs.start({ ...run, inputs: JSON.stringify({ text }) });
			const figures = { elapsedTime: 0, totalTokens: 0, totalSteps: 0, exceptionsCount: 0, finishedAt: i };
			store.runs.finishRun(seq, { status: 'succeeded', outputs: null, error: null, ...figures });
		}
		while (await store.search.indexSomeRuns());
		for (const keyword of [
			pickRandomLetter(),
			pickRandomLetter() + pickRandomLetter(),
			pickRandomLetter() + pickRandomLetter(),
			'an',
			'\u0001',
		]) {
			const began = performance.now();
			const found = await store.search.findRuns({ agent, keyword, status: undefined, offset: 0, limit: 20 });
			const ms = performance.now() - began;
			const expected = texts.filter(text => text.includes(keyword) || keyword === 'an').length;
			assert.deepEqual([found.total, found.seqs.length], [expected, Math.min(20, expected)], keyword);
			assert.ok(ms < chooseSize(5_000, 1_000), `${ms} ms`);
		}
		await store.close();
	});
});
