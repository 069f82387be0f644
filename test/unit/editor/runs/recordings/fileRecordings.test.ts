import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { OpenRecordingRequest, RecordedCall } from '#contract/recordings/recordings.ts';
import { FileRecordings } from '#editor/runs/recordings/fileRecordings.ts';
import { MemoryState } from '../../../../support/editor/memoryState.ts';
import { runInUntrustedWorkspace } from '../../../../support/editor/untrusted.ts';

const builtIn = { id: 'built-in', kind: 'built-in', name: 'Built-in gateway' } as const;
const log = { error() {}, warn() {}, info() {} } as unknown as vscode.LogOutputChannel;

const call: RecordedCall = {
	node: 'ask',
	call: 1,
	text: 'key: model:5f2c9e1a03bb\nnode: ask\ncall: 1\nrequest: {}\nreply: { text: Fine }\n',
	parts: [],
};

describe('recordings of run files in the editor', () => {
	let folder: string;
	let uri: vscode.Uri;
	/** Modes that recordings were opened with. */
	let opened: string[];
	/** IDs of closed recordings. */
	let closed: string[];
	const client = {
		openRecording: async ({ mode }: OpenRecordingRequest) => ({ id: `r${opened.push(mode)}`, entries: 0 }),
		takeRecordedCalls: async () => ({ calls: [call], used: [], misses: [], drift: [], more: false }),
		closeRecording: async (id: string) => void closed.push(id),
	};
	const createRecordings = (memory = new MemoryState()) =>
		new FileRecordings({ connections: { getClient: async () => client as never }, memory, log });
	beforeEach(() => {
		[opened, closed] = [[], []];
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-recordings-'));
		uri = vscode.Uri.file(path.join(folder, 'ask.run.json'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('are only opened if a command, the file or the setting asks for it', async () => {
		const recordings = createRecordings();
		const file = { uri, settings: undefined, connection: builtIn };
		assert.equal(await recordings.openRecording(file), undefined);
		assert.equal(await recordings.openRecording({ ...file, settings: { mode: 'off' } }), undefined);
		await recordings.openRecording({ ...file, settings: {} });
		await recordings.openRecording({ ...file, settings: { mode: 'off' } }, 'all');
		assert.deepEqual(opened, ['new', 'all']);
	});

	it('are refused for other services, in untrusted workspaces, and outside of the folder', async () => {
		const recordings = createRecordings();
		const file = { uri, settings: {}, connection: builtIn };
		await assert.rejects(recordings.openRecording({ ...file, connection: { id: 'd', kind: 'dify', name: 'Dify' } }), {
			reason: 'not-built-in',
		});
		await runInUntrustedWorkspace(() => assert.rejects(recordings.openRecording(file), { reason: 'untrusted' }));
		await assert.rejects(recordings.openRecording({ ...file, settings: { file: '../outside.yaml' } }), { reason: 'outside-workspace' });
		assert.deepEqual(opened, []);
	});

	it('offer to record if there is nothing to replay', async () => {
		const missing = createRecordings().openRecording({ uri, settings: undefined, connection: builtIn }, 'none');
		await assert.rejects(missing, (error: { reason: string; remedy: object }) => {
			assert.equal(error.reason, 'no-recording');
			const command = 'agentWorkbench.runFile.record';
			assert.deepEqual({ ...error.remedy, title: '' }, { title: '', command, arguments: [uri, 'new'] });
			return true;
		});
	});

	it('are written once when their run has ended', async () => {
		const recordings = createRecordings();
		const recording = await recordings.openRecording({ uri, settings: {}, connection: builtIn });
		let finished = 0;
		recordings.onDidFinish(() => finished++);
		const reports = await Promise.all([1, 2].map(() => recordings.finishRecording(recording!.id, true)));
		assert.deepEqual(
			reports.map(report => report?.added),
			[1, 1],
		);
		assert.deepEqual([closed, finished], [['r1'], 1]);
		assert.match(
			fs.readFileSync(path.join(folder, 'ask.run.recording.yaml'), 'utf8'),
			/^by: agent-workbench[\s\S]*\n---\nkey: model:5f2c/m,
		);
	});

	it('are written by the next window if the window closes before', async () => {
		const memory = new MemoryState();
		const before = createRecordings(memory);
		await before.openRecording({ uri, settings: {}, connection: builtIn });
		await before.openRecording({ uri, settings: {}, connection: builtIn });
		const after = createRecordings(memory);
		// the run of the first one continues
		after.finishLeftRecordings(id => id === 'r1');
		await after.finishRecording('r2', false);
		assert.deepEqual(closed, ['r2']);
		await after.finishRecording('r1', true);
		assert.deepEqual(closed, ['r2', 'r1']);
		assert.match(fs.readFileSync(path.join(folder, 'ask.run.recording.yaml'), 'utf8'), /^key: model:5f2c/m);
		assert.equal(await createRecordings(memory).finishRecording('r1', true), undefined);
	});
});
