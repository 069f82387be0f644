import assert from 'node:assert/strict';
import { isRunFinished } from '#runs/runStatus.ts';
import { withAnswers } from '../../support/editor/answers.ts';
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
			await events.send(play.started, play.finished('succeeded'));
			events.end();
		};
	});
	afterEach(() => window.dispose());
	const listNodes = () => window.records.list().map(run => ({ run }));

	it('are removed from the history after one confirmation, and no other run is', async () => {
		await window.run();
		await window.run();
		await window.run();
		const [first, second, third] = listNodes();
		const canceled = await withAnswers({}, async () => window.execute('agentWorkbench.run.remove', first, [first, second]));
		assert.deepEqual(canceled.warnings, ['Remove 2 runs from the history?']);
		assert.equal(listNodes().length, 3);
		await withAnswers({ button: 'Remove' }, async () => window.execute('agentWorkbench.run.remove', first, [first, second]));
		assert.deepEqual(
			listNodes().map(({ run }) => run.key),
			[third!.run.key],
		);
		await withAnswers({ button: 'Remove' }, async () => window.execute('agentWorkbench.run.remove', third, undefined));
		assert.deepEqual(listNodes(), []);
	});

	it('are compared without asking for the second run', async () => {
		await window.run();
		await window.run();
		await window.run();
		const [first, , third] = listNodes();
		const executed = await recordCommands(async () => {
			const shown = await withAnswers({}, async () => window.execute('agentWorkbench.run.compare', third, [first, third]));
			assert.deepEqual(shown.placeHolders, []);
		});
		assert.equal(executed.length, 1);
	});

	it('are all stopped by one command', async () => {
		window.service.behaviour.run = async response => {
			await new EventWriter(response).send(play.started, play.nodeStarted(1));
		};
		const runs = [window.run(), window.run()];
		await window.waitForRun(() => window.records.list().every(run => run.node !== undefined) && window.records.list().length === 2);
		const [first, second] = listNodes();
		await window.execute('agentWorkbench.run.stop', first, [first, second]);
		assert.ok(window.records.list().every(run => run.status === 'stopping' || isRunFinished(run)));
		void runs;
	});
});
