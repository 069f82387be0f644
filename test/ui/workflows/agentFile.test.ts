import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { useWorkbench } from '../driver/session.ts';
import { waitUntil } from '../driver/waitUntil.ts';

/** An agent whose last node is still to be written. */
const begun = `kind: app
app: { name: typed, mode: workflow }
workflow:
  graph:
    edges:
      - { source: start, target: fetch }
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [{ variable: text, label: Text, type: paragraph }] }
      - id: fetch
        data:
          title: Fetch
`;

describe('writing an agent file', () => {
	const session = useWorkbench({ viewport: { width: 1100, height: 700 } });

	let tries = 0;

	it('is offered what can stand where one types, told what is wrong and what a word means', async () => {
		const { workbench } = session;
		const { page } = workbench;
		const name = `typed${++tries}.yml`;
		fs.writeFileSync(path.join(workbench.folder, 'agents', name), begun);
		await workbench.openFile(name);
		await workbench.codeLens('Run draft').first().waitFor();
		const offered = page.locator('.suggest-widget.visible .monaco-list-row');
		const focused = page.locator('.suggest-widget.visible .monaco-list-row.focused');
		const take = async (name: string) => {
			await focused.filter({ hasText: name }).waitFor();
			await page.keyboard.press('Enter');
		};
		await page.keyboard.press('Control+End');
		await page.keyboard.type('          type: ');
		await offered.filter({ hasText: 'template-transform' }).first().waitFor();
		await page.keyboard.type('htt');
		await take('http-request');
		await page.keyboard.press('Enter');
		await page.keyboard.type('m');
		await focused.filter({ hasText: 'method' }).waitFor();
		await workbench.screenshot('agent-file-fields');
		await page.keyboard.type('e');
		await take('method');
		await page.keyboard.type('ge');
		await take('get');
		await page.keyboard.press('Enter');
		await page.keyboard.type('url: https://example.com/?q={{#');
		await page.keyboard.type('start.t');
		await take('start.text');
		const written = await waitUntil('the whole node', async () => {
			const text = await workbench.editorText();
			return /start\.text#\}\}/.test(text) ? text : undefined;
		});
		assert.match(written, / {10}type: http-request\n {10}method: get\n {10}url: https:\/\/example\.com\/\?q=\{\{#start\.text#\}\}$/m);
		await page.keyboard.press('Control+End');
		await page.keyboard.press('Enter');
		await page.keyboard.type('timout: { read: 5 }');
		await page.keyboard.press('Escape');
		await workbench.problems.show();
		await workbench.problems.problem('“timout” is no field that is known here: “timeout” may be meant').waitFor();
		await page
			.locator('.view-line span')
			.filter({ hasText: /^http-request$/ })
			.last()
			.hover();
		await page.locator('.monaco-hover').filter({ hasText: 'Sends a request to a service outside' }).waitFor();
		await workbench.screenshot('agent-file-hover');
	});
});
