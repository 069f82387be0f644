import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { detectDatasetFormat, readDatasetRows } from '#suites/datasets/datasetRows.ts';

describe('reading hostile datasets', () => {
	let folder: string;

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'datasets-test-'));
	});
	after(() => fs.rmSync(folder, { recursive: true }));

	it('with many columns, broken rows or much white space does not block the thread', async () => {
		const columns = Array.from({ length: 60_000 }, (_, at) => `column${at}`).join(',');
		const hostile: Record<string, string> = {
			'wide.csv': `${columns}\n${columns}\n`,
			'broken.csv': `a,b\n${'x"y,z\n'.repeat(60_000)}`,
			'blank.json': `[${Array.from({ length: 60 }, () => ' '.repeat(32_000) + '1'.repeat(32_000)).join(',')}]`,
		};
		for (const [name, text] of Object.entries(hostile)) {
			const started = performance.now();
			let longest = 0;
			let last = started;
			const ticking = setInterval(() => {
				longest = Math.max(longest, performance.now() - last);
				last = performance.now();
			}, 5);
			const file = path.join(folder, name);
			fs.writeFileSync(file, text);
			for await (const _ of readDatasetRows({ file, root: folder, format: detectDatasetFormat(name)! }, fillPlaceholders)) {
				// only the time counts
			}
			clearInterval(ticking);
			longest = Math.max(longest, performance.now() - last);
			assert.ok(longest < 2_500, `${name}: the event loop waited ${Math.round(longest)} ms`);
			assert.ok(performance.now() - started < 15_000, `${name}: ${Math.round(performance.now() - started)} ms`);
		}
	});
});
