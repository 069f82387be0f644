import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { findAxeProblems } from '../driver/axe.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';
import { openEmptyGraph } from './builtAgent.ts';
import { GraphBuilder } from './graphBuilder.ts';

/** Defines the tests of an empty file's graph, and of the form of the agent itself. */
export function testEmptyAgent(session: Session): void {
	let tries = 0;
	beforeEach(() => session.workbench.closeEditors());
	after(async () => {
		await session.workbench.useTheme('dark');
		await session.workbench.closeEditors();
	});

	async function checkEachTheme(frame: Frame, name: string): Promise<void> {
		for (const theme of Object.keys(themes) as Theme[]) {
			await session.workbench.useTheme(theme);
			await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await session.workbench.takeScreenshot(`${name}-${theme}`);
			assert.deepEqual(await findAxeProblems(frame, 'editor-background'), [], theme);
		}
	}

	it('has no serious axe finding with an empty file', async () => {
		await checkEachTheme(await openEmptyGraph(session.workbench, `empty_${++tries}.yml`), 'graph-empty');
	});

	it("has no serious axe finding in the agent's form, with variables", async () => {
		const frame = await openEmptyGraph(session.workbench, `variables_${++tries}.yml`);
		const graph = new GraphBuilder(session.workbench.page, frame);
		await frame.getByRole('button', { name: 'Chatflow' }).click();
		await graph.getNode('Start').waitFor();
		await frame.getByRole('button', { name: 'More actions' }).click();
		await frame.getByRole('option', { name: 'Agent name and variables' }).click();
		await graph.addListItem('Environment variables');
		await graph.addListItem('Conversation variables');
		await checkEachTheme(frame, 'graph-agent-form');
	});
}
