import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { findAxeProblems } from '../driver/axe.ts';
import { type HeldAgent, startHeldAgent } from '../driver/heldAgent.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';

const twoCases = `{
	"model": "summarize",
	"cases": [
		{ "name": "comes to an end", "inputs": { "text": "One. Two. Three.", "sentences": 1 } },
		{
			"name": "says what was never said",
			"inputs": { "text": "One. Two. Three.", "sentences": 1 },
			"expect": [{ "output": "summary", "equals": "Never said." }]
		}
	]
}
`;

/** Defines the tests of a suite and its results, for a window with heldAgentSettings. They reload the window once. */
export function testSuiteResults(session: Session): void {
	let held: HeldAgent;
	before(async () => {
		held = await startHeldAgent('waits');
		const { folder } = session.workbench;
		fs.writeFileSync(path.join(folder, 'suites', 'two.suite.json'), twoCases);
		fs.writeFileSync(path.join(folder, 'agents', 'waits.yml'), held.source);
	});
	after(() => held?.close());

	const getResultRow = (frame: Frame, text: string): Locator => frame.locator('.rows .resultRow').filter({ hasText: text }).first();
	const openResults = async (name: string): Promise<Frame> => {
		const frame = await session.workbench.findWebview(`Results of ${name}`);
		await frame.getByRole('grid').waitFor();
		return frame;
	};

	it('is run from its lens, and marks a failed case at the line of its check', async () => {
		const { workbench } = session;
		await workbench.openFile('two.suite.json');
		await workbench.getCodeLens('Run Suite').click();
		// the mark in the margin, and the message after the line
		await workbench.page.locator('.editor-group-container.active .testing-run-glyph.codicon-testing-failed-icon').first().waitFor();
		await workbench.page.locator('.editor-group-container.active .codicon-testing-passed-icon').first().waitFor();
	});

	it('shows its results in a table that can be read by keyboard', async () => {
		const { workbench } = session;
		const { keyboard } = workbench.page;
		await workbench.getCodeLens('1 failed, 1 passed · ').click();
		const frame = await openResults('two');
		await getResultRow(frame, 'says what was never said').waitFor();
		assert.equal(await frame.getByRole('grid').getAttribute('aria-rowcount'), '3');
		await frame.getByText('1 passed, 1 failed, 0 not run').waitFor();
		await frame.getByRole('grid').focus();
		await keyboard.press('End');
		await frame.locator('.resultRow.active#row-1').waitFor();
		const shown = frame.getByRole('region', { name: 'says what was never said' });
		await shown.getByText('Never said').first().waitFor();
		await shown.getByRole('button', { name: 'Show difference' }).waitFor();
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`shows its results without a serious axe finding, ${theme}`, async () => {
			const { workbench } = session;
			await workbench.useTheme(theme);
			const frame = await openResults('two');
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await frame.getByRole('grid').focus();
			await workbench.takeScreenshot(`results-${theme}`);
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		});
	}

	it('groups similar failures, and folds a group by keyboard', async () => {
		const { workbench } = session;
		const { page } = workbench;
		const frame = await openResults('two');
		const waitForRows = (rows: number) =>
			waitUntil(`${rows} rows`, async () => (await frame.getByRole('grid').getAttribute('aria-rowcount')) === String(rows));
		await frame.getByLabel('Group by failure').check();
		await waitForRows(5);
		await frame.getByRole('grid').focus();
		await page.keyboard.press('Home');
		await frame.locator('.groupRow.active#row-0').waitFor();
		await page.keyboard.press('Enter');
		await waitForRows(4);
		await frame.locator('.groupRow .codicon-chevron-right').waitFor();
		const before = page.viewportSize()!;
		await page.setViewportSize({ width: 620, height: before.height });
		await frame.getByRole('columnheader', { name: 'Inputs' }).waitFor({ state: 'hidden' });
		const high = await frame.locator('.rows').evaluate(rows => {
			(rows as HTMLElement).style.height = '1000000px';
			return rows.closest('main')!.clientHeight;
		});
		assert.ok(high < before.height, `rows without end make a table of ${high} pixels, which would draw all of them`);
		await workbench.takeScreenshot('results-narrow');
		await page.setViewportSize(before);
		await frame.getByLabel('Sort by').selectOption({ label: 'Case' });
		await frame.getByLabel('Group by failure').uncheck();
		await waitForRows(3);
		await frame.locator('.resultRow#row-0').filter({ hasText: 'comes to an end' }).waitFor();
		await frame.getByRole('button', { name: 'Ascending' }).click();
		await frame.locator('.resultRow#row-0').filter({ hasText: 'says what was never said' }).waitFor();
		await frame.getByLabel('Sort by').selectOption({ label: 'Suite order' });
		await frame.locator('.resultRow#row-0').filter({ hasText: 'comes to an end' }).waitFor();
		await frame.getByRole('grid').focus();
		await page.keyboard.press('End');
		await frame.getByRole('region', { name: 'says what was never said' }).waitFor();
	});

	it('shows expected and actual values side by side', async () => {
		const { workbench } = session;
		await workbench.useTheme('dark');
		const frame = await openResults('two');
		await frame.getByRole('button', { name: 'Show difference' }).click();
		await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'Never said.' }).first().waitFor();
		await workbench.takeScreenshot('results-diff');
		await workbench.page.locator('.tab', { hasText: 'Results of two' }).first().click();
	});

	it('is compared with a baseline, and failed cases are run again', async () => {
		const { workbench } = session;
		let frame = await openResults('two');
		await frame.getByRole('button', { name: 'Pin as baseline' }).click();
		await frame.getByRole('button', { name: 'Unpin baseline' }).waitFor();
		const mended = twoCases.replace('"equals": "Never said."', '"contains": "."');
		fs.writeFileSync(path.join(workbench.folder, 'suites', 'two.suite.json'), mended);
		// runs use the editor's text, which is updated a moment after the file was written
		await workbench.openFile('two.suite.json');
		await workbench.page.locator('.editor-group-container.active .view-line', { hasText: 'contains' }).first().waitFor();
		await workbench.page.locator('.tab', { hasText: 'Results of two' }).first().click();
		frame = await openResults('two');
		await frame.getByRole('button', { name: 'Rerun failed' }).click();
		frame = await openResults('two');
		await frame.getByText('1 passed, 0 failed, 0 not run').waitFor();
		await getResultRow(frame, 'better').waitFor();
	});

	it('resumes a run that was interrupted when the window closed', async () => {
		const { workbench } = session;
		const cases = [{ run: './end.run.json' }, { run: './held.run.json', expect: [{ output: 'answer', equals: 'done' }] }];
		const writeJsonFile = (name: string, content: unknown) =>
			fs.writeFileSync(path.join(workbench.folder, 'suites', name), JSON.stringify(content));
		writeJsonFile('end.run.json', { model: 'summarize', inputs: { text: 'One. Two.', sentences: 1 } });
		writeJsonFile('held.run.json', { model: 'waits', inputs: {} });
		writeJsonFile('held.suite.json', { cases, concurrency: 1 });
		await workbench.openFile('held.suite.json');
		await workbench.getCodeLens('Results').click();
		const frame = await openResults('held');
		await frame.getByRole('button', { name: 'Run suite' }).click();
		await frame.getByText('1 passed, 0 failed, 0 not run').waitFor();
		await frame.getByRole('button', { name: 'Cancel' }).waitFor();
		await workbench.reloadWindow();
		held.releaseRequests();
		const again = await openResults('held');
		await again.getByText('1 passed, 0 failed, 0 not run').waitFor();
		await again.getByRole('button', { name: 'Resume' }).click();
		await again.getByText('2 passed, 0 failed, 0 not run').waitFor();
		await waitUntil('two rows', async () => (await again.getByRole('grid').getAttribute('aria-rowcount')) === '3');
		await again.getByRole('button', { name: 'Run suite' }).waitFor();
		await workbench.takeScreenshot('results-resumed');
	});
}
