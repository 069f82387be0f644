import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Baselines } from '#cli/batches/baselines.ts';
import { ResultFolder } from '#cli/batches/resultFolder.ts';
import { createSuiteNamed } from '../reports/results.ts';

describe('earlier results to compare with', () => {
	let folder: string;
	let results: ResultFolder;

	beforeEach(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'baselines-test-'));
		results = await ResultFolder.openFolder(folder);
	});
	afterEach(async () => {
		await results.close();
		fs.rmSync(folder, { recursive: true });
	});

	function readBaselines(text: string): Promise<Baselines> {
		const file = path.join(folder, 'all.jsonl');
		fs.writeFileSync(file, text);
		return Baselines.readBaselines('baseline', file, results);
	}

	function createHead(suite: string): string {
		return JSON.stringify({ head: { version: 1, suite, fingerprint: 'f', connection: 'c', startedAt: 0 } });
	}

	function readOwnLines(baselines: Baselines, file: string): readonly string[] {
		return fs
			.readFileSync(baselines.findResultFile({ ...createSuiteNamed('s'), file })!, 'utf8')
			.trimEnd()
			.split('\n')
			.slice(1);
	}

	it('are the last ones of each suite if the file has several of a suite', async () => {
		const [one, two] = ['/w/one.suite.json', '/w/two.suite.json'];
		const lines = [createHead(one), '{"old":1}', createHead(one), '{"one":1}', createHead(two), '{"two":1}', ''];
		const baselines = await readBaselines(lines.join('\n'));
		assert.deepEqual([readOwnLines(baselines, one), readOwnLines(baselines, two)], [['{"one":1}'], ['{"two":1}']]);
	});

	it('can start with a byte order mark', async () => {
		const baselines = await readBaselines(`\uFEFF${createHead('/w/one.suite.json')}\n{"one":1}\n`);
		assert.deepEqual(readOwnLines(baselines, '/w/one.suite.json'), ['{"one":1}']);
	});
});
