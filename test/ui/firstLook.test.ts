import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.ts';
import { useWorkbench } from './driver/session.ts';

describe('the view container', () => {
	const session = useWorkbench({ workspace: path.join(root, 'test/fixtures/driver') });

	it('opens with the built-in gateway in its tree', async () => {
		const { workbench } = session;
		await workbench.showContainer('Agent Workbench');
		const agents = workbench.tree('Agents');
		await agents.row('Built-in gateway').waitFor();
		assert.deepEqual(
			(await agents.rows()).map(({ label, expanded }) => [label, expanded]),
			[['Built-in gateway', false]],
		);
	});

	it('starts the gateway on first use, and tells the log', async () => {
		const { workbench } = session;
		await workbench.tree('Agents').expand('Built-in gateway');
		await workbench.output.until('Agent Workbench', /\[info\] Started the gateway/);
		await workbench.output.show('Agent Workbench');
		// the last lines are in view, and by now those may be the gateway's own
		await workbench.output.lines.filter({ hasText: 'gateway' }).first().waitFor();
	});

	it('can be seen in every kind of theme', async () => {
		await session.workbench.screenshotInThemes('first-look');
	});
});
