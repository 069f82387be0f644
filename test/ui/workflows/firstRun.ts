import type { Session } from '../driver/session.ts';

const channel = 'Agent Runs';

/** Defines the first runs of a run file, for a window in which nothing has run yet. */
export function testFirstRun(session: Session): void {
	it('is run from the palette by keyboard, and shows its node events in the output channel', async () => {
		const { workbench } = session;
		const { page } = workbench;
		await workbench.openFile('annual-report.run.json');
		await workbench.getCodeLens('Run').first().waitFor();
		await page.keyboard.press('F1');
		await workbench.quickInput.box.fill('>Agent Workbench: Run Agent from File');
		await workbench.quickInput.widget.locator('.monaco-list-row.focused').filter({ hasText: 'Run Agent from File' }).waitFor();
		await workbench.quickInput.pressKey('Enter');
		await workbench.output.waitForText(
			channel,
			/▷ summarize {2}run \S{8} {2}annual-report\.run\.json {2}Built-in gateway · streaming · user ana/,
		);
		await workbench.output.waitForText(channel, /│ ✔ start /);
		await workbench.output.waitForText(channel, /■ succeeded {2}/);
		await workbench.output.lines.filter({ hasText: '■ succeeded' }).waitFor();
	});

	it('shows above its text how the last run ended', async () => {
		await session.workbench.getCodeLens('Last run: succeeded').waitFor();
		await session.workbench.takeScreenshotsInThemes('run-finished');
	});

	it('is run in blocking mode by its CodeLens with the mouse', async () => {
		const { workbench } = session;
		await workbench.getCodeLens('Run blocking').click();
		await workbench.output.waitForText(channel, /▷ summarize {2}run.*· blocking ·.*\n(?:.*\n)*?.*■ succeeded/);
	});
}
