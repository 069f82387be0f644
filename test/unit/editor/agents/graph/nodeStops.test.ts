import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { AgentReadings } from '#editor/agents/files/agentReadings.ts';
import { LivePicture } from '#editor/agents/graph/livePicture.ts';
import { NodeStops } from '#editor/agents/graph/nodeStops.ts';
import type { ShownStops } from '#pages/graph/picture/graphProtocol.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { fakeTextDocuments, type PlayedText } from '../../../../support/editor/playedTexts.ts';

const agent = `workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [] }
      - id: say
        data: { type: template-transform, title: Say, template: hello, variables: [] }
    edges: []
`;

describe('NodeStops', () => {
	const file = vscode.Uri.file('/agents/a.yml');
	const { breakpoints, onDidChangeBreakpoints } = vscode.debug;
	let texts: ReturnType<typeof fakeTextDocuments>;
	let text: PlayedText;
	let live: LivePicture;
	let stops: NodeStops;
	let reported: ShownStops[];
	let moved: vscode.EventEmitter<unknown>;
	let runs: vscode.EventEmitter<RunRecord>;
	let kept: RunRecord[];
	let runFiles: vscode.EventEmitter<void>;
	/** Run files of the agent. */
	let files: vscode.Uri[];
	let hear: () => void;

	beforeEach(() => {
		[reported, kept, files, hear] = [[], [], [], () => {}];
		runFiles = new vscode.EventEmitter();
		moved = new vscode.EventEmitter();
		runs = new vscode.EventEmitter();
		Object.assign(vscode.debug, { onDidChangeBreakpoints: moved.event, breakpoints: [] });
		texts = fakeTextDocuments();
		text = texts.open(file, agent);
		live = new LivePicture(text.document, new AgentReadings());
		live.getCurrentPicture();
	});
	afterEach(() => {
		stops.dispose();
		live.dispose();
		texts.end();
		Object.assign(vscode.debug, { breakpoints, onDidChangeBreakpoints });
	});

	function createStops(): void {
		const pinning = {
			runFiles: { onDidChange: runFiles.event, getRunFiles: async (agent: string) => (agent === 'a' ? files : []) },
			log: { warn: assert.fail, debug: assert.fail } as unknown as vscode.LogOutputChannel,
		};
		const parts = { runs: { onDidChange: runs.event, list: () => kept } as unknown as Runs, agentFolders: () => ['/agents'], ...pinning };
		stops = new NodeStops(live, parts, each => {
			reported.push(each);
			hear();
		});
	}
	/** Replaces all breakpoints. Lines count from 0. */
	function setBreakpoints(...at: readonly (readonly [line: number, enabled?: boolean, uri?: vscode.Uri])[]): void {
		const made = at.map(
			([line, enabled, uri = file]) => new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line, 0)), enabled),
		);
		Object.assign(vscode.debug, { breakpoints: made });
		moved.fire(undefined);
	}
	const createRun = (key: string, fields: Partial<RunRecord>) => ({ key, agent: 'a', status: 'running', ...fields }) as RunRecord;
	const createRecordAt = (...places: NonNullable<RunRecord['stands']>['places']) => ({ id: '', title: '', places });

	it('sends the nodes with breakpoints, and updates them when breakpoints or the text change', () => {
		createStops();
		setBreakpoints([5], [6, false], [3, false], [0], [5, true, vscode.Uri.file('/agents/b.yml')]);
		assert.deepEqual(reported, [
			{
				breakpoints: [
					{ node: 'say', enabled: true },
					{ node: 'start', enabled: false },
				],
				pausedAt: [],
				ranLater: [],
				pinned: [],
			},
		]);
		setBreakpoints([6, false]);
		assert.deepEqual(reported.at(-1)?.breakpoints, [{ node: 'say', enabled: false }]);
		text.changeText(agent.replace('id: say', 'id: said'));
		assert.deepEqual(reported.at(-1)?.breakpoints, [{ node: 'said', enabled: false }]);
		setBreakpoints();
		assert.deepEqual(reported.at(-1)?.breakpoints, []);
	});

	it("sends where the file's runs are paused, once per change, until they continue or end", () => {
		kept = [
			createRun('before', { agentFile: file.toString(), stands: createRecordAt({ node: 'start' }) }),
			createRun('over', { status: 'failed', stands: createRecordAt({ node: 'say' }) }),
		];
		createStops();
		stops.send();
		assert.deepEqual(reported.at(-1)?.pausedAt, ['start']);
		runs.fire(createRun('published', { stands: createRecordAt({ node: 'say' }, { node: 'start' }) }));
		assert.deepEqual(reported.at(-1)?.pausedAt, ['start', 'say']);
		const count = reported.length;
		runs.fire(createRun('published', { stands: createRecordAt({ node: 'say' }, { node: 'start' }) }));
		runs.fire(createRun('elsewhere', { agentFile: 'file:///agents/b.yml', stands: createRecordAt({ node: 'say' }) }));
		runs.fire(createRun('another', { agent: 'b', stands: createRecordAt({ node: 'say' }) }));
		assert.equal(reported.length, count);
		runs.fire(createRun('before', { agentFile: file.toString(), status: 'stopped' }));
		runs.fire(createRun('published', {}));
		assert.deepEqual(reported.at(-1)?.pausedAt, []);
	});

	it("sends where a run is paused in an agent used as a tool, but doesn't confuse its nodes with those of the same ID", () => {
		createStops();
		runs.fire(
			createRun('uses', {
				agent: 'b',
				agentFile: 'file:///agents/b.yml',
				stands: createRecordAt({ node: 'say', agent: 'a' }, { node: 'start' }),
			}),
		);
		assert.deepEqual(reported.at(-1)?.pausedAt, ['say']);
		const later = [{ node: 'start', agent: 'a' }, { node: 'say' }];
		runs.fire(
			createRun('uses', {
				agent: 'b',
				agentFile: 'file:///agents/b.yml',
				stands: { ...createRecordAt({ node: 'say', agent: 'a' }), later },
			}),
		);
		assert.deepEqual(reported.at(-1)?.ranLater, ['start']);
		runs.fire(createRun('used', { stands: createRecordAt({ node: 'start', agent: 'b' }) }));
		assert.deepEqual(reported.at(-1)?.pausedAt, ['say']);
	});

	it('sends the nodes pinned by run files, including unsaved changes', async () => {
		const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pinned-'));
		const [saved, edited] = ['tea.run.json', 'cake.run.json'].map(name => vscode.Uri.file(path.join(folder, name))) as [
			vscode.Uri,
			vscode.Uri,
		];
		await fs.writeFile(saved.fsPath, '{"model": "a", "mocks": {"say": {"outputs": {}}, "__proto__": {"outputs": {}}}}');
		files = [saved, edited, vscode.Uri.file(path.join(folder, 'gone.run.json'))];
		const draft = texts.open(edited, '{"model": "a", "mocks": {"say": {"outputs": {}}}}');
		const { textDocuments } = vscode.workspace;
		Object.assign(vscode.workspace, { textDocuments: [draft.document] });
		try {
			createStops();
			const waitForNextChange = () =>
				new Promise<void>(resolve => {
					hear = resolve;
				});
			const first = waitForNextChange();
			runFiles.fire();
			await first;
			assert.deepEqual(reported.at(-1)?.pinned, [
				{ node: 'say', files: ['tea.run.json', 'cake.run.json'] },
				{ node: '__proto__', files: ['tea.run.json'] },
			]);
			const second = waitForNextChange();
			// invalid JSON while it is being typed
			draft.changeText('{"model": "a", "mocks": {"start": {"outputs": {}}, ');
			await second;
			assert.deepEqual(reported.at(-1)?.pinned.at(-1), { node: 'start', files: ['cake.run.json'] });
			const third = waitForNextChange();
			files = [edited];
			runFiles.fire();
			await third;
			assert.deepEqual(reported.at(-1)?.pinned, [{ node: 'start', files: ['cake.run.json'] }]);
		} finally {
			Object.assign(vscode.workspace, { textDocuments });
			await fs.rm(folder, { recursive: true });
		}
	});
});
