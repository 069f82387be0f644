import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StreamRules } from '#client/streams/eventReader.ts';
import { EventStream } from '#client/streams/eventStream.ts';
import { contentStream, messagesStream, workflowStream } from '#client/streams/streamKinds.ts';
import { Redactor } from '#network/redaction.ts';
import { findFixturesFolder, listRecordedStreams } from './fixtures.ts';

const run = { task_id: 't-ä', workflow_run_id: 'r' };
const events = [
	{ event: 'workflow_started', ...run, data: { id: 'r', inputs: { text: 'größer € 🦊 \u2028' } } },
	{ event: 'node_started', ...run, data: { id: 'n', title: '節點', inputs: null } },
	{ event: 'something_new', more: [1, { deep: '\r\n' }] },
	{
		event: 'workflow_finished',
		...run,
		data: { id: 'r', status: 'succeeded', outputs: { answer: 'ß' }, total_steps: 2, created_at: 1, finished_at: 2 },
	},
];
const formatDataLines = (event: object) =>
	JSON.stringify(event, null, 1)
		.split('\n')
		.map(line => `data: ${line}`)
		.join('\n');
/** The same run in every allowed framing. */
const framings: Readonly<Record<string, string>> = {
	'LF, pings between': events.map(event => `event: ping\n\ndata: ${JSON.stringify(event)}\n\n`).join(''),
	CRLF: events.map(event => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''),
	CR: events.map(event => `data:${JSON.stringify(event)}\r\r`).join(''),
	'BOM, comments, no last blank line': `\ufeff: hello\n\n${events.map(event => `: c\ndata: ${JSON.stringify(event)}`).join('\n\n')}`,
	'several data lines, [DONE]': `${events.map(event => `id: 7\n${formatDataLines(event)}\n\n`).join('')}data: [DONE]\n\n`,
};

describe('event streams split anywhere', () => {
	for (const [name, text] of Object.entries(framings)) {
		it(`gives the same events at every byte boundary: ${name}`, async () => {
			const bytes = Buffer.from(text);
			for (let at = 0; at <= bytes.length; at++) {
				assert.deepEqual(await readEvents(workflowStream, [bytes.subarray(0, at), bytes.subarray(at)]), events, `split at ${at}`);
			}
			assert.deepEqual(
				await readEvents(
					workflowStream,
					[...bytes].map(byte => Buffer.of(byte)),
				),
				events,
				'byte by byte',
			);
		});
	}

	const folder = findFixturesFolder();
	if (folder === undefined) {
		it('gives the same events of recorded streams (skipped: shared/fixtures is missing)', function () {
			this.skip();
		});
		return;
	}
	for (const { name, service, payloads, bytes } of listRecordedStreams(folder)) {
		it(`gives the same events of ${service}/${name}, byte by byte and in any chunks`, async () => {
			const expected = payloads.map(payload => JSON.parse(payload));
			const readAll = (chunks: Buffer[]) =>
				service === 'anthropic' ? readEvents(messagesStream, chunks) : readEvents(contentStream, chunks);
			assert.deepEqual(await readAll([bytes]), expected);
			assert.deepEqual(await readAll([...bytes].map(byte => Buffer.of(byte))), expected, 'byte by byte');
			await fc.assert(
				fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 40 }), async cuts => {
					assert.deepEqual(await readAll(cutChunks(bytes, cuts)), expected);
				}),
				{ numRuns: 10 },
			);
		});
	}
});

function cutChunks(bytes: Buffer, cuts: readonly number[]): Buffer[] {
	const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
	return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

/** Returns the events of a stream that gets these chunks, all before it is read or one after the other. */
async function readEvents<T extends object>(rules: StreamRules<T>, chunks: readonly Buffer[]): Promise<T[]> {
	const stream = new EventStream(rules, {
		redactor: new Redactor([]),
		async open(sink) {
			sink.start(200, { 'content-type': 'text/event-stream' });
			for (const chunk of chunks) {
				sink.receiveChunk(chunk);
			}
			sink.endResponse();
			return { flow: { pause() {}, resume() {}, cancel() {} }, origin: 'http://test' };
		},
		onClose() {},
	});
	const all: T[] = [];
	for await (const event of stream) {
		all.push(event);
	}
	return all;
}
