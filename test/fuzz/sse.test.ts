import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StreamRules } from '#client/streams/eventReader.ts';
import { EventStream } from '#client/streams/eventStream.ts';
import { chatStream, completionsStream, contentStream, messagesStream, workflowStream } from '#client/streams/streamKinds.ts';
import { Redactor } from '#network/redaction.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const kinds: Readonly<Record<string, StreamRules<object>>> = {
	workflow: workflowStream as StreamRules<object>,
	chat: chatStream as StreamRules<object>,
	messages: messagesStream as StreamRules<object>,
	completions: completionsStream as StreamRules<object>,
	content: contentStream as StreamRules<object>,
};

/** Lines that a service may write, and invalid ones: JSON of any shape in the fields that readers use. */
const payload = fc.oneof(
	fc.json({ maxDepth: 4 }),
	fc
		.dictionary(
			fc.constantFrom(
				'event',
				'type',
				'data',
				'candidates',
				'content',
				'parts',
				'error',
				'promptFeedback',
				'stop_reason',
				'inputs',
				'total_steps',
			),
			fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('workflow_finished', 'message_stop', 'message_end', 'error', 'ping')),
		)
		.map(value => JSON.stringify(value)),
	fc.constantFrom(
		'[DONE]',
		'',
		'{',
		'null',
		'{"event":"workflow_finished","data":null}',
		'{"candidates":[null]}',
		'{"candidates":[{"content":{"parts":[3]}}]}',
	),
);
const line = fc.oneof(
	payload.map(text => `data: ${text}`),
	fc.string({ unit: 'binary', maxLength: 30 }),
	fc.constantFrom('', '', 'event: ping', 'event: error', ': comment', 'id: 1', 'retry: x', 'data'),
);
const stream = fc
	.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n\r\n')), { maxLength: 20 })
	.map(lines => Buffer.from(lines.flat().join('')));
const bytes = fc.oneof(
	stream,
	fc.uint8Array({ maxLength: 200 }).map(array => Buffer.from(array)),
);
const cuts = fc.array(fc.nat(2000), { maxLength: 12 });

describe('any bytes as an event stream', () => {
	for (const [kind, rules] of Object.entries(kinds)) {
		it(`give the same events and the same end, however they are split and read: ${kind}`, async () => {
			await fc.assert(
				fc.asyncProperty(bytes, cuts, async (all, at) => {
					const whole = await readOutcome(rules, [all], false);
					const chunks = splitBytes(all, at);
					assert.deepEqual(await readOutcome(rules, chunks, false), whole);
					assert.deepEqual(await readOutcome(rules, chunks, true), whole);
				}),
				{ numRuns: fuzzRuns },
			);
		});
	}
});

function splitBytes(all: Buffer, at: readonly number[]): Buffer[] {
	const ends = [0, ...at.map(cut => Math.min(cut, all.length)).toSorted((a, b) => a - b), all.length];
	return ends.slice(1).map((end, i) => all.subarray(ends[i], end));
}

/** Returns the events, then `end` or the error's class and reason. `asked`: requests all events before the bytes arrive. */
async function readOutcome(rules: StreamRules<object>, chunks: readonly Buffer[], asked: boolean): Promise<unknown[]> {
	const give = Promise.withResolvers<void>();
	const events = new EventStream(rules, {
		redactor: new Redactor([]),
		async open(sink) {
			sink.start(200, { 'content-type': 'text/event-stream' });
			const sendChunks = () => {
				for (const chunk of chunks) {
					sink.receiveChunk(chunk);
				}
				sink.endResponse();
			};
			if (asked) {
				void give.promise.then(sendChunks);
			} else {
				sendChunks();
			}
			return { flow: { pause() {}, resume() {}, cancel() {} }, origin: 'http://test' };
		},
		onClose() {},
	});
	const seen: unknown[] = [];
	const waiting = asked ? Array.from({ length: 60 }, () => readNextEvent(events)) : [];
	give.resolve();
	for (let i = 0; ; i++) {
		const next = await (waiting[i] ?? readNextEvent(events));
		seen.push(next);
		if (next === 'end' || (Array.isArray(next) && next[0] === 'ServiceError')) {
			await Promise.all(waiting);
			return seen;
		}
	}
}

async function readNextEvent(events: EventStream<object>): Promise<unknown> {
	try {
		const { done, value } = await events.next();
		return done ? 'end' : structuredClone(value);
	} catch (error) {
		const { name, reason, message } = error as Error & { reason?: string };
		assert.equal(name, 'ServiceError', String((error as Error).stack));
		return [name, reason, message];
	}
}
