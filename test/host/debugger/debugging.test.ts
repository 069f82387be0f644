import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

interface Seen {
	readonly type: string;
	readonly event?: string;
	readonly command?: string;
	readonly body?: Record<string, unknown>;
}

describe('the agent debugger', function () {
	this.timeout(120_000);
	let folder: string;
	/** The session that started last. */
	let session: vscode.DebugSession;
	const seen: Seen[] = [];
	let woken: (() => void)[] = [];
	const own: vscode.Disposable[] = [];

	before(() => {
		folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
		assert.ok(folder);
		own.push(
			vscode.debug.registerDebugAdapterTrackerFactory('agent', {
				createDebugAdapterTracker: begun => {
					session = begun;
					return {
						onDidSendMessage: (message: Seen) => {
							seen.push(message);
							for (const wake of woken.splice(0)) {
								wake();
							}
						},
					};
				},
			}),
		);
	});
	afterEach(async () => {
		await vscode.debug.stopDebugging();
		vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
		seen.length = 0;
	});
	after(() => {
		for (const each of own) {
			each.dispose();
		}
		woken = [];
	});

	/** Resolves with the `count`-th event of this kind. */
	async function waitForDebugEvent(kind: string, count = 1): Promise<Seen> {
		for (;;) {
			const found = seen.filter(each => each.event === kind)[count - 1];
			if (found) {
				return found;
			}
			await new Promise<void>(resolve => woken.push(resolve));
		}
	}

	async function setBreakpoint(text: string): Promise<void> {
		const document = await vscode.workspace.openTextDocument(path.join(folder, 'agents', 'support.yml'));
		const at = document.positionAt(document.getText().indexOf(text));
		vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(new vscode.Location(document.uri, at))]);
	}

	it('runs a dataset row with the same values as a batch, whatever characters they contain', async () => {
		const tested = path.join(folder, 'debugged');
		fs.mkdirSync(tested, { recursive: true });
		const text = `One ship. \${env:HOME} is not a harbor.`;
		fs.writeFileSync(path.join(tested, 'rows.csv'), `id,text,count\na,Nothing.,1\nb,${text},2\n`);
		const suite = vscode.Uri.file(path.join(tested, 'rows.suite.json'));
		const inputs = { text: '{{text}}', sentences: '{{count}}' };
		fs.writeFileSync(suite.fsPath, JSON.stringify({ model: 'summarize', dataset: { file: './rows.csv', name: 'ship {{id}}', inputs } }));
		await vscode.commands.executeCommand('agentWorkbench.suite.debug', suite, 1);
		await waitForDebugEvent('terminated');
		assert.equal(session.configuration.name, 'ship b');
		assert.deepEqual(JSON.parse(session.configuration['sealed']).values.inputs, { text, sentences: 2 });
		fs.rmSync(tested, { recursive: true, force: true });
	});

	it("pauses a test case before a node, with the case's mocks", async () => {
		await setBreakpoint('title: Fill in the card');
		const suite = vscode.Uri.file(path.join(folder, 'suites', 'support.suite.json'));
		await vscode.commands.executeCommand('agentWorkbench.suite.debug', suite, 0);
		const stopped = await waitForDebugEvent('stopped');
		assert.equal(stopped.body?.['reason'], 'breakpoint');
		assert.equal(session.configuration.name, 'a fault that is dangerous is urgent');
		await session.customRequest('continue', { threadId: stopped.body?.['threadId'] });
		await waitForDebugEvent('terminated');
	});

	it('pauses a run file before a node, shows its values, applies a new one and continues with it', async () => {
		await setBreakpoint('title: Fill in the card');
		await vscode.commands.executeCommand(
			'agentWorkbench.debug.start',
			vscode.Uri.file(path.join(folder, 'runs', 'support-fault.run.json')),
		);
		const stopped = await waitForDebugEvent('stopped');
		assert.equal(stopped.body?.['reason'], 'breakpoint');
		const threadId = stopped.body?.['threadId'];
		const { stackFrames } = await session.customRequest('stackTrace', { threadId });
		assert.deepEqual(
			stackFrames.map(({ name }: { name: string }) => name),
			['Fill in the card', 'support'],
		);
		const frameId = stackFrames[0].id;
		const before = await session.customRequest('evaluate', { expression: '{{#facts.urgent#}}', frameId, context: 'watch' });
		assert.equal(before.result, 'false');
		const set = await session.customRequest('setExpression', { expression: 'facts.urgent', value: 'true', frameId });
		assert.equal(set.value, 'true');
		await assert.rejects(
			session.customRequest('setExpression', { expression: 'facts.urgent', value: '"often"', frameId }) as Promise<unknown>,
		);
		await session.customRequest('next', { threadId });
		const next = await waitForDebugEvent('stopped', 2);
		const { stackFrames: at } = await session.customRequest('stackTrace', { threadId: next.body?.['threadId'] });
		assert.equal(at[0].name, 'End');
		const after = await session.customRequest('evaluate', { expression: 'nodes.card.priority', frameId: at[0].id, context: 'repl' });
		assert.match(after.result, /now/);
		await session.customRequest('continue', { threadId });
		await waitForDebugEvent('terminated');
		assert.equal(seen.filter(each => each.event === 'terminated').length, 1);
	});

	it('pauses at model calls, and continues with replies that are typed in a document', async () => {
		await setBreakpoint('title: Classify the message');
		await vscode.commands.executeCommand(
			'agentWorkbench.debug.start',
			vscode.Uri.file(path.join(folder, 'runs', 'support-question.run.json')),
		);
		await waitForDebugEvent('stopped');
		await session.customRequest('setExceptionBreakpoints', { filters: ['model'] });
		await session.customRequest('continue', { threadId: 1 });
		const atCall = await waitForDebugEvent('stopped', 2);
		assert.equal(atCall.body?.['description'], 'Paused before a model call');
		await vscode.commands.executeCommand('agentWorkbench.debug.copyPrompt');
		const prompt = await vscode.env.clipboard.readText();
		assert.match(prompt, /^system:\n[\s\S]*user:\n/);

		const listTabs = ({ uri }: vscode.TextDocument) =>
			vscode.window.tabGroups.all
				.flatMap(({ tabs }) => tabs)
				.filter(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri));
		const openReply = async (): Promise<vscode.TextEditor> => {
			await vscode.commands.executeCommand('agentWorkbench.debug.answerByHand');
			const editor = vscode.window.activeTextEditor;
			assert.ok(editor?.document.isUntitled);
			return editor;
		};
		const typeReply = (editor: vscode.TextEditor, text: string) =>
			editor.edit(edit =>
				edit.replace(
					new vscode.Range(
						0,
						0,
						editor.document
							.getText()
							.split('\n')
							.findIndex(line => line.includes('>8')),
						0,
					),
					text,
				),
			);
		const first = await openReply();
		// the lines are comments, because the reply is JSON
		const missing = prompt.split('\n').filter(line => !first.document.getText().includes(line.trimEnd()));
		assert.deepEqual(missing, []);
		assert.equal((await openReply()).document, first.document, 'a call has one document');
		const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', first.document.uri);
		assert.deepEqual(
			lenses.map(({ command }) => command?.title),
			['$(check) Send reply', "Reply of 'claude-haiku-4-5' to 'Classify the message'"],
		);
		await typeReply(first, '{"category_id": "question", "category_name": "A question about how something works"}\n');
		await vscode.commands.executeCommand('agentWorkbench.debug.sendReply');
		const next = await waitForDebugEvent('stopped', 3);
		assert.deepEqual(listTabs(first.document), []);
		const { stackFrames } = await session.customRequest('stackTrace', { threadId: next.body?.['threadId'] });
		assert.equal(stackFrames[0].name, 'Answer the question');

		const second = await openReply();
		await typeReply(second, 'Written by {{a person}}.\n');
		// a file with unsaved changes, such as one that a stop of the run shows, isn't touched by closing the reply
		const other = await vscode.workspace.openTextDocument({ content: 'unsaved' });
		await vscode.window.showTextDocument(other, { preview: false });
		const shown: (vscode.TextDocument | undefined)[] = [];
		const watcher = vscode.window.onDidChangeActiveTextEditor(editor => shown.push(editor?.document));
		await vscode.commands.executeCommand('agentWorkbench.debug.sendReply', second.document.uri);
		await waitForDebugEvent('terminated');
		watcher.dispose();
		assert.ok(!shown.includes(second.document), 'the reply was never shown again');
		assert.deepEqual([listTabs(second.document).length, listTabs(other).length, other.getText()], [0, 1, 'unsaved']);
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		assert.ok(seen.some(({ body }) => String(body?.['output']).includes('Written by {{a person}}.')));
	});

	it('debugs a recorded run: stands at its end, steps back to earlier values, and returns', async () => {
		const file = vscode.Uri.file(path.join(folder, 'runs', 'support-fault.run.json'));
		const record = await vscode.commands.executeCommand<{ key: string }>('agentWorkbench.workflow.runFile', file);
		await vscode.commands.executeCommand('agentWorkbench.debug.recordedRun', record.key);
		const stopped = await waitForDebugEvent('stopped');
		assert.equal(stopped.body?.['description'], 'At the end of the recorded run');
		const threadId = stopped.body?.['threadId'];
		const readTop = async () => {
			const { stackFrames } = await session.customRequest('stackTrace', { threadId });
			const evaluated = session.customRequest('evaluate', {
				expression: 'nodes.card?.priority',
				frameId: stackFrames[0].id,
				context: 'watch',
			});
			return [stackFrames[0].name, (await evaluated).result];
		};
		const [, priority] = await readTop();
		assert.notEqual(priority, 'undefined');
		for (const [count, name, value] of [
			[2, 'End', priority],
			[3, 'Fill in the card', 'undefined'],
		] as const) {
			await session.customRequest('stepBack', { threadId });
			const past = await waitForDebugEvent('stopped', count);
			assert.match(String(past.body?.['description']), /^In the past: step \d+ of \d+$/);
			assert.deepEqual(await readTop(), [name, value]);
		}
		await vscode.commands.executeCommand('agentWorkbench.debug.returnToPresent');
		await waitForDebugEvent('stopped', 4);
		assert.deepEqual(await readTop(), ['End', priority]);
		await session.customRequest('continue', { threadId });
		await waitForDebugEvent('terminated');
	});

	it('forks a run from an earlier step with a value that was set there, and ends the session of the run', async () => {
		await setBreakpoint('title: Fill in the card');
		await vscode.commands.executeCommand(
			'agentWorkbench.debug.start',
			vscode.Uri.file(path.join(folder, 'runs', 'support-fault.run.json')),
		);
		const { body } = await waitForDebugEvent('stopped');
		const threadId = body?.['threadId'];
		const parent = session;
		await session.customRequest('next', { threadId });
		await waitForDebugEvent('stopped', 2);
		await session.customRequest('stepBack', { threadId });
		await waitForDebugEvent('stopped', 3);
		const readTop = async (thread: unknown) => (await session.customRequest('stackTrace', { threadId: thread })).stackFrames[0];
		const { id: frameId } = await readTop(threadId);
		await session.customRequest('setExpression', { expression: 'facts.urgent', value: 'true', frameId });
		const changed = await waitForDebugEvent('stopped', 4);
		assert.match(String(changed.body?.['description']), /^In the past: step \d+ of \d+ · 1 change$/);
		await session.customRequest('continue', { threadId });
		const forked = await waitForDebugEvent('stopped', 5);
		assert.notEqual(session, parent);
		assert.equal(session.name, "Fork from 'Fill in the card'");
		assert.equal(forked.body?.['reason'], 'breakpoint');
		const top = await readTop(forked.body?.['threadId']);
		const urgent = await session.customRequest('evaluate', { expression: 'facts.urgent', frameId: top.id, context: 'watch' });
		assert.deepEqual([top.name, urgent.result], ['Fill in the card', 'true']);
		await waitForDebugEvent('terminated');
		await session.customRequest('continue', { threadId: forked.body?.['threadId'] });
		await waitForDebugEvent('terminated', 2);
	});

	it('is stopped from the editor, and ends once', async () => {
		await setBreakpoint('title: Classify the message');
		await vscode.commands.executeCommand(
			'agentWorkbench.debug.start',
			vscode.Uri.file(path.join(folder, 'runs', 'support-fault.run.json')),
		);
		await waitForDebugEvent('stopped');
		await vscode.debug.stopDebugging();
		await waitForDebugEvent('terminated');
		assert.equal(seen.filter(each => each.event === 'terminated').length, 1);
	});
});
