// biome-ignore-all lint/correctness/noEmptyCharacterClassInRegex: any character, including line breaks
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../support/waitUntil.ts';
import type { Session } from '../driver/session.ts';

/** An agent whose last node is incomplete. */
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

const channel = 'Agent Runs';

/** Defines the tests of agent files. The last one makes the workspace a repository and switches its branches. */
export function testAgentFile(session: Session): void {
	describe('that exists', () => {
		it('is run as a draft by its CodeLens, with the inputs of a run file', async () => {
			const { workbench } = session;
			await workbench.openFile('summarize.yml');
			await workbench.getCodeLens('Run draft').click();
			await workbench.quickInput.pickOption('annual-report.run.json');
			await workbench.output.waitForText(channel, /▷ summarize \(draft\) .*\n[^]*■ succeeded/);
			await workbench.page.locator('.codelens-decoration').filter({ hasText: 'published' }).waitFor();
			await workbench.takeScreenshotsInThemes('agent-file');
		});
	});

	describe('that is being written', () => {
		let tries = 0;

		it('gets completions at the cursor, problems and hovers', async () => {
			const { workbench } = session;
			const { page } = workbench;
			const name = `typed${++tries}.yml`;
			fs.writeFileSync(path.join(workbench.folder, 'agents', name), begun);
			await workbench.openFile(name);
			await workbench.getCodeLens('Run draft').first().waitFor();
			const offered = page.locator('.suggest-widget.visible .monaco-list-row');
			const focused = page.locator('.suggest-widget.visible .monaco-list-row.focused');
			const chooseSuggestion = async (name: string) => {
				await focused.filter({ hasText: name }).waitFor();
				await page.keyboard.press('Enter');
			};
			await page.keyboard.press('Control+End');
			await page.keyboard.type('          type: ');
			await offered.filter({ hasText: 'template-transform' }).first().waitFor();
			await page.keyboard.type('htt');
			await chooseSuggestion('http-request');
			await page.keyboard.press('Enter');
			await page.keyboard.type('m');
			await focused.filter({ hasText: 'method' }).waitFor();
			await workbench.takeScreenshot('agent-file-fields');
			await page.keyboard.type('e');
			await chooseSuggestion('method');
			await page.keyboard.type('ge');
			await chooseSuggestion('get');
			await page.keyboard.press('Enter');
			await page.keyboard.type('url: https://example.com/?q={{#');
			await page.keyboard.type('start.t');
			await chooseSuggestion('start.text');
			const written = await waitUntil('the whole node', async () => {
				const text = await workbench.readEditorText();
				return /start\.text#\}\}/.test(text) ? text : undefined;
			});
			assert.match(written, / {10}type: http-request\n {10}method: get\n {10}url: https:\/\/example\.com\/\?q=\{\{#start\.text#\}\}$/m);
			await page.keyboard.press('Control+End');
			await page.keyboard.press('Enter');
			await page.keyboard.type('timout: { read: 5 }');
			await page.keyboard.press('Escape');
			await workbench.problems.showProblems();
			await workbench.problems.getProblem("Unknown field 'timout'. Did you mean 'timeout'?").waitFor();
			await page
				.locator('.view-line span')
				.filter({ hasText: /^http-request$/ })
				.last()
				.hover();
			await page.locator('.monaco-hover').filter({ hasText: 'Sends an HTTP request to a service' }).waitFor();
			await workbench.takeScreenshot('agent-file-hover');
		});
	});

	describe('a branch switch', () => {
		const runGit = (...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], {
				cwd: session.workbench.folder,
				stdio: 'pipe',
			});
		before(function () {
			try {
				execFileSync('git', ['--version'], { stdio: 'pipe' });
			} catch {
				console.log('    skipped: there is no git');
				this.skip();
			}
		});

		it('shows the agents of the current branch, even if there are none', async () => {
			const { workbench } = session;
			const agents = path.join(workbench.folder, 'agents');
			runGit('init', '--quiet', '--initial-branch', 'main');
			runGit('add', '--all');
			runGit('commit', '--quiet', '--message', 'Begin');
			runGit('switch', '--quiet', '--create', 'other');
			fs.renameSync(path.join(agents, 'summarize.yml'), path.join(agents, 'shorten.yml'));
			runGit('add', '--all');
			runGit('commit', '--quiet', '--message', 'Rename');
			runGit('switch', '--quiet', '--create', 'bare');
			fs.rmSync(agents, { recursive: true });
			runGit('add', '--all');
			runGit('commit', '--quiet', '--message', 'Remove');
			runGit('switch', '--quiet', 'main');
			await workbench.showContainer('Agent Workbench');
			const tree = workbench.getTree('Agents');
			await tree.expandRows('Built-in gateway');
			await tree.getRow('summarize').waitFor();
			runGit('switch', '--quiet', 'other');
			await tree.getRow('shorten').waitFor();
			await tree.getRow('summarize').waitFor({ state: 'hidden' });
			runGit('switch', '--quiet', 'bare');
			await tree.getRow('No agents yet').waitFor();
			runGit('switch', '--quiet', 'main');
			await tree.getRow('summarize').waitFor();
			await tree.getRow('shorten').waitFor({ state: 'hidden' });
		});
	});
}
