import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { EventSourceMessage } from 'eventsource-parser';
import { EventDecoder } from '#client/streams/eventDecoder.ts';
import { findFixturesFolder } from './fixtures.ts';

interface Vector {
	readonly name: string;
	readonly input: string;
	readonly events: readonly { readonly event: string; readonly data: string }[];
}

describe('EventDecoder', () => {
	const folder = findFixturesFolder();
	const vectors: Vector[] = folder ? JSON.parse(readFileSync(path.join(folder, 'sse', 'vectors.json'), 'utf8')).vectors : [];
	if (vectors.length === 0) {
		it('reads the vectors of event streams (skipped: shared/fixtures is missing)', function () {
			this.skip();
		});
	}
	for (const { name, input, events } of vectors) {
		it(`reads ${name}, whole and byte by byte`, () => {
			const bytes = Buffer.from(input);
			const expected = events.map(({ event, data }) => ({ event, data }));
			for (const chunks of [[bytes], [...bytes].map(byte => Buffer.of(byte))]) {
				assert.deepEqual(decodeEvents(chunks, false), expected);
			}
		});
	}

	it('emits an event without its final blank line at the end', () => {
		assert.deepEqual(decodeEvents([Buffer.from('data: {"a":1}')], true), [{ event: 'message', data: '{"a":1}' }]);
		assert.deepEqual(decodeEvents([Buffer.from('data: 1\n')], true), [{ event: 'message', data: '1' }]);
	});
	it('takes about as long for invalid lines as for others', () => {
		const chunk = Buffer.from(`${'not a field\n'.repeat(30_000)}data: 1\n\n`);
		const began = process.cpuUsage();
		assert.equal(
			decodeEvents(
				Array.from({ length: 10 }, () => chunk),
				false,
			).length,
			10,
		);
		assert.ok(process.cpuUsage(began).user < 1_000_000);
	});
	it('ends with an error at an event that is too long, even if it ends in the same chunk', () => {
		const chunk = Buffer.from(`data: ${'x'.repeat(1024 * 1024)}\n`);
		const chunks = [...Array.from({ length: 127 }, () => chunk), Buffer.concat([chunk, Buffer.from('data: y\n\n')])];
		assert.throws(() => decodeEvents(chunks, false), { name: 'RangeError', message: 'an event has more than 134217728 characters' });
	}).timeout(60_000);
	it('joins a character that is split across three chunks', () => {
		const bytes = Buffer.from('data: 🦊\n\n');
		assert.deepEqual(decodeEvents([bytes.subarray(0, 7), bytes.subarray(7, 8), bytes.subarray(8)], false), [
			{ event: 'message', data: '🦊' },
		]);
	});
	it('reads an event of 8 MB in small chunks in time proportional to its size', () => {
		const piece = Buffer.from('x'.repeat(1000));
		const chunks = [Buffer.from('data: '), ...Array.from({ length: 8000 }, () => piece), Buffer.from('\n\n')];
		assert.equal(decodeEvents(chunks, false)[0]!.data.length, 8_000_000);
	});
	it('refuses an event with too many lines before storing them', () => {
		const chunk = Buffer.from('data: x\n'.repeat(8_192));
		const decoder = new EventDecoder(() => {});
		assert.throws(() => {
			for (let lines = 0; lines < 2_000_000; lines += 8_192) {
				decoder.push(chunk);
			}
		}, /an event has more than 65536 lines/);
	});
	it('counts the lines of one event, not those of comments and earlier events', () => {
		const chunks = Array.from({ length: 20 }, (_, i) =>
			Buffer.from(i % 2 ? ': still there\n\n'.repeat(8_000) : 'data: 1\n'.repeat(4_000).concat('\n')),
		);
		assert.equal(decodeEvents(chunks, false).length, 10);
	});
});

function decodeEvents(chunks: readonly Buffer[], toTheEnd: boolean): { event: string; data: string }[] {
	const events: { event: string; data: string }[] = [];
	const decoder = new EventDecoder(({ event, data }: EventSourceMessage) => {
		events.push({ event: event ?? 'message', data });
	});
	for (const chunk of chunks) {
		decoder.push(chunk);
	}
	if (toTheEnd) {
		decoder.flushEvents();
	}
	return events;
}
