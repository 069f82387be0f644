import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { WindowUnderTest } from '../../../../support/editor/windowUnderTest.ts';
import { EventWriter, play } from '../../../../support/services/faultService.ts';

const agent = `workflow:
  graph:
    nodes:
      - id: n2
        data:
          type: code
          code: |
            one()
            two()
`;

describe('the message of a failed run', () => {
	let window: WindowUnderTest;
	const opened = Promise.withResolvers<unknown[]>();
	const { executeCommand } = vscode.commands;
	const { showErrorMessage } = vscode.window;
	beforeEach(async () => {
		window = new WindowUnderTest();
		await window.start();
		window.service.behaviour.run = async response => {
			const events = new EventWriter(response);
			const error = 'ReferenceError: two is not defined (line 2)';
			await events.sendEvents(
				play.started,
				play.nodeStarted(2),
				play.nodeFinished(2, { status: 'failed', error }),
				play.finished('failed'),
			);
			events.endStream();
		};
	});
	afterEach(async () => {
		Object.assign(vscode.commands, { executeCommand });
		Object.assign(vscode.window, { showErrorMessage });
		await window.dispose();
	});
	/** Fails a run and presses the first button of its message. Returns the buttons. */
	const failRun = async () => {
		const offered = Promise.withResolvers<string[]>();
		Object.assign(vscode.commands, { executeCommand: async (...call: unknown[]) => call[0] === 'vscode.open' && opened.resolve(call) });
		Object.assign(vscode.window, {
			showErrorMessage: async (_message: string, ...buttons: string[]) => {
				offered.resolve(buttons);
				return buttons[0];
			},
		});
		await window.runFile();
		return offered.promise;
	};

	it('leads to the line of the program that failed', async () => {
		const { uri } = await window.openDocument('agents/played.yml', agent);
		assert.deepEqual(await failRun(), ['Go to source', 'Inspect run']);
		assert.deepEqual(await opened.promise, ['vscode.open', uri, { selection: new vscode.Range(8, 0, 8, 0) }]);
	});

	it('only leads to the run if its agent file is unknown', async () => {
		assert.deepEqual(await failRun(), ['Inspect run']);
	});
});
