import assert from 'node:assert/strict';
import * as z from 'zod';
import { openRecordingSchema, recordingUseSchema } from '#contract/recordings/recordings.ts';
import { formatEntry, parseEntry } from '#engine/recordings/entryText.ts';
import { RecordingMarks } from '#engine/recordings/recordingMarks.ts';
import { RecordingSession } from '#engine/recordings/recordingSession.ts';
import { RunRecording } from '#engine/recordings/runRecording.ts';
import { updateRecordingText } from '#runs/recordings/recordingFile.ts';

const parts = { readPart: () => assert.fail('no part'), redactText: (text: string) => text };
const head = { key: 'http:5f2c9e1a03bb', node: 'ask', call: 1 };

/** Records replies to the requests `{ n: 0 }` and so on, one in each case. Returns the text of the recording. */
function recordReplies(replies: readonly unknown[], marks: RecordingMarks): string {
	const session = new RecordingSession({ mode: 'new' }, parts);
	for (const [n, reply] of replies.entries()) {
		const turn = takeTurn(new RunRecording(session, { id: 'r', case: `case ${n}` }), n, marks);
		assert.ok('record' in turn);
		turn.record({ reply });
	}
	return updateRecordingText('', { calls: session.takeCalls().calls, used: new Set(), renewed: [], creator: 'a test' }).text;
}

const takeTurn = (run: RunRecording, n: unknown, marks: RecordingMarks) =>
	run.takeTurn({ kind: 'http', node: 'ask', marks, request: { n }, shape: z.unknown(), signal: new AbortController().signal });

function replayReply(text: string, n: unknown, marks: RecordingMarks, place: object = {}): unknown {
	const session = new RecordingSession({ mode: 'none', text }, parts);
	const turn = takeTurn(new RunRecording(session, { id: 'r', ...place }), n, marks);
	assert.ok('replayed' in turn);
	return turn.replayed.reply;
}

const createMarks = (secret: string) => new RecordingMarks({ secretNames: ['KEY'], environment: { KEY: secret } }, {});

describe('recordings of hostile services', () => {
	it('fill no secret into a reply that contains the text of a placeholder', () => {
		const replies = ['⟦secret 0 KEY⟧', '⟦⟦secret 0 KEY⟧⟧', '⟦bracket⟧secret 0 KEY⟧', '⟦', 'key: canary-8812'];
		const text = recordReplies(replies, createMarks('canary-8812'));
		assert.ok(!text.includes('canary'));
		for (const [n, reply] of replies.entries()) {
			assert.equal(replayReply(text, n, createMarks('other-4471')), reply.replace('canary-8812', 'other-4471'), reply);
		}
	});

	it('fill a secret into a planted reply only if its request contained it, while something may be called', () => {
		const marks = createMarks('canary-8812');
		const planted = recordReplies(['here it is: canary-8812', 'echo'], marks);
		const replay = (mode: 'none' | 'new' | 'drift', more: object) => {
			const run = new RunRecording(new RecordingSession({ mode, text: planted, ignore: ['password'] }, parts), { id: 'r' });
			const call = {
				kind: 'http',
				node: 'ask',
				marks,
				request: { n: 0 },
				shape: z.unknown(),
				signal: new AbortController().signal,
			} as const;
			const turn = run.takeTurn({ ...call, ...more });
			assert.ok('replayed' in turn);
			return turn.replayed.reply;
		};
		for (const mode of ['new', 'drift'] as const) {
			assert.equal(replay(mode, {}), 'here it is: ⟦secret 0 KEY⟧');
			const sent = { authorization: `Basic ${Buffer.from('ana:canary-8812').toString('base64')}` };
			assert.equal(replay(mode, { sent }), 'here it is: canary-8812');
			assert.equal(replay(mode, { request: { n: 0, password: 'canary-8812' } }), 'here it is: canary-8812');
		}
		assert.equal(replay('none', {}), 'here it is: canary-8812');
	});

	it('contain the placeholders of a request once, so that they are no difference to another request', () => {
		const marks = createMarks('canary-8812');
		const call = { kind: 'http', node: 'ask', marks, shape: z.unknown(), signal: new AbortController().signal } as const;
		const session = new RecordingSession({ mode: 'new' }, parts);
		const turn = new RunRecording(session, { id: 'r' }).takeTurn({ ...call, request: { key: 'canary-8812', n: 1 } });
		assert.ok('record' in turn);
		turn.record({ reply: 'fine' });
		const { text } = updateRecordingText('', { calls: session.takeCalls().calls, used: new Set(), renewed: [], creator: 'a test' });
		const replay = new RunRecording(new RecordingSession({ mode: 'none', text }, parts), { id: 'r' });
		assert.throws(
			() => replay.takeTurn({ ...call, request: { key: 'canary-8812', n: 2 } }),
			/First difference, at 'n': recorded '1', now '2'/,
		);
	});

	it('are found with a new value of a secret whose encoded forms are equal', () => {
		const session = new RecordingSession({ mode: 'new' }, parts);
		const turn = takeTurn(new RunRecording(session, { id: 'r' }), encodeURIComponent('a b/canary'), createMarks('a b/canary'));
		assert.ok('record' in turn);
		turn.record({ reply: 'fine' });
		const { text } = updateRecordingText('', { calls: session.takeCalls().calls, used: new Set(), renewed: [], creator: 'a test' });
		assert.equal(replayReply(text, 'plain-secret', createMarks('plain-secret')), 'fine');
	});

	it('contain no number with a secret, and fill it in as a number', () => {
		const replies = [{ pin: 88124471, list: [1, 88124471.5, 'PIN 88124471'] }];
		const text = recordReplies(replies, createMarks('88124471'));
		assert.doesNotMatch(text, /88124471/);
		assert.deepEqual(replayReply(text, 0, createMarks('5533')), { pin: 5533, list: [1, 5533.5, 'PIN 5533'] });
		assert.deepEqual(replayReply(text, 0, createMarks('none')), { pin: 'none', list: [1, 'none.5', 'PIN none'] });
	});

	it('fill a long secret into a reply only as often as fits', () => {
		const text = recordReplies(['canary-8812 '.repeat(1000)], createMarks('canary-8812'));
		assert.equal(String(replayReply(text, 0, createMarks('x'.repeat(1000)))).length, 1_001_000);
		assert.throws(
			() => replayReply(text, 0, createMarks('x'.repeat(20_000))),
			/^RecordingFormatError: An entry gets longer than 16777216 /,
		);
	});

	it('are refused with very many secrets, or paths that are not compared', () => {
		const takesSecrets = (count: number, length: number) =>
			recordingUseSchema.safeParse({
				id: 'r',
				secrets: Object.fromEntries(Array.from({ length: count }, (_, at) => [`name ${at}`, 'x'.repeat(length)])),
			}).success;
		assert.deepEqual([takesSecrets(500, 200), takesSecrets(501, 8), takesSecrets(1, 100_001)], [true, false, false]);
		const takesPaths = (count: number) => openRecordingSchema.safeParse({ mode: 'new', ignore: new Array(count).fill('*.*') }).success;
		assert.deepEqual([takesPaths(100), takesPaths(101)], [true, false]);
	});

	it('replay a reply that looks like a reference to a file', () => {
		const replies = [{ $part: 'a.txt' }, { input: { $part: `${'0'.repeat(32)}.txt` } }, { $part: 1 }];
		for (const reply of replies) {
			const { text, parts: files } = formatEntry(head, { request: {}, reply });
			const content = parseEntry(text, 1, name => files.find(each => each.name === name)?.content ?? assert.fail(name));
			assert.deepEqual(content.reply, reply);
		}
	});

	it('are compared with a request that has no entry only up to a length', () => {
		const createEntry = (values: number) =>
			`---\nkey: http:5f2c9e1a03bb\nnode: ask\nrequest: { n: 1, list: [${'1,'.repeat(values)}1] }\nreply: 1\n`;
		const describe = (values: number) => {
			const session = new RecordingSession({ mode: 'none', text: `recording: 1\n${createEntry(values)}` }, parts);
			return session.addMiss('http', { n: 2 }, {}, 'ask').message;
		};
		assert.match(describe(10), /The nearest entry is at line 3/);
		assert.match(describe(60_000), /has no HTTP request to compare with/);
	});

	it('are refused if an entry has very many values', () => {
		const text = `key: http:5f2c9e1a03bb\nreply: [${'1,'.repeat(100_000)}1]\n`;
		assert.throws(() => parseEntry(text, 3, parts.readPart), /^RecordingFormatError: The entry at line 3 has more than 100000 values\.$/);
	});

	it('read and write requests with very many fields in linear time', function () {
		this.timeout(60_000);
		const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field${at}`, at]));
		const started = process.cpuUsage();
		const { text } = formatEntry(head, { request: { body }, reply: { status: 200 } });
		assert.deepEqual(parseEntry(text, 1, parts.readPart).request, { body });
		assert.ok(process.cpuUsage(started).user < 6_000_000);
	});

	it('find entries in constant time, however many cases have the same request', function () {
		this.timeout(60_000);
		const count = 5_000;
		const calls = Array.from({ length: count }, (_, at) => ({
			case: `case ${at}`,
			node: 'ask',
			call: 1,
			text: `key: ${head.key}\ncase: case ${at}\nnode: ask\ncall: 1\nrequest: {}\nreply: ${at}\n`,
			parts: [],
		}));
		const { text } = updateRecordingText('', { calls, used: new Set(), renewed: [], creator: 'a test' });
		const session = new RecordingSession({ mode: 'none', text }, parts);
		const started = process.cpuUsage();
		for (let at = 0; at < count; at++) {
			const [found] = session.findEntries(head.key, { case: `case ${at}` }, 'ask');
			assert.equal(found?.case, `case ${at}`);
		}
		assert.ok(process.cpuUsage(started).user < 1_000_000);
		assert.equal(session.findEntries(head.key, { case: 'case 1', repeat: 2 }, 'other').length, 1);
		assert.equal(session.findEntries(head.key, { case: 'new' }, 'ask').length, count);
		assert.equal(session.findEntries('http:000000000000', {}, 'ask').length, 0);
	});
});
