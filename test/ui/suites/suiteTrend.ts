import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { findAxeProblems } from '../driver/axe.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';

const suite = { model: 'summarize', cases: [{ name: 'ends', inputs: { text: 'One. Two.', sentences: 1 } }] };
/** Passed cases of ten, by entry. */
const rates = [8, 8, 9, 7, 8, 9, 9, 8, 9, 10, 9, 10];
const entries = rates.map((passed, at) => ({
	at: new Date(Date.UTC(2026, 9, 1 + 3 * at, 9, 30)).toISOString(),
	commit: `${1000 + at * 37}`.repeat(10),
	suite: 's',
	agents: 'a',
	cases: 10,
	passed,
	failed: 10 - passed,
	notRun: 0,
	score: passed / 10 - 0.05,
	tokens: 9000 + 700 * ((at * 5) % 7),
	cost: 0.11 + 0.01 * ((at * 3) % 5),
	currency: 'USD',
	p50: 0.8 + 0.1 * ((at * 2) % 3),
	p95: 2 + 0.3 * ((at * 4) % 5),
	checks: { polite: Math.min(1, passed / 9), equals: 1 },
	keys: at < 5 ? 'before' : 'after',
}));

/** Defines the tests of the trend on the results page. They reload the window once. */
export function testSuiteTrend(session: Session): void {
	const getHistoryFile = () => path.join(session.workbench.folder, 'suites', 'trend.suite.history.jsonl');
	before(() => {
		fs.writeFileSync(path.join(session.workbench.folder, 'suites', 'trend.suite.json'), JSON.stringify(suite));
		fs.writeFileSync(getHistoryFile(), `${entries.map(entry => JSON.stringify(entry)).join('\n')}\n=======\n`);
	});

	const openTrend = async (count: number): Promise<Frame> => {
		const frame = await session.workbench.findWebview('Results of trend');
		await frame.getByText(`${count} entries`, { exact: true }).waitFor();
		return frame;
	};

	it('opens from the lens of a suite, and grows by a batch that is added with the mouse', async () => {
		const { workbench } = session;
		await workbench.openFile('trend.suite.json');
		await workbench.getCodeLens('Trend').click();
		const frame = await openTrend(12);
		await frame.getByText("1 line of trend.suite.history.jsonl can't be read").waitFor();
		await frame.getByRole('img', { name: 'Pass rate: 80% at first, 100% now, lowest 70%, highest 100%' }).waitFor();
		await frame.getByRole('row').filter({ hasText: 'Cases changed' }).waitFor();
		await frame.getByRole('button', { name: 'Run suite' }).click();
		const add = frame.getByRole('button', { name: 'Add to history' });
		await frame.locator('button[title="Add the numbers of the selected batch to trend.suite.history.jsonl"]:enabled').waitFor();
		await add.click();
		await openTrend(13);
		await frame.locator('button[title="The selected batch is in the history already"]:disabled').waitFor();
		assert.equal(fs.readFileSync(getHistoryFile(), 'utf8').trimEnd().split('\n').length, 14);
	});

	it('opens the results of an entry by keyboard, and says if they are not stored', async () => {
		const { keyboard } = session.workbench.page;
		const frame = await openTrend(13);
		await frame.getByRole('grid', { name: 'History entries' }).focus();
		await keyboard.press('End');
		await frame.locator('.trendRow.active#row-12').waitFor();
		await frame.locator('.chart').first().getByText('80% (').waitFor();
		await keyboard.press('Enter');
		await frame.getByText("The results of this entry aren't stored in this workspace.").waitFor();
		await keyboard.press('Home');
		await keyboard.press('Enter');
		await frame.getByRole('grid', { name: 'Results' }).waitFor();
		await frame.getByText('1 passed, 0 failed, 0 not run').waitFor();
	});

	it('stays open after a reload', async () => {
		const { workbench } = session;
		const frame = await workbench.findWebview('Results of trend');
		await frame.getByRole('radio', { name: 'Trend' }).click();
		await openTrend(13);
		await workbench.reloadWindow();
		await openTrend(13);
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`has no serious axe finding, ${theme}`, async () => {
			const { workbench } = session;
			await workbench.useTheme(theme);
			const frame = await openTrend(13);
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await frame.getByRole('grid').focus();
			await workbench.page.keyboard.press('Home');
			await workbench.takeScreenshot(`trend-${theme}`);
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		});
	}

	it('shows its charts above each other on a narrow page', async () => {
		const { workbench } = session;
		const before = workbench.page.viewportSize()!;
		await workbench.page.setViewportSize({ width: 620, height: before.height });
		const frame = await openTrend(13);
		await frame.getByRole('columnheader', { name: 'Mean score' }).waitFor({ state: 'hidden' });
		const isWide = await frame.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
		assert.equal(isWide, false);
		await workbench.takeScreenshot('trend-narrow');
		await workbench.page.setViewportSize(before);
		await workbench.useTheme('dark');
	});
}
