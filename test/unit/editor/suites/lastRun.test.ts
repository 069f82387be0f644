import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ResultStore } from '#editor/suites/batches/resultStore.ts';
import { findLastRun } from '#editor/suites/lastRun.ts';

describe('the last run of a case', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-last-run-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('is found after other cases were added, and is none of another row or of a variant', async () => {
		const store = new ResultStore(folder);
		const suite = '/w/a.suite.json';
		const createResult = (ordinal: number, name: string, more: object = {}) => {
			const place = { file: suite, offset: 0, length: 1, line: 1, column: 1 };
			const run = { id: `run ${ordinal}`, status: 'succeeded', seconds: 1, tokens: 1, steps: 1 };
			const rest = { place, outcome: 'passed', score: 1, run, inputs: {}, outputs: {}, checks: [], startedAt: 0, seconds: 1 };
			return { result: { ordinal, name, ...rest, ...more } };
		};
		const head = { version: 1, suite, fingerprint: 'f', connection: 'c', startedAt: 0 };
		const results = [
			createResult(0, 'one', { variant: 'large' }),
			createResult(1, 'one'),
			createResult(2, 'x', { row: 1 }),
			createResult(3, 'x', { row: 2 }),
		];
		const file = await store.createFile(suite, 1, undefined, new Set());
		fs.writeFileSync(file, [{ head }, ...results].map(line => `${JSON.stringify(line)}\n`).join(''));
		const find = async (name: string, row?: number) => (await findLastRun(store, suite, { name, ...(row && { row }) }))?.result.run?.id;
		assert.equal(await find('one'), 'run 1');
		assert.equal(await find('x', 2), 'run 3');
		assert.equal(await find('x', 3), undefined);
		assert.equal(await find('x'), undefined);
	});
});
