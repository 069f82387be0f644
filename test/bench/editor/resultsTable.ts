import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Frame } from 'playwright-core';
import { launchBrowser } from '../../../scripts/lib/browser.ts';
import { openPage } from '../../../scripts/lib/page.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { type Server, startServer } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { testSettings } from '../../../scripts/lib/userSettings.ts';
import { waitUntil } from '../../ui/driver/waitUntil.ts';
import { Workbench } from '../../ui/driver/workbench.ts';
import { median } from '../harness/contest.ts';
import { longest, recordMainThread } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';
import { writeResults } from './writeResults.ts';

const sizes = { few: 100, many: 100_000 };
type Suite = keyof typeof sizes;
/** Rows that are scrolled through, three screens a frame. */
const scrolled = 10_000;
/** Times that a page is opened in a round, whose median counts. */
const openings = 3;

/**
 * From the choice of the suite to the rows in the new editor: making the webview, reading the file and drawing included. The floor is the same for a suite
 * of 100 results. Then scrolling, and from a change of the order to the first row of the new one.
 */
export const resultsTable: Measure = {
	name: 'results-table',
	measure: 'results of 100,000 cases: open, over those of 100; longest task while scrolling through 10,000 of them and sorting all',
	unit: '×',
	costUnit: 'ms',
	limits: { opens: { most: 1.2 }, scrolls: { most: 50, unit: 'ms' } },
	async run(inRounds) {
		await using closing = new AsyncDisposableStack();
		const workspace = makeTempFolder();
		closing.defer(() => removeFolder(workspace));
		fs.cpSync(path.join(root, 'samples'), workspace, { recursive: true });
		for (const name of Object.keys(sizes)) {
			fs.writeFileSync(
				suiteFile(workspace, name),
				'{ "model": "summarize", "cases": [{ "name": "one", "inputs": { "text": "One.", "sentences": 1 } }] }',
			);
		}
		const server = await startServer({ workspace, extensions: [root], settings: testSettings });
		closing.defer(() => server.stop());
		const browser = await launchBrowser();
		closing.defer(() => browser.close());
		const { page, leave } = await openPage(browser, server);
		closing.defer(leave);
		const workbench = new Workbench(page, workspace, server);
		await workbench.ready();
		await keepResults(workbench, server);
		return await inRounds({ warmUp: 1, rounds: 3 }, async () => {
			const costs = { few: await opening(workbench, 'few'), many: await opening(workbench, 'many') };
			await openResults(workbench, 'many');
			const frame = await workbench.webview(titleOf('many'));
			await waitUntil(
				'all results',
				async () => (await frame.getByRole('grid').getAttribute('aria-rowcount')) === String(sizes.many + 1),
				60_000,
			);
			const scrolling = await recordMainThread(browser, frame, () => scrollThrough(frame));
			const sorting = await sorted(browser, frame);
			await workbench.runCommand('View: Close All Editors');
			return {
				values: { opens: costs.many / costs.few, scrolls: Math.max(longest(scrolling.tasks), sorting.longestMs) },
				costs: {
					...costs,
					'scrolling, longest task': longest(scrolling.tasks),
					'sorting, longest task': sorting.longestMs,
					'to the rows in another order': sorting.ms,
				},
			};
		});
	},
};

const titleOf = (suite: Suite) => `Results of ${suite}`;
const suiteFile = (workspace: string, name: string) => path.join(workspace, 'suites', `${name}.suite.json`);

/** Runs one suite, so that the editor tells where it keeps results, and puts there what the others are to have. */
async function keepResults(workbench: Workbench, server: Server): Promise<void> {
	await workbench.openFile('few.suite.json');
	await workbench.codeLens('Run Suite').click();
	const data = path.dirname(server.logs);
	const kept = async () => fs.globSync('User/workspaceStorage/*/*/suites/*/*.jsonl', { cwd: data })[0];
	await waitUntil('the results of a run', async () => (await kept()) !== undefined, 120_000);
	await workbench.page.locator('.editor-group-container.active .codicon-testing-passed-icon').first().waitFor();
	const store = path.join(data, path.dirname(path.dirname((await kept())!)));
	for (const [name, count] of Object.entries(sizes)) {
		const suite = suiteFile(workbench.folder, name);
		const folder = path.join(store, createHash('sha256').update(suite).digest('hex').slice(0, 16));
		fs.rmSync(folder, { recursive: true, force: true });
		fs.mkdirSync(folder);
		writeResults(path.join(folder, '2030-01-01T00-00-00-000Z.jsonl'), suite, count);
	}
	await workbench.runCommand('View: Close All Editors');
}

/** Opens and closes a page a few times; milliseconds of an opening. */
async function opening(workbench: Workbench, suite: Suite): Promise<number> {
	const times: number[] = [];
	for (let time = 0; time < openings; time++) {
		times.push(await openResults(workbench, suite));
		await workbench.runCommand('View: Close All Editors');
	}
	return median(times);
}

/** Opens the page by the palette; milliseconds from the click on the suite to the frame in which its rows stand there. */
async function openResults(workbench: Workbench, suite: Suite): Promise<number> {
	await workbench.runCommand('Agent Workbench: Open Results of Suite');
	const option = workbench.quickInput.option(suite);
	await option.waitFor();
	const started = performance.now();
	await option.click();
	const frame = await workbench.webview(titleOf(suite));
	await frame.waitForFunction(() => Boolean(document.querySelector('.rows .resultRow .statusCell')?.textContent), undefined, {
		polling: 'raf',
	});
	return performance.now() - started;
}

/** Scrolls on a frame at a time, until so many rows were in sight. */
function scrollThrough(frame: Frame): Promise<void> {
	return frame.evaluate(async rows => {
		const grid = document.querySelector('[role="grid"]') as HTMLElement;
		while (grid.scrollTop < rows * 22) {
			grid.scrollTop += grid.clientHeight * 3;
			await new Promise(resolve => requestAnimationFrame(resolve));
		}
		grid.scrollTop = 0;
	}, scrolled);
}

/** Sorts by name, and back. */
async function sorted(browser: Browser, frame: Frame): Promise<{ readonly longestMs: number; readonly ms: number }> {
	const { tasks, result } = await recordMainThread(browser, frame, async () => {
		const started = performance.now();
		await frame.getByLabel('Sorted by').selectOption('name');
		await frame.locator('#row-0').filter({ hasText: 'the last by its name' }).waitFor();
		return performance.now() - started;
	});
	await frame.getByLabel('Sorted by').selectOption('order');
	return { longestMs: longest(tasks), ms: result };
}
