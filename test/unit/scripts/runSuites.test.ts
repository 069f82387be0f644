import assert from 'node:assert/strict';
import { type Result, runSuites } from '../../../scripts/test/runSuites.ts';
import type { Suite } from '../../../scripts/test/suites.ts';
import { parseTestReport } from '../../../scripts/test/testReport.ts';

const createSuite = (name: string, ...needs: string[]): Suite => ({ name, commands: [], counts: 'tests', needs });

const failure = 'failed {"title":"a click","error":"late"}\n';

/** Fakes suites by the outputs of their runs; a run has failed if its output contains a failure. */
class Played {
	/** Starts, repeated starts and ends of suites, in order. */
	readonly log: string[] = [];
	readonly reports: string[] = [];
	#outputs: Record<string, string[]>;

	constructor(outputs: Record<string, string[]>) {
		this.#outputs = outputs;
	}

	async run({ name }: Suite, again: boolean): Promise<Result> {
		this.log.push(`${name}${again ? ' again' : ''}`);
		const output = this.#outputs[name]?.shift() ?? '';
		const report = parseTestReport(output);
		await new Promise(setImmediate);
		this.log.push(`${name} ended`);
		const failed = report.failures.length || (output === 'killed' ? 1 : 0);
		return { name, output, seconds: 1, passed: 3, failed, ...report };
	}

	report({ name }: Suite, { failed }: Result, again: boolean): void {
		this.reports.push(`${name}: ${failed}${again ? ', again' : ''}`);
	}
}

describe('runSuites', () => {
	it('runs a passing suite once', async () => {
		const played = new Played({ unit: ['second try {"title":"a stop","error":"early"}\n'] });
		const [result] = await runSuites([createSuite('unit')], 3, played);
		assert.deepEqual(played.log, ['unit', 'unit ended']);
		assert.deepEqual(result!.secondTries, [{ title: 'a stop', error: 'early' }]);
	});

	it('runs failed suites again, one at a time, after all others have ended', async () => {
		const played = new Played({ 'ui: a': [failure], 'ui: b': [failure], unit: [] });
		const results = await runSuites([createSuite('ui: a'), createSuite('ui: b'), createSuite('unit')], 2, played);
		assert.deepEqual(played.log.slice(-4), ['ui: a again', 'ui: a ended', 'ui: b again', 'ui: b ended']);
		assert.ok(played.log.indexOf('unit ended') < played.log.indexOf('ui: a again'));
		assert.deepEqual(
			results.map(({ name, passed, failed, failures }) => [name, passed, failed, failures.length]),
			[
				['ui: a', 3, 0, 0],
				['ui: b', 3, 0, 0],
				['unit', 3, 0, 0],
			],
		);
		assert.deepEqual(results[0]!.secondTries, [{ title: 'a click', error: 'late' }]);
		assert.deepEqual(played.reports.slice(-2), ['ui: a: 0', 'ui: b: 0']);
		assert.ok(played.reports.includes('ui: a: 1, again'));
	});

	it('reports the failures of the second run of a suite that fails again', async () => {
		const played = new Played({ unit: [failure, 'failed {"title":"a click","error":"still"}\n'] });
		const [result] = await runSuites([createSuite('unit')], 3, played);
		assert.equal(played.log.length, 4);
		assert.equal(result!.failed, 1);
		assert.deepEqual(result!.failures, [{ title: 'a click', error: 'still' }]);
		assert.deepEqual(result!.secondTries, []);
	});

	it("doesn't retry a suite in which a test with random inputs failed", async () => {
		const error = 'Error: Timeout of 10000ms exceeded.';
		const played = new Played({ unit: [`failed ${JSON.stringify({ title: 'any number', error, random: true })}\n`] });
		const [result] = await runSuites([createSuite('unit')], 3, played);
		assert.deepEqual(played.log, ['unit', 'unit ended']);
		assert.deepEqual(result!.failures, [{ title: 'any number', error, random: true }]);
		assert.deepEqual(played.reports, ['unit: 1']);
	});

	it("doesn't retry a suite of random inputs, even if it was killed", async () => {
		const played = new Played({ fuzz: ['killed'] });
		const [result] = await runSuites([{ ...createSuite('fuzz'), isRandom: true }], 3, played);
		assert.deepEqual([played.log, result!.failed], [['fuzz', 'fuzz ended'], 1]);
	});

	it('reports the last lines of a first run that was killed', async () => {
		const [result] = await runSuites([createSuite('host')], 3, new Played({ host: ['killed'] }));
		assert.equal(result!.failed, 0);
		assert.deepEqual(result!.secondTries, [{ title: 'its last lines', error: 'killed' }]);
	});

	it('runs a failed suite again immediately if others need it', async () => {
		const played = new Played({ workbench: [failure] });
		await runSuites([createSuite('workbench'), createSuite('ui', 'workbench')], 3, played);
		assert.deepEqual(played.log, ['workbench', 'workbench ended', 'workbench again', 'workbench ended', 'ui', 'ui ended']);
	});

	it('skips a suite that needs a suite that failed twice', async () => {
		const played = new Played({ build: [failure, failure] });
		const results = await runSuites([createSuite('build'), createSuite('ui', 'build'), createSuite('unit')], 3, played);
		assert.ok(!played.log.includes('ui'));
		const ui = results.find(({ name }) => name === 'ui')!;
		assert.deepEqual([ui.failed, ui.rest], [1, 'not run: build failed']);
		assert.ok(played.reports.includes('ui: 1'));
	});
});
