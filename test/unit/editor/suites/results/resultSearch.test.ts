import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ResultSearch } from '#editor/suites/results/resultSearch.ts';

describe('The search in a result file', () => {
	let folder: string;
	let file: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'result-search-'));
		file = path.join(folder, 'results.jsonl');
	});
	afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

	it('ends if the file was truncated after its size was read', async () => {
		const text = `${JSON.stringify({ name: 'one' })}\n`.repeat(3);
		fs.writeFileSync(file, text.slice(0, -5));
		const found = await new ResultSearch(file).findMatches('one', text.length, new AbortController().signal);
		assert.equal(found?.size, 2);
		fs.writeFileSync(file, '{"name"');
		assert.equal((await new ResultSearch(file).findMatches('one', text.length, new AbortController().signal))?.size, 0);
	});

	it('finds lines that are longer than a chunk', async () => {
		const text = `{}\n${JSON.stringify({ name: `${'x'.repeat(1 << 20)}one` })}\n`;
		fs.writeFileSync(file, text);
		const found = await new ResultSearch(file).findMatches('one', text.length, new AbortController().signal);
		assert.deepEqual([...(found ?? [])], [3]);
	});
});
