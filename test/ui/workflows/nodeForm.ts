import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { findAxeProblems } from '../driver/axe.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';

/** An agent with a node for each kind of field editor. */
const agent = `kind: app
app: { name: fields, mode: workflow }
workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [{ variable: text, label: Text, type: paragraph }, { variable: count, type: number }] }
      - id: count
        data:
          type: code
          title: Measure
          code_language: javascript
          code: | # the program
            function main({ text }) {
              return { length: text.length };
            }
          variables:
            - { variable: text, value_selector: [start, text] }
          outputs:
            length: { type: number }
      - id: which
        data:
          type: if-else
          title: Which way
          cases:
            - case_id: long
              logical_operator: and
              conditions:
                - { variable_selector: [count, length], comparison_operator: ">", value: "100" }
                - { variable_selector: [start, text], comparison_operator: contains, value: word }
      - id: ask
        data:
          type: llm
          title: Ask
          model: { provider: langgenius/openai/openai, name: offline, mode: chat, completion_params: { temperature: 0.2 } }
          prompt_template:
            - { role: system, text: "Answer in one sentence." }
            - { role: user, text: "{{#start.text#}}" }
          context: { enabled: false, variable_selector: [] }
      - id: end
        data: { type: end, title: End, outputs: [{ variable: answer, value_selector: [ask, text] }] }
    edges:
      - { source: start, target: count }
      - { source: count, target: which }
      - { source: which, sourceHandle: long, target: ask }
      - { source: ask, target: end }
`;

/** Defines the tests of the form next to the graph of an agent file. */
export function testNodeForm(session: Session): void {
	const file = 'fields.yml';
	const readText = () => fs.readFileSync(path.join(session.workbench.folder, 'agents', file), 'utf8');
	let frame: Frame;
	before(() => fs.writeFileSync(path.join(session.workbench.folder, 'agents', file), agent));

	async function selectNode(title: string): Promise<void> {
		const find = frame.getByPlaceholder('Find in nodes');
		await find.fill(title);
		await frame.getByRole('form', { name: `Fields of '${title}'` }).waitFor();
	}

	/** Saves the agent file with the command, because its text may not be in front. */
	async function saveAgentFile(holds: (text: string) => boolean): Promise<string> {
		await session.workbench.runCommand('File: Save All');
		return waitUntil('the file as it was edited', () => (holds(readText()) ? readText() : undefined));
	}

	it('shows the fields of the selected node, and saves typed text as one undo step', async () => {
		const { workbench } = session;
		await workbench.openFile(file);
		// the program has the colors of its language
		const colors = workbench.page.locator('.view-line', { hasText: 'function main' }).locator('span > span');
		await waitUntil('a colored program', async () => (await colors.count()) > 4);
		await workbench.runCommand('Agent Workbench: Open Agent Graph');
		frame = await workbench.findWebview(`Graph of ${file}`);
		// by the title of its type, which isn't in the file
		await frame.getByPlaceholder('Find in nodes').fill('user input');
		await frame.getByRole('form', { name: "Fields of 'Start'" }).waitFor();
		await selectNode('Ask');
		const text = frame.getByRole('textbox', { name: 'message 1: Text' });
		await text.fill('Answer in two sentences.');
		await text.press('Tab');
		const after = await saveAgentFile(held => held.includes('two sentences'));
		assert.equal(after, agent.replace('one sentence.', 'two sentences.'));
	});

	it('builds a condition by keyboard', async () => {
		await selectNode('Which way');
		const variable = frame.getByRole('combobox', { name: 'condition 2: Variable' });
		await variable.focus();
		await variable.press('ArrowDown');
		await frame.locator('[title="start.count"]').waitFor();
		await variable.pressSequentially('start.count');
		await variable.press('Enter');
		const operator = frame.getByRole('combobox', { name: 'condition 2: Comparison' });
		await operator.fill('≥');
		await operator.press('Enter');
		await frame.getByRole('textbox', { name: 'condition 2: Compared with' }).fill('3');
		await frame.getByRole('textbox', { name: 'condition 2: Compared with' }).press('Escape');
		const after = await saveAgentFile(held => /start, count\], comparison_operator: ["']?≥["']?, value: "3"/.test(held));
		assert.match(after, /varType: number/);
	});

	it('opens the program as a document in its language, and keeps both in sync', async () => {
		const { workbench } = session;
		const { page } = workbench;
		await selectNode('Measure');
		await frame.getByRole('button', { name: 'Open as document' }).click();
		await page.locator('.tab.active').filter({ hasText: 'count.js' }).waitFor();
		await waitUntil('the program', async () => /function main/.test(await workbench.readEditorText()));
		await page.keyboard.press('Control+Home');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('End');
		await page.keyboard.press('Enter');
		await page.keyboard.type('text.toUpperCase();');
		// this window has no language server: the language mode of the document must suffice
		await page.locator('#status\\.editor\\.mode').filter({ hasText: 'JavaScript' }).waitFor();
		await workbench.takeScreenshot('node-form-code');
		await page.keyboard.press('Control+s');
		const after = await waitUntil('the program in the file', () => (readText().includes('toUpperCase();') ? readText() : undefined));
		assert.match(after, /code: \| # the program\n {12}function main\(\{ text \}\) \{\n/);
		const code = frame.getByLabel('Code', { exact: true });
		await waitUntil('the form as the document has it', async () => /toUpperCase\(\);/.test(await code.inputValue()));
		await code.fill((await code.inputValue()).replace('toUpperCase', 'toLowerCase'));
		await waitUntil('the document as the form has it', async () =>
			/toLowerCase/.test(
				await page.locator('.editor-group-container:has(.tab.active[data-resource-name="count.js"]) .view-lines').innerText(),
			),
		);
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`has no serious axe finding, ${theme}`, async () => {
			const { workbench } = session;
			await workbench.useTheme(theme);
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			for (const [title, name] of [
				['Ask', 'llm'],
				['Which way', 'if-else'],
				['Measure', 'code'],
			] as const) {
				await selectNode(title);
				await workbench.takeScreenshot(`node-form-${name}-${theme}`);
				assert.deepEqual(await findAxeProblems(frame, 'editor-background', '.formPane'), []);
			}
		});
	}
	after(() => session.workbench.useTheme('dark'));
}
