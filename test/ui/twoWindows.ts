import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type HeldAgent, startHeldAgent } from './driver/heldAgent.ts';
import type { Session } from './driver/session.ts';
import type { Workbench } from './driver/workbench.ts';

/**
 * Defines the test of two windows on one folder, for a window with heldAgentSettings. The tree may show other agents, but none of them
 * expanded.
 */
export function testTwoWindows(session: Session): void {
	let held: HeldAgent;
	before(async () => {
		held = await startHeldAgent('shared');
	});
	after(() => held.close());

	const getRunRows = (workbench: Workbench, status: string) =>
		workbench.getTree('Agents').root.locator(`.monaco-list-row[aria-level="4"][aria-label*="${status}"]`);

	const runHeldAgent = async (workbench: Workbench) => {
		await workbench.showContainer('Agent Workbench');
		const agents = workbench.getTree('Agents');
		await agents.expandRows('Built-in gateway', 'shared', 'Run files');
		await agents.expandRows('Runs');
		await agents.runAction('shared.run.json', 'Run');
		await getRunRows(workbench, 'running').first().waitFor();
	};

	// VS Code gives the second window a separate storage
	it('each run an agent without disturbing the other, and a reloaded one shows its active run again, with its end', async () => {
		const { workbench } = session;
		fs.writeFileSync(path.join(workbench.folder, 'agents', 'shared.yml'), held.source);
		fs.writeFileSync(path.join(workbench.folder, 'runs', 'shared.run.json'), JSON.stringify({ model: 'shared', inputs: {} }));
		await runHeldAgent(workbench);
		const other = await session.openSecondWindow();
		await runHeldAgent(other);
		for (const window of [workbench, other]) {
			const runs = (await window.getTree('Agents').readRows()).find(({ label }) => label === 'Runs');
			assert.equal(runs?.description, '1 running');
		}
		await workbench.reloadWindow();
		const agents = workbench.getTree('Agents');
		await agents.getRow('Built-in gateway').waitFor();
		await agents.expandRows('Built-in gateway', 'shared', 'Runs');
		await getRunRows(workbench, 'running').first().waitFor();
		await workbench.page.locator('.part.activitybar .badge-content').filter({ hasText: '1' }).first().waitFor();
		await workbench.takeScreenshot('explorer-reload');
		held.releaseRequests();
		for (const window of [workbench, other]) {
			await getRunRows(window, 'succeeded').first().waitFor();
		}
	});
}
