import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { waitUntil } from '../support/waitUntil.ts';
import { findAxeProblems } from './driver/axe.ts';
import { retryUntilPassing } from './driver/eventually.ts';
import type { Session } from './driver/session.ts';
import { type Theme, themes } from './driver/themes.ts';
import { UserActions } from './driver/userActions.ts';
import type { Workbench } from './driver/workbench.ts';

const title = 'Logs of summarize';
const getLogRow = (frame: Frame, text: string | RegExp): Locator => frame.locator('.rows .logRow').filter({ hasText: text }).first();
const getStatusWidth = (frame: Frame): Promise<number> =>
	frame.locator('#column-status').evaluate(cell => (cell as HTMLElement).offsetWidth);
const getStatusBorder = (frame: Frame): Locator => frame.locator('#column-status .columnBorder');
const countRows = async (frame: Frame): Promise<number> => Number(await frame.getByRole('grid').getAttribute('aria-rowcount')) - 1;

/** Returns the page after bringing it to the front. */
async function findLogsPage(workbench: Workbench): Promise<Frame> {
	await workbench.page.locator('.tab', { hasText: title }).first().click();
	const frame = await workbench.findWebview(title);
	await frame.getByRole('grid').waitFor();
	return frame;
}

/** Returns the inspector in front. Its page can keep the title that it had before its service reported the run. */
async function findFrontInspector(workbench: Workbench): Promise<Frame> {
	const name = /^summarize · \w{8}/;
	await workbench.page.locator('.tab.active', { hasText: name }).waitFor();
	return workbench.findWebview(new RegExp(`^Run$|${name.source}`));
}

/** Defines the tests of the logs page, for a window with the connection "Many" to a log of more than a day (ManyRunsLog). */
export function testLogsPage(session: Session): void {
	it("finds yesterday's timeout in four actions from the start, two of them in the page", async () => {
		const { workbench } = session;
		const { quickInput } = workbench;
		await workbench.runCommand('Agent Workbench Run: Open Logs');
		await quickInput.box.fill('summarize');
		await quickInput.getOption('summarize').filter({ hasText: 'Many' }).click();
		const frame = await workbench.findWebview(title);
		await getLogRow(frame, 'succeeded').waitFor();
		await frame.getByRole('radio', { name: 'Yesterday' }).check({ force: true });
		await frame.getByRole('searchbox', { name: 'Text' }).fill('timeout');
		await getLogRow(frame, 'no answer within 30 s').waitFor();
		await waitUntil('one run alone', async () => (await countRows(frame)) === 1);
		await getLogRow(frame, 'run number').waitFor();
		await workbench.takeScreenshot('logs-found');
		await getLogRow(frame, 'no answer within 30 s').dblclick();
		await (await findFrontInspector(workbench)).getByText('no answer within 30 s').first().waitFor();
	});

	it('loads entries in view down to the oldest run, by keyboard, and inspects one with Enter', async () => {
		const { workbench } = session;
		const { keyboard } = workbench.page;
		const frame = await findLogsPage(workbench);
		await frame.getByRole('button', { name: 'Clear filters' }).first().click();
		await frame.getByRole('radio', { name: 'Last 24 hours' }).check({ force: true });
		await frame.locator('.count', { hasText: /^\d+ of [\d,]+ loaded$/ }).waitFor();
		const grid = frame.getByRole('grid');
		await grid.focus();
		await keyboard.press('Home');
		await frame.locator('.logRow.active#row-0').waitFor();
		const before = await countRows(frame);
		await keyboard.press('End');
		await waitUntil('the next page', async () => (await countRows(frame)) > before);
		await keyboard.press('PageUp');
		await keyboard.press('ArrowDown');
		await retryUntilPassing(async () =>
			assert.equal(await grid.getAttribute('aria-activedescendant'), await frame.locator('.logRow.active').getAttribute('id')),
		);
		await getLogRow(frame, /run number \d+/).waitFor();
		await keyboard.press('Enter');
		await (await findFrontInspector(workbench))
			.getByText(/succeeded|failed/)
			.first()
			.waitFor();
		await workbench.page.locator('.tab', { hasText: title }).waitFor();
	});

	it("says that it filters locally if the service doesn't support the filter", async () => {
		const frame = await findLogsPage(session.workbench);
		await frame.getByRole('spinbutton', { name: 'Minimum tokens' }).fill('8');
		await frame.getByText(/None of the [\d,]+ loaded runs match/).waitFor();
		await frame.getByRole('spinbutton', { name: 'Minimum tokens' }).fill('7');
		await frame.getByText('Only loaded runs are filtered and sorted').waitFor();
		await frame.getByRole('button', { name: 'Clear filters' }).first().click();
	});

	it('exports the listed entries to a CSV file', async () => {
		const { workbench } = session;
		const frame = await findLogsPage(workbench);
		await frame.getByRole('combobox', { name: 'Status' }).selectOption('failed');
		await getLogRow(frame, 'it broke').waitFor();
		await waitUntil('failed runs alone', async () => (await frame.locator('.rows .logRow', { hasText: 'succeeded' }).count()) === 0);
		await frame.getByRole('button', { name: 'Export CSV' }).click();
		await workbench.quickInput.box.waitFor();
		await workbench.page.keyboard.press('Enter');
		await workbench.getNotification('runs to').waitFor();
		const [head, first] = fs.readFileSync(path.join(workbench.folder, 'summarize-logs.csv'), 'utf8').split('\r\n');
		assert.equal(head, '\uFEFFtime,status,agent,user,seconds,tokens,run,error,inputs,outputs');
		assert.match(first ?? '', /^\d{4}-.*,failed,summarize,ana,0\.4,7,.*,"{""text"":""run number \d+""}","{""text"":""out""}"$/);
		await workbench.runCommand('Notifications: Clear All Notifications');
	});

	it('compares two runs in three actions', async () => {
		const { workbench } = session;
		const frame = await findLogsPage(workbench);
		const user = new UserActions();
		await user.performAction(() => frame.locator('#row-0').click());
		await user.performAction(() => frame.locator('#row-2').click({ modifiers: ['Control'] }));
		await user.performAction(() => frame.getByRole('button', { name: 'Compare' }).click());
		assert.equal(user.count, 3);
		await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'run number' }).first().waitFor();
		await workbench.takeScreenshot('logs-compare');
		await (await findLogsPage(workbench)).locator('#row-0').click();
	});

	it('resizes a column by keyboard and with the mouse', async () => {
		const { page } = session.workbench;
		const frame = await findLogsPage(session.workbench);
		const before = await getStatusWidth(frame);
		await frame.getByRole('grid').focus();
		await page.keyboard.press('Tab');
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('Shift+ArrowRight');
		await waitUntil('a wider column', async () => (await getStatusWidth(frame)) === before + 16);
		const border = await getStatusBorder(frame).boundingBox();
		assert.ok(border);
		await page.mouse.move(border.x + 5, border.y + 10);
		await page.mouse.down();
		await page.mouse.move(border.x + 25, border.y + 10, { steps: 3 });
		await page.mouse.up();
		await waitUntil('a dragged column', async () => Math.abs((await getStatusWidth(frame)) - before - 36) < 4);
	});

	it("shows VS Code's native menu on a run", async () => {
		const { workbench } = session;
		const frame = await findLogsPage(workbench);
		await getLogRow(frame, 'it broke').click({ button: 'right' });
		const menu = workbench.page.getByRole('menuitem', { name: 'Open Run Record' });
		await menu.waitFor();
		await workbench.page.getByRole('menuitem', { name: 'Run Again' }).waitFor();
		await workbench.page.keyboard.press('Escape');
		await menu.waitFor({ state: 'detached' });
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`has no serious axe finding, ${theme}`, async () => {
			const { workbench } = session;
			await workbench.useTheme(theme);
			const frame = await findLogsPage(workbench);
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await frame.getByRole('grid').focus();
			await workbench.takeScreenshot(`logs-${theme}`);
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		});
	}

	it('keeps its filter and the width of a column when the window is opened again', async () => {
		const { workbench } = session;
		await workbench.useTheme('dark');
		const width = await getStatusWidth(await findLogsPage(workbench));
		await workbench.reloadWindow();
		const frame = await findLogsPage(workbench);
		await getLogRow(frame, 'it broke').waitFor();
		await retryUntilPassing(async () => assert.equal(await frame.getByRole('combobox', { name: 'Status' }).inputValue(), 'failed'));
		assert.equal(await getStatusWidth(frame), width);
		await getStatusBorder(frame).dblclick();
		await waitUntil('the first width', async () => (await getStatusWidth(frame)) === 136);
	});
}
