import type { Browser, Frame } from 'playwright-core';
import { ManyRunsLog } from '../../ui/driver/manyRunsLog.ts';
import type { Workbench } from '../../ui/driver/workbench.ts';
import { computeMedian } from '../harness/contest.ts';
import { findLongestTask, recordMainThread } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';
import { openBenchWindow } from '../harness/window.ts';

const runs = 100_000;
/** Number of rows to scroll through. */
const scrolled = 10_000;
/** Number of times that a page is opened per round. The median counts. */
const openings = 3;
/** Agents and their number of runs. `translate` is the floor. */
const few = 'translate';
const many = 'summarize';

/**
 * Measures the time from choosing the agent to the rows in the new editor, including creating the webview, the request and rendering. The
 * floor is the same for an agent with 100 runs. Then scrolls down from the first row, three screens per frame, while more pages of the log
 * are loaded.
 */
export const logsPage: Measure = {
	name: 'logs-page',
	measure: 'logs page with 100,000 runs: time to open, over one with 100; longest task while scrolling through 10,000 of them',
	unit: '×',
	costUnit: 'ms',
	limits: { opens: { most: 1.2 }, scrolls: { most: 50, unit: 'ms' } },
	async run(inRounds) {
		await using closing = new AsyncDisposableStack();
		const log = new ManyRunsLog();
		closing.defer(() => log.stop());
		await log.start(runs, 1, { [few]: 100 });
		const { browser, workbench } = await openBenchWindow(closing);
		await log.showLog(workbench);
		return await inRounds({ warmUp: 1, rounds: 3 }, async () => {
			const costs = { few: await measureOpening(workbench, few), many: await measureOpening(workbench, many) };
			await openLogsPage(workbench, many);
			const { longestMs, loaded } = await scrollThroughLog(browser, await workbench.findWebview(getLogsTitle(many)));
			await workbench.runCommand('View: Close All Editors');
			return { values: { opens: costs.many / costs.few, scrolls: longestMs }, costs: { ...costs, 'rows scrolled through': loaded } };
		});
	},
};

const getLogsTitle = (agent: string) => `Logs of ${agent}`;

/** Opens and closes a page several times. Returns milliseconds per opening. */
async function measureOpening(workbench: Workbench, agent: string): Promise<number> {
	const times: number[] = [];
	for (let time = 0; time < openings; time++) {
		times.push(await openLogsPage(workbench, agent));
		await workbench.runCommand('View: Close All Editors');
	}
	return computeMedian(times);
}

/** Opens the page with the palette. Returns the milliseconds from the click on the agent to the frame that shows its rows. */
async function openLogsPage(workbench: Workbench, agent: string): Promise<number> {
	const { quickInput } = workbench;
	await workbench.runCommand('Agent Workbench Run: Open Logs');
	await quickInput.box.fill(agent);
	const option = quickInput.getOption(agent).filter({ hasText: 'Many' });
	await option.waitFor();
	const started = performance.now();
	await option.click();
	const frame = await workbench.findWebview(getLogsTitle(agent));
	await frame.waitForFunction(() => document.querySelector('.rows .logRow .time')?.textContent !== '', undefined, { polling: 'raf' });
	await frame.locator('.rows .logRow').first().waitFor();
	return performance.now() - started;
}

async function scrollThroughLog(browser: Browser, frame: Frame): Promise<{ readonly longestMs: number; readonly loaded: number }> {
	const { tasks, result } = await recordMainThread(browser, frame, () =>
		frame.evaluate(async rows => {
			const grid = document.querySelector('[role="grid"]') as HTMLElement;
			const countRows = () => Number(grid.getAttribute('aria-rowcount')) - 1;
			while (countRows() < rows) {
				grid.scrollTop += grid.clientHeight * 3;
				await new Promise(resolve => requestAnimationFrame(resolve));
			}
			return countRows();
		}, scrolled),
	);
	return { longestMs: findLongestTask(tasks), loaded: result };
}
