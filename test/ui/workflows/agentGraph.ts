import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { expectNoSeriousFindings } from '../driver/accessible.ts';
import type { Session } from '../driver/session.ts';
import { findWebviewFrame } from '../driver/webviews.ts';

/** Three nodes; no edge leads to the last one. */
const drawn = `kind: app
app: { name: drawn, mode: workflow }
version: "0.6.0"
workflow:
  graph:
    edges:
      - { id: e1, source: start, target: say, sourceHandle: source, targetHandle: target } # kept
    nodes:
      - id: start
        type: custom
        position: { x: 80, y: 200 }
        data: { type: start, title: Start, variables: [{ variable: text, label: Text, type: paragraph, required: true }] }
      - id: say
        type: custom
        position: { x: 380, y: 200 }
        data:
          type: template-transform
          title: Say it
          template: "{{ text }}" # a comment
          variables: [{ variable: text, value_selector: [start, text] }]
      - id: end
        type: custom
        position: { x: 380, y: 400 }
        data: { type: end, title: End, outputs: [{ variable: out, value_selector: [say, output] }] }
`;

const getNode = (frame: Frame, name: string | RegExp): Locator => frame.getByRole('option', { name });
const getSelectedNode = (frame: Frame, name: RegExp): Locator => frame.getByRole('option', { selected: true, name });
const getCanvas = (frame: Frame): Locator => frame.getByRole('listbox', { name: 'Graph' });

/** Defines the tests of an agent file's graph. Closes its editors. */
export function testAgentGraph(session: Session): void {
	const file = 'drawn.yml';
	const getFilePath = () => path.join(session.workbench.folder, 'agents', file);
	/** Saves the editor's text, so that a test can read it. */
	const saveAndReadFile = async () => {
		await session.workbench.runCommand('File: Save All Files').catch(() => undefined);
		return fs.readFileSync(getFilePath(), 'utf8');
	};
	const waitForText = (what: string, pattern: RegExp) => waitUntil(what, async () => pattern.test(await saveAndReadFile()));

	beforeEach(async () => {
		const { workbench } = session;
		fs.writeFileSync(getFilePath(), drawn);
		await workbench.openFile(file);
		await workbench.runCommand('Agent Workbench: Open Agent Graph');
		const frame = await findWebviewFrame(workbench.page, `Graph of ${file}`);
		await getNode(frame, /^Start/).waitFor();
	});
	afterEach(async () => {
		const { workbench } = session;
		await saveAndReadFile();
		await workbench.runCommand('View: Close All Editors');
	});
	const findGraphFrame = () => findWebviewFrame(session.workbench.page, `Graph of ${file}`);

	it("shows the text's nodes, follows its changes, and navigates in both directions", async () => {
		const { page } = session.workbench;
		const frame = await findGraphFrame();
		assert.equal(await frame.locator('.node').count(), 3);
		await getNode(frame, /^End Output out, unreachable/).waitFor();
		await getNode(frame, /^Say it/).click();
		await getSelectedNode(frame, /^Say it/).waitFor();
		await getNode(frame, /^Say it/).dblclick();
		await page.locator('.monaco-editor.focused .view-line', { hasText: 'id: say' }).waitFor();
		// the text editor has the cursor and the focus now
		await page.keyboard.press('Control+End');
		await getSelectedNode(frame, /^End/).waitFor();
		await page.keyboard.press('Control+Home');
	});

	it('is edited by mouse, and each gesture is one undo step', async () => {
		const { page } = session.workbench;
		const frame = await findGraphFrame();
		await frame.getByRole('button', { name: 'Show the whole graph' }).click();
		const box = await getNode(frame, /^Say it/).boundingBox();
		const end = await getNode(frame, /^End/).boundingBox();
		assert.ok(box && end);
		await page.mouse.move(box.x + 60, box.y + 20);
		await page.mouse.down();
		await page.mouse.move(box.x + 40, box.y - 10, { steps: 5 });
		await page.mouse.up();
		await waitForText('the place in the text', /id: say\n {8}type: custom\n {8}position: \{ x: (?!380)\d+, y: \d+ \}/);
		assert.match(await saveAndReadFile(), /template: "\{\{ text \}\}" # a comment/);
		const handle = await frame.locator('.handle.out[data-of="say"]').boundingBox();
		assert.ok(handle);
		await page.mouse.move(handle.x + 4, handle.y + 4);
		await page.mouse.down();
		await page.mouse.move(end.x + 60, end.y + 20, { steps: 8 });
		await page.mouse.up();
		await waitForText('the connection in the text', /source: say[\s\S]*target: end/);
		await getNode(frame, /^End Output out$/).waitFor();
		await frame.getByRole('button', { name: 'Undo' }).click();
		await getNode(frame, /^End Output out, unreachable/).waitFor();
		await frame.getByRole('button', { name: 'Undo' }).click();
		await frame.locator('.node[data-node="say"][style*="translate(380px"]').waitFor();
		await waitUntil('the text as it was', async () => (await saveAndReadFile()) === drawn);
	});

	it('is edited by keyboard alone', async () => {
		const { page } = session.workbench;
		const frame = await findGraphFrame();
		await getCanvas(frame).focus();
		await page.keyboard.press('Home');
		await getSelectedNode(frame, /^Start/).waitFor();
		await page.keyboard.press('ArrowRight');
		await getSelectedNode(frame, /^Say it/).waitFor();
		await page.keyboard.press('c');
		await frame.getByRole('combobox', { name: "Connect 'Say it' to…" }).waitFor();
		await page.keyboard.type('End');
		await page.keyboard.press('Enter');
		await getNode(frame, /^End Output out$/).waitFor();
		await page.keyboard.press('a');
		await frame.getByRole('combobox', { name: 'Search node types' }).waitFor();
		await page.keyboard.type('http');
		await page.keyboard.press('Enter');
		await getSelectedNode(frame, /HTTP Request/).waitFor();
		await waitForText('the new node in the text', /type: http-request/);
		await getCanvas(frame).focus();
		await page.keyboard.press('Delete');
		await waitUntil('three nodes', async () => (await frame.locator('.node').count()) === 3);
		await getCanvas(frame).focus();
		await page.keyboard.press('Control+z');
		await waitUntil('four nodes', async () => (await frame.locator('.node').count()) === 4);
	});

	it('undoes step by step by keyboard, while the focus stays in the graph', async () => {
		const { page } = session.workbench;
		const frame = await findGraphFrame();
		await getCanvas(frame).focus();
		await page.keyboard.press('Home');
		await getSelectedNode(frame, /^Start/).waitFor();
		const waitForPosition = (y: number) => page.locator('.view-line', { hasText: `{ x: 80, y: ${y} }` }).waitFor();
		for (const y of [220, 240, 260]) {
			await page.keyboard.press('Alt+ArrowDown');
			await waitForPosition(y);
		}
		for (const y of [240, 220, 200]) {
			await page.keyboard.press('Control+z');
			await waitForPosition(y);
			await frame.locator('.canvas:focus').waitFor();
		}
		await page.keyboard.press('Control+Shift+z');
		await waitForPosition(220);
		await frame.locator('.canvas:focus').waitFor();
		await page.keyboard.press('ArrowRight');
		await getSelectedNode(frame, /^Say it/).waitFor();
	});

	it('finds nodes', async () => {
		const { page } = session.workbench;
		const frame = await findGraphFrame();
		await getCanvas(frame).focus();
		await page.keyboard.press('Control+f');
		await page.keyboard.type('say');
		await getSelectedNode(frame, /^Say it/).waitFor();
		await frame.getByText('1 of 1').waitFor();
		await page.keyboard.press('Escape');
		await frame.locator('.canvas:focus').waitFor();
	});

	it('keeps the last valid graph while the text has errors, and says so', async () => {
		const { workbench } = session;
		const frame = await findGraphFrame();
		await getNode(frame, /^End/).dblclick();
		await workbench.page.locator('.monaco-editor.focused').waitFor();
		await workbench.page.keyboard.press('Control+End');
		await workbench.page.keyboard.type('[');
		await frame.getByText('Showing the last valid graph.').waitFor();
		assert.equal(await frame.locator('.node').count(), 3);
		await workbench.page.keyboard.press('Backspace');
		await frame.getByText('Showing the last valid graph.').waitFor({ state: 'detached' });
	});

	it('redraws its overview in the colors of another theme', async () => {
		const { workbench } = session;
		const frame = await findGraphFrame();
		const overview = frame.locator('.minimap canvas');
		await waitUntil('an overview', async () => {
			await frame.getByRole('button', { name: 'Zoom in' }).click();
			return overview.isVisible();
		});
		const readDrawing = () => overview.evaluate(canvas => (canvas as HTMLCanvasElement).toDataURL());
		const inDark = await readDrawing();
		await workbench.useTheme('light');
		await waitUntil('other colours', async () => (await readDrawing()) !== inDark);
		await workbench.useTheme('dark');
		await waitUntil('the colours from before', async () => (await readDrawing()) === inDark);
	});

	it('has no serious axe finding, in every theme', async () => {
		const frame = await findGraphFrame();
		await getNode(frame, /^Say it/).click();
		await expectNoSeriousFindings(session.workbench, 'graph', async () => frame, 'editor-background');
	});
}

/** Defines the tests of a run shown in the graph of its file. Closes its editors. */
export function testGraphRun(session: Session): void {
	it('shows the progress of a run of its file, dismisses it, and shows a past run', async () => {
		const { workbench } = session;
		await workbench.openFile('summarize.yml');
		await workbench.runCommand('Agent Workbench: Open Agent Graph');
		const frame = await findWebviewFrame(workbench.page, 'Graph of summarize.yml');
		await getNode(frame, /^Start/).waitFor();
		await getNode(frame, /^Start/).click();
		await workbench.page.keyboard.press('Control+F5');
		await workbench.quickInput.pickOption('annual-report.run.json');
		await frame.locator('.runWords', { hasText: 'succeeded' }).waitFor();
		await getNode(frame, /^Start .*, succeeded$/).waitFor();
		assert.ok((await frame.locator('.edge.taken').count()) > 1);
		await frame.getByRole('button', { name: 'Hide run' }).click();
		await frame.locator('.node.succeeded').first().waitFor({ state: 'detached' });
		await frame.getByRole('button', { name: 'Show run…' }).click();
		await workbench.quickInput.widget.locator('.monaco-list-row').first().click();
		await getNode(frame, /^Start .*, succeeded$/).waitFor();
		await workbench.runCommand('View: Close All Editors');
	});
}

/** Defines the tests of the graph as the only editor of its file. */
export function testGraphEditor(session: Session): void {
	before(() => session.workbench.runCommand('View: Close All Editors'));

	it('undoes one step at a time, and has the text of the document', async () => {
		const { workbench } = session;
		const name = 'edited.yml';
		fs.writeFileSync(path.join(workbench.folder, 'agents', name), drawn);
		await workbench.openFile(name);
		await workbench.runCommand('View: Reopen Editor With...');
		await workbench.quickInput.pickOption('Agent Graph');
		// VS Code doesn't title the frame of a custom editor, but the page has a title
		const frame = await waitUntil('the page of the editor', async () => {
			for (const each of workbench.page.frames()) {
				if ((await each.title().catch(() => '')) === `Graph of ${name}`) {
					return each;
				}
			}
			return undefined;
		});
		await getNode(frame, /^Say it/).click();
		await getCanvas(frame).focus();
		for (const count of [1, 2]) {
			await workbench.page.keyboard.press('Control+d');
			await waitUntil(`${3 + count} nodes`, async () => (await frame.locator('.node').count()) === 3 + count);
		}
		await getCanvas(frame).focus();
		await workbench.page.keyboard.press('Control+z');
		await waitUntil('four nodes', async () => (await frame.locator('.node').count()) === 4);
		// if a key were handled twice, a second step would follow immediately
		await getNode(frame, /^Start/).click();
		assert.equal(await frame.locator('.node').count(), 4);
		await getCanvas(frame).focus();
		await workbench.page.keyboard.press('Control+z');
		await waitUntil('three nodes', async () => (await frame.locator('.node').count()) === 3);
		await workbench.runCommand('File: Save All Files').catch(() => undefined);
		assert.equal(fs.readFileSync(path.join(workbench.folder, 'agents', name), 'utf8'), drawn);
		await getCanvas(frame).focus();
		await workbench.page.keyboard.press('Control+F5');
		await workbench.quickInput.widget.waitFor();
		await workbench.page.keyboard.press('Escape');
		await workbench.runCommand('View: Close All Editors');
	});
}
