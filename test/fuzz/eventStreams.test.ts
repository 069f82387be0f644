import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { PacedOutput } from '#gateway/server/pacedOutput.ts';
import { fuzzRuns } from './fuzzRuns.ts';

/** A response whose reader takes each chunk immediately, or a turn later. */
class Reader extends Writable {
	readonly #chunks: Buffer[] = [];
	readonly #slow: boolean;

	constructor(slow: boolean) {
		super({ highWaterMark: 64 });
		this.#slow = slow;
	}

	override _write(chunk: Buffer, _encoding: string, done: () => void): void {
		this.#chunks.push(chunk);
		if (this.#slow) {
			setImmediate(done);
		} else {
			done();
		}
	}

	get bytes(): Buffer {
		return Buffer.concat(this.#chunks);
	}
}

describe('event streams with any content', () => {
	it('arrive as sent, however they are split', () =>
		fc.assert(
			fc.asyncProperty(fc.array(fc.jsonValue()), fc.boolean(), fc.integer({ min: 1, max: 50 }), async (events, slow, cut) => {
				const reader = new Reader(slow);
				const output = new PacedOutput(reader as unknown as ServerResponse);
				for (const event of events) {
					output.send(`data: ${JSON.stringify(event)}\n\n`);
				}
				const ended = new Promise(resolve => reader.once('finish', resolve));
				output.endOutput();
				await ended;
				const read: unknown[] = [];
				const parser = createParser({ onEvent: ({ data }) => read.push(JSON.parse(data)) });
				const decoder = new TextDecoder();
				for (let at = 0; at < reader.bytes.length; at += cut) {
					parser.feed(decoder.decode(reader.bytes.subarray(at, at + cut), { stream: true }));
				}
				assert.equal(JSON.stringify(read), JSON.stringify(events));
			}),
			{ numRuns: fuzzRuns },
		));
});
