import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { appendJsonLine } from '#base/files/appendLine.ts';
import { addToHistory } from '#suites/gate/addToHistory.ts';
import { CaseOutcomes } from '#suites/gate/caseOutcomes.ts';
import { evaluateGate } from '#suites/gate/evaluateGate.ts';
import { createHistoryEntry, getHistoryFile, pairOutcomes, readLatestEntry, readRecentHistory } from '#suites/gate/history.ts';
import { parseHistoryLine } from '#suites/gate/historyEntry.ts';
import { createTrendLines, findTrendBreak, groupByVariant, summarizeTrendLine } from '#suites/gate/trend.ts';
import type { CaseResult, Outcome } from '#suites/results/caseResult.ts';
import { ResultSum } from '#suites/results/resultSum.ts';
import type { SuiteGate } from '#suites/suite.ts';
import { createFailedCheck, createResult } from '../../cli/reports/results.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

/** Creates the outcomes of cases named c0, c1 and so on: `p`assed, `f`ailed, `n`ot run. */
function createOutcomes(letters: string, cost = 0.01): CaseOutcomes {
	const outcomes = new CaseOutcomes();
	const names: Readonly<Record<string, Outcome>> = { p: 'passed', f: 'failed', n: 'not-run' };
	for (const [at, letter] of [...letters].entries()) {
		const run = { status: 'succeeded', seconds: at + 1, tokens: 10, cost, currency: 'USD', steps: 1 };
		outcomes.add(createResult({ name: `c${at}`, outcome: names[letter]!, ...(letter !== 'n' && { run }) }));
	}
	return outcomes;
}

const toBaseline = (letters: string, cost?: number) => {
	const created = createOutcomes(letters, cost);
	return { outcomes: created.outcomes, ran: created.scores.length, cost: created.cost };
};

describe('the gate of a suite', () => {
	for (const [what, gate, now, before, reasons] of [
		['nothing is demanded', {}, 'pf', undefined, []],
		['the rate is reached', { pass_rate: 0.5 }, 'pf', undefined, []],
		['the rate is not reached', { pass_rate: 0.6 }, 'pf', undefined, ['pass_rate: 50.0 % passed, expected at least 60.0 %.']],
		['required cases pass', { required: ['c0'] }, 'pf', undefined, []],
		[
			'a required case fails, another is missing',
			{ required: ['c1', 'gone'] },
			'pf',
			undefined,
			["required: these didn't pass: c1, gone."],
		],
		["a case couldn't run", {}, 'pn', undefined, ["not_run: 1 couldn't run, expected at most 0."]],
		['so many cases may not run', { not_run: 1 }, 'pn', undefined, []],
		['no case ran, although so many may not run', { not_run: 2 }, 'nn', undefined, ['No test case ran, so nothing was tested.']],
		['there is no case', {}, '', undefined, ['No test case ran, so nothing was tested.']],
		['no case is lost', { not_worse: 'strict' }, 'ppf', 'pff', []],
		['a case is lost', { not_worse: 'strict' }, 'pfp', 'ppf', ['not_worse: these passed before: c1.']],
		['a case that passed is missing', { not_worse: 'strict' }, 'p', 'pp', ['not_worse: these passed before: c1.']],
		['four of four are lost, which may be chance', { not_worse: 'significant' }, 'ffff', 'pppp', []],
		[
			'five of five are lost',
			{ not_worse: 'significant' },
			'fffff',
			'ppppp',
			['not_worse: 5 lost and 0 gained (p = 0.0313). Lost: c0, c1, c2, c3, c4.'],
		],
		['five are lost and one is gained', { not_worse: 'significant' }, 'fffffp', 'pppppf', []],
		['five are gained', { not_worse: 'significant' }, 'ppppp', 'fffff', []],
		['a case is missing', { not_worse: 'significant' }, 'p', 'pf', ['not_worse: these are missing: c1.']],
	] as const) {
		it(`${reasons.length === 0 ? 'passes' : 'fails'} if ${what}`, () => {
			const baseline = before === undefined ? undefined : toBaseline(before);
			assert.deepEqual(evaluateGate(gate as SuiteGate, createOutcomes(now), baseline, 0), reasons);
		});
	}

	it('compares costs per case', () => {
		const gate = { cost: { increase: 0.1 } };
		assert.deepEqual(evaluateGate(gate, createOutcomes('ppp', 0.011), toBaseline('p', 0.01), 0), []);
		assert.deepEqual(evaluateGate(gate, createOutcomes('p', 0.012), toBaseline('ppp', 0.01), 0), [
			'cost: 0.0120 per case, expected at most 0.0110.',
		]);
		assert.equal(evaluateGate({ cost: { increase: -1 } }, createOutcomes('p', 0.01), toBaseline('p', 0.01), 0).length, 1);
		assert.deepEqual(evaluateGate(gate, createOutcomes('p', 0.01), toBaseline('p', 0), 0), []);
	});

	it("doesn't count cases that couldn't run in costs per case", () => {
		const gate = { not_run: 4, cost: { increase: 0.1 } };
		assert.deepEqual(evaluateGate(gate, createOutcomes('pnnnn', 0.02), toBaseline('ppppp', 0.01), 0), [
			'cost: 0.0200 per case, expected at most 0.0110.',
		]);
		assert.deepEqual(evaluateGate(gate, createOutcomes('pppp', 0.01), toBaseline('pnnn', 0.01), 0), []);
	});

	describe('with rows', () => {
		const createRows = (...rows: readonly (readonly [name: string, rowHash: string, outcome: Outcome])[]) => {
			const outcomes = new CaseOutcomes();
			for (const [at, [name, rowHash, outcome]] of rows.entries()) {
				outcomes.add(createResult({ name: name || `row ${at + 1}`, row: at + 1, rowHash, outcome }));
			}
			return outcomes;
		};
		const toRowBaseline = ({ outcomes, titles }: CaseOutcomes) => ({ outcomes, titles, ran: 1, cost: 0 });
		const gate: SuiteGate = { not_worse: 'strict' };

		it('compares rows with the same values or name, wherever they are now', () => {
			const before = createRows(['', 'alpha', 'passed'], ['', 'beta', 'failed'], ['refund', 'text', 'passed']);
			const kept = createRows(['', 'new', 'failed'], ['', 'alpha', 'passed'], ['', 'beta', 'failed'], ['refund', 'new text', 'passed']);
			assert.deepEqual(evaluateGate(gate, kept, toRowBaseline(before), 0), []);
			const lost = createRows(['', 'beta', 'passed'], ['', 'alpha', 'failed'], ['refund', 'text', 'failed']);
			assert.deepEqual(evaluateGate(gate, lost, toRowBaseline(before), 0), ['not_worse: these passed before: row 2, refund (row 3).']);
			assert.deepEqual(evaluateGate({ not_worse: 'significant' }, createRows(['', 'beta', 'passed']), toRowBaseline(before), 0), [
				'not_worse: these are missing: row 1, refund (row 3).',
			]);
		});

		it('finds the rows of a history in any order, but not if one was replaced', () => {
			const about = { at: '2026-01-01T00:00:00Z', suite: 's', agents: 'a', commit: undefined };
			const entry = createHistoryEntry(createRows(['', 'alpha', 'passed'], ['', 'beta', 'failed']), about);
			const swapped = createRows(['', 'beta', 'failed'], ['', 'alpha', 'passed']);
			const outcomes = pairOutcomes(entry, swapped.sortedKeys);
			assert.deepEqual(evaluateGate(gate, swapped, { outcomes, ran: 1, cost: 0 }, 0), []);
			assert.equal(pairOutcomes(entry, createRows(['', 'new', 'passed'], ['', 'beta', 'failed']).sortedKeys), undefined);
		});

		it('counts rows with the same values one by one', () => {
			const twice = createRows(['', 'same', 'failed'], ['', 'same', 'passed'], ['a', 'same', 'passed'], ['a', 'same', 'passed']);
			assert.deepEqual([twice.outcomes.size, twice.doubled], [4, []]);
			assert.deepEqual(evaluateGate(gate, twice, toRowBaseline(twice), 0), []);
		});
	});

	it('takes the mean cost and tokens of all runs of a repeated case, and not those of the run that failed', () => {
		const run = { status: 'failed', seconds: 1, tokens: 0, cost: 0, currency: 'USD', steps: 1 };
		const used = { tokens: 40, userTokens: 0, judgeTokens: 0, cost: 0.08 };
		const outcomes = new CaseOutcomes();
		outcomes.add(createResult({ repeated: { runs: 4, passed: 3 }, run, used }));
		assert.deepEqual([outcomes.tokens, outcomes.cost], [10, 0.02]);
		assert.deepEqual(evaluateGate({ cost: { increase: 0.1 } }, outcomes, toBaseline('p', 0.01), 0), [
			'cost: 0.0200 per case, expected at most 0.0110.',
		]);
	});

	it("doesn't compare costs in different currencies", () => {
		const gate = { cost: { increase: 0.1 } };
		const baseline = { ...toBaseline('p', 0.01), currency: 'CNY' };
		assert.deepEqual(evaluateGate(gate, createOutcomes('p', 0.01), { ...baseline, currency: undefined }, 0), []);
		assert.match(evaluateGate(gate, createOutcomes('p', 0.01), baseline, 0).join(), /in USD now and were in CNY/);
	});

	it('fails for unreadable rows, names that are used twice and cases that changed', () => {
		const doubled = createOutcomes('p');
		doubled.add(createResult({ name: 'c0' }));
		doubled.add(createResult({ name: 'c0', row: 2 }));
		assert.deepEqual(evaluateGate({}, doubled, undefined, 2), [
			"not_run: 2 couldn't run, expected at most 0.",
			'These names are used twice: c0.',
		]);
		assert.match(evaluateGate({ not_worse: 'strict' }, createOutcomes('p'), { ran: 2, cost: 0 }, 0).join(), /the test cases have changed/);
	});

	it("fails for checks that couldn't be evaluated, such as a judge without a grade", () => {
		const outcomes = createOutcomes('p');
		outcomes.add(createResult({ name: 'graded', outcome: 'failed', checks: [createFailedCheck({ undecided: true })] }));
		outcomes.add(createResult({ name: 'without weight', checks: [createFailedCheck({ undecided: true, weight: 0 })] }));
		assert.deepEqual(evaluateGate({ pass_rate: 0.5 }, outcomes, undefined, 0), ["These have checks that couldn't be evaluated: graded."]);
	});

	it('compares outcomes only if the same judges graded them', () => {
		const judge = { name: 'helpful', model: 'm', key: 'k' };
		const createGraded = (key: string) => {
			const outcomes = new CaseOutcomes();
			outcomes.add(createResult({ name: 'c0', checks: [createFailedCheck({ passed: true, judge: { ...judge, key } })] }));
			return outcomes;
		};
		const [before, same, other] = [createGraded('k'), createGraded('k'), createGraded('l')];
		const baseline = { outcomes: before.outcomes, judges: before.judges, ran: 1, cost: 0 };
		assert.deepEqual(evaluateGate({ not_worse: 'strict' }, same, baseline, 0), []);
		assert.match(evaluateGate({ not_worse: 'strict' }, other, baseline, 0).join(), /a judge has changed/);
		// an older history doesn't know its judges
		assert.deepEqual(evaluateGate({ not_worse: 'strict' }, other, { ...baseline, judges: undefined }, 0), []);
		const about = { at: '2026-11-27T10:00:00.000Z', commit: undefined, suite: 's', agents: 'a' };
		assert.equal(createHistoryEntry(before, about).judges, before.judges);
	});

	it('names only cases of the suite', async () => {
		const fixture = new SuiteFixture();
		const { faults } = await fixture.readSuite({ model: 'a', cases: [{ name: 'one' }], gate: { required: ['one', 'two'] } });
		assert.deepEqual(
			faults.map(({ message }) => message),
			["The suite has no test case 'two'."],
		);
		await fixture.close();
	});
});

describe('the history of a suite', () => {
	const about = { at: '2026-11-27T10:00:00.000Z', commit: 'abc', suite: 's', agents: 'a' };

	it('keeps outcomes that later batches of the same cases can be compared with', () => {
		const outcomes = createOutcomes('pfnpfnpppf');
		const entry = createHistoryEntry(outcomes, about);
		assert.deepEqual([entry.cases, entry.passed, entry.failed, entry.notRun, entry.p50, entry.p95], [10, 5, 3, 2, 5, 10]);
		assert.deepEqual(pairOutcomes(entry, outcomes.sortedKeys), outcomes.outcomes);
		assert.equal(pairOutcomes(entry, createOutcomes('p').sortedKeys), undefined);
		const large = createHistoryEntry(createOutcomes('p'.repeat(5_001)), about);
		assert.equal(large.outcomes, undefined);
		assert.equal(createHistoryEntry(createOutcomes('p'.repeat(5_000)), about).outcomes?.length, 1668);
	});

	it('skips entries from the future and damaged outcomes', async () => {
		const fixture = new SuiteFixture();
		try {
			const outcomes = createOutcomes('pfnpf');
			const entry = createHistoryEntry(outcomes, about);
			const file = fixture.writeFile('one.suite.history.jsonl', '');
			for (const at of ['2999-01-01T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', new Date(Date.now() + 2 * 86_400_000).toISOString()]) {
				await appendJsonLine(file, { ...entry, at });
			}
			await appendJsonLine(file, entry);
			assert.equal((await readLatestEntry(file))?.at, about.at);
			assert.equal((await readRecentHistory(file, 10)).entries.length, 1);
			const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`check ${at}`, 1]));
			for (const damage of [
				{ cases: -1 },
				{ passed: '5' },
				{ cost: null },
				{ p50: -1 },
				{ checks: { a: 2 } },
				{ checks: [] },
				{ checks: many },
			]) {
				await appendJsonLine(file, { ...entry, at: '2026-11-27T11:00:00.000Z', ...damage });
			}
			assert.equal((await readRecentHistory(file, 10)).entries.length, 1);
			const soon = new Date(Date.now() + 60_000).toISOString();
			await appendJsonLine(file, { ...entry, at: soon });
			assert.equal((await readLatestEntry(file))?.at, soon);
			// missing outcomes must not read as passed
			assert.equal(pairOutcomes({ ...entry, outcomes: entry.outcomes!.slice(0, 2) }, outcomes.sortedKeys), undefined);
			assert.equal(pairOutcomes({ ...entry, outcomes: '' }, outcomes.sortedKeys), undefined);
		} finally {
			await fixture.close();
		}
	});

	it('has the rate of each check that the suite names, or else of its kind', () => {
		const outcomes = new CaseOutcomes();
		const unnamed = { ...createFailedCheck({ name: "'a' should equal 1", kind: 'equals', passed: true }), named: undefined };
		outcomes.add(createResult({ name: 'one', checks: [createFailedCheck({ name: 'polite' }), unnamed as never] }));
		outcomes.add(createResult({ name: 'two', checks: [createFailedCheck({ name: 'polite', passed: true })] }));
		assert.deepEqual(createHistoryEntry(outcomes, about).checks, { equals: 1, polite: 0.5 });
	});

	it('has a line for each metric, with breaks where cases or judges changed', async () => {
		const fixture = new SuiteFixture();
		const file = path.join(fixture.folder, 'one.suite.history.jsonl');
		for (const [hour, letters] of [
			[12, 'ppp'],
			[11, 'pff'],
			[10, 'pf'],
			[9, 'ff'],
		] as const) {
			await appendJsonLine(
				file,
				createHistoryEntry(createOutcomes(letters), { ...about, at: `2026-11-27T${String(hour).padStart(2, '0')}:00:00.000Z` }),
			);
		}
		fs.appendFileSync(file, '{"at":"2026-11-27T13:00:00.000Z","keys":"k","cases":1,"cost":1,"commit":{}}\n');
		const { entries } = await readRecentHistory(file, 3);
		const lines = new Map(createTrendLines(entries).map(({ name, values }) => [name, values]));
		assert.deepEqual([...lines.keys()], ['passed', 'score', 'p50', 'p95', 'tokens', 'cost']);
		assert.deepEqual(lines.get('passed'), [1 / 2, 1 / 3, 1]);
		assert.deepEqual(lines.get('tokens'), [10, 10, 10]);
		assert.deepEqual(
			entries.map((_, at) => findTrendBreak(entries, at)),
			[undefined, 'cases', undefined],
		);
		await fixture.close();
	});

	it('has tokens and costs for each case that ran', () => {
		const entry = createHistoryEntry(createOutcomes('pfnn'), about);
		const lines = new Map(createTrendLines([entry, { ...entry, passed: 0, failed: 0 }]).map(line => [line.name, line.values]));
		assert.deepEqual(
			['tokens', 'cost'].map(name => lines.get(name)),
			[
				[10, undefined],
				[0.01, undefined],
			],
		);
	});

	it('has intervals of the pass rate, and leaves out costs in another currency', () => {
		const entry = createHistoryEntry(createOutcomes('pppppppppf'), about);
		const euros = { ...entry, currency: 'EUR' };
		const lines = new Map(createTrendLines([euros, entry]).map(line => [line.name, line]));
		const { low, high } = lines.get('passed')!.intervals![0]!;
		assert.deepEqual([low.toFixed(3), high.toFixed(3)], ['0.596', '0.982']);
		const { values, currency } = lines.get('cost')!;
		assert.deepEqual([values.map(value => value?.toFixed(4)), currency], [[undefined, '0.0100'], 'USD']);
		assert.deepEqual(summarizeTrendLine(lines.get('passed')!), {
			first: 0.9,
			latest: 0.9,
			lowest: 0.9,
			highest: 0.9,
			bottom: 0,
			top: 1,
		});
	});

	it('has lines for at most 50 checks, those of the latest entries first', () => {
		const entry = createHistoryEntry(createOutcomes('p'), about);
		const before = { ...entry, checks: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`old ${at}`, 1])) };
		const now = { ...entry, checks: { polite: 0.5, constructor: 1 } };
		const names = createTrendLines([before, now]).flatMap(({ isCheck, name }) => (isCheck ? [name] : []));
		assert.equal(names.length, 50);
		assert.ok(names.includes('polite') && names.includes('constructor'));
	});

	it('counts damaged lines, and keeps only the latest of 100,000 entries', async () => {
		const fixture = new SuiteFixture();
		const file = path.join(fixture.folder, 'one.suite.history.jsonl');
		assert.deepEqual(await readRecentHistory(file, 3), { entries: [], count: 0, damaged: 0 });
		const { outcomes: _, ...entry } = createHistoryEntry(createOutcomes('p'), about);
		const start = Date.parse('2026-01-01');
		const lines = Array.from({ length: 100_000 }, (_, at) =>
			JSON.stringify({ ...entry, at: new Date(start + ((at * 7919) % 100_000) * 1000).toISOString() }),
		);
		fs.writeFileSync(file, `${lines.join('\n')}\n\n=======\n{"at":1}\n`);
		const { entries, count, damaged } = await readRecentHistory(file, 3);
		assert.deepEqual([count, damaged], [100_000, 2]);
		assert.deepEqual(
			entries.map(({ at }) => (Date.parse(at) - start) / 1000),
			[99_997, 99_998, 99_999],
		);
		await fixture.close();
	});

	it('has no entry with numbers that no batch has', () => {
		const entry = createHistoryEntry(createOutcomes('p'), about);
		assert.deepEqual(parseHistoryLine(JSON.stringify(entry)), entry);
		for (const fields of [{ passed: -1 }, { p95: -1 }, { checks: { polite: -0.5 } }, { variant: 1 }, { currency: 'x'.repeat(1_000_000) }]) {
			assert.equal(parseHistoryLine(JSON.stringify({ ...entry, ...fields })), undefined, Object.keys(fields).join());
		}
		// JSON has numbers that JavaScript reads as infinite
		assert.equal(parseHistoryLine(JSON.stringify(entry).replace('"cost":0.01', '"cost":1e999')), undefined);
	});

	it('has entries of variants, which a gate never compares with', async () => {
		const fixture = new SuiteFixture();
		const file = path.join(fixture.folder, 'one.suite.history.jsonl');
		const of = (letters: string) => new Map([['small', createOutcomes(letters)]]);
		await addToHistory(file, new Map([[undefined, createOutcomes('pf')]]), about);
		await addToHistory(file, new Map([...of('pp'), ['large', createOutcomes('ff')]]), { ...about, at: '2026-11-27T11:00:00.000Z' });
		await addToHistory(file, of('pf'), { ...about, at: '2026-11-27T12:00:00.000Z' });
		assert.equal((await readLatestEntry(file))?.at, about.at);
		const { entries } = await readRecentHistory(file, 10);
		assert.deepEqual(
			[...groupByVariant(entries)].map(([variant, group]) => [variant, group.map(({ passed }) => passed)]),
			[
				[undefined, [1]],
				['small', [2, 1]],
				['large', [0]],
			],
		);
		await fixture.close();
	});

	it('has its latest entry anywhere, as after a merge that keeps the lines of both sides', async () => {
		const fixture = new SuiteFixture();
		const file = path.join(fixture.folder, 'one.suite.history.jsonl');
		for (const name of ['one.suite.json', 'one.SUITE.JSON']) {
			assert.equal(getHistoryFile({ file: path.join(fixture.folder, name), root: fixture.folder }), file, 'never the suite itself');
		}
		assert.equal(await readLatestEntry(file), undefined);
		for (const [hour, letters] of [
			[12, 'ppp'],
			[11, 'pff'],
		] as const) {
			await appendJsonLine(file, createHistoryEntry(createOutcomes(letters), { ...about, at: `2026-11-27T${hour}:00:00.000Z` }));
		}
		fs.appendFileSync(file, '<<<<<<< ours\n{"at":1}\n{"other":true}\n');
		assert.equal((await readLatestEntry(file))?.passed, 3);
		await fixture.close();
	});

	it('skips damaged entries, and adds a line of its own after one that was cut off', async () => {
		const fixture = new SuiteFixture();
		const file = path.join(fixture.folder, 'one.suite.history.jsonl');
		const entry = createHistoryEntry(createOutcomes('ppp'), about);
		const damaged = [{ at: 'soon' }, { cost: '0', at: '2027-01-01' }, { cases: null, at: '2027-01-01' }, { outcomes: 3, at: '2027-01-01' }];
		fs.writeFileSync(file, damaged.map(fields => `${JSON.stringify({ ...entry, ...fields })}\n`).join(''));
		fs.appendFileSync(file, JSON.stringify({ ...entry, at: '2027-01-01' }).slice(0, -20));
		await appendJsonLine(file, entry);
		assert.deepEqual(await readLatestEntry(file), entry);
		await fixture.close();
	});
});

describe('costs in several currencies', () => {
	const [dollars, yen] = [
		{ cost: 1, currency: 'USD' },
		{ cost: 100, currency: 'JPY' },
	].map(cost => createResult({ run: { status: 'succeeded', seconds: 1, tokens: 1, steps: 1, ...cost } })) as [CaseResult, CaseResult];

	it('are named by all of them in sums, because 101 dollars would be wrong', () => {
		const sum = new ResultSum();
		const outcomes = new CaseOutcomes();
		for (const [at, result] of [yen, dollars, yen, createResult()].entries()) {
			sum.add(result);
			outcomes.add({ ...result, name: `c${at}` });
		}
		assert.deepEqual([sum.createSummary(1).cost, sum.createSummary(1).currency, outcomes.currency], [201, 'JPY + USD', 'JPY + USD']);
		const baseline = { ran: 3, cost: 201, currency: outcomes.currency };
		assert.match(String(evaluateGate({ cost: { increase: 1 } }, outcomes, baseline, 0)), /they can't be compared/);
	});
});
