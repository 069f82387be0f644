import assert from 'node:assert/strict';
import { CaseOutcomes } from '#suites/gate/caseOutcomes.ts';
import { Baseline } from '#suites/results/comparison.ts';
import { readResultFileState, readResults } from '#suites/results/resultFile.ts';
import { KeptOutputs } from '#suites/running/judgeAgain.ts';
import { compareVariants } from '#suites/variants/compareVariants.ts';
import { createFailedCheck, createResult } from '../../cli/reports/results.ts';
import { SuiteFixture } from './suiteFixture.ts';

describe('result files from elsewhere', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	const run = { status: 'succeeded', seconds: 1, tokens: 1, steps: 1 };
	const damaged: readonly (readonly [what: string, result: unknown])[] = [
		['no fields', {}],
		['no object', 5],
		['a list', [createResult()]],
		['a negative number', createResult({ ordinal: -1 })],
		['a fraction as number', createResult({ ordinal: 0.5 })],
		['an unknown outcome', { ...createResult(), outcome: 'great' }],
		['a name of another type', { ...createResult(), name: { toString: 'x' } }],
		['a score that was no number', { ...createResult(), score: null }],
		['tokens that were no number', createResult({ run: { ...run, tokens: null as never } })],
		['a cost that was infinite', createResult({ run: { ...run, cost: null as never } })],
		['checks that are no list', { ...createResult(), checks: { length: 3 } }],
		['a check that is nothing', { ...createResult(), checks: [null] }],
		['a check without an outcome', { ...createResult(), checks: [{ ...createFailedCheck(), passed: 'yes' }] }],
		['a judge without a name', { ...createResult(), checks: [{ ...createFailedCheck(), judge: { key: 'k' } }] }],
		['outputs that are a list', { ...createResult(), outputs: [] }],
		['more passed runs than runs', createResult({ repeated: { runs: 1, passed: 2 } })],
	];
	for (const [what, result] of damaged) {
		it(`don't count a result with ${what}`, async () => {
			const head = { version: 1, suite: '/w/a.suite.json', fingerprint: 'f', connection: 'c', startedAt: 0 };
			const lines = [{ head }, { result }, { result: createResult({ name: 'sound', ordinal: 7 }) }];
			const file = fixture.writeFile('results.jsonl', lines.map(line => `${JSON.stringify(line)}\n`).join(''));
			const names: string[] = [];
			const outcomes = new CaseOutcomes();
			for await (const each of readResults(file)) {
				names.push(each.name);
				outcomes.add(each);
			}
			assert.deepEqual(names, ['sound']);
			assert.ok(Number.isFinite(outcomes.cost + outcomes.tokens));
			assert.equal((await Baseline.readResultFile(file)).compareResult(createResult({ name: 'sound', ordinal: 7 })), 'same');
			assert.ok((await KeptOutputs.readResultFile(file)).find({ name: 'sound' }));
			const variants = { names: ['one', 'two'], baseline: 'one', cached: false };
			assert.equal((await compareVariants(readResults(file), variants)).variants[1]?.notRun, 1);
		});
	}

	it('are completed if they are from an older version', async () => {
		const file = fixture.writeFile('results.jsonl', '{"result":{"ordinal":0,"name":"old","outcome":"passed","score":1,"outputs":{}}}\n');
		for await (const { name, checks, inputs } of readResults(file)) {
			assert.deepEqual([name, checks, inputs], ['old', [], {}]);
		}
	});

	it('are incomplete if their run was interrupted, also if a report has its summary', async () => {
		const head = { version: 1, suite: '/w/a.suite.json', fingerprint: 'f', connection: 'c', startedAt: 0 };
		const summary = { cases: 1, passed: 1 };
		const write = (last: object) =>
			fixture.writeFile('results.jsonl', [{ head }, { result: createResult() }, last].map(line => `${JSON.stringify(line)}\n`).join(''));
		assert.ok((await readResultFileState(write({ summary })))?.summary);
		assert.equal((await readResultFileState(write({ summary, isPartial: true })))?.summary, undefined);
	});
});
