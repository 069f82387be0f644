import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findExcessWords, type WordLimits } from '../../../scripts/checkWords.ts';

describe('the check on words', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'words-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const write = (file: string, text: string) => {
		fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		fs.writeFileSync(path.join(folder, file), text);
	};
	const createLimits = (phrase: string, limit: number): WordLimits => ({ [phrase]: { baseline: 100, limit } });

	it('passes as many uses as the limit allows', () => {
		write('src/a.ts', '// begins anew\n');
		write('docs/b.md', 'Anew.\n');
		assert.deepEqual(findExcessWords(folder, createLimits('anew', 2)), []);
	});

	it('names file and line of each use above the limit', () => {
		write('src/a.ts', '\n// begins anew\n');
		write('package.nls.json', '{ "title": "Start anew" }');
		assert.deepEqual(findExcessWords(folder, createLimits('anew', 1)), [
			"'anew': 2 times, limit 1",
			'\tpackage.nls.json:1',
			'\tsrc/a.ts:2',
		]);
	});

	it('finds each phrase only in the form that it forbids', () => {
		write(
			'src/a.ts',
			'// There is no file. The renewal is retold.\n/** Returns it, if known.\n *\n * What it is. */\nconst x = "What now";\n',
		);
		assert.deepEqual(findExcessWords(folder, {}), ["'What (first word of a comment)': 1 times, limit 0", '\tsrc/a.ts:4']);
	});

	it('skips packages, pictures and recorded data', () => {
		for (const file of ['test/bench/node_modules/a/a.js', 'docs/a.png', 'test/fixtures/dsl/a.json', 'scripts/words.json']) {
			write(file, 'whoever');
		}
		assert.deepEqual(findExcessWords(folder, {}), []);
	});

	it('allows five per cent of the former counts', () => {
		const limits = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../scripts/words.json'), 'utf8')) as WordLimits;
		for (const [phrase, { baseline, limit }] of Object.entries(limits)) {
			assert.equal(limit, Math.floor(baseline * 0.05), phrase);
		}
	});
});
