import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.ts';
import { getRepeatDelay, waitUntil } from '../support/waitUntil.ts';
import { retryUntilPassing } from './driver/eventually.ts';
import { useWorkbench } from './driver/session.ts';
import { type Theme, themes } from './driver/themes.ts';
import { UserActions } from './driver/userActions.ts';

describe('a window on a folder without agents', () => {
	const session = useWorkbench({ workspace: path.join(root, 'test/fixtures/driver') });

	describe('the view container', () => {
		it('opens with hints to start in its tree, above the built-in gateway', async () => {
			const { workbench } = session;
			await workbench.showContainer('Agent Workbench');
			const agents = workbench.getTree('Agents');
			await agents.getRow('Built-in gateway').waitFor();
			assert.deepEqual(
				(await agents.readRows()).map(({ label, expanded }) => [label, expanded]),
				[
					['New agent…', undefined],
					['Open sample workspace…', undefined],
					['Built-in gateway', false],
				],
			);
		});

		it('adds the objects that the view offers', async () => {
			const { workbench } = session;
			const entries = ['New Agent…', 'New Run File…', 'Add Connection…', 'Open Sample Workspace…'].map(name =>
				workbench.page.getByRole('menuitem', { name }),
			);
			// VS Code closes the menu, or loses the click, if the title's buttons are made anew because a context key changed
			await waitUntil('the menu', async tries => {
				await workbench.getTree('Agents').root.hover();
				await workbench.page.locator('.part.sidebar').getByRole('button', { name: 'Add…' }).first().click();
				await entries[0]?.waitFor({ timeout: getRepeatDelay(tries) }).catch(() => undefined);
				return (await Promise.all(entries.map(entry => entry.isVisible()))).every(Boolean);
			});
			await workbench.page.keyboard.press('Escape');
		});

		it('starts the gateway on first use, and logs it', async () => {
			const { workbench } = session;
			await workbench.getTree('Agents').expandRows('Built-in gateway');
			await workbench.output.waitForText('Agent Workbench', /\[info\] Started the gateway/);
			await workbench.output.showChannel('Agent Workbench');
			// the last lines are in view, and by now those may be the gateway's
			await workbench.output.lines.filter({ hasText: 'gateway' }).first().waitFor();
		});
	});

	// Tests the driver on VS Code's own UI: if these fail, failures in other tests mean nothing.
	describe('the driver of the workbench', () => {
		it('reads a tree and expands its rows', async () => {
			const { workbench } = session;
			await workbench.showContainer('Explorer');
			const files = workbench.getTree('Files Explorer');
			await files.expandRows('folder');
			await files.getRow('inner.txt').waitFor();
			assert.deepEqual(
				(await files.readRows()).map(({ label, level, expanded }) => [label, level, expanded]),
				[
					['folder', 1, true],
					['inner.txt', 2, undefined],
					['broken.json', 1, undefined],
					['note.md', 1, undefined],
				],
			);
		});

		it('opens files and reads their text', async () => {
			await session.workbench.openFile('broken.json');
			await retryUntilPassing(async () => assert.match(await session.workbench.readEditorText(), /\{ "a": 1 "b": 2 \}/));
		});

		it('reads problems', async () => {
			const { problems } = session.workbench;
			await problems.showProblems();
			await problems.getProblem('Expected comma').waitFor();
			await retryUntilPassing(async () => assert.deepEqual(await problems.readMessages(), ['Expected comma json 514 [Ln 1, Col 10]']));
		});

		it('reads a webview', async () => {
			await session.workbench.openFile('note.md');
			await session.workbench.runCommand('Markdown: Open Preview');
			const preview = await session.workbench.findWebview('Preview note.md');
			await preview.getByRole('heading', { name: 'A note' }).waitFor();
		});

		it('answers an input box', async () => {
			const { quickInput } = session.workbench;
			await session.workbench.openFile('note.md');
			await session.workbench.runCommand('Go to Line/Column...');
			await quickInput.enterText(':3');
			await quickInput.widget.waitFor({ state: 'hidden' });
			await session.workbench.page.locator('.part.statusbar').getByText('Ln 3, Col 1').waitFor();
		});

		it('picks from a list', async () => {
			const { quickInput } = session.workbench;
			await session.workbench.runCommand('Change Language Mode');
			await quickInput.box.fill('Plain Text');
			await retryUntilPassing(async () => assert.ok((await quickInput.readOptions()).includes('Plain Text')));
			await quickInput.pickOption('Plain Text');
			await session.workbench.page.locator('.part.statusbar').getByRole('button', { name: 'Plain Text' }).waitFor();
		});

		it('shows every kind of theme', async () => {
			for (const theme of [...Object.keys(themes), 'dark'] as Theme[]) {
				await session.workbench.useTheme(theme);
				await session.workbench.takeScreenshot(`driver-${theme}`);
			}
		});
	});

	describe('an own agent', () => {
		it('takes five actions to the first run of an own agent: new agent, template, name, run, input', async () => {
			const { workbench } = session;
			const user = new UserActions();
			await workbench.showContainer('Agent Workbench');
			await user.performAction(() => workbench.getTree('Agents').getRow('New agent…').click());
			await workbench.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
			await user.performAction(() => workbench.page.keyboard.press('Enter'));
			await workbench.quickInput.box.waitFor();
			await user.performAction(() => workbench.page.keyboard.press('Enter'));
			await workbench.getCodeLens('Publish').first().waitFor();
			await user.performAction(() => workbench.getCodeLens('Run draft').click());
			await workbench.quickInput.box.waitFor();
			await user.performAction(() => workbench.quickInput.enterText('Ada'));
			await workbench.output.waitForText('Agent Runs', /■ succeeded/);
			assert.equal(user.count, 5);
		});
	});
});
