import assert from 'node:assert/strict';
import { isRunFinished } from '#runs/runStatus.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { recordCommands } from '../../support/editor/recordedCommands.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play } from '../../support/services/faultService.ts';

describe('several selected runs', () => {
	let window: WindowUnderTest;
	beforeEach(async () => {
		window = new WindowUnderTest();
		await window.start();
		window.service.behaviour.run = async response => {
			const events = new EventWriter(response);
			await events.sendEvents(play.started, play.finished('succeeded'));
			events.endStream();
		};
	});
	afterEach(() => window.dispose());
	const listNodes = () => window.records.list().map(run => ({ run }));

	it('are removed from the history after one confirmation, and no other run is', async () => {
		await window.runFile();
		await window.runFile();
		await window.runFile();
		const [first, second, third] = listNodes();
		const canceled = await answerDialogs({}, async () => window.executeCommand('agentWorkbench.run.remove', first, [first, second]));
		assert.deepEqual(canceled.warnings, ['Remove 2 runs from the history?']);
		assert.equal(listNodes().length, 3);
		await answerDialogs({ button: 'Remove' }, async () => window.executeCommand('agentWorkbench.run.remove', first, [first, second]));
		assert.deepEqual(
			listNodes().map(({ run }) => run.key),
			[third!.run.key],
		);
		await answerDialogs({ button: 'Remove' }, async () => window.executeCommand('agentWorkbench.run.remove', third, undefined));
		assert.deepEqual(listNodes(), []);
	});

	it('are compared without asking for the second run', async () => {
		await window.runFile();
		await window.runFile();
		await window.runFile();
		const [first, , third] = listNodes();
		const executed = await recordCommands(async () => {
			const shown = await answerDialogs({}, async () => window.executeCommand('agentWorkbench.run.compare', third, [first, third]));
			assert.deepEqual(shown.placeHolders, []);
		});
		assert.equal(executed.length, 1);
	});

	it('are all stopped by one command', async () => {
		window.service.behaviour.run = async response => {
			await new EventWriter(response).sendEvents(play.started, play.nodeStarted(1));
		};
		const runs = [window.runFile(), window.runFile()];
		await window.waitForRun(() => window.records.list().every(run => run.node !== undefined) && window.records.list().length === 2);
		const [first, second] = listNodes();
		await window.executeCommand('agentWorkbench.run.stop', first, [first, second]);
		assert.ok(window.records.list().every(run => run.status === 'stopping' || isRunFinished(run)));
		void runs;
	});
});
