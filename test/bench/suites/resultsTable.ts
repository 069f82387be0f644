import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Frame } from 'playwright-core';
import type { Server } from '../../../scripts/lib/server.ts';
import { findLongestTask, recordMainThread } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';
import { findResultsPage, measureOpening, openResults, openResultsWindow } from './resultsWindow.ts';

/** Number of rows that both suites run, and that the floor shows. */
const few = 100;
const many = 100_000;
/** Number of rows to scroll through. */
const scrolled = 20_000;
const firstRow = '.rows .resultRow';

/**
 * Measures the time from choosing a suite to its first results on the page, with 100,000 rows over 100. The suite runs 100 rows; the others
 * are copies of their results. Then scrolls down from the first row, three screens per frame.
 */
export const resultsTable: Measure = {
	name: 'results-table',
	measure: 'results page with 100,000 rows: time to open, over one with 100; longest task while scrolling through 20,000 of them',
	unit: '×',
	costUnit: 'ms',
	limits: { opens: { most: 1.2 }, scrolls: { most: 50, unit: 'ms' } },
	async run(inRounds) {
		await using closing = new AsyncDisposableStack();
		const { browser, server, workbench } = await openResultsWindow(closing, { few, many: few });
		for (const name of ['few', 'many']) {
			await workbench.openFile(`${name}.suite.json`);
			await workbench.getCodeLens('Run Suite').click();
			await workbench.getCodeLens(' passed · ').click();
			const frame = await findResultsPage(workbench, name);
			await frame.getByText(`${few} passed, 0 failed, 0 not run`).waitFor({ timeout: 60_000 });
			await workbench.runCommand('View: Close All Editors');
		}
		repeatResults(server, 'many');
		return await inRounds({ warmUp: 1, rounds: 3 }, async () => {
			const costs = { few: await measureOpening(workbench, 'few', firstRow), many: await measureOpening(workbench, 'many', firstRow) };
			await openResults(workbench, 'many', firstRow);
			const frame = await findResultsPage(workbench, 'many');
			await frame
				.getByText(`${many.toLocaleString('en-US')} passed`)
				.first()
				.waitFor();
			const longestMs = await scrollThroughResults(browser, frame);
			await workbench.runCommand('View: Close All Editors');
			return { values: { opens: costs.many / costs.few, scrolls: longestMs }, costs };
		});
	},
};

/** Writes copies of a suite's results into its result file, as rows of their own. */
function repeatResults(server: Server, suite: string): void {
	const data = path.dirname(server.logs);
	const files = fs.globSync('User/workspaceStorage/*/*/suites/*/*.jsonl', { cwd: data }).map(file => path.join(data, file));
	const file = files.find(each => fs.readFileSync(each, 'utf8').includes(`${suite}.suite.json`));
	assert.ok(file, `${suite} has no results in ${data}`);
	const lines = fs
		.readFileSync(file, 'utf8')
		.trim()
		.split('\n')
		.map(line => JSON.parse(line));
	const results = lines.flatMap(({ result }) => result ?? []);
	assert.equal(results.length, few);
	const copies = Array.from({ length: many }, (_, at) => ({
		result: { ...results[at % few], ordinal: at, row: at + 1, name: `row ${at}` },
	}));
	const summary = lines.at(-1).summary;
	const all = [lines[0], ...copies, { summary: { ...summary, cases: many, passed: many } }];
	fs.writeFileSync(file, `${all.map(line => JSON.stringify(line)).join('\n')}\n`);
}

async function scrollThroughResults(browser: Browser, frame: Frame): Promise<number> {
	const { tasks } = await recordMainThread(browser, frame, () =>
		frame.evaluate(async rows => {
			const grid = document.querySelector('[role="grid"]') as HTMLElement;
			const end = (grid.scrollHeight * rows) / (Number(grid.getAttribute('aria-rowcount')) - 1);
			while (grid.scrollTop < end) {
				grid.scrollTop += grid.clientHeight * 3;
				await new Promise(resolve => requestAnimationFrame(resolve));
			}
		}, scrolled),
	);
	return findLongestTask(tasks);
}
