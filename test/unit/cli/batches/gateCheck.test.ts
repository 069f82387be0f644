import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { checkGate } from '#cli/batches/gateCheck.ts';
import { getHistoryFile, readRecentHistory } from '#suites/gate/history.ts';
import { RunningService } from '../../../support/services/runningService.ts';
import { SuiteFixture } from '../../suites/results/suiteFixture.ts';
import { createResult } from '../reports/results.ts';

describe('the gate of a batch', () => {
	let fixture: SuiteFixture;
	let service: RunningService;
	beforeEach(async () => {
		fixture = new SuiteFixture();
		service = new RunningService();
		await service.start();
	});
	afterEach(async () => {
		await fixture.close();
		await service.stop();
	});

	it("isn't passed if the batch stopped at its first failed case, and its history keeps only whole batches", async () => {
		service.answer = ({ inputs }) => (inputs['n'] === 1 ? { error: 'No' } : { outputs: {} });
		const cases = Array.from({ length: 4 }, (_, n) => ({ name: `case ${n}`, inputs: { n } }));
		const suite = await fixture.readValidSuite({ model: 'a', cases, concurrency: 1, gate: { pass_rate: 0.5 } });
		const context = { faults: 0, agents: [], history: true, baseline: undefined };
		const history = getHistoryFile({ file: path.join(fixture.folder, 'one.suite.json'), root: fixture.folder });
		await fixture.runSuite(suite, fixture.createService(service.url), { bail: true });
		assert.deepEqual(await checkGate(suite, fixture.resultFile, context), [
			'Stopped before all test cases ran, so nothing is compared or added to the history.',
		]);
		assert.equal(fs.existsSync(history), false);
		await fixture.runSuite(suite, fixture.createService(service.url));
		assert.deepEqual(await checkGate(suite, fixture.resultFile, context), []);
		assert.equal(fs.readFileSync(history, 'utf8').split('\n').length, 2);
	});

	it('adds an entry for each variant of a comparison, which has no gate', async () => {
		const suite = await fixture.readValidSuite({ model: 'a', cases: [{ name: 'one' }], gate: { pass_rate: 1 } });
		const results = ['small', 'large'].map((variant, ordinal) =>
			createResult({ name: 'one', ordinal, variant, outcome: variant === 'small' ? 'failed' : 'passed' }),
		);
		const summary = { cases: 2, passed: 1, failed: 1, notRun: 0, faults: 0 };
		const lines = [{ head: { version: 1, suite: suite.file } }, ...results.map(result => ({ result })), { summary }];
		fs.mkdirSync(path.dirname(fixture.resultFile), { recursive: true });
		fs.writeFileSync(fixture.resultFile, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
		const context = { faults: 0, agents: [], history: true, baseline: undefined };
		assert.equal(await checkGate(suite, fixture.resultFile, context), undefined);
		const { entries } = await readRecentHistory(getHistoryFile(suite), 10);
		assert.deepEqual(
			entries.map(({ variant, passed, cases }) => [variant, passed, cases]),
			[
				['small', 0, 1],
				['large', 1, 1],
			],
		);
	});

	it("isn't passed if the results in --baseline are of an interrupted run, because fewer cases could be worse", async () => {
		const cases = Array.from({ length: 4 }, (_, n) => ({ name: `case ${n}`, inputs: { n } }));
		const suite = await fixture.readValidSuite({ model: 'a', cases, concurrency: 1, gate: { not_worse: 'strict' } });
		const connection = fixture.createService(service.url);
		await fixture.runSuite(suite, connection);
		const lines = fs.readFileSync(fixture.resultFile, 'utf8');
		const context = { faults: 0, agents: [], history: false };
		const whole = { file: fixture.writeFile('whole.jsonl', lines) };
		const part = { file: fixture.writeFile('part.jsonl', lines.slice(0, lines.indexOf('{"summary"'))) };
		service.answer = ({ inputs }) => (inputs['n'] === 3 ? { error: 'No' } : { outputs: {} });
		await fixture.runSuite(suite, connection);
		assert.deepEqual(await checkGate(suite, fixture.resultFile, { ...context, baseline: whole }), [
			'not_worse: these passed before: case 3.',
		]);
		assert.match(String(await checkGate(suite, fixture.resultFile, { ...context, baseline: part })), /incomplete/);
	});

	it("isn't passed if results are missing in --baseline, are of variants, or of no case", async () => {
		const suite = await fixture.readValidSuite({ model: 'a', cases: [{ name: 'one' }, { name: 'two' }], gate: { not_worse: 'strict' } });
		await fixture.runSuite(suite, fixture.createService(service.url));
		const [head, first, second, summary] = fs.readFileSync(fixture.resultFile, 'utf8').split('\n');
		const context = { faults: 0, agents: [], history: false };
		const check = (...lines: readonly (string | undefined)[]) =>
			checkGate(suite, fixture.resultFile, { ...context, baseline: { file: fixture.writeFile('earlier.jsonl', lines.join('\n')) } });
		assert.deepEqual(await check(head, first, second, summary, ''), []);
		// a line that can't be read, because it's damaged or has another format
		assert.match(String(await check(head, first, '{"result":{"name":"two"}}', summary, '')), /incomplete/);
		const inVariant = (line: string | undefined) => line?.replace('"name":', '"variant":"small","name":');
		assert.match(String(await check(head, inVariant(first), inVariant(second), summary, '')), /no results of test cases/);
		assert.match(String(await check(head, summary?.replace('"cases":2', '"cases":0'), '')), /no results of test cases/);
	});
});
