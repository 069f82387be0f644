import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { findAxeProblems } from '../driver/axe.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';

// the offline model grades everything 0
const suite = {
	model: 'summarize',
	judges: { short: { rubric: 'The summary is short and has no more than one sentence.' } },
	defaults: { expect: [{ output: 'summary', judge: 'short' }] },
	cases: ['The pier is open.', 'The ferry leaves at noon.', 'The harbour master is away.'].map((text, at) => ({
		name: `text ${at + 1}`,
		inputs: { text, sentences: 1 },
	})),
};

/** Defines the tests of the review page. */
export function testSuiteReview(session: Session): void {
	before(() => {
		fs.writeFileSync(path.join(session.workbench.folder, 'suites', 'short.suite.json'), JSON.stringify(suite, undefined, '\t'));
	});

	const openReview = async (): Promise<Frame> => {
		const frame = await session.workbench.findWebview('Review of short');
		await frame.getByRole('heading', { name: 'Review of short' }).waitFor();
		return frame;
	};
	const readLabels = (): { readonly label: string; readonly note?: string; readonly text?: string }[] => {
		const file = path.join(session.workbench.folder, 'suites', 'short.suite.labels.jsonl');
		return fs.existsSync(file)
			? fs
					.readFileSync(file, 'utf8')
					.trimEnd()
					.split('\n')
					.map(line => JSON.parse(line))
			: [];
	};

	it('opens from the results page, and hides the judge until the output is labeled with the mouse', async () => {
		const { workbench } = session;
		await workbench.openFile('short.suite.json');
		await workbench.getCodeLens('Run Suite').click();
		await workbench.getCodeLens('3 failed · ').click();
		const results = await workbench.findWebview('Results of short');
		await results.getByText('0 passed, 3 failed, 0 not run').waitFor();
		await results.getByRole('button', { name: 'Review' }).click();
		const frame = await openReview();
		await frame.getByText('Output 1 of 3 · 0 labeled').waitFor();
		await frame.getByText("The judge's decision appears once you have labeled the output.", { exact: true }).waitFor();
		assert.equal(await frame.getByText('0.00').count(), 0);
		await workbench.takeScreenshot('review-hidden');
		await frame.getByRole('button', { name: 'Pass' }).click();
		await frame.getByText('The judge disagrees: 0.00').first().waitFor();
		await frame.getByRole('button', { name: 'Pass', pressed: true }).waitFor();
		await frame.getByRole('table', { name: 'Agreement of the judges with people' }).waitFor();
		await frame.getByRole('button', { name: 'Next' }).click();
		await frame.getByText('Output 2 of 3 · 1 labeled').waitFor();
	});

	it('opens from the palette for the suite whose results have the focus', async () => {
		const { workbench } = session;
		await workbench.page.locator('.tab', { hasText: 'Results of short' }).first().click();
		await workbench.runCommand('Agent Workbench: Review Results');
		await workbench.page.locator('.tab.active', { hasText: 'Review of short' }).waitFor();
	});

	it('labels, adds a note and goes on by keyboard', async () => {
		const { keyboard } = session.workbench.page;
		const frame = await openReview();
		await frame.getByRole('region', { name: 'Your label' }).getByRole('button', { name: 'Pass' }).focus();
		await keyboard.press('2');
		await frame.getByText('The judge agrees: 0.00').first().waitFor();
		await keyboard.press('n');
		await keyboard.type('One of 3 sentences');
		await keyboard.press('ControlOrMeta+Enter');
		await frame.getByText('Output 3 of 3 · 2 labeled').waitFor();
		await frame.waitForFunction(() => (document.querySelector('#note') as HTMLTextAreaElement).value === '');
		await keyboard.press('3');
		await frame.getByText('3 labeled').waitFor();
		assert.deepEqual(
			readLabels().map(({ label, note }) => [label, note]),
			[
				['pass', undefined],
				['fail', undefined],
				['fail', 'One of 3 sentences'],
				['skip', undefined],
			],
		);
		assert.ok(readLabels().every(({ text }) => text?.startsWith('# The ')));
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`shows the review without a serious axe finding, ${theme}`, async () => {
			const { workbench } = session;
			await workbench.useTheme(theme);
			const frame = await openReview();
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await workbench.takeScreenshot(`review-${theme}`);
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		});
	}

	it('judges the same outputs again, and shows those that the judge disagrees on first', async () => {
		const { workbench } = session;
		await workbench.useTheme('dark');
		const before = workbench.page.viewportSize()!;
		await workbench.page.setViewportSize({ width: 700, height: before.height });
		const frame = await openReview();
		await workbench.takeScreenshot('review-narrow');
		await workbench.page.setViewportSize(before);
		await frame.getByRole('button', { name: 'Judge again' }).click();
		await waitUntil('the first output', async () => (await frame.getByText('Output 1 of 3 · 3 labeled').count()) === 1);
		await frame.getByText('The judge disagrees: 0.00').first().waitFor();
	});
}
