import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { hashContent } from '#base/files/contentHash.ts';
import { summarizeJudges } from '#suites/judges/judgeAgreement.ts';
import { appendLabel, getLabelHalf, hashJudgedOutput, type JudgeLabel, JudgeLabels } from '#suites/judges/judgeLabels.ts';
import type { CaseResult, CheckResult } from '#suites/results/caseResult.ts';
import { Baseline } from '#suites/results/comparison.ts';
import { KeptOutputs } from '#suites/running/judgeAgain.ts';
import { RunningService } from '../../../support/services/runningService.ts';
import { createFailedCheck, createResult } from '../../cli/reports/results.ts';
import { listResults, SuiteFixture } from '../results/suiteFixture.ts';

/** Returns the check of a judge that graded an output. */
function createJudgment(passed: boolean, more: Partial<CheckResult> = {}): CheckResult {
	const judge = { name: 'helpful', model: 'm', key: 'k' };
	return createFailedCheck({ kind: 'judge', passed, score: Number(passed), actual: 'text', judge, ...more });
}

/** Returns the result of a case that only one judge checks. */
function createJudged(at: number, passed: boolean, more: Partial<CheckResult> = {}): CaseResult {
	return createResult({
		ordinal: at,
		name: `case ${at}`,
		inputs: { at },
		checks: [createJudgment(passed, { actual: `text ${at}`, ...more })],
	});
}

function createLabel(result: CaseResult, label: JudgeLabel['label'], more: Partial<JudgeLabel> = {}): JudgeLabel {
	const { name, checks } = result;
	const output = hashJudgedOutput(result, checks[0]!);
	return { case: name, output, check: 'helpful', label, text: String(checks[0]!.actual), by: 'ana', at: '2026-11-27T10:00:00Z', ...more };
}

async function* toStream(results: readonly CaseResult[]): AsyncGenerator<CaseResult, void> {
	yield* results;
}

/** Summarizes a judge over 200 outputs, of which people pass every second one. In each half, it errs alike often on both classes. */
async function summarizePlanted(errorsPerTen: number) {
	const seen = { 'tuning pass': 0, 'tuning fail': 0, 'held-out pass': 0, 'held-out fail': 0 };
	const [results, labels]: [CaseResult[], JudgeLabel[]] = [[], []];
	for (let at = 0; labels.length < 200; at++) {
		const label = at % 2 === 0 ? 'pass' : 'fail';
		const half = getLabelHalf(hashJudgedOutput(createJudged(at, true), createJudged(at, true).checks[0]!));
		if (seen[`${half} ${label}`] < 50) {
			const errs = seen[`${half} ${label}`]++ % 10 < errorsPerTen;
			const result = createJudged(at, (label === 'pass') !== errs);
			results.push(result);
			labels.push(createLabel(result, label));
		}
	}
	const [summary] = await summarizeJudges(toStream(results), new JudgeLabels(labels));
	return summary!;
}

describe('judges', () => {
	it('that agree with people at kappa 0.4 are told apart from those at 0.8 with 200 labels, in each half', async () => {
		const [weak, strong] = [await summarizePlanted(3), await summarizePlanted(1)];
		for (const half of ['heldOut', 'tuning'] as const) {
			assert.equal(weak[half].cases, 100);
			assert.deepEqual([weak[half].kappa!.value.toFixed(9), strong[half].kappa!.value.toFixed(9)], ['0.400000000', '0.800000000']);
			assert.ok(weak[half].kappa!.interval.high < strong[half].kappa!.interval.low, JSON.stringify([weak[half], strong[half]]));
		}
	});

	it('keep their labels if a row moves or the judge changes, and lose them if the output or the inputs change', () => {
		const check = createJudgment(true);
		const row = createResult({ name: 'row 3', row: 3, inputs: { q: 'a' }, checks: [check] });
		const output = hashJudgedOutput(row, check);
		assert.equal(
			hashJudgedOutput({ ...row, name: 'row 4', row: 4 }, { ...check, judge: { name: 'helpful', model: 'n', key: 'l' } }),
			output,
		);
		assert.notEqual(hashJudgedOutput(row, { ...check, actual: 'other' }), output);
		assert.notEqual(hashJudgedOutput({ ...row, inputs: { q: 'b' } }, check), output);
		// cases and rows without inputs can differ in their message
		assert.notEqual(hashJudgedOutput({ name: 'one', inputs: {} }, check), hashJudgedOutput({ name: 'two', inputs: {} }, check));
		assert.notEqual(
			hashJudgedOutput({ name: 'row 1', row: 1, inputs: {} }, check),
			hashJudgedOutput({ name: 'row 2', row: 2, inputs: {} }, check),
		);
	});

	it('count the same output of two variants once, and compare two people', async () => {
		const [one, two] = [createJudged(1, true), createJudged(2, false)];
		const labels = new JudgeLabels([
			createLabel(one, 'pass'),
			createLabel(one, 'fail', { by: 'bo', at: '2026-11-27T11:00:00Z' }),
			createLabel(two, 'skip'),
		]);
		const [summary] = await summarizeJudges(toStream([{ ...one, variant: 'a' }, { ...one, variant: 'b' }, two]), labels);
		assert.deepEqual([summary?.judged, summary?.labeled, summary?.people?.counts.onlyFirst], [2, 1, 1]);
		// the latest opinion counts
		const half = summary!.heldOut.cases === 1 ? summary!.heldOut : summary!.tuning;
		assert.deepEqual(half.counts, { both: 0, onlyFirst: 0, onlySecond: 1, neither: 0 });
		assert.deepEqual(await summarizeJudges(toStream([one, two]), new JudgeLabels()), []);
	});

	it('see examples only from the tuning half, failed and passed in turn', () => {
		const results = Array.from({ length: 40 }, (_, at) => createJudged(at, true));
		const labels = new JudgeLabels(
			results.map((result, at) => createLabel(result, at % 4 === 0 ? 'fail' : 'pass', { note: `note ${at}` })),
		);
		const examples = labels.chooseExamples('helpful', 6);
		assert.deepEqual(
			examples.map(({ label }) => label),
			['fail', 'pass', 'fail', 'pass', 'fail', 'pass'],
		);
		const tuning = results.filter(result => getLabelHalf(hashJudgedOutput(result, result.checks[0]!)) === 'tuning');
		const texts = new Set(tuning.map(({ checks }) => checks[0]!.actual));
		assert.ok(labels.chooseExamples('helpful', 100).every(({ text }) => texts.has(text)));
		assert.deepEqual(labels.chooseExamples('other', 6), []);
	});

	it('have labels that are read again only if their file has changed', async () => {
		const fixture = new SuiteFixture();
		try {
			const suite = { file: fixture.writeFile('one.suite.json', '{}'), root: fixture.folder };
			const none = await JudgeLabels.readLabels(suite);
			await appendLabel(suite, createLabel(createJudged(0, true), 'pass'));
			const first = await JudgeLabels.readLabels(suite, none);
			assert.deepEqual(first.judges, ['helpful']);
			assert.equal(await JudgeLabels.readLabels(suite, first), first);
			await appendLabel(suite, createLabel(createJudged(1, true), 'pass'));
			assert.notEqual(await JudgeLabels.readLabels(suite, first), first);
			fs.rmSync(path.join(fixture.folder, 'one.suite.labels.jsonl'));
			assert.deepEqual((await JudgeLabels.readLabels(suite, first)).judges, []);
		} finally {
			await fixture.close();
		}
	});

	it('get a better threshold from the tuning half', async () => {
		const results = Array.from({ length: 60 }, (_, at) =>
			createJudged(at, at % 2 === 0, { passed: true, score: at % 2 === 0 ? 0.9 : 0.6 }),
		);
		const labels = new JudgeLabels(results.map((result, at) => createLabel(result, at % 2 === 0 ? 'pass' : 'fail')));
		const [summary] = await summarizeJudges(toStream(results), labels);
		assert.deepEqual(summary?.threshold, { threshold: 0.9, kappa: 1 });
	});

	describe('in a suite', () => {
		let fixture: SuiteFixture;
		let service: RunningService;
		const asked: string[] = [];
		let score: number;

		beforeEach(async () => {
			fixture = new SuiteFixture();
			service = new RunningService();
			await service.start();
			asked.length = 0;
			score = 0.9;
			service.reply = body => {
				asked.push(JSON.stringify(body));
				return {
					id: 'm',
					type: 'message',
					role: 'assistant',
					model: body['model'],
					content: [{ type: 'tool_use', id: 't', name: 'grade', input: { score, reason: 'Fine.' } }],
					usage: { input_tokens: 1, output_tokens: 1 },
				};
			};
		});
		afterEach(async () => {
			await fixture.close();
			await service.stop();
		});

		const readJudged = (judge: object) =>
			fixture.readValidSuite({
				model: 'a',
				judges: { helpful: judge },
				cases: [{ name: 'one', inputs: { n: 1 }, expect: [{ output: 'text', judge: 'helpful' }] }],
			});

		async function runJudged(judge: object): Promise<CheckResult> {
			const [result] = listResults(await fixture.runSuite(await readJudged(judge), fixture.createService(service.url)));
			return result!.checks.at(-1)!;
		}

		it('are found by name, read their rubric from a file, and keep the output that they graded', async () => {
			fixture.writeFile('helpful.md', 'It helps.');
			const check = await runJudged({ rubric: { $file: './helpful.md' }, model: 'm' });
			assert.deepEqual([check.passed, check.actual, check.judge?.name, check.judge?.model], [true, 'hello', 'helpful', 'm']);
			assert.match(asked[0]!, /<rubric>\\nIt helps\.\\n<\/rubric>/);
		});

		it('have a key that changes with rubric, model, threshold and examples, and is the same in the next run', async () => {
			const keys: string[] = [];
			for (const judge of [{}, {}, { rubric: 'b' }, { model: 'n' }, { atLeast: 0.6 }]) {
				keys.push((await runJudged({ rubric: 'a', model: 'm', ...judge })).judge!.key);
			}
			assert.equal(keys[0], keys[1]);
			assert.equal(new Set(keys).size, 4);
		});

		it('get examples from the label file, which damaged lines and links to elsewhere do not break', async () => {
			const suite = await readJudged({ rubric: 'a', model: 'm', examples: 2 });
			const result = createJudged(0, true);
			const tuning = `${hashContent('x').slice(0, -1)}0`;
			await appendLabel(suite, createLabel(result, 'fail', { output: tuning, text: 'No help.', note: 'rude' }));
			const file = path.join(fixture.folder, 'one.suite.labels.jsonl');
			fs.appendFileSync(file, '<<<<<<< HEAD\n{"case":');
			await appendLabel(suite, createLabel(result, 'pass', { output: `${tuning.slice(0, -1)}1`, text: 'Held out.' }));
			const connection = fixture.createService(service.url);
			await fixture.runSuite(suite, connection);
			assert.match(asked[0]!, /No help\.\\n<\/text-[\w-]+-example>\\nGraded: fail \(rude\)/);
			assert.ok(!asked[0]!.includes('Held out.'));

			const outside = path.join(path.dirname(fixture.folder), `${path.basename(fixture.folder)}-labels`);
			fs.renameSync(file, outside);
			try {
				fs.symlinkSync(outside, file);
				await assert.rejects(fixture.runSuite(suite, connection), /one\.suite\.labels\.jsonl/);
				await assert.rejects(appendLabel(suite, createLabel(result, 'pass')), /one\.suite\.labels\.jsonl/);
			} finally {
				fs.rmSync(outside);
			}
		});

		it('judge kept outputs again without running anything, and keep the other checks', async () => {
			service.answer = ({ inputs }) => ({ outputs: { text: `hello ${inputs['n']}` } });
			const createSuite = (rubric: string) => ({
				model: 'a',
				judges: { helpful: { rubric, model: 'm' } },
				defaults: {
					expect: [
						{ output: 'text', startsWith: 'hello' },
						{ output: 'text', judge: 'helpful' },
					],
				},
				cases: [1, 2, 3].map(n => ({ name: `case ${n}`, inputs: { n } })),
			});
			const connection = fixture.createService(service.url);
			const before = listResults(await fixture.runSuite(await fixture.readValidSuite(createSuite('a')), connection));
			const kept = await KeptOutputs.readResultFile(fixture.resultFile);
			asked.length = 0;
			score = 0.2;
			const changed = await fixture.readValidSuite({
				...createSuite('b'),
				cases: [...createSuite('b').cases, { name: 'a new case', inputs: { n: 4 } }],
			});
			const judgeAgain = { judgeAgain: kept, resultFile: `${fixture.resultFile}.again` };
			const all = listResults(await fixture.runSuite(changed, connection, judgeAgain));
			const [after, missing] = [all.slice(0, -1), all.at(-1)];
			// a part of the results must not look like all
			assert.deepEqual([missing?.outcome, missing?.fault], ['not-run', "There's no earlier result of 'a new case'."]);
			assert.equal(service.begun.length, 3);
			assert.equal(asked.length, 3);
			assert.match(asked[0]!, /<rubric>\\nb\\n<\/rubric>.*hello 1/);
			assert.deepEqual(
				after.map(({ name, outcome, score: mean, outputs }) => [name, outcome, mean.toFixed(3), outputs['text']]),
				[1, 2, 3].map(n => [`case ${n}`, 'failed', '0.733', `hello ${n}`]),
			);
			assert.deepEqual(after[0]!.checks.slice(0, 2), before[0]!.checks.slice(0, 2));
			assert.notEqual(after[0]!.checks[2]!.judge?.key, before[0]!.checks[2]!.judge?.key);
			// the new results can be judged again too
			score = 0.9;
			const third = { judgeAgain: await KeptOutputs.readResultFile(judgeAgain.resultFile), resultFile: `${fixture.resultFile}.third` };
			const again = listResults(await fixture.runSuite(changed, connection, third));
			assert.deepEqual(
				again.map(({ outcome }) => outcome),
				['passed', 'passed', 'passed', 'not-run'],
			);
		});

		it('keep to the limits of the suite, which only judges use up', async () => {
			const cases = [1, 2, 3].map(n => ({ name: `case ${n}`, inputs: { n }, expect: [{ output: 'text', judge: 'helpful' }] }));
			const judged = { model: 'a', judges: { helpful: { rubric: 'a', model: 'm' } }, concurrency: 1, cases };
			const connection = fixture.createService(service.url);
			await fixture.runSuite(await fixture.readValidSuite(judged), connection);
			const judgeAgain = { judgeAgain: await KeptOutputs.readResultFile(fixture.resultFile), resultFile: `${fixture.resultFile}.again` };
			// the runs of each case used 3 tokens, and each grade uses 2
			const outcomes = async (tokens: number) => {
				asked.length = 0;
				const limited = await fixture.readValidSuite({ ...judged, limits: { tokens } });
				return listResults(await fixture.runSuite(limited, connection, judgeAgain)).map(({ outcome }) => outcome);
			};
			assert.deepEqual([await outcomes(6), asked.length], [['passed', 'passed', 'passed'], 3]);
			assert.deepEqual([await outcomes(3), asked.length], [['passed', 'passed', 'not-run'], 2]);
		});

		it("count no tokens that aren't numbers, so that a service can't undo the limits", async () => {
			const cases = Array.from({ length: 6 }, (_, n) => ({
				name: `case ${n}`,
				inputs: { n },
				expect: [{ output: 'text', judge: 'helpful' }],
			}));
			const judged = { model: 'a', judges: { helpful: { rubric: 'a', model: 'm' } }, concurrency: 1, cases, limits: { tokens: 7 } };
			const suite = await fixture.readValidSuite(judged);
			for (const hostile of [-1e9, '-1e9', 'many', null, {}, [3], true]) {
				const usage = { input_tokens: hostile, output_tokens: hostile };
				const { reply } = service;
				service.reply = body => ({ ...(reply(body) as object), usage });
				service.answer = () => ({ outputs: { text: 'hello' }, end: { total_tokens: 3, elapsed_time: -1, total_steps: 'x' } });
				const results = listResults(await fixture.runSuite(suite, fixture.createService(service.url)));
				service.reply = reply;
				const ran = results.filter(({ outcome }) => outcome !== 'not-run');
				assert.equal(ran.length, 3, JSON.stringify(hostile));
				assert.deepEqual([ran[0]!.run!.seconds >= 0, ran[0]!.run!.steps, ran[0]!.checks.at(-1)?.judgeTokens], [true, 0, 0]);
			}
		});

		it('say why kept outputs can not be judged again', async () => {
			const suite = await fixture.readValidSuite({
				model: 'a',
				judges: { helpful: { rubric: 'a', model: 'm' } },
				cases: ['not run', 'repeated', 'old', 'other', 'missing'].map(name => ({ name, expect: [{ output: 'text', judge: 'helpful' }] })),
			});
			const keep = (name: string, check: CheckResult | undefined, more: Partial<CaseResult> = {}) =>
				`${JSON.stringify({ result: createResult({ name, checks: check ? [check] : [], ...more }) })}\n`;
			const { judge: _, ...old } = createJudgment(true);
			const { judge: __, actual: ___, ...missing } = createJudgment(false);
			const file = fixture.writeFile(
				'kept.jsonl',
				[
					keep('not run', undefined, { outcome: 'not-run', fault: 'no' }),
					keep('repeated', createJudgment(true), { repeated: { runs: 3, passed: 2 } }),
					keep('old', old),
					keep('other', createJudgment(true, { judge: { name: 'short', model: 'm', key: 'k' } })),
					keep('missing', missing),
				].join(''),
			);
			const judgeAgain = await KeptOutputs.readResultFile(file);
			const results = listResults(await fixture.runSuite(suite, fixture.createService(service.url), { judgeAgain }));
			assert.deepEqual(
				results.map(({ outcome, fault }) => [outcome, fault?.replace("The case can't be judged again: ", '')]),
				[
					['not-run', 'it had not run.'],
					['not-run', 'only one of its 3 runs was kept.'],
					['not-run', 'the results are from an older version, which kept no outputs of judges.'],
					['not-run', "no output was kept for the judge 'helpful'."],
					['failed', undefined],
				],
			);
			assert.deepEqual([asked.length, service.begun.length], [0, 0]);
		});

		it('report a judge that does not exist, a missing rubric file and numbers out of range', async () => {
			const { faults } = await fixture.readSuite({
				model: 'a',
				judges: { one: { rubric: { $file: './none.md' } }, two: { rubric: 'a', atLeast: 2, examples: 1.5, min_kappa: 3 } },
				cases: [{ name: 'one', expect: [{ judge: 'three' }] }],
			});
			assert.deepEqual(
				faults.map(({ message }) => message.slice(0, 40)),
				[
					"Couldn't read './none.md': no such file",
					"'atLeast' must be a number from 0 to 1.",
					"'min_kappa' must be a number from -1 to ",
					"'examples' must be a whole number from 0",
					"The suite has no judge 'three'. Add it t",
				],
			);
		});
	});

	it("aren't compared with a baseline that another judge graded", async () => {
		const fixture = new SuiteFixture();
		try {
			const before = [createJudged(0, true), createJudged(1, true), createResult({ ordinal: 2, name: 'case 2' })];
			const file = fixture.writeFile('before.jsonl', before.map(result => `${JSON.stringify({ result })}\n`).join(''));
			const baseline = await Baseline.readResultFile(file);
			const changes = [
				createJudged(0, true, { judge: { name: 'helpful', model: 'm', key: 'other' } }),
				{ ...createJudged(1, false), outcome: 'failed' as const },
				// an older result doesn't have the judge
				{ ...createJudged(2, true), outputs: {} },
			].map(result => baseline.compareResult(result));
			assert.deepEqual(changes, ['judge', 'worse', 'same']);
		} finally {
			await fixture.close();
		}
	});
});
