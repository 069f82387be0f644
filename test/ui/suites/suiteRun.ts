import type { Session } from '../driver/session.ts';

/** Defines a run of a sample suite. */
export function testSuiteRun(session: Session): void {
	it('is run from its lens, and shows its results in a table', async () => {
		const { workbench } = session;
		await workbench.openFile('summarize.suite.json');
		await workbench.getCodeLens('Run Suite').click();
		await workbench.page.locator('.editor-group-container.active .codicon-testing-passed-icon').first().waitFor();
		await workbench.getCodeLens(' passed · ').click();
		const frame = await workbench.findWebview('Results of summarize');
		await frame.getByRole('grid').waitFor();
		await frame.getByText(/^[1-9]\d* passed, 0 failed, 0 not run$/).waitFor();
	});
}
