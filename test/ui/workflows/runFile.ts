// biome-ignore-all lint/correctness/noEmptyCharacterClassInRegex: any character, including line breaks

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { retryUntilPassing } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { findInspector } from './inspectorFrame.ts';
import { slow } from './slowAgent.ts';

const channel = 'Agent Runs';

/** Defines the tests of run files, for a window in which nothing has run yet. */
export function testRunFile(session: Session): void {
	before(async () => {
		const wrong = '{\n\t"model": "sumarize",\n\t"inputs": { "text": 5 },\n\t"response_mode": "slow"\n}\n';
		const { workbench } = session;
		const { folder } = workbench;
		fs.writeFileSync(path.join(folder, 'runs', 'wrong.run.json'), wrong);
		fs.writeFileSync(path.join(folder, 'agents', 'slow.yml'), slow);
		fs.writeFileSync(path.join(folder, 'runs', 'slow.run.json'), '{\n\t"model": "slow",\n\t"inputs": {}\n}\n');
		// unknown agents are only problems once the gateway has started
		await workbench.openFile('annual-report.run.json');
		await workbench.getCodeLens('Run').first().click();
		await workbench.output.waitForText(channel, /■ succeeded/);
	});

	it("that isn't valid is listed in Problems and sends nothing", async () => {
		const { workbench } = session;
		await workbench.openFile('wrong.run.json');
		await workbench.getCodeLens('Run').first().waitFor();
		await workbench.problems.showProblems();
		await workbench.problems.getProblem("'model' is 'sumarize'").waitFor();
		assert.deepEqual(await workbench.problems.readMessages(), [
			"'model' is 'sumarize', but 'Built-in gateway' has no such agent. Expected one of approve-notice, assistant, fails-on-purpose, handbook, review-batch, slow, summarize, support, …. Agent Workbench unknown-agent [Ln 2, Col 11]",
			'\'response_mode\' is "slow". Expected "streaming" or "blocking". Agent Workbench wrong-value [Ln 4, Col 19]',
		]);
		const before = workbench.output.readChannel(channel);
		await workbench.getCodeLens('Run').first().click();
		await workbench.page
			.locator('.notification-toast')
			.filter({ hasText: `'wrong.run.json' wasn't sent: 'response_mode' is "slow"` })
			.waitFor();
		assert.equal(workbench.output.readChannel(channel), before);
		await workbench.takeScreenshotsInThemes('run-file-wrong');
	});

	it('is corrected by a quick fix', async () => {
		const { workbench } = session;
		await workbench.problems.getProblem("'model' is 'sumarize'").dblclick();
		await workbench.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
		await workbench.page.keyboard.press('Control+.');
		await workbench.page
			.locator('.action-widget .monaco-list-row')
			.filter({ hasText: /Change to .summarize/ })
			.click();
		await workbench.problems.getProblem("'inputs.text' is 5").waitFor();
	});

	it('is recorded and replayed, and the output says what came from the recording', async () => {
		const { workbench } = session;
		await workbench.openFile('support-question.run.json');
		await workbench.runCommand('Agent Workbench: Record Run File…');
		await workbench.output.waitForText(channel, /▷ support [^]*■ succeeded/);
		const recording = path.join(workbench.folder, 'runs', 'support-question.run.recording.yaml');
		await retryUntilPassing(async () => assert.ok(fs.existsSync(recording)));
		await workbench.runCommand('Agent Workbench: Show Recording');
		await workbench.takeScreenshotsInThemes('recording');
		await workbench.openFile('support-question.run.json');
		await workbench.getCodeLens('Replay').click();
		await workbench.output.waitForText(channel, /■ succeeded[^]*from a recording[^]*■ succeeded/);
	});

	it('is stopped by its Stop lens, and shows stopped once the service confirms', async () => {
		const { workbench } = session;
		await workbench.openFile('slow.run.json');
		await workbench.getCodeLens('Run').first().click();
		await workbench.output.waitForText(channel, /▷ slow .*\n.*start/);
		await workbench.output.waitForText(channel, /▸ .*Take a while/);
		await workbench.takeScreenshotsInThemes('run-live');
		await workbench.getCodeLens('Stop').click();
		await workbench.output.waitForText(channel, /… The service accepted the stop request\. Waiting for the run to end\.\n[^]*■ stopped/);
		await workbench.getCodeLens('Last run: stopped').waitFor();
	});

	it('opens its last run in the inspector, and the complete record from there', async () => {
		const { workbench } = session;
		await workbench.getCodeLens('Last run: stopped').click();
		const frame = await findInspector(workbench, 'slow');
		const note = frame.locator('.nodeRow.note .nodeTitle').filter({ hasText: 'The service accepted the stop request' });
		assert.ok(await note.evaluate(title => title.scrollWidth <= title.clientWidth), 'a message is readable');
		await frame.getByRole('button', { name: 'More actions' }).press('Enter');
		await frame.getByRole('menuitem', { name: 'Copy as cURL' }).press('End');
		await frame.getByRole('menuitem', { name: 'Open run record' }).press('Enter');
		await workbench.page
			.locator('.tab.active')
			.filter({ hasText: /slow \w{8}\.json/ })
			.waitFor();
		await retryUntilPassing(async () => assert.match(await workbench.readEditorText(), /"status": "stopped"/));
	});
}
