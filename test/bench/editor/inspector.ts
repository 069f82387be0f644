import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Frame } from 'playwright-core';
import { launchBrowser } from '../../../scripts/lib/browser.ts';
import { openPage } from '../../../scripts/lib/page.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { startServer } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { testSettings } from '../../../scripts/lib/userSettings.ts';
import { Workbench } from '../../ui/driver/workbench.ts';
import { manyNodes, manyNodesSettings } from '../../ui/workflows/manyNodesAgent.ts';
import { computeMedian } from '../harness/contest.ts';
import { findLongestTask, recordMainThread } from '../harness/mainThread.ts';
import type { Measure } from '../harness/table.ts';

/** Number of times that an inspector is opened per round. The median counts. */
const openings = 3;
const few = `app: {name: few, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: []}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: run, value_selector: [sys, workflow_run_id]}]}}
    edges:
      - {source: start, target: end}
`;
/**
 * Number of rows in each agent's run. 10,000 node events make about half as many rows, because each node starts and finishes. `few` is the
 * floor.
 */
const rowsOf = { few: 2, many: 4500 };
type Agent = keyof typeof rowsOf;

interface InspectorWindow {
	readonly browser: Browser;
	readonly workbench: Workbench;
	close(): Promise<void>;
}

let opened: Promise<InspectorWindow> | undefined;

/** Returns a real workbench whose folder has both agents. */
function getInspectorWindow(): Promise<InspectorWindow> {
	opened ??= openInspectorWindow();
	return opened;
}

export async function closeInspectorWindow(): Promise<void> {
	await (await opened?.catch(() => undefined))?.close();
}

async function openInspectorWindow(): Promise<InspectorWindow> {
	const closing: (() => unknown)[] = [];
	const close = async () => {
		for (const step of closing.splice(0).reverse()) {
			await step();
		}
	};
	try {
		const workspace = makeTempFolder();
		closing.push(() => removeFolder(workspace));
		fs.mkdirSync(path.join(workspace, 'agents'));
		for (const [name, text] of Object.entries({ few, many: manyNodes })) {
			fs.writeFileSync(path.join(workspace, 'agents', `${name}.yml`), text);
			fs.writeFileSync(path.join(workspace, `${name}.run.json`), `{ "model": "${name}", "inputs": {} }\n`);
		}
		const server = await startServer({ workspace, extensions: [root], settings: { ...testSettings, ...manyNodesSettings } });
		closing.push(() => server.stop());
		const browser = await launchBrowser();
		closing.push(() => browser.close());
		const { page, closeWindow: leave } = await openPage(browser, server);
		closing.push(leave);
		const workbench = new Workbench(page, workspace, server);
		await workbench.waitUntilWindowReady();
		return { browser, workbench, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Returns the inspector in the active editor once its rows are rendered. */
async function waitForInspector(workbench: Workbench, agent: Agent): Promise<Frame> {
	const tab = workbench.page.locator('.tab.active').filter({ hasText: new RegExp(`^${agent} · \\w{8}`) });
	const frame = await workbench.findWebview((await tab.innerText()).trim());
	await frame.waitForFunction(
		least =>
			Number(document.querySelector('[role="treegrid"]')?.getAttribute('aria-rowcount')) >= least && document.querySelector('.nodeRow'),
		rowsOf[agent],
		{ polling: 'raf' },
	);
	return frame;
}

async function runAgentOnce(workbench: Workbench, agent: Agent): Promise<void> {
	await workbench.openFile(`${agent}.run.json`);
	await workbench.getCodeLens('Run').first().click();
	await workbench.output.waitForText('Agent Runs', new RegExp(`▷ ${agent} [\\s\\S]*■ succeeded`), 120_000);
}

/** Opens the inspector of the latest run with the palette. Returns the milliseconds from the key to the frame that shows its rows. */
async function openInspector(workbench: Workbench, agent: Agent): Promise<number> {
	const { page, quickInput } = workbench;
	await page.keyboard.press('F1');
	await quickInput.box.fill('>Agent Workbench Run: Inspect Run');
	await quickInput.widget.locator('.monaco-list-row.focused', { hasText: 'Inspect Run' }).waitFor();
	const started = performance.now();
	await page.keyboard.press('Enter');
	await waitForInspector(workbench, agent);
	return performance.now() - started;
}

/**
 * Measures the time from the key in the palette to the rows in the new editor, including creating the webview, reading the run's events and
 * rendering. The floor is the same for a run with two nodes. Then scrolls from the first row to the last, three screens per frame.
 */
export const inspector: Measure = {
	name: 'inspector',
	measure: 'inspector with 10,000 node events: time to open, over one with two nodes; longest task while scrolling',
	unit: '×',
	costUnit: 'ms',
	limits: { opens: { most: 1.15 }, scrolls: { most: 50, unit: 'ms' } },
	async run(inRounds) {
		const { browser, workbench } = await getInspectorWindow();
		return inRounds({ warmUp: 1, rounds: 5 }, async () => {
			// the palette's command inspects the latest run, so each agent is run first
			const few = await measureOpening(workbench, 'few');
			const many = await measureOpening(workbench, 'many');
			await openInspector(workbench, 'many');
			const scrolls = await scrollThroughRows(browser, await waitForInspector(workbench, 'many'));
			await workbench.runCommand('View: Close Editor');
			return { values: { opens: many / few, scrolls }, costs: { few, many } };
		});
	},
};

/**
 * Runs an agent, then opens and closes its inspector several times. Returns milliseconds per opening; the first opening may wait until the
 * new run is saved.
 */
async function measureOpening(workbench: Workbench, agent: Agent): Promise<number> {
	await runAgentOnce(workbench, agent);
	const times: number[] = [];
	for (let i = 0; i <= openings; i++) {
		times.push(await openInspector(workbench, agent));
		await workbench.runCommand('View: Close Editor');
	}
	return computeMedian(times.slice(1));
}

/** Returns the milliseconds of the longest task. */
async function scrollThroughRows(browser: Browser, frame: Frame): Promise<number> {
	// wait for the outputs first, so that only tasks of scrolling are recorded
	await frame.locator('.outputs .panel pre').waitFor();
	await frame.locator('#detail-panel .code').waitFor();
	const { tasks } = await recordMainThread(browser, frame, () =>
		frame.evaluate(async () => {
			const grid = document.querySelector('[role="treegrid"]') as HTMLElement;
			grid.scrollTop = 0;
			while (grid.scrollTop + grid.clientHeight < grid.scrollHeight - 1) {
				grid.scrollTop += grid.clientHeight * 3;
				await new Promise(resolve => requestAnimationFrame(resolve));
			}
		}),
	);
	return findLongestTask(tasks);
}
