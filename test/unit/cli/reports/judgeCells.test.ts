import assert from 'node:assert/strict';
import { findWeakJudges } from '#cli/batches/suiteTables.ts';
import { formatJudges } from '#cli/reports/judgeCells.ts';
import type { JudgeSummary } from '#suites/judges/judgeAgreement.ts';
import { computeAgreement } from '#suites/statistics/agreement.ts';
import { createSuiteNamed } from './results.ts';

const summary: JudgeSummary = {
	name: 'helpful',
	models: ['haiku'],
	keys: ['0123456789abcdef'],
	judged: 300,
	labeled: 201,
	heldOut: computeAgreement({ both: 40, onlyFirst: 10, onlySecond: 5, neither: 45 }),
	tuning: computeAgreement({ both: 100, onlyFirst: 1, onlySecond: 0, neither: 0 }),
	threshold: { threshold: 0.7, kappa: 0.5 },
	people: computeAgreement({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 }),
};

describe('the table of judges', () => {
	it('has the agreement and the confusion table of each half and of two people, with what is missing as -', () => {
		assert.deepEqual(formatJudges([summary]).split('\n'), [
			'  judge    labels      n    agree   kappa (95 %)          both pass  only person  only judge  both fail  fails found  fails right',
			'  helpful  held-out    100  85.0 %  0.70 (0.56 to 0.84)   40         10           5           45         90.0 %       81.8 %',
			'  helpful  tuning      101  99.0 %  0.00 (-1.00 to 0.82)  100        1            0           0          -            0.0 %',
			'  helpful  two people  0    -       -                     0          0            0           0          -            -',
			'  helpful: 201 of 300 outputs labeled. Judged by haiku (key 01234567)',
			'  helpful: "atLeast": 0.7 agrees better in the tuning half (kappa 0.50 instead of 0.00)',
			'',
		]);
	});

	it('names judges that agree less than the suite demands, or have too few labels', () => {
		const judges = { helpful: { rubric: 'a', min_kappa: 0.8 }, short: { rubric: 'b', min_kappa: 0.5 }, free: { rubric: 'c' } };
		const suite = { ...createSuiteNamed('s'), judges };
		assert.deepEqual(findWeakJudges(suite, [summary]), [
			"The judge 'helpful' agrees with people at a kappa of 0.70. Expected at least 0.8.",
			"The judge 'short' has no kappa, because the held-out half has too few labels. Expected at least 0.5.",
		]);
		assert.deepEqual(findWeakJudges({ ...suite, judges: { helpful: { rubric: 'a', min_kappa: 0.7 } } }, [summary]), []);
	});
});
