import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../support/waitUntil.ts';
import { findAxeProblems } from '../driver/axe.ts';
import { retryUntilPassing } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';
import { findInspector, getNodeRow, getSelectedRow, inspectLatestRun } from './inspectorFrame.ts';
import { manyNodes } from './manyNodesAgent.ts';
import { slow } from './slowAgent.ts';

const channel = 'Agent Runs';

/** Defines the tests of a run's timeline, for a window with manyNodesSettings. */
export function testTimeline(session: Session): void {
	before(() => {
		const { folder } = session.workbench;
		fs.writeFileSync(path.join(folder, 'agents', 'slow.yml'), slow);
		fs.writeFileSync(path.join(folder, 'agents', 'many.yml'), manyNodes);
		fs.writeFileSync(path.join(folder, 'runs', 'many.run.json'), '{\n\t"model": "many",\n\t"inputs": {}\n}\n');
		fs.writeFileSync(path.join(folder, 'runs', 'slow.run.json'), '{\n\t"model": "slow",\n\t"inputs": {}\n}\n');
	});

	it('follows a run live', async () => {
		const { workbench } = session;
		await workbench.openFile('slow.run.json');
		await workbench.getCodeLens('Run').first().click();
		await workbench.output.waitForText(channel, /▷ slow .*\n.*start/);
		const frame = await inspectLatestRun(workbench, 'slow');
		await frame.locator('.status', { hasText: 'running' }).waitFor();
		await getNodeRow(frame, 'Each item').waitFor();
		const countRows = async (): Promise<number> => Number(await frame.getByRole('treegrid').getAttribute('aria-rowcount'));
		const before = await countRows();
		await waitUntil('more rows', async () => (await countRows()) > before + 2);
		await workbench.takeScreenshot('inspector-live');
	});

	it('stays at an earlier moment while the run continues', async () => {
		const frame = await findInspector(session.workbench, 'slow');
		const slider = frame.getByRole('slider', { name: 'Moment of the run' });
		await slider.press('Home');
		await frame.locator('.momentText', { hasText: /^1\/\d+ · / }).waitFor();
		const most = Number(await slider.getAttribute('max'));
		await waitUntil('more moments', async () => Number(await slider.getAttribute('max')) > most);
		assert.equal(await frame.getByRole('treegrid').getAttribute('aria-rowcount'), '1');
		await session.workbench.takeScreenshot('inspector-moment-live');
		await slider.press('End');
		await frame.locator('.moments.past').waitFor({ state: 'detached' });
	});

	it('stops a run, and shows it as stopped once the service confirms', async () => {
		const frame = await findInspector(session.workbench, 'slow');
		await frame.getByRole('button', { name: 'Stop' }).click();
		await frame.locator('.status', { hasText: 'stopped' }).waitFor();
		await frame.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
	});

	it('shows a past run with its outputs', async () => {
		const { workbench } = session;
		await workbench.openFile('review-batch.run.json');
		await workbench.getCodeLens('Run').first().click();
		await workbench.output.waitForText(channel, /▷ review-batch [\s\S]*■ \w/);
		const frame = await inspectLatestRun(workbench, 'review-batch');
		await frame.locator('.status', { hasText: /succeeded/ }).waitFor();
		await getNodeRow(frame, 'Each review').waitFor();
		await frame.locator('.nodeRow.critical').first().waitFor();
		await frame.locator('.outputs .panel pre').first().waitFor();
		await frame.getByRole('tab', { name: 'Markdown' }).click();
		await frame.locator('.outputs .panel .markdown table').waitFor();
	});

	it('is used by keyboard alone', async () => {
		const { page } = session.workbench;
		const frame = await findInspector(session.workbench, 'review-batch');
		const grid = frame.getByRole('treegrid');
		await grid.focus();
		await page.keyboard.press('Home');
		await getSelectedRow(frame).filter({ hasText: 'Start' }).waitFor();
		await page.keyboard.press('ArrowDown');
		await getSelectedRow(frame).filter({ hasText: 'Split the list' }).waitFor();
		await page.keyboard.press('ArrowDown');
		await getSelectedRow(frame).filter({ hasText: 'Each review' }).waitFor();
		await page.keyboard.press('ArrowLeft');
		await frame.locator('.nodeRow[aria-expanded="false"]', { hasText: 'Each review' }).waitFor();
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('ArrowRight');
		await frame.locator('.nodeRow[aria-selected="true"][aria-level="2"]').waitFor();
		// an iteration is collapsed first, if there are rows for iterations
		await page.keyboard.press('ArrowLeft');
		if ((await getSelectedRow(frame).innerText()) !== 'Each review') {
			await page.keyboard.press('ArrowLeft');
		}
		await getSelectedRow(frame).filter({ hasText: 'Each review' }).waitFor();
		assert.equal(
			await grid.getAttribute('aria-activedescendant'),
			await frame.locator('.nodeRow[aria-selected="true"]').getAttribute('id'),
		);
		await page.keyboard.press('Tab');
		await frame.locator('[role="separator"]:focus').waitFor();
		for (const name of ['Fork from here…', 'Go to source', 'More node actions']) {
			await page.keyboard.press('Tab');
			await frame.getByRole('button', { name }).and(frame.locator(':focus')).waitFor();
		}
		await page.keyboard.press('Tab');
		const tab = frame.locator('.detail [role="tab"]:focus');
		await tab.waitFor();
		await page.keyboard.press('Home');
		await frame.locator('.detail [role="tab"]:focus', { hasText: 'Inputs' }).waitFor();
		await frame.locator('#detail-panel .code', { hasText: 'iterator_selector' }).waitFor();
		await page.keyboard.press('Tab');
		await frame.getByRole('button', { name: 'More details' }).and(frame.locator(':focus')).press('Enter');
		await frame.getByRole('menuitem').and(frame.locator(':focus')).press('r');
		await frame.getByRole('menuitem', { name: 'Raw' }).and(frame.locator(':focus')).press('Enter');
		await frame.locator('#detail-panel .code', { hasText: 'iteration_started' }).waitFor();
	});

	it('shows an earlier moment by keyboard and mouse, in the timeline and the graph', async () => {
		const { workbench } = session;
		const frame = await findInspector(workbench, 'review-batch');
		const slider = frame.getByRole('slider', { name: 'Moment of the run' });
		const readText = () => frame.locator('.momentText').innerText();
		const count = Number(await slider.getAttribute('max'));
		await slider.focus();
		await slider.press('Home');
		await getSelectedRow(frame).filter({ hasText: 'Start' }).waitFor();
		assert.equal(await frame.getByRole('treegrid').getAttribute('aria-rowcount'), '1');
		assert.match(await readText(), new RegExp(`^1/${count} · .*Start: running$`));
		await slider.press('ArrowRight');
		await slider.press('ArrowRight');
		await getSelectedRow(frame).filter({ hasText: 'Split the list' }).waitFor();
		await frame.locator('.detail .facts', { hasText: 'as of' }).waitFor();
		for (const theme of Object.keys(themes) as Theme[]) {
			await workbench.useTheme(theme);
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await workbench.takeScreenshot(`inspector-moment-${theme}`);
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		}
		await workbench.useTheme('dark');
		const box = await slider.boundingBox();
		assert.ok(box);
		await slider.click({ position: { x: box.width / 2, y: box.height / 2 } });
		await frame.locator('.momentText', { hasText: new RegExp(`^(?!3/)\\d+/${count} · `) }).waitFor();
		await frame.getByRole('button', { name: 'Graph', exact: true }).click();
		await frame
			.getByRole('option', { name: /not run yet/ })
			.first()
			.waitFor();
		await workbench.takeScreenshot('inspector-moment-graph');
		await frame.getByRole('button', { name: 'Graph', exact: true }).click();
		await frame.getByRole('button', { name: 'Return to present' }).click();
		await frame.locator('.momentText', { hasText: new RegExp(`^${count}/${count}$`) }).waitFor();
		await getNodeRow(frame, 'Each review').click();
	});

	it('finds nodes, and says if there are none', async () => {
		const frame = await findInspector(session.workbench, 'review-batch');
		const search = frame.getByRole('searchbox');
		await search.fill('split');
		await retryUntilPassing(async () => assert.equal(await frame.getByRole('treegrid').getAttribute('aria-rowcount'), '1'));
		await search.fill('no such node');
		await frame.getByText("No nodes match 'no such node'.").waitFor();
		await search.fill('');
		await getNodeRow(frame, 'Each review').click();
	});

	it('is restored after it was hidden', async () => {
		const { workbench } = session;
		await workbench.openFile('review-batch.run.json');
		const frame = await inspectLatestRun(workbench, 'review-batch');
		await getSelectedRow(frame).filter({ hasText: 'Each review' }).waitFor();
		await frame.getByRole('tab', { name: 'Raw', selected: true }).waitFor();
		await frame.getByRole('tab', { name: 'Markdown', selected: true }).waitFor();
	});

	it("shows twelve rows with the panel open, and a model's prompt as a conversation", async () => {
		const { workbench } = session;
		await workbench.output.showChannel(channel);
		const frame = await findInspector(workbench, 'review-batch');
		const grid = frame.getByRole('treegrid');
		const height = await grid.evaluate(element => element.clientHeight);
		await getNodeRow(frame, 'Iteration 1').waitFor();
		await frame.locator('.nodeRow', { hasText: 'slowest' }).waitFor();
		await frame.locator('.axis .mark', { hasText: /^0$/ }).waitFor();
		await getNodeRow(frame, 'Write a reply').click();
		await frame.getByRole('tab', { name: 'Conversation' }).click();
		await frame.locator('#detail-panel .message.system').waitFor();
		await frame.locator('#detail-panel .message.assistant').waitFor();
		for (const theme of Object.keys(themes) as Theme[]) {
			await workbench.useTheme(theme);
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await workbench.takeScreenshot(`inspector-conversation-${theme}`);
		}
		await workbench.useTheme('dark');
		assert.ok(height >= 12 * 22 + 20, `${height} pixels`);
	});

	it('has borders that can be moved by keyboard and keep their position', async () => {
		const { workbench } = session;
		const frame = await findInspector(workbench, 'review-batch');
		const border = frame.getByRole('separator', { name: 'Timeline width' });
		const before = Number(await border.getAttribute('aria-valuenow'));
		await border.press('ArrowRight');
		assert.equal(Number(await border.getAttribute('aria-valuenow')), before + 2);
	});

	it('opens the source of a node', async () => {
		const { workbench } = session;
		const frame = await findInspector(workbench, 'review-batch');
		await frame.getByRole('button', { name: 'Go to source' }).click();
		await workbench.page.locator('.tab.active').filter({ hasText: 'review-batch.yml' }).waitFor();
		await waitUntil('the node', async () => (await workbench.readEditorText()).includes('id: reply'));
		await inspectLatestRun(workbench, 'review-batch');
	});

	it('compares two runs of an agent in one editor', async () => {
		const { workbench } = session;
		const frame = await inspectLatestRun(workbench, 'review-batch');
		await frame.getByRole('button', { name: 'Run again', exact: true }).click();
		await workbench.output.waitForText(channel, /▷ review-batch [\s\S]*▷ review-batch [\s\S]*■ \w/);
		await frame.getByRole('button', { name: 'Compare', exact: true }).click();
		await workbench.quickInput.pickOption('review-batch');
		const changes = workbench.page.locator('.monaco-diff-editor');
		await changes.locator('.view-line', { hasText: 'Same in both runs' }).first().waitFor();
		await workbench.takeScreenshot('inspector-compare');
		await inspectLatestRun(workbench, 'review-batch');
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`has no serious axe finding, ${theme}`, async () => {
			await session.workbench.useTheme(theme);
			const frame = await findInspector(session.workbench, 'review-batch');
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await frame.getByRole('treegrid').focus();
			await session.workbench.takeScreenshot(`inspector-${theme}`);
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		});
	}

	it('is restored when the window is opened again', async () => {
		const { workbench } = session;
		const selected = await getSelectedRow(await inspectLatestRun(workbench, 'review-batch')).innerText();
		await workbench.reloadWindow();
		const frame = await findInspector(workbench, 'review-batch');
		await getSelectedRow(frame).filter({ hasText: selected }).waitFor();
		await frame.locator('.status', { hasText: 'succeeded' }).waitFor();
	});

	it('has few elements and no long task with 10,000 node events', async () => {
		const { workbench } = session;
		await workbench.openFile('many.run.json');
		await workbench.getCodeLens('Run').first().click();
		await workbench.output.waitForText(channel, /▷ many [\s\S]*■ succeeded/);
		const frame = await inspectLatestRun(workbench, 'many');
		await frame.locator('.nodeRow.selected').waitFor();
		const rows = Number(await frame.getByRole('treegrid').getAttribute('aria-rowcount'));
		assert.ok(rows > 4500, `${rows} rows`);
		const { elements, longest } = await frame.evaluate(async () => {
			const grid = document.querySelector('[role="treegrid"]') as HTMLElement;
			const tasks: number[] = [];
			new PerformanceObserver(list => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
			let most = 0;
			grid.scrollTop = 0;
			for (let frames = 0; frames < 120; frames++) {
				grid.scrollTop += grid.clientHeight * 3;
				await new Promise(resolve => requestAnimationFrame(resolve));
				most = Math.max(most, document.querySelectorAll('.nodeRow').length);
			}
			return { elements: most, longest: Math.max(0, ...tasks) };
		});
		console.log(`      ${rows} rows, ${elements} elements, longest task over 50 ms while scrolling: ${longest} ms`);
		assert.ok(elements < 100, `${elements} elements`);
	});
}
