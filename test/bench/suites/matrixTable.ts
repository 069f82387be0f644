import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../../../scripts/lib/browser.ts';
import { openPage } from '../../../scripts/lib/page.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { startServer } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { testSettings } from '../../../scripts/lib/userSettings.ts';
import { Workbench } from '../../ui/driver/workbench.ts';
import { createTemplateChain } from '../engine/agents.ts';
import { computeMedian } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';

/** Suites with their number of rows, each of which runs in four variants. `few` is the floor. */
const suites = { few: 10, many: 500 };
/** Number of times that a page is opened per round. The median counts. */
const openings = 5;

/** Measures the time from choosing a suite to the cells of its comparison on the results page, with 2,000 cells over 40. */
export const matrixTable: Measure = {
	name: 'matrix-table',
	measure: 'comparison with 2,000 cells: time to open, over one with 10 rows',
	unit: '×',
	costUnit: 'ms',
	limits: { opens: { most: 1.2 } },
	async run(inRounds) {
		await using closing = new AsyncDisposableStack();
		const workspace = makeTempFolder();
		closing.defer(() => removeFolder(workspace));
		writeSuites(workspace);
		const server = await startServer({ workspace, extensions: [root], settings: testSettings });
		closing.defer(() => server.stop());
		const browser = await launchBrowser();
		closing.defer(() => browser.close());
		const { page, closeWindow: leave } = await openPage(browser, server);
		closing.defer(leave);
		const workbench = new Workbench(page, workspace, server);
		await workbench.waitUntilWindowReady();
		for (const [name, rows] of Object.entries(suites)) {
			await workbench.openFile(`${name}.suite.json`);
			await workbench.getCodeLens('Compare Variants…').click();
			await workbench.getDialog(`Compare the variants of '${name}'?`).getByRole('button', { name: 'Start' }).click();
			const frame = await workbench.findWebview(`Results of ${name}`);
			await frame.getByText(`${(rows * 4).toLocaleString('en-US')} passed, 0 failed, 0 not run`).waitFor({ timeout: 300_000 });
			await workbench.runCommand('View: Close All Editors');
		}
		return await inRounds({ warmUp: 1, rounds: 3 }, async () => {
			const costs = { few: await measureOpening(workbench, 'few'), many: await measureOpening(workbench, 'many') };
			return { values: { opens: costs.many / costs.few }, costs };
		});
	},
};

function writeSuites(workspace: string): void {
	for (const folder of ['agents', 'suites']) {
		fs.mkdirSync(path.join(workspace, folder));
	}
	fs.writeFileSync(path.join(workspace, 'agents', 'chain.yml'), createTemplateChain(1));
	fs.writeFileSync(path.join(workspace, 'suites', 'other.yml'), createTemplateChain(2));
	const other = './other.yml';
	for (const [name, rows] of Object.entries(suites)) {
		fs.writeFileSync(
			path.join(workspace, 'suites', `${name}.suite.json`),
			JSON.stringify({
				model: 'chain',
				variants: [{ name: 'now' }, { name: 'short', agent: other }, { name: 'long', agent: other }, { name: 'other', agent: other }],
				concurrency: 8,
				dataset: { file: `./${name}.csv`, name: 'row {{id}}', inputs: {} },
			}),
		);
		const lines = Array.from({ length: rows }, (_, row) => `${row}\n`);
		fs.writeFileSync(path.join(workspace, 'suites', `${name}.csv`), `id\n${lines.join('')}`);
	}
}

/** Opens and closes a page several times. Returns milliseconds per opening. */
async function measureOpening(workbench: Workbench, name: string): Promise<number> {
	const times: number[] = [];
	for (let time = 0; time < openings; time++) {
		await workbench.runCommand('Agent Workbench: Open Suite Results');
		const option = workbench.quickInput.getOption(name);
		await option.waitFor();
		const started = performance.now();
		await option.click();
		const frame = await workbench.findWebview(`Results of ${name}`);
		await frame.locator('#cell-0-variant-3 .iconText').filter({ hasText: /./ }).waitFor();
		times.push(performance.now() - started);
		await workbench.runCommand('View: Close All Editors');
	}
	return computeMedian(times);
}
