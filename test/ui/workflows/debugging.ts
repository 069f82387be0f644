import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { getRepeatDelay, waitUntil } from '../../support/waitUntil.ts';
import { waitBriefly } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { findWebviewFrame } from '../driver/webviews.ts';
import { findInspector, getNodeRow, inspectLatestRun } from './inspectorFrame.ts';

const channel = 'Agent Runs';

/** Debugs the sample that sorts messages, for a window in which its agent hasn't run yet. */
export function testDebugging(session: Session): void {
	/** Returns the first line, from 1, of an agent file that contains a text. */
	const findLine = (text: string) => {
		const file = path.join(session.workbench.folder, 'agents', 'support.yml');
		return (
			fs
				.readFileSync(file, 'utf8')
				.split('\n')
				.findIndex(line => line.includes(text)) + 1
		);
	};
	/** Runs a command of VS Code from the palette, which closes if the debugger takes the focus meanwhile. */
	const runEditorCommand = async (title: string) => {
		const { page, quickInput } = session.workbench;
		await waitUntil(`the command “${title}” in the palette`, async tries => {
			const timeout = getRepeatDelay(tries);
			try {
				await page.keyboard.press('F1');
				await quickInput.box.fill(`>${title}`, { timeout });
				await quickInput.widget.locator('.monaco-list-row.focused').filter({ hasText: title }).waitFor({ timeout });
				// the debugger may take the focus, and a key for the palette would change the agent file
				await quickInput.box.press('Enter', { timeout });
				await quickInput.widget.waitFor({ state: 'hidden', timeout });
				return true;
			} catch {
				await page.keyboard.press('Escape');
				return false;
			}
		});
	};
	const goToLine = async (line: number, column = 1) => {
		const { page, quickInput } = session.workbench;
		await page.keyboard.press('Control+g');
		await quickInput.box.fill(`:${line}:${column}`);
		await page.keyboard.press('Enter');
		await quickInput.widget.waitFor({ state: 'hidden' });
		await page
			.locator('.statusbar-item')
			.filter({ hasText: `Ln ${line}, Col ${column}` })
			.waitFor();
	};
	const getStackFrame = (title: string) =>
		session.workbench.page.locator('.debug-call-stack .stack-frame').filter({ hasText: title }).first();

	it('pauses before a node with a breakpoint in its file', async () => {
		const { workbench } = session;
		const { page } = workbench;
		await workbench.openFile('support.yml');
		await workbench.getCodeLens('Debug').waitFor();
		// the breakpoint is set inside the node's block and moves to its first line
		await goToLine(findLine('title: The reply'));
		await page.keyboard.press('F9');
		await page.locator('.editor-group-container.active .codicon-debug-breakpoint').waitFor();
		await workbench.openFile('support-fault.run.json');
		await workbench.getCodeLens('Debug').waitFor();
		await page.keyboard.press('F5');
		// the gateway starts first
		await getStackFrame('The reply').waitFor({ timeout: 90_000 });
		await page.locator('.editor-group-container.active .debug-top-stack-frame-line').waitFor();
		assert.match(await workbench.readEditorText(), /- id: reply/);
		await workbench.output.waitForText(channel, /▷ support .*support-fault\.run\.json/);
		await workbench.takeScreenshot('debugging-stopped');
	});

	it('shows the breakpoint and the paused node in the graph', async () => {
		const { workbench } = session;
		await workbench.openFile('support.yml');
		await workbench.runCommand('Agent Workbench: Open Agent Graph');
		const graph = await findWebviewFrame(workbench.page, 'Graph of support.yml');
		const node = graph.getByRole('option', { name: /^The reply.*, paused here, breakpoint/ });
		await node.waitFor();
		// the graph scrolls to the node at the cursor
		await waitUntil('the node to be in sight', async () => {
			const [shown, around] = await Promise.all([node.boundingBox(), graph.locator('.canvas').boundingBox()]);
			return shown !== null && around !== null && around.x <= shown.x && shown.x < around.x + around.width;
		});
		// the icons are in a font that must load
		await graph.evaluate(async () => void (await document.fonts.ready));
		await workbench.takeScreenshot('debugging-graph');
		await workbench.runCommand('View: Close Editor');
		await workbench.page.locator('.tab').filter({ hasText: 'Graph of support.yml' }).waitFor({ state: 'detached' });
	});

	it('steps to the next node, and watches a value', async () => {
		const { workbench } = session;
		const { page } = workbench;
		await page.keyboard.press('F10');
		await getStackFrame('Fill in the card').waitFor();
		const watched = findLine('{ variable: urgent, value_selector: [facts, urgent] }');
		await page.locator('.debug-top-stack-frame-line').waitFor();
		await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
		await goToLine(watched, 60);
		await runEditorCommand('Debug: Add to Watch');
		await page.locator('.debug-watch .expression').filter({ hasText: 'facts.urgent' }).waitFor();
		await workbench.takeScreenshot('debugging-watch');
	});

	it('steps back and reverses with the mouse, and returns with the keyboard', async () => {
		const { workbench } = session;
		const { page } = workbench;
		const past = page.locator('.statusbar-item').filter({ hasText: /In the past: step \d+ of \d+/ });
		const watched = page.locator('.debug-watch .expression').filter({ hasText: 'facts.urgent' });
		await watched.filter({ hasText: 'false' }).waitFor();
		const clickToolbar = (icon: string) => page.locator('.debug-toolbar').locator(`.codicon-debug-${icon}`).click();
		await clickToolbar('step-back');
		await getStackFrame('The reply').waitFor();
		await past.waitFor();
		await clickToolbar('reverse-continue');
		await page.locator('.statusbar-item').filter({ hasText: 'In the past: step 1 of' }).waitFor();
		await watched.filter({ hasNotText: 'false' }).waitFor();
		await workbench.takeScreenshot('debugging-past');
		// F10 follows what happened; VS Code ignores it while it still reads the earlier step
		await waitUntil('a later step', async tries => {
			await page.keyboard.press('F10');
			return waitBriefly(past.filter({ hasNotText: 'step 1 of' }), getRepeatDelay(tries));
		});
		await workbench.runCommand('Agent Workbench: Return to Present');
		await past.waitFor({ state: 'hidden' });
		await getStackFrame('Fill in the card').waitFor();
		await watched.filter({ hasText: 'false' }).waitFor();
		await clickToolbar('step-back');
		await past.click();
		await past.waitFor({ state: 'hidden' });
		await getStackFrame('Fill in the card').waitFor();
	});

	it('sets a value in Variables with F2', async () => {
		const { workbench } = session;
		const { page } = workbench;
		const variables = page.locator('.debug-variables');
		const row = variables.locator('.monaco-list-row').filter({ hasText: 'kind' }).first();
		// rows keep hidden input boxes
		const box = variables.locator('.monaco-inputbox input').filter({ visible: true });
		// the debugger may still take the focus after the return to the present, which closes the box
		await waitUntil('the value of the first input to be set', async tries => {
			const timeout = getRepeatDelay(tries);
			await runEditorCommand('Focus on Variables View');
			try {
				await row.waitFor({ timeout });
				await variables.locator('.monaco-list:focus').waitFor({ timeout });
				for (const key of ['Home', 'ArrowDown', 'F2']) {
					await page.keyboard.press(key);
				}
				await box.waitFor({ timeout });
				if ((await box.inputValue({ timeout })).includes('fault')) {
					await box.fill('billing', { timeout });
					await box.press('Enter', { timeout });
					await row.filter({ hasText: 'billing' }).waitFor({ timeout });
					return true;
				}
			} catch {
				// another try focuses the view again
			}
			await page.keyboard.press('Escape');
			return row.filter({ hasText: 'billing' }).isVisible();
		});
	});

	it('sets a value, continues with it, and reports it in the output', async () => {
		const { workbench } = session;
		const { page } = workbench;
		await runEditorCommand('Focus on Debug Console View');
		await page.locator('.repl .repl-input-wrapper .monaco-editor.focused').waitFor();
		await page.keyboard.type('facts.urgent = true');
		await page.keyboard.press('Enter');
		await page.locator('.debug-watch .expression').filter({ hasText: 'true' }).waitFor();
		await workbench.takeScreenshot('debugging-set');
		await page.keyboard.press('F5');
		await workbench.output.waitForText(channel, /▷ support [\s\S]*■ succeeded {2}/);
		// the editor keeps the hidden debug bar
		await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
		assert.match(workbench.output.readChannel(channel), /priority: "now"/);
		assert.match(workbench.output.readChannel(channel), /queue: "accounts"/);
		await workbench.takeScreenshot('debugging-ended');
	});

	it('shows its run in the inspector, which pins outputs', async () => {
		const { workbench } = session;
		const frame = await inspectLatestRun(workbench, 'support');
		await frame.locator('.nodeRow').filter({ hasText: 'facts.urgent = true' }).filter({ hasText: 'changed manually' }).waitFor();
		const row = getNodeRow(frame, 'Gather the facts');
		await row.filter({ hasText: 'changed manually' }).waitFor();
		await row.click();
		await frame.locator('.facts').filter({ hasText: 'changed manually' }).waitFor();
		await frame.getByRole('button', { name: 'More node actions' }).press('Enter');
		await frame.getByRole('menuitem', { name: 'Pin outputs in the run file' }).press('Enter');
		await workbench.page.locator('.tab.active').filter({ hasText: 'support-fault.run.json' }).waitFor();
		await waitUntil('the pinned outputs', async () => /"mocks".*"facts".*"urgent"/s.test(await workbench.readEditorText()));
	});

	it('marks pinned nodes in the graph, removes a breakpoint with F9, and runs the agent again from a node', async () => {
		const { workbench } = session;
		const { page } = workbench;
		await workbench.openFile('support.yml');
		// the graph opens at the cursor's node
		await goToLine(findLine('- id: reply'));
		await workbench.runCommand('Agent Workbench: Open Agent Graph');
		const graph = await findWebviewFrame(page, 'Graph of support.yml');
		await graph.getByRole('option', { name: /^Gather the facts.*, pinned in support-fault\.run\.json/ }).waitFor();
		await workbench.takeScreenshot('debugging-pinned');
		await graph.getByRole('option', { name: /^The reply/ }).click();
		await graph.getByRole('option', { name: /^The reply.*, breakpoint/, selected: true }).waitFor();
		await page.keyboard.press('F9');
		await graph.getByRole('option', { name: /^The reply(?!.*breakpoint)/ }).waitFor();
		await page.keyboard.press('Shift+F10');
		await graph
			.locator('.popup')
			.getByRole('option', { name: /^Fork from here/ })
			.click();
		await workbench.quickInput.widget.getByRole('option').first().waitFor();
		await workbench.quickInput.pressKey('Enter');
		await workbench.quickInput.widget
			.getByRole('option', { name: /^Run fork/ })
			.first()
			.waitFor();
		await workbench.quickInput.pressKey('Enter');
		const inspector = await findInspector(workbench, 'support');
		await getNodeRow(inspector, 'Ticket').filter({ hasText: 'recorded (not run again)' }).waitFor();
		await getNodeRow(inspector, 'The reply').filter({ hasNotText: 'recorded' }).waitFor();
		const tree = inspector.locator('.runTree');
		await tree.getByRole('button').and(inspector.locator('[aria-current="true"]')).filter({ hasText: "fork from 'The reply'" }).waitFor();
		await workbench.takeScreenshot('inspector-fork');
		await inspector.getByRole('button', { name: 'Compare with parent' }).click();
		await page.locator('.tab.active').filter({ hasText: '↔' }).waitFor();
		await page.keyboard.press('Control+W');
		const shown = await findInspector(workbench, 'support');
		await shown.locator('.runTree').getByRole('button').first().click();
		await getNodeRow(shown, 'Ticket').filter({ hasNotText: 'recorded (not run again)' }).waitFor();
	});

	it('runs a node alone from its lens, with the inputs from a run', async () => {
		const { workbench } = session;
		await workbench.openFile('support.yml');
		await goToLine(findLine('- id: card'));
		const before = workbench.output.readChannel(channel).length;
		const choice = workbench.quickInput.widget.getByRole('option').first();
		// lenses are rendered again when the agent has changed, which can swallow a click
		await waitUntil('the choice of a run', async tries => {
			const timeout = getRepeatDelay(tries);
			await workbench
				.getCodeLens('Run node')
				.filter({ visible: true })
				.first()
				.click({ timeout })
				.catch(() => undefined);
			return waitBriefly(choice, timeout);
		});
		await workbench.quickInput.pressKey('Enter');
		await waitUntil('the run of one node', () => /■ succeeded/.test(workbench.output.readChannel(channel).slice(before)));
	});
}
