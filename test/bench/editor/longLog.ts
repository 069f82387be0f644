import { expandLogsRow, loadMoreRuns, ManyRunsLog } from '../../ui/driver/manyRunsLog.ts';
import { computeMedian } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { openBenchWindow } from '../harness/window.ts';
import { measureInWindow } from './inWindow.ts';

/** Number of clicks on "Load more" per round. The median counts. */
const clicks = 5;

/**
 * Measures the time from the click to the frame that shows the rows, in a real workbench that is reloaded for each round. Also measures the
 * heap of the extension host over 200 pages.
 */
export const longLog: Measure = {
	name: 'tree',
	measure: 'tree: time to expand Logs with 100,000 runs, and of each "Load more", to rows on the screen; host memory over 200 pages',
	unit: 'ms',
	limits: { expand: { most: 150 }, 'load more': { most: 150 }, 'host memory': { most: 1, unit: 'MB' } },
	async run(inRounds) {
		await using closing = new AsyncDisposableStack();
		const log = new ManyRunsLog();
		closing.defer(() => log.stop());
		await log.start(100_000);
		const { workbench } = await openBenchWindow(closing);
		const agents = await log.showLog(workbench);
		const { before, after } = await measureInWindow('paging');
		return await inRounds({ warmUp: 1, rounds: 5 }, async () => {
			await workbench.reloadWindow();
			await workbench.showContainer('Agent Workbench');
			await agents.expandRows('Many');
			await agents.expandRows('summarize');
			await agents.getRow('Logs').waitFor();
			const expand = await expandLogsRow(workbench, agents);
			const times: number[] = [];
			for (let click = 0; click < clicks; click++) {
				times.push((await loadMoreRuns(workbench, agents)).rows);
			}
			return { values: { expand, 'load more': computeMedian(times), 'host memory': (after - before) / 1048576 } };
		});
	},
};
