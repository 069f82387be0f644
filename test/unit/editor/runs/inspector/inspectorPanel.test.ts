import assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { InspectorPanel } from '#editor/runs/inspector/inspectorPanel.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { MemoryState } from '../../../../support/editor/memoryState.ts';
import { PlayedPanel } from '../../../../support/editor/playedPanel.ts';

describe('the host of an inspector page', () => {
	afterEach(() => mock.timers.reset());

	it('sends no change of a repeated run before its snapshot, so that the page keeps the selected node', async () => {
		const runs = new Map<string, RunRecord>();
		const changed = new vscode.EventEmitter<RunRecord>();
		const addRun = (record: object) => {
			const run = { agent: 'a', connectionId: 'c', mode: 'streaming', user: 'ana', startedAt: 0, ...record } as RunRecord;
			runs.set(run.key, run);
			changed.fire(run);
		};
		let finishReading = () => {};
		const source = {
			runs: { get: (key: string) => runs.get(key), list: () => [...runs.values()], onDidChange: changed.event },
			control: { onEntry: () => ({ dispose() {} }) },
			journals: {
				readEntriesFrom: async function* (key: string) {
					if (key === 'second') {
						await new Promise<void>(resolve => {
							finishReading = resolve;
						});
					}
				},
			},
			documents: { readOutputs: async () => ({}) },
			connections: { get: () => undefined },
			agentFolders: () => [],
		};
		addRun({ key: 'first', status: 'failed' });
		const played = new PlayedPanel();
		const log = { debug() {}, warn: (text: string) => assert.fail(text), error: (text: string) => assert.fail(text) };
		const panel = new InspectorPanel(played.panel, { key: 'first', kept: false }, { source, memory: new MemoryState(), log } as never);
		await played.requestSnapshot();
		mock.timers.enable({ apis: ['setTimeout'] });
		// the rerun makes the chain of the shown run longer, which is a change
		addRun({ key: 'second', status: 'starting', repeats: 'first' });
		panel.showRun('second');
		mock.timers.tick(100);
		const snapshot = played.waitForMessage('snapshot');
		finishReading();
		await snapshot;
		const heads = played.messages.flatMap(message => ('head' in message ? [`${message.type} ${message.head.key}`] : []));
		assert.deepEqual(heads, ['snapshot first', 'snapshot second']);
		panel.dispose();
	});

	it("says why it can't show a run whose journal can't be read", async () => {
		const run = { key: 'a', agent: 'a', status: 'failed', connectionId: 'c', mode: 'streaming', user: 'ana', startedAt: 0 };
		const source = {
			runs: { get: () => run, list: () => [run], onDidChange: () => ({ dispose() {} }) },
			control: { onEntry: () => ({ dispose() {} }) },
			journals: {
				// biome-ignore lint/correctness/useYield: a file that can't be read
				readEntriesFrom: async function* () {
					throw new Error('EACCES: permission denied');
				},
			},
			connections: { get: () => undefined },
			agentFolders: () => [],
		};
		const logged: string[] = [];
		const log = { debug() {}, warn: (text: string) => logged.push(text), error: (text: string) => logged.push(text) };
		const played = new PlayedPanel();
		const panel = new InspectorPanel(played.panel, { key: 'a', kept: false }, { source, memory: new MemoryState(), log } as never);
		const gone = played.waitForMessage('gone');
		played.sendFromPage({ type: 'ready' });
		assert.deepEqual(await gone, { type: 'gone', title: "Couldn't read this run.", text: 'EACCES: permission denied' });
		assert.match(logged.join('\n'), /EACCES/);
		panel.dispose();
	});

	it('sends later changes and the outputs of a run whose outputs could first not be read', async () => {
		const changed = new vscode.EventEmitter<RunRecord>();
		let run = { key: 'a', agent: 'a', status: 'failed', connectionId: 'c', mode: 'streaming', user: 'ana', startedAt: 0 } as RunRecord;
		const changeRun = (error: string) => {
			run = { ...run, error };
			changed.fire(run);
		};
		let isReadable = false;
		const source = {
			runs: { get: () => run, list: () => [run], onDidChange: changed.event },
			control: { onEntry: () => ({ dispose() {} }) },
			journals: { readEntriesFrom: async function* () {} },
			documents: {
				readOutputs: async () => {
					if (!isReadable) {
						throw new Error('EMFILE: too many open files');
					}
					return { said: 'hello' };
				},
			},
			connections: { get: () => undefined },
			agentFolders: () => [],
		};
		const log = { debug() {}, warn() {}, error() {} };
		const played = new PlayedPanel();
		const panel = new InspectorPanel(played.panel, { key: 'a', kept: false }, { source, memory: new MemoryState(), log } as never);
		await played.requestSnapshot();
		const waitForError = (error: string) => played.waitForMessage('changes', ({ head }) => head.error === error);
		const first = waitForError('first');
		changeRun('first');
		await first;
		isReadable = true;
		const second = waitForError('second');
		const outputs = played.waitForMessage('outputs');
		// the first change may still be on its way
		await new Promise(resolve => setImmediate(resolve));
		changeRun('second');
		await second;
		assert.deepEqual((await outputs).outputs, [{ name: 'said', text: 'hello', isText: true, cut: false }]);
		panel.dispose();
	});

	it('sends changes of a long run less often, because the page looks at all rows with each of them', async () => {
		const changed = new vscode.EventEmitter<RunRecord>();
		const run = { key: 'a', agent: 'a', status: 'running', connectionId: 'c', mode: 'streaming', user: 'ana', startedAt: 0 } as RunRecord;
		const source = {
			runs: { get: () => run, list: () => [run], onDidChange: changed.event },
			control: { onEntry: () => ({ dispose() {} }) },
			journals: {
				readEntriesFrom: async function* () {
					for (let at = 0; at < 10_000; at++) {
						const data = { id: `execution ${at}`, node_id: 'n', node_type: 'code', title: 'N' };
						yield { entry: { at, event: { event: 'node_started', data } }, span: { from: at, to: at + 1 } };
					}
				},
			},
			connections: { get: () => undefined },
			agentFolders: () => [],
		};
		const log = { debug() {}, warn: (text: string) => assert.fail(text), error: (text: string) => assert.fail(text) };
		const played = new PlayedPanel();
		const panel = new InspectorPanel(played.panel, { key: 'a', kept: false }, { source, memory: new MemoryState(), log } as never);
		await played.requestSnapshot();
		mock.timers.enable({ apis: ['setTimeout'] });
		changed.fire(run);
		mock.timers.tick(150);
		const countChanges = () => played.messages.filter(({ type }) => type === 'changes').length;
		assert.equal(countChanges(), 0);
		mock.timers.tick(100);
		assert.equal(countChanges(), 1);
		panel.dispose();
	});
});
