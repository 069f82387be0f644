import assert from 'node:assert/strict';
import path from 'node:path';
import type { CaseView } from '#pages/results/resultsMessages.ts';
import { getResultsStrings } from '#pages/results/resultsStrings.ts';
import { english } from '../../../support/english.ts';
import { type PageWindow, runPage } from '../graph/nodeForm/pageBundle.ts';
import type * as views from './caseViews.ts';

const failed: CaseView = {
	id: '1',
	name: 'asks for a city',
	outcome: 'failed',
	error: 'no such city',
	inputs: '{}',
	outputs: '{}',
	checks: [{ name: 'status', passed: false, message: 'Status was "failed" (no such city)', differs: false, acceptable: false }],
	hasRun: true,
	comparable: false,
};

describe('the details of a case', () => {
	let page: PageWindow<typeof views>;
	before(async () => {
		page = await runPage(path.join(import.meta.dirname, 'caseViews.ts'));
	});
	after(() => page.window.close());

	it("show the run's error once, whether or not a check repeats it", () => {
		const strings = getResultsStrings({ t: english });
		for (const checks of [failed.checks, []]) {
			const { textContent } = page.exports.renderCase({ ...failed, checks }, strings);
			assert.equal(textContent?.match(/no such city/g)?.length, 1);
		}
	});
});
