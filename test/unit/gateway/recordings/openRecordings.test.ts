import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { recordingHeader } from '#contract/recordings/scanRecording.ts';
import { formatEntry } from '#engine/recordings/entryText.ts';
import { createKey } from '#engine/recordings/requestKey.ts';
import { OpenRecordings } from '#gateway/recordings/openRecordings.ts';
import { takeTextTurn } from '#gateway/recordings/recordedTexts.ts';
import { updateRecordingText } from '#runs/recordings/recordingFile.ts';

describe('open recordings', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recording-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('read no large values from links, pipes and devices', async () => {
		const marks = { markText: (text: string) => text, fillValue: <T>(value: T) => value };
		const call = { kind: 'http', node: 'ask', marks, request: {}, shape: z.unknown(), signal: new AbortController().signal } as const;
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

	describe('close those that were not used for the longest time', () => {
		const createText = (length: number) => `recording: 1\n---\nkey: http:5f2c9e1a03bb\nnode: ask\nreply: ${'x'.repeat(length)}\n`;
		const openAll = async (recordings: OpenRecordings, lengths: readonly number[]) => {
			const ids: string[] = [];
			for (const length of lengths) {
				ids.push((await recordings.openRecording({ mode: 'new', text: createText(length) })).id);
			}
			return ids;
		};
		const isOpen = (recordings: OpenRecordings, id: string) => {
			try {
				recordings.isReplay({ id });
				return true;
			} catch {
				return false;
			}
		};

		it('when there are too many', async () => {
			const recordings = new OpenRecordings([], { count: 2, characters: 1_000_000 });
			const [first = '', second = ''] = await openAll(recordings, [10, 10]);
			recordings.getRunRecording({ id: first }, 'run');
			const [third = ''] = await openAll(recordings, [10]);
			assert.deepEqual(
				[first, second, third].map(id => isOpen(recordings, id)),
				[true, false, true],
			);
		});

		it('when they keep too many characters in memory together', async () => {
			const recordings = new OpenRecordings([], { count: 64, characters: 100_000 });
			const ids = await openAll(recordings, [40_000, 40_000, 40_000, 200_000]);
			// the last one is usable, however large it is
			assert.deepEqual(
				ids.map(id => isOpen(recordings, id)),
				[false, false, false, true],
			);
			const [small = '', other = ''] = await openAll(recordings, [10, 10]);
			const call = { kind: 'http', node: 'ask', request: {}, shape: z.unknown(), signal: new AbortController().signal } as const;
			const marks = { markText: (text: string) => text, fillValue: <T>(value: T) => value };
			const turn = recordings.getRunRecording({ id: small }, 'run').takeTurn({ ...call, marks });
			assert.ok('record' in turn);
			turn.record({ reply: 'y'.repeat(100_000) });
			recordings.getRunRecording({ id: small }, 'next run');
			assert.deepEqual([isOpen(recordings, other), isOpen(recordings, small)], [false, true]);
			recordings.takeCalls(small);
			await openAll(recordings, [10]);
			assert.ok(isOpen(recordings, small));
		});
	});

	it('replay only headers of texts that fit the reply, whatever their file says', async () => {
		const recordings = new OpenRecordings([]);
		const replay = async (headers: Readonly<Record<string, string>>) => {
			const key = createKey('text', { model: 'm' });
			const entry = formatEntry({ key, node: '/v1/messages', call: 1 }, { request: { model: 'm' }, reply: { headers, body: '{}' } });
			const call = { node: '/v1/messages', call: 1, ...entry };
			const { text } = updateRecordingText('', { calls: [call], used: new Set(), renewed: [], creator: 'a test' });
			const { id } = await recordings.openRecording({ mode: 'none', text, folder });
			const request = { path: '/v1/messages', headers: { [recordingHeader]: encodeURIComponent(JSON.stringify({ id })) } };
			return takeTextTurn(recordings, { ...request, readBody: async () => Buffer.from('{"model":"m"}') });
		};
		const kept = { 'content-type': 'application/json', warning: '299 - "x"' };
		const others = {
			'Content-Length': '999',
			'transfer-encoding': 'chunked',
			'content-encoding': 'gzip',
			'set-cookie': 'a=b',
			'access-control-allow-origin': '*',
		};
		assert.deepEqual(await replay({ ...kept, ...others }), { reply: { headers: kept, body: Buffer.from('{}') } });
		await assert.rejects(replay({ 'content-type': 'a\r\nb: c' }), { status: 400, message: /^The header 'content-type' of the recorded/ });
	});
});
