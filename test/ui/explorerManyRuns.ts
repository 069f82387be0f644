import assert from 'node:assert/strict';
import { expandLogsRow, loadMoreRuns, ManyRunsLog } from './driver/manyRunsLog.ts';
import type { Session } from './driver/session.ts';
import { testLogsPage } from './logsPage.ts';

/** The budget requires AGENT_WORKBENCH_TEST_RUNS=100000, but writing that many takes half a minute. */
const runs = Number(process.env['AGENT_WORKBENCH_TEST_RUNS'] ?? 10_000);

/** Defines the tests of a long log, for a window whose tree has no expanded connection. */
export function testManyRuns(session: Session): void {
	const log = new ManyRunsLog();
	before(async () => {
		await log.start(runs, 10);
	});
	after(() => log.stop());

	it(`shows its first page of ${runs.toLocaleString('en')} runs, and focuses the first row of each next page`, async () => {
		const { workbench } = session;
		const agents = await log.showLog(workbench);
		const first = await expandLogsRow(workbench, agents);
		await workbench.page.keyboard.press('End');
		const times: { rows: number; focus: number }[] = [];
		for (let page = 0; page < 9; page++) {
			// the focus moves to the first new row, in the place of "Load more"
			times.push(await loadMoreRuns(workbench, agents));
		}
		await workbench.takeScreenshot('explorer-many-runs');
		const [rows, focus] = [computeMedian(times.map(time => time.rows)), computeMedian(times.map(time => time.focus))];
		console.log(
			`      first page on the screen after ${first.toFixed(0)} ms, each next ${rows.toFixed(0)} ms after the click, the focus on it after ${focus.toFixed(0)} ms (medians)`,
		);
		assert.equal(times.length, 9);
	});

	describe('in a separate page', () => testLogsPage(session));
}

const computeMedian = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
