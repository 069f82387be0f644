import type { Frame } from 'playwright-core';
import { expectNoSeriousFindings } from '../driver/accessible.ts';
import type { Session } from '../driver/session.ts';
import type { Workbench } from '../driver/workbench.ts';

/** Returns the page of the request log and the usage. There is only one panel, and its tab can keep its first title. */
async function findUsagePage(workbench: Workbench): Promise<Frame> {
	const frame = await workbench.findWebview(/^(?:Request Log|Usage)$/);
	await frame.getByRole('radio', { name: 'Usage' }).waitFor({ state: 'attached' });
	return frame;
}

/** Defines the tests of the request log and the usage. Closes their page. */
export function testUsagePage(session: Session): void {
	before(async () => {
		const { workbench } = session;
		await workbench.openFile('translate-notice.run.json');
		await workbench.getCodeLens('Run').first().waitFor();
		await workbench.runCommand('Agent Workbench: Run Agent from File');
		await workbench.output.waitForText('Agent Runs', /▷ translate (?:.*\n)*?.*■ succeeded/);
	});
	after(() => session.workbench.closeEditors());

	it('lists the model calls of runs, and shows one', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench: Open Request Log');
		const frame = await findUsagePage(workbench);
		const row = frame.locator('.rows .callRow').filter({ hasText: 'translate' }).first();
		await row.waitFor();
		// the list has the focus, so that its rows are reached without the mouse
		await frame.locator('.grid:focus').waitFor();
		const search = frame.getByRole('searchbox', { name: 'Search' });
		await search.fill('no such call');
		await frame.getByText('No model calls match.').waitFor();
		await search.fill('TRANSLATE');
		await row.dblclick();
		await frame.locator('.details').getByText('Agent node').waitFor();
		await frame.getByRole('button', { name: 'Inspect run' }).waitFor();
		await expectNoSeriousFindings(workbench, 'request-log', () => findUsagePage(workbench), 'editor-background');
	});

	it('adds them up by day, model and agent', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench: Open Usage');
		const frame = await findUsagePage(workbench);
		await frame.getByRole('gridcell', { name: 'By agent' }).waitFor();
		await frame.getByRole('gridcell', { name: 'translate' }).waitFor();
		await expectNoSeriousFindings(workbench, 'usage', () => findUsagePage(workbench), 'editor-background');
	});
}
