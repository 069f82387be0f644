import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OpenRecordings } from '#gateway/recordings/openRecordings.ts';
import { updateRecordingText } from '#runs/recordings/recordingFile.ts';

describe('open recordings', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recording-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('read no large values from links, pipes and devices', async () => {
		const marks = { markText: (text: string) => text, fillValue: <T>(value: T) => value };
		const call = { kind: 'http', node: 'ask', marks, request: {}, signal: new AbortController().signal } as const;
		const recordings = new OpenRecordings([]);
		const getRun = async (mode: 'none' | 'new', text: string) => {
			const { id } = await recordings.openRecording({ mode, text, folder });
			return { id, run: recordings.getRunRecording({ id }, 'run') };
		};
		const recorded = await getRun('new', '');
		const turn = recorded.run.takeTurn(call);
		assert.ok('record' in turn);
		turn.record({ reply: 'x'.repeat(20_000) });
		const { calls } = recordings.takeCalls(recorded.id);
		const { text } = updateRecordingText('', { calls, used: new Set(), renewed: [], creator: 'a test' });
		const { name, content } = calls[0]!.parts[0]!;
		const part = path.join(folder, name);

		fs.writeFileSync(path.join(folder, 'elsewhere'), content);
		fs.symlinkSync('elsewhere', part);
		const { run } = await getRun('none', text);
		assert.throws(() => run.takeTurn(call), /can't be read/);
		fs.rmSync(part);
		fs.symlinkSync('/dev/zero', part);
		assert.throws(() => run.takeTurn(call), /can't be read/);
		fs.rmSync(part);
		fs.writeFileSync(part, content);
		assert.ok('replayed' in run.takeTurn(call));
	});
});
