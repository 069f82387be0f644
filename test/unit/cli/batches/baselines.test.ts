import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Baselines } from '#cli/batches/baselines.ts';
import { ResultFolder } from '#cli/batches/resultFolder.ts';
import type { Suite } from '#suites/suite.ts';
import { makeTempFolder, removeFolder } from '../../../../scripts/lib/tempFolder.ts';
import { createResult, createSuiteNamed, createSummary } from '../reports/results.ts';

describe('earlier results to compare with', () => {
	let root: string;
	let results: ResultFolder;
	beforeEach(async () => {
		root = makeTempFolder();
		results = await ResultFolder.openFolder(path.join(root, 'data'));
	});
	afterEach(async () => {
		await results.close();
		removeFolder(root);
	});

	const createSuite = (name: string, isThere = true): Suite => {
		const file = path.join(root, name);
		if (isThere) {
			fs.mkdirSync(path.dirname(file), { recursive: true });
			fs.writeFileSync(file, '{}');
		}
		return { ...createSuiteNamed(name), file, root };
	};
	const writeResults = (...suites: readonly (readonly [file: string, name: string])[]) => {
		const lines = suites.flatMap(([suite, name]) => [
			{ head: { version: 1, suite } },
			{ result: createResult({ name }) },
			{ summary: createSummary() },
		]);
		const file = path.join(root, 'earlier.jsonl');
		fs.writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
		return Baselines.readBaselines('baseline', file, results);
	};

	it("compares a suite with its own results, if the file has another suite's after it and its own twice", async () => {
		const [one, two] = [createSuite('one.suite.json'), createSuite('two.suite.json')];
		const earlier = await writeResults([one.file, 'old'], [one.file, 'of one'], [two.file, 'of two']);
		assert.equal((await earlier.findBaseline(one))?.compareResult(createResult({ name: 'of one' })), 'same');
		assert.equal((await earlier.findBaseline(one))?.compareResult(createResult({ name: 'of two' })), 'new');
		assert.equal((await earlier.findBaseline(two))?.compareResult(createResult({ name: 'of two' })), 'same');
	});

	it("isn't another suite of the same project with the same file name", async () => {
		const [en, de] = [createSuite('en/faq.suite.json'), createSuite('de/faq.suite.json')];
		const earlier = await writeResults([en.file, 'greeting']);
		assert.ok(earlier.findResultFile(en));
		assert.equal(earlier.findResultFile(de), undefined);
	});

	it('is found by the end of its path if it comes from another machine', async () => {
		const [en, de] = [createSuite('en/faq.suite.json'), createSuite('de/faq.suite.json')];
		const earlier = await writeResults(['C:\\build\\en\\faq.suite.json', 'in English'], ['C:\\build\\de\\faq.suite.json', 'in German']);
		assert.equal((await earlier.findBaseline(en))?.compareResult(createResult({ name: 'in English' })), 'same');
		assert.equal((await earlier.findBaseline(de))?.compareResult(createResult({ name: 'in German' })), 'same');
		const moved = await writeResults(['/gone/a/faq.suite.json', 'a'], ['/gone/b/faq.suite.json', 'b']);
		assert.equal(moved.findResultFile(en), undefined);
	});

	it('can start with a byte order mark', async () => {
		const { file } = createSuite('one.suite.json');
		const earlier = path.join(root, 'earlier.jsonl');
		fs.writeFileSync(earlier, `\uFEFF${JSON.stringify({ head: { version: 1, suite: file } })}\n`);
		assert.ok((await Baselines.readBaselines('baseline', earlier, results)).findResultFile({ ...createSuiteNamed('one'), file, root }));
	});

	it('leaves no copies behind in the data folder', async () => {
		const one = createSuite('one.suite.json');
		await writeResults([one.file, 'a']);
		await results.close();
		assert.deepEqual(fs.readdirSync(path.join(root, 'data', 'results')), []);
	});
});
