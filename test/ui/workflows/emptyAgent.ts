import type { Frame } from 'playwright-core';
import { expectNoSeriousFindings } from '../driver/accessible.ts';
import type { Session } from '../driver/session.ts';
import { openEmptyGraph } from './builtAgent.ts';
import { GraphBuilder } from './graphBuilder.ts';

/** Defines the tests of an empty file's graph, and of the form of the agent itself. */
export function testEmptyAgent(session: Session): void {
	let tries = 0;
	beforeEach(() => session.workbench.closeEditors());
	after(() => session.workbench.closeEditors());

	const checkEachTheme = (frame: Frame, name: string) =>
		expectNoSeriousFindings(session.workbench, name, async () => frame, 'editor-background');

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
