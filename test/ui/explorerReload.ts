import fs from 'node:fs';
import path from 'node:path';
import { type HeldAgent, startHeldAgent } from './driver/heldAgent.ts';
import type { Session } from './driver/session.ts';

/** Defines the test of a reload during a run, for a window with heldAgentSettings in which nothing has run yet. */
export function testReload(session: Session): void {
	let held: HeldAgent;
	before(async () => {
		held = await startHeldAgent('slow');
	});
	after(() => held.close());

	it('shows the active run again, with its end', async () => {
		const { workbench } = session;
		fs.writeFileSync(path.join(workbench.folder, 'agents', 'slow.yml'), held.source);
		fs.writeFileSync(path.join(workbench.folder, 'runs', 'slow.run.json'), JSON.stringify({ model: 'slow', inputs: {} }));
		await workbench.showContainer('Agent Workbench');
		const agents = workbench.getTree('Agents');
		await agents.expandRows('Built-in gateway', 'slow', 'Run files');
		await agents.expandRows('Runs');
		await agents.runAction('slow.run.json', 'Run');
		await agents.root.locator('.monaco-list-row[aria-label*="running"]').filter({ hasText: 'Ask' }).last().waitFor();
		await workbench.reloadWindow();
		await agents.getRow('Built-in gateway').waitFor();
		await agents.expandRows('Built-in gateway', 'slow', 'Runs');
		await agents.root.locator('.monaco-list-row[aria-level="4"][aria-label*="running"]').first().waitFor();
		await workbench.page.locator('.part.activitybar .badge-content').filter({ hasText: '1' }).first().waitFor();
		await workbench.takeScreenshot('explorer-reload');
		held.releaseRequests();
		await agents.root.locator('.monaco-list-row[aria-level="4"][aria-label*="succeeded"]').first().waitFor();
	});
}
