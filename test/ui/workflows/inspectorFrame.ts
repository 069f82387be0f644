import type { Frame, Locator } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { findFrame } from '../driver/webviews.ts';
import type { Workbench } from '../driver/workbench.ts';

const channel = 'Agent Runs';

/** Finds the inspector of a run of this agent in the active editor. Its page can keep the title of the run that it showed before. */
export async function findInspector(workbench: Workbench, agent: string): Promise<Frame> {
	const name = new RegExp(`^${agent} · \\w{8}`);
	const tab = workbench.page.locator('.tab.active').filter({ hasText: name });
	const frame = await waitUntil(`the inspector of “${agent}”`, async () => {
		const title = (await tab.innerText()).trim();
		return (await findFrame(workbench.page, title)) ?? findFrame(workbench.page, name);
	});
	await frame.waitForLoadState('domcontentloaded');
	await frame.locator('.sectionHead').first().waitFor();
	return frame;
}

/** Opens or shows the inspector of the latest run. */
export async function inspectLatestRun(workbench: Workbench, agent: string): Promise<Frame> {
	await workbench.runCommand('Agent Workbench Run: Inspect Run');
	return findInspector(workbench, agent);
}

/** Runs a run file and waits for its end in the output channel. */
export async function runFileToEnd(workbench: Workbench, file: string, agent: string): Promise<void> {
	await runFileAndWait(workbench, file, new RegExp(`▷ ${agent} [^▷]*${file.replaceAll('.', '\\.')}[^▷]*■ \\w`, 'g'));
}

/** Runs a run file and waits for one more match in the output channel, which also contains earlier runs of the window. */
export async function runFileAndWait(workbench: Workbench, file: string, pattern: RegExp): Promise<void> {
	const countMatches = (): number => workbench.output.readChannel(channel).match(pattern)?.length ?? 0;
	await workbench.openFile(file);
	const before = countMatches();
	await workbench.getCodeLens('Run').first().click();
	await waitUntil(`one more ${pattern} in the output channel “${channel}”`, () => countMatches() > before);
}

export const getNodeRow = (frame: Frame, title: string): Locator => frame.locator('.nodeRow').filter({ hasText: title }).first();
export const getSelectedRow = (frame: Frame): Locator => frame.locator('.nodeRow[aria-selected="true"] .nodeTitle');
