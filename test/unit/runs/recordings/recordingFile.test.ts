import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RecordedCall } from '#contract/recordings/recordings.ts';
import { scanRecording } from '#contract/recordings/scanRecording.ts';
import { formatEntry } from '#engine/recordings/entryText.ts';
import { FileRecording } from '#runs/recordings/fileRecording.ts';
import { getPartsFolder, getRecordingFile, updateRecordingText, writeRecordingFile } from '#runs/recordings/recordingFile.ts';

/** Creates a recorded call; `key` is a digit. */
function createCall(key: number, reply: unknown, place: Partial<RecordedCall> = {}): RecordedCall {
	const head = { key: `model:${String(key).repeat(12)}`, node: 'ask', call: 1, ...place };
	return { ...place, node: head.node, call: head.call, ...formatEntry(head, { request: { model: 'm' }, reply }) };
}

const update = (text: string, calls: readonly RecordedCall[], more: Partial<Parameters<typeof updateRecordingText>[1]> = {}) =>
	updateRecordingText(text, { calls, used: new Set(), renewed: [], creator: 'a test', ...more });

describe('recording files', () => {
	it('are beside their run file or suite', () => {
		assert.equal(getRecordingFile('/a/b.run.json'), '/a/b.run.recording.yaml');
		assert.equal(getPartsFolder('/a/b.suite.recording.yaml'), '/a/b.suite.recording');
	});

	it('are sorted by case, row, node and call', () => {
		const calls = [
			createCall(1, 'c', { case: 'b', row: 10 }),
			createCall(2, 'b', { case: 'b', row: 9 }),
			createCall(3, 'a', { case: 'a', node: 'x', call: 2 }),
			createCall(4, 'a', { case: 'a', node: 'x' }),
		];
		const keys = scanRecording(update('', calls).text).map(({ key }) => key[6]);
		assert.deepEqual(keys.join(''), '4321');
	});

	it('keep texts as they are, whatever they contain', () => {
		const texts = [
			'---\n',
			'a\r\nb',
			' \n  x\n',
			'\u2028---\n',
			'\u0085\uFEFF',
			"it's: [x] # y",
			'true',
			'~',
			'\t\ta',
			'x\n\n\n',
			'"',
			'| \n a',
		];
		for (const text of texts) {
			const { text: file } = update('', [createCall(1, { text }, { case: text }), createCall(2, 'end', { case: `${text} 2` })]);
			const documents = scanRecording(file);
			assert.equal(documents.length, 2, JSON.stringify(text));
			assert.deepEqual(documents.map(each => each.case).sort(), [text, `${text} 2`].sort());
		}
	});

	it('replace an entry that was not used by the new one of its node, and keep others', () => {
		const { text } = update('', [createCall(1, 'old'), createCall(2, 'other', { node: 'other' })]);
		const changed = update(text, [createCall(3, 'new')], { used: new Set([1]) });
		assert.deepEqual([changed.added, changed.replaced, changed.removed], [0, 1, 0]);
		assert.deepEqual(
			scanRecording(changed.text).map(({ key }) => key[6]),
			['3', '2'],
		);
	});

	it('lose entries that a case recorded again no longer uses', () => {
		const { text } = update('', [
			createCall(1, 'a', { case: 'x' }),
			createCall(2, 'b', { case: 'x', node: 'gone' }),
			createCall(3, 'c', { case: 'y' }),
		]);
		const again = update(text, [{ ...createCall(1, 'a', { case: 'x' }), same: 0 }], { renewed: [{ case: 'x' }] });
		assert.deepEqual([again.added, again.replaced, again.removed], [0, 0, 1]);
		assert.deepEqual(
			scanRecording(again.text).map(({ key }) => key[6]),
			['1', '3'],
		);
		const unchanged = update(text, [{ ...createCall(1, 'a', { case: 'x' }), same: 0 }]);
		assert.equal(unchanged.text, text);
	});

	it('refuse what looks like a key', () => {
		for (const key of [
			`sk-ant-${'a1'.repeat(12)}`,
			'AKIAABCDEFGHIJKLMNOP',
			'https://ana:hunter22@host/',
			'kJ8sQz1PmW0xV7bN3tRf5LcY2hGd9aEuTqXo',
		]) {
			assert.throws(() => update('', [createCall(1, { text: `Your key is ${key}.` })]), /looks like a key/, key);
		}
		update('', [createCall(1, { text: `5f2c9e1a03bb${'0123456789abcdef'.repeat(4)} and /a/long/path/With1/Many/Parts/In/It/0/1` })]);
	});

	it('take binary data of any length for no key, unless it contains one', () => {
		const random = createHash('shake256', { outputLength: 30_000 }).update('x').digest();
		for (const length of [40, 300, 2_000, 30_000]) {
			const body = random.subarray(0, length);
			update('', [createCall(1, { status: 200, base64: body.toString('base64') })]);
			const planted = Buffer.concat([body.subarray(0, 300), Buffer.from(`\xff key: ghp_${'a1B2'.repeat(9)} `, 'latin1')]);
			assert.throws(() => update('', [createCall(1, { status: 200, base64: planted.toString('base64') })]), /looks like a key/);
		}
		update('', [createCall(1, { status: 200, body: JSON.stringify({ image: random.toString('base64') }) })]);
	});

	describe('on disk', () => {
		let folder: string;
		beforeEach(() => {
			folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recording-'));
		});
		afterEach(() => fs.rmSync(folder, { recursive: true }));

		it('have large values beside them, and delete those that are no longer needed', async () => {
			const file = path.join(folder, 'a.run.recording.yaml');
			const first = createCall(1, { text: 'x'.repeat(20_000) });
			await writeRecordingFile(file, update('', [first]).text, [first], '');
			const second = createCall(1, { text: 'y'.repeat(20_000) });
			await writeRecordingFile(file, update('', [second]).text, [second], update('', [first]).text);
			assert.deepEqual(fs.readdirSync(path.join(folder, 'a.run.recording')), ['.gitattributes', ...second.parts.map(({ name }) => name)]);
			assert.ok(fs.statSync(file).size < 1_000);
			const small = createCall(1, { text: 'small' });
			await writeRecordingFile(file, update('', [small]).text, [small], update('', [second]).text);
			assert.deepEqual(fs.readdirSync(folder), ['a.run.recording.yaml']);
		});

		it('show a message instead of large values in a diff', async () => {
			const git = (...args: readonly string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
			const file = path.join(folder, 'a.run.recording.yaml');
			const calls = [
				createCall(1, { text: 'tide gauge\n'.repeat(100_000) }),
				createCall(2, { text: 'ebb\n'.repeat(100_000) }, { node: 'b' }),
			];
			await writeRecordingFile(file, update('', calls.slice(0, 1)).text, calls, '');
			git('init', '-q');
			git('add', '-N', '.');
			const diff = git('diff');
			assert.ok(diff.length < 5_000, String(diff.length));
			for (const { name } of calls.flatMap(({ parts }) => parts)) {
				assert.match(diff, new RegExp(`^Binary files /dev/null and b/a\\.run\\.recording/${name} differ$`, 'm'));
			}
		});

		it('replace links in their folder instead of writing to what they name', async () => {
			const file = path.join(folder, 'a.run.recording.yaml');
			const call = createCall(1, { text: 'x'.repeat(20_000) });
			const target = path.join(folder, 'profile');
			fs.writeFileSync(target, 'untouched');
			fs.mkdirSync(getPartsFolder(file));
			fs.symlinkSync(target, path.join(getPartsFolder(file), call.parts[0]!.name));
			await writeRecordingFile(file, update('', [call]).text, [call], '');
			assert.equal(fs.readFileSync(target, 'utf8'), 'untouched');
			assert.equal(fs.readFileSync(path.join(getPartsFolder(file), call.parts[0]!.name), 'utf8'), call.parts[0]!.content);
		});

		it('delete no files that their old text did not name', async () => {
			const file = path.join(folder, 'a.run.recording.yaml');
			const call = createCall(1, { text: 'x'.repeat(20_000) });
			const foreign = path.join(getPartsFolder(file), `${'0'.repeat(32)}.txt`);
			fs.mkdirSync(getPartsFolder(file));
			fs.writeFileSync(foreign, '');
			await writeRecordingFile(file, update('', [call]).text, [call], '');
			assert.ok(fs.existsSync(foreign));
		});

		it("are refused and stay as they are if they aren't UTF-8", async () => {
			const file = path.join(folder, 'a.suite.recording.yaml');
			const { text } = update('', [createCall(1, 'Gr\u00FC\u00DFe', { case: 'b' })]);
			const client = {
				openRecording: async () => ({ id: 'r', entries: 0 }),
				takeRecordedCalls: async () => ({ calls: [createCall(2, 'new', { case: 'c' })], used: [], misses: [], drift: [], more: false }),
				closeRecording: async () => ({ result: 'success' as const }),
			};
			const open = () => FileRecording.openRecording({ client, file, mode: 'new', settings: {}, creator: 'a test' });
			const opened = await open();
			fs.writeFileSync(file, text, 'latin1');
			await assert.rejects(open(), /^RecordingFormatError: The recording isn't UTF-8 text/);
			await assert.rejects(opened!.finish(), /^RecordingFormatError: The recording isn't UTF-8 text/);
			assert.equal(fs.readFileSync(file, 'latin1'), text);
		});

		it('keep what other runs write meanwhile, or at the same time', async () => {
			const file = path.join(folder, 'a.suite.recording.yaml');
			fs.writeFileSync(file, update('', [createCall(1, 'old', { case: 'b' }), createCall(2, 'old', { case: 'd' })]).text);
			const record = async (call: RecordedCall, used: readonly number[]) => {
				const client = {
					openRecording: async () => ({ id: 'r', entries: 0 }),
					takeRecordedCalls: async () => ({ calls: [call], used: [...used], misses: [], drift: [], more: false }),
					closeRecording: async () => ({ result: 'success' as const }),
				};
				const opened = await FileRecording.openRecording({ client, file, mode: 'new', settings: {}, creator: 'a test' });
				return opened!;
			};
			const first = await record(createCall(3, 'new', { case: 'a' }), []);
			const second = await record({ ...createCall(2, 'old', { case: 'd' }), same: 1 }, [0]);
			const third = await record(createCall(4, 'new', { case: 'c' }), [0, 1]);
			await Promise.all([first, second, third].map(each => each.finish()));
			const cases = scanRecording(fs.readFileSync(file, 'utf8')).map(each => each.case);
			assert.deepEqual(cases, ['a', 'b', 'c', 'd']);
		});

		it('expire as their settings say', async () => {
			const file = path.join(folder, 'a.run.recording.yaml');
			const old = createCall(1, 'old');
			fs.writeFileSync(
				file,
				update('', [{ ...old, text: `${old.text}meta: { at: 2020-01-01 }\n` }, createCall(2, 'new', { node: 'b' })]).text,
			);
			const opened: unknown[] = [];
			const client = {
				openRecording: async (body: unknown) => {
					opened.push(body);
					return { id: 'r', entries: 0 };
				},
				takeRecordedCalls: async () => ({ calls: [], used: [0], misses: [], drift: [], more: false }),
				closeRecording: async () => ({ result: 'success' as const }),
			};
			const open = (expires: string) =>
				FileRecording.openRecording({ client, file, mode: 'once', settings: { expires }, creator: 'a test' });
			assert.equal((await (await open('90d'))!.finish()).old, 1);
			await assert.rejects(open('90d error'), /1 of 2 entries are older than 90 days/);
			assert.equal((await open('90d record'))!.mode, 'new');
			assert.equal(scanRecording((opened.at(-1) as { readonly text: string }).text).length, 1);
			await assert.rejects(open('soon'), /'expires' is 'soon'/);
			fs.writeFileSync(file, 'recording: 9\n');
			await assert.rejects(open('90d'), /^RecordingFormatError: The recording has the format 9, which a newer version/);
		});
	});
});
