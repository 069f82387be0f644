import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ResultStore } from '#editor/suites/batches/resultStore.ts';
import { SuiteBatches } from '#editor/suites/batches/suiteBatches.ts';
import type { SuiteRunOptions } from '#suites/running/suiteRunner.ts';
import type { Suite } from '#suites/suite.ts';

describe('a batch of a suite that is resumed', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-batches-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it("doesn't mix results of different versions of its agents", async () => {
		const file = path.join(folder, 'echo.yml');
		fs.writeFileSync(file, 'first');
		const store = new ResultStore(path.join(folder, 'store'));
		const started: SuiteRunOptions[] = [];
		const batches = new SuiteBatches({
			services: {
				openService: async () => ({ name: 'gateway', agents: [{ name: 'echo', file }], placeholders: {} }) as never,
				openRecording: async () => undefined,
				finishRecording: async () => undefined,
			},
			store,
			runner: {
				// biome-ignore lint/correctness/useYield: an interrupted batch without results
				async *run(_suite, _service, options) {
					started.push(options);
					const head = { version: 1, suite: 's', fingerprint: 'f', connection: 'gateway', depends: options.depends, startedAt: 1 };
					fs.writeFileSync(options.resultFile, `${JSON.stringify({ head })}\n`);
				},
			},
			log: { warn: () => {}, error: () => {} } as never,
		});
		const suite = { name: 's', file: path.join(folder, 's.suite.json'), root: folder, cases: [] } as unknown as Suite;
		const { file: resume } = await batches.start(suite, {});
		await batches.start(suite, { resume });
		fs.writeFileSync(file, 'second');
		await assert.rejects(batches.start(suite, { resume }), { reason: 'changed' });
		assert.deepEqual(
			started.map(options => options.resume),
			[false, true],
		);
		batches.dispose();
	});

	it('runs once, also if it is asked for twice, and never writes to the file of another batch', async () => {
		const store = new ResultStore(path.join(folder, 'store'));
		const started: string[] = [];
		const end = Promise.withResolvers<void>();
		const batches = new SuiteBatches({
			services: {
				openService: async () => ({ name: 'gateway', agents: [], placeholders: {} }) as never,
				openRecording: async () => undefined,
				finishRecording: async () => undefined,
			},
			store,
			runner: {
				// biome-ignore lint/correctness/useYield: a batch that goes on
				async *run(_suite, _service, { resultFile, depends, resume }) {
					started.push(resultFile);
					await (resume && end.promise);
					fs.writeFileSync(resultFile, `${JSON.stringify({ head: { suite: 's', depends } })}\n`);
				},
			},
			log: { warn: () => {}, error: () => {} } as never,
		});
		const suite = { name: 's', file: path.join(folder, 's.suite.json'), root: folder, cases: [] } as unknown as Suite;
		const [one, other] = await Promise.all([batches.start(suite, {}), batches.start(suite, {})]);
		assert.notEqual(one.file, other.file);
		await Promise.all([one.ended, other.ended]);
		started.length = 0;
		const twice = await Promise.allSettled([batches.start(suite, { resume: one.file }), batches.start(suite, { resume: one.file })]);
		assert.deepEqual(
			twice.map(({ status }) => status),
			['fulfilled', 'rejected'],
		);
		await assert.rejects(batches.start(suite, { resume: one.file }), { reason: 'running' });
		end.resolve();
		assert.deepEqual(started, [one.file]);
		batches.dispose();
	});
});
