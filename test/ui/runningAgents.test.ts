import { heldAgentSettings } from './driver/heldAgent.ts';
import { useWorkbench } from './driver/session.ts';
import { testSuiteComparison } from './suites/suiteComparison.ts';
import { testSuiteResults } from './suites/suiteResults.ts';
import { testSuiteReview } from './suites/suiteReview.ts';
import { testSuiteTrend } from './suites/suiteTrend.ts';
import { testTwoWindows } from './twoWindows.ts';

describe('while agents run', () => {
	const session = useWorkbench({ settings: heldAgentSettings });

	describe('a suite', () => testSuiteResults(session));
	describe('a comparison of variants', () => testSuiteComparison(session));
	describe('a review of judged outputs', () => testSuiteReview(session));
	describe('the trend of a suite', () => testSuiteTrend(session));
	describe('two windows on one folder', () => {
		before(async () => {
			await session.workbench.closeEditors();
			await session.workbench.showContainer('Agent Workbench');
		});
		testTwoWindows(session);
	});
});
