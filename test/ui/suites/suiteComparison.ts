import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { findAxeProblems } from '../driver/axe.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';

const createAgent = (greeting: string) => `version: "0.6.0"
kind: app
app: { name: greet, mode: workflow }
workflow:
  graph:
    nodes:
      - { id: start, data: { type: start, title: Start, variables: [{ variable: name, label: Name, type: text-input, required: true }] } }
      - id: write
        data: { type: template-transform, title: Write, template: "${greeting} {{ name }}!", variables: [{ variable: name, value_selector: [start, name] }] }
      - { id: end, data: { type: end, title: End, outputs: [{ variable: text, value_selector: [write, output] }] } }
    edges:
      - { id: a, source: start, target: write }
      - { id: b, source: write, target: end }
`;

const suite = {
	model: 'greet',
	matrix: { agent: { now: 'current', short: './greet-short.yml' } },
	cases: [
		{ name: 'greets Ana', inputs: { name: 'Ana' }, expect: [{ output: 'text', contains: 'Good morning' }] },
		{ name: 'names Ben', inputs: { name: 'Ben' }, expect: [{ output: 'text', contains: 'Ben' }] },
	],
};

/** Defines the tests of a comparison of variants. They leave the agent file changed. */
export function testSuiteComparison(session: Session): void {
	before(() => {
		const { folder } = session.workbench;
		fs.writeFileSync(path.join(folder, 'agents', 'greet.yml'), createAgent('Good morning'));
		fs.writeFileSync(path.join(folder, 'suites', 'greet-short.yml'), createAgent('Hi'));
		fs.writeFileSync(path.join(folder, 'suites', 'greet.suite.json'), JSON.stringify(suite, undefined, '\t'));
	});

	const openComparison = async (): Promise<Frame> => {
		const frame = await session.workbench.findWebview('Results of greet');
		await frame.getByRole('grid', { name: 'Comparison of variants' }).waitFor();
		return frame;
	};
	const getCell = (frame: Frame, row: number, variant: number): Locator => frame.locator(`#cell-${row}-variant-${variant}`);
	const waitForDiff = async (text: string): Promise<void> => {
		const { page } = session.workbench;
		await page.locator('.monaco-diff-editor .view-line', { hasText: text }).first().waitFor();
		await page.locator('.tab', { hasText: 'Results of greet' }).first().click();
	};

	it('shows the number of runs and the estimated cost before it starts', async () => {
		const { workbench } = session;
		await workbench.openFile('greet.suite.json');
		await workbench.getCodeLens('Compare Variants…').click();
		const dialog = workbench.getDialog("Compare the variants of 'greet'?");
		await dialog.getByText('Runs, at most: 4').waitFor();
		await dialog.getByText("The cost isn't known").waitFor();
		await workbench.takeScreenshot('comparison-question');
		await dialog.getByRole('button', { name: 'Start' }).click();
		const frame = await openComparison();
		await frame.getByText('3 passed, 1 failed, 0 not run').waitFor();
		const header = frame.getByRole('columnheader', { name: 'short' });
		await header.getByText('too few cases').waitFor();
		await header.getByText('50% (').waitFor();
		await getCell(frame, 0, 0).filter({ hasText: '1.00' }).filter({ hasText: 'Good morning Ana!' }).waitFor();
		await getCell(frame, 0, 1).filter({ hasText: '0.50' }).filter({ hasText: 'Hi Ana!' }).waitFor();
	});

	it('filters the cases, and compares two cells with the mouse', async () => {
		const frame = await openComparison();
		await frame.getByRole('button', { name: 'Worse (1)' }).click();
		await waitUntil('one case', async () => (await frame.getByRole('grid').getAttribute('aria-rowcount')) === '2');
		await frame.getByText('1 of 2 shown').waitFor();
		await frame.getByRole('button', { name: 'Clear filters' }).click();
		await getCell(frame, 0, 1).click();
		await frame.getByRole('region', { name: 'greets Ana' }).waitFor();
		await getCell(frame, 0, 0).click({ modifiers: ['ControlOrMeta'] });
		await frame.getByRole('button', { name: 'Compare outputs' }).click();
		await waitForDiff('Hi Ana!');
	});

	it('compares two cells by keyboard', async () => {
		const { keyboard } = session.workbench.page;
		const frame = await openComparison();
		await frame.getByRole('grid').focus();
		await keyboard.press('End');
		await keyboard.press('ArrowLeft');
		await keyboard.press('Shift+ArrowRight');
		await frame.locator('.chosenCell.activeCell#cell-1-variant-1').waitFor();
		assert.equal(await frame.locator('.chosenCell').count(), 2);
		await keyboard.press('Enter');
		await waitForDiff('Hi Ben!');
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`shows the comparison without a serious axe finding, ${theme}`, async () => {
			const { workbench } = session;
			await workbench.useTheme(theme);
			const frame = await openComparison();
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await frame.getByRole('grid').focus();
			await workbench.takeScreenshot(`comparison-${theme}`);
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		});
	}

	it('stays readable in a narrow editor', async () => {
		const { workbench } = session;
		await workbench.useTheme('dark');
		const { page } = workbench;
		const before = page.viewportSize()!;
		await page.setViewportSize({ width: 700, height: before.height });
		const frame = await openComparison();
		await getCell(frame, 0, 0).click();
		await frame.getByRole('grid').focus();
		await page.keyboard.press('ArrowRight');
		await workbench.takeScreenshot('comparison-narrow');
		const [cell, first] = [await getCell(frame, 0, 1).boundingBox(), await frame.locator('#cell-0-case').boundingBox()];
		assert.ok(cell && first && cell.x >= first.x + first.width - 1, 'the active cell is hidden below the names');
		await page.setViewportSize(before);
	});

	it('writes a variant into the agent file from the menu of its column by keyboard, as one edit', async () => {
		const { workbench } = session;
		const { keyboard } = workbench.page;
		const frame = await openComparison();
		await frame.getByRole('columnheader', { name: 'short' }).focus();
		await keyboard.press('Enter');
		await frame.getByRole('menuitem', { name: 'Apply to Agent' }).waitFor();
		await keyboard.press('Enter');
		const lines = workbench.page.locator('.editor-group-container.active .monaco-editor .view-line');
		await lines.filter({ hasText: 'Hi {{' }).first().waitFor();
		await keyboard.press('ControlOrMeta+z');
		await lines.filter({ hasText: 'Good morning {{' }).first().waitFor();
	});
}
