import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { ChatPage } from '../chat/chatPage.ts';
import { findAxeProblems } from '../driver/axe.ts';
import { retryUntilPassing } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';
import { branchy } from './branchyAgent.ts';
import { findInspector, getSelectedRow, inspectLatestRun, runFileAndWait, runFileToEnd } from './inspectorFrame.ts';
import { slow } from './slowAgent.ts';

const getGraphToggle = (frame: Frame): Locator => frame.getByRole('button', { name: 'Graph', exact: true });
const getGraph = (frame: Frame): Locator => frame.getByRole('listbox', { name: 'Graph' });
const getNode = (frame: Frame, name: string | RegExp): Locator => frame.getByRole('option', { name });
const getSelectedNode = (frame: Frame, name: RegExp): Locator => frame.getByRole('option', { selected: true, name });
const getNodeDetail = (frame: Frame, title: string): Locator => frame.locator('.detail h2', { hasText: title });

/** Shows the graph, whatever was shown before. */
async function showGraph(frame: Frame): Promise<void> {
	await retryUntilPassing(async () => {
		if ((await getGraphToggle(frame).getAttribute('aria-pressed')) !== 'true') {
			await getGraphToggle(frame).click();
		}
		assert.ok(await getGraph(frame).isVisible());
	});
}

/** Defines the tests of a run's graph. The last of them leaves the graph chosen for inspectors. */
export function testGraph(session: Session): void {
	before(() => {
		const { folder } = session.workbench;
		for (const [name, text] of Object.entries({ branchy, slow })) {
			fs.writeFileSync(path.join(folder, 'agents', `${name}.yml`), text);
			fs.writeFileSync(path.join(folder, 'runs', `${name}.run.json`), `{\n\t"model": "${name}",\n\t"inputs": {}\n}\n`);
		}
		fs.writeFileSync(path.join(folder, 'runs', 'branch.run.json'), '{\n\t"model": "branchy",\n\t"inputs": { "text": "x" }\n}\n');
	});

	it('shows the result of each node, by mouse', async () => {
		const { workbench } = session;
		await runFileToEnd(workbench, 'review-batch.run.json', 'review-batch');
		const frame = await inspectLatestRun(workbench, 'review-batch');
		await showGraph(frame);
		await frame.getByText('agents/review-batch.yml').waitFor();
		await getNode(frame, /^Write a reply .* · \d+ times · LLM.*, succeeded, in Each review$/).waitFor({ state: 'attached' });
		await getNode(frame, /^Split the list/).click();
		await getNodeDetail(frame, 'Split the list').waitFor();
		await getSelectedNode(frame, /^Split the list/).waitFor();
		await retryUntilPassing(async () => assert.equal(await frame.locator('.node').count(), await frame.locator('.node.succeeded').count()));
		const measureWidth = () => getNode(frame, /^Split the list/).evaluate(element => element.getBoundingClientRect().width);
		const before = await measureWidth();
		await frame.getByRole('button', { name: 'Zoom in' }).click();
		await retryUntilPassing(async () => assert.ok((await measureWidth()) > before));
		await frame.getByRole('button', { name: 'Show the whole graph' }).click();
		await retryUntilPassing(async () => assert.ok((await measureWidth()) < before));
		const sizes = await frame.locator('.nodeTitle:visible').evaluateAll(titles =>
			titles.map(title => {
				const { width: drawn } = title.getBoundingClientRect();
				return (Number.parseFloat(getComputedStyle(title).fontSize) * drawn) / (title as HTMLElement).offsetWidth;
			}),
		);
		assert.ok(sizes.length > 0 && Math.min(...sizes) >= 10, `letters of ${Math.min(...sizes)} px`);
	});

	it('is used by keyboard alone, and shares its selection with the timeline', async () => {
		const { workbench } = session;
		const { page } = workbench;
		let frame = await inspectLatestRun(workbench, 'review-batch');
		await showGraph(frame);
		await getGraph(frame).focus();
		await page.keyboard.press('Home');
		await getSelectedNode(frame, /^Start/).waitFor();
		for (const title of ['Split the list', 'Each review', 'Read the review']) {
			await page.keyboard.press('ArrowRight');
			await getSelectedNode(frame, new RegExp(`^${title}`)).waitFor();
		}
		await page.keyboard.press('End');
		await getSelectedNode(frame, /^End/).waitFor();
		await page.keyboard.press('ArrowLeft');
		const active = await getSelectedNode(frame, /^Write the report/).getAttribute('id');
		await retryUntilPassing(async () => assert.equal(await getGraph(frame).getAttribute('aria-activedescendant'), active));
		await page.keyboard.press('Enter');
		await frame.locator('#detail-panel:focus').waitFor();
		await getNodeDetail(frame, 'Write the report').waitFor();
		for (const list of ['.canvas', '#detail-panel']) {
			await frame.locator(list).focus();
			await page.keyboard.press('F12');
			await page.locator('.editor-group-container.active .monaco-editor.focused[data-uri$="/review-batch.yml"]').waitFor();
			frame = await inspectLatestRun(workbench, 'review-batch');
		}
		await getGraphToggle(frame).focus();
		await page.keyboard.press('Enter');
		await getSelectedRow(frame).filter({ hasText: 'Write the report' }).waitFor();
	});

	it("marks the taken branch, and shows which nodes didn't run", async () => {
		const { workbench } = session;
		await runFileToEnd(workbench, 'branch.run.json', 'branchy');
		const frame = await inspectLatestRun(workbench, 'branchy');
		await showGraph(frame);
		await getNode(frame, /^Fails and is mended .*, failed, handled$/).waitFor({ state: 'attached' });
		await getNode(frame, /^Three times .* · Loop.*, succeeded$/).waitFor({ state: 'attached' });
		await retryUntilPassing(async () => assert.equal(await frame.locator('.edge.taken').count(), 8));
		await retryUntilPassing(async () => assert.equal(await frame.locator('.edge.skipped').count(), 4));
		await getGraph(frame).focus();
		await workbench.page.keyboard.press('Home');
		await getNode(frame, /^All went well Template.*, didn't run$/).click();
		await frame.getByText("All went well: didn't run.").waitFor();
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`has no serious axe finding, ${theme}`, async () => {
			const { workbench } = session;
			await workbench.useTheme(theme);
			const frame = await findInspector(workbench, 'branchy');
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await getGraph(frame).focus();
			await workbench.takeScreenshot(`inspector-graph-${theme}`);
			// axe checks text that the canvas cuts off as part of the accessible names
			await frame.getByRole('button', { name: 'Show the whole graph' }).click();
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		});
	}

	it('attaches the run to the chat', async () => {
		const { workbench } = session;
		const frame = await findInspector(workbench, 'branchy');
		await frame.getByRole('button', { name: 'Ask', exact: true }).click();
		const chat = await ChatPage.findChat(workbench, 'Chat');
		await chat.frame.locator('.attachments', { hasText: "Run of 'branchy'" }).waitFor();
	});

	it('follows a run live, also in a new inspector after the graph was chosen', async () => {
		const { workbench } = session;
		await runFileAndWait(workbench, 'slow.run.json', /▷ slow .*\n.*start/g);
		const frame = await inspectLatestRun(workbench, 'slow');
		await getGraph(frame).waitFor();
		await getNode(frame, /^Each item .*, running$/).waitFor({ state: 'attached' });
		await getNode(frame, /^End Output.*, not run yet$/).waitFor({ state: 'attached' });
		await getNode(frame, /^Take a while .* · \d+ times · LLM/).waitFor({ state: 'attached' });
		await frame.getByRole('button', { name: 'Stop' }).click();
		await getNode(frame, /^End Output.*, didn't run$/).waitFor({ state: 'attached' });
	});

	it('says that the agent file is missing', async () => {
		const { workbench } = session;
		fs.rmSync(path.join(workbench.folder, 'agents', 'slow.yml'), { force: true });
		// another editor replaces it, so that the page is created again
		await workbench.openFile('slow.run.json');
		const frame = await inspectLatestRun(workbench, 'slow');
		await frame.getByRole('treegrid').waitFor();
		await frame.locator('button[aria-disabled="true"]').and(getGraphToggle(frame)).click({ force: true });
		await frame.locator('.timeline').getByText("No graph available. No agent file 'slow.yml' in agents.").waitFor();
	});
}
