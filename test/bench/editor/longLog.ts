import { launchBrowser } from '../../../scripts/lib/browser.ts';
import { openPage } from '../../../scripts/lib/page.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { startServer } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { expandLogsRow, loadMoreRuns, ManyRunsLog } from '../../ui/driver/manyRunsLog.ts';
import { Workbench } from '../../ui/driver/workbench.ts';
import { computeMedian } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
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
		const workspace = makeTempFolder();
		closing.defer(() => removeFolder(workspace));
		const server = await startServer({ workspace, extensions: [root] });
		closing.defer(() => server.stop());
		const browser = await launchBrowser();
		closing.defer(() => browser.close());
		const { page, closeWindow: leave } = await openPage(browser, server);
		closing.defer(leave);
		const workbench = new Workbench(page, workspace, server);
		await workbench.waitUntilWindowReady();
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
