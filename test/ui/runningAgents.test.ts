import { heldAgentSettings } from './driver/heldAgent.ts';
import { useWorkbench } from './driver/session.ts';
import { testReload } from './explorerReload.ts';
import { testTwoWindows } from './twoWindows.ts';

describe('while agents run', () => {
	const session = useWorkbench({ settings: heldAgentSettings });

	describe('a reload', () => testReload(session));
	describe('two windows on one folder', () => {
		before(() => session.workbench.getTree('Agents').collapseRow('slow'));
		testTwoWindows(session);
	});
});
