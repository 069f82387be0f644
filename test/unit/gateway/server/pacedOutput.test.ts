import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { PacedOutput } from '#gateway/server/pacedOutput.ts';

/** A response whose client only reads when `readChunk` is called, with a manual clock. */
class SlowReader extends Writable {
	now = 0;
	taken = '';
	#takers: (() => void)[] = [];

	constructor() {
		super({ highWaterMark: 16 * 1024, decodeStrings: true });
	}

	override _write(chunk: Buffer, _encoding: string, done: () => void): void {
		this.#takers.push(() => {
			this.taken += chunk;
			done();
		});
	}

	/** Reads the last chunk written. Returns false if nothing waits. */
	async readChunk(): Promise<boolean> {
		const taker = this.#takers.shift();
		taker?.();
		await new Promise(resolve => setImmediate(resolve));
		return taker !== undefined;
	}

	createOutput(): PacedOutput {
		return new PacedOutput(this as unknown as ServerResponse, () => this.now);
	}
}

const megabyte = 'x'.repeat(1024 * 1024);

describe('PacedOutput', () => {
	it('sends everything in order, then ends', async () => {
		const reader = new SlowReader();
		const output = reader.createOutput();
		output.send('begin ');
		output.send(megabyte);
		output.send(' end');
		output.endOutput();
		output.send('too late');
		while (await reader.readChunk()) {}
		assert.equal(reader.taken, `begin ${megabyte} end`);
		assert.ok(reader.writableFinished);
	});

	it('keeps a slow client, however long it takes', async () => {
		const reader = new SlowReader();
		const output = reader.createOutput();
		for (let i = 0; i < 20; i++) {
			output.send(megabyte);
		}
		for (let i = 0; i < 200; i++) {
			reader.now += 4_000;
			await reader.readChunk();
			output.send('more');
			assert.ok(!reader.destroyed, `after ${reader.now} ms`);
		}
	});

	it('disconnects a client that stops reading while much waits, also after everything was sent', async () => {
		const reader = new SlowReader();
		const output = reader.createOutput();
		for (let i = 0; i < 20; i++) {
			output.send(megabyte);
		}
		output.endOutput();
		reader.now = 4_000;
		output.checkReader();
		assert.ok(!reader.destroyed);
		reader.now = 6_000;
		output.checkReader();
		assert.ok(reader.destroyed);
		await output.waitForRoom();
	});

	it('resolves when there is room', async () => {
		const reader = new SlowReader();
		const output = reader.createOutput();
		await output.waitForRoom();
		output.send(megabyte);
		let hasRoom = false;
		void output.waitForRoom().then(() => {
			hasRoom = true;
		});
		await reader.readChunk();
		assert.equal(hasRoom, false);
		while (await reader.readChunk()) {}
		assert.equal(hasRoom, true);
	});
});
