import assert from 'node:assert/strict';
import { expandLogs, loadMore, ManyRunsLog } from './driver/manyRunsLog.ts';
import type { Session } from './driver/session.ts';
import { testLogsPage } from './logsPage.ts';

/** AGENT_WORKBENCH_TEST_RUNS=100000 is what the budget asks for; writing so many takes half a minute. */
const runs = Number(process.env['AGENT_WORKBENCH_TEST_RUNS'] ?? 10_000);

/** Tests of a long log, for a window whose tree has no connection expanded. */
export function testManyRuns(session: Session): void {
	const log = new ManyRunsLog();
	before(async () => {
		await log.start(runs, 10);
	});
	after(() => log.stop());

	it(`shows its first page of ${runs.toLocaleString('en')} runs, and each next one with the focus on its first row`, async () => {
		const { workbench } = session;
		const agents = await log.show(workbench);
		const first = await expandLogs(workbench, agents);
		await workbench.page.keyboard.press('End');
		const times: { rows: number; focus: number }[] = [];
		for (let page = 0; page < 9; page++) {
			// the focus goes to the first new row, where "Load more" was
			times.push(await loadMore(workbench, agents));
		}
		await workbench.screenshot('explorer-many-runs');
		const [rows, focus] = [median(times.map(time => time.rows)), median(times.map(time => time.focus))];
		console.log(
			`      first page on the screen after ${first.toFixed(0)} ms, each next ${rows.toFixed(0)} ms after the click, the focus on it after ${focus.toFixed(0)} ms (medians)`,
		);
		assert.equal(times.length, 9);
	});

	describe('in a page of its own', () => testLogsPage(session));
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
