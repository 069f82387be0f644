import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { findAxeProblems } from '../driver/axe.ts';
import { retryUntilPassing } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { findWebviewFrame } from '../driver/webviews.ts';
import { findInspector, getNodeRow } from './inspectorFrame.ts';

/** An agent with an input of each kind, which outputs its inputs. */
export const asksMuch = `kind: app
app: { name: badges, mode: workflow, description: Writes badges for guests. }
workflow:
  graph:
    edges:
      - { source: start, target: write }
      - { source: write, target: end }
    nodes:
      - id: start
        data:
          type: start
          title: Start
          variables:
            - { variable: guest, label: Guest, type: text-input, required: true, max_length: 20, hint: As it stands on the badge. }
            - { variable: about, label: About, type: paragraph, required: false }
            - { variable: tone, label: Tone, type: select, required: true, options: [warm, formal] }
            - { variable: copies, label: Copies, type: number, required: false, default: 2 }
            - { variable: frame, label: With a frame, type: checkbox, required: false }
            - { variable: more, label: More, type: json_object, required: false }
            - { variable: photo, label: Photo or page, type: file, required: false, allowed_file_types: [image, document] }
      - id: write
        data:
          type: template-transform
          title: Write
          template: '{{ guest }}, {{ tone }}, {{ copies }}'
          variables:
            - { variable: guest, value_selector: [start, guest] }
            - { variable: tone, value_selector: [start, tone] }
            - { variable: copies, value_selector: [start, copies] }
      - id: end
        data: { type: end, title: End, outputs: [{ variable: text, value_selector: [write, output] }] }
`;

const channel = 'Agent Runs';

/** Defines the tests of input forms. They leave an agent `badges` and close its form. */
export function testInputsForm(session: Session): void {
	const findFormFrame = (): Promise<Frame> => findWebviewFrame(session.workbench.page, 'Run badges');

	before(() => {
		fs.writeFileSync(path.join(session.workbench.folder, 'agents', 'badges.yml'), asksMuch);
	});

	it('opens from the agent file with a field for each input, and shows at a field what is missing', async () => {
		const { workbench } = session;
		await workbench.openFile('badges.yml');
		await workbench.getCodeLens('Run with form…').click();
		const frame = await findFormFrame();
		await frame.getByRole('textbox', { name: 'Guest' }).and(frame.locator(':focus')).waitFor();
		await workbench.page.keyboard.press('Control+Enter');
		await frame.getByRole('alert').filter({ hasText: "'Guest' is required." }).waitFor();
		await frame.getByRole('alert').filter({ hasText: "'Tone' is required." }).waitFor();
		await frame.getByRole('textbox', { name: 'Guest' }).and(frame.locator(':focus')).waitFor();
		assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		await workbench.takeScreenshotsInThemes('inputs-form');
	});

	it('is filled in by keyboard, and keeps its values after a reload', async () => {
		const { workbench } = session;
		const { keyboard } = workbench.page;
		const frame = await findFormFrame();
		await frame.getByRole('textbox', { name: 'Guest' }).focus();
		await keyboard.type('Ada');
		await keyboard.press('Tab');
		await keyboard.press('Tab');
		await frame.locator('select:focus').waitFor();
		await keyboard.type('f');
		await frame.getByRole('checkbox', { name: 'With a frame' }).press('Space');
		await frame.getByRole('textbox', { name: 'More' }).focus();
		await keyboard.type('{"seat": 4');
		await keyboard.press('Tab');
		await frame.getByRole('alert').filter({ hasText: "'More' isn't valid JSON (line 1, column 11)." }).waitFor();
		await workbench.reloadWindow();
		const again = await findFormFrame();
		await waitUntil('the guest', async () => (await again.getByRole('textbox', { name: 'Guest' }).inputValue()) === 'Ada' || undefined);
		await retryUntilPassing(async () => assert.equal(await again.getByRole('combobox', { name: 'Tone' }).inputValue(), 'formal'));
		await retryUntilPassing(async () => assert.equal(await again.getByRole('checkbox', { name: 'With a frame' }).isChecked(), true));
		await again.getByRole('textbox', { name: 'More' }).focus();
		await keyboard.press('End');
		await keyboard.type('}');
		await keyboard.press('Control+Enter');
		await again.getByRole('status').filter({ hasText: 'succeeded' }).waitFor();
		await workbench.output.waitForText(channel, /▷ badges \(draft\)[\s\S]*■ succeeded[\s\S]*Ada, formal, 2/);
	});

	it("opens its run, which shows a node's template next to its result", async () => {
		const { workbench } = session;
		await (await findFormFrame()).getByRole('button', { name: 'Inspect run' }).click();
		const frame = await findInspector(workbench, 'badges');
		await getNodeRow(frame, 'Write').click();
		await frame.getByRole('tab', { name: 'Compare with file' }).click();
		// next to the tree there is room for only one region, and the arrow keys switch between them
		await frame.getByRole('region', { name: 'This run' }).filter({ hasText: 'Ada, formal, 2' }).waitFor();
		await workbench.takeScreenshot('inspector-beside-file-narrow');
		await frame.getByRole('radio', { name: 'This run' }).press('ArrowLeft');
		await frame.getByRole('region', { name: 'Current agent file' }).filter({ hasText: '{{ guest }}, {{ tone }}' }).waitFor();
		await frame.getByRole('region', { name: 'This run' }).waitFor({ state: 'hidden' });
		assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
		await frame.getByRole('region', { name: 'This run' }).filter({ hasText: 'Ada, formal, 2' }).waitFor();
		await workbench.takeScreenshotsInThemes('inspector-beside-file');
		await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
		await workbench.page.keyboard.press('Control+w');
	});

	it('accepts a workspace file by mouse, and is saved as a run file', async () => {
		const { workbench } = session;
		const { quickInput, page, folder } = workbench;
		const frame = await findFormFrame();
		await frame.getByRole('button', { name: 'From the workspace…' }).click();
		await quickInput.box.fill('release-notes.md');
		await quickInput.pickOption('release-notes.md');
		await frame.locator('.formFiles', { hasText: /release-notes\.md.*(KB|bytes)/s }).waitFor();
		await workbench.takeScreenshot('inputs-form-filled');
		await frame.getByRole('button', { name: 'Save as run file…' }).click();
		await quickInput.getOption('..').waitFor();
		const file = path.join(folder, 'runs', 'ada.run.json');
		await quickInput.enterText(file);
		const text = await waitUntil('ada.run.json', () => (fs.existsSync(file) && fs.readFileSync(file, 'utf8')) || undefined);
		assert.deepEqual(JSON.parse(text).inputs, {
			guest: 'Ada',
			tone: 'formal',
			copies: 2,
			frame: true,
			more: { seat: 4 },
			photo: { $file: './release-notes.md' },
		});
		await page.locator('.tab.active', { hasText: 'ada.run.json' }).waitFor();
	});
}
