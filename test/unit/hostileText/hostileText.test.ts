import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { parsers } from './parsers.ts';

/** Far more than any parser needs for one string; quadratic time would take minutes. */
const limitMs = 10_000;

describe('hostile text', () => {
	let worker: Worker | undefined;
	after(() => worker?.terminate());

	for (const name of Object.keys(parsers)) {
		it(`does not block the thread: ${name}`, async () => {
			worker ??= new Worker(new URL('./parsers.ts', import.meta.url));
			const used = worker;
			worker = undefined;
			const slow = await findSlowText(used, name);
			if (slow === undefined) {
				worker = used;
			} else {
				await used.terminate();
			}
			assert.equal(slow, undefined, `took over ${limitMs / 1000} s`);
		});
	}
});

/** Returns the kind of text that a parser doesn't finish in time; undefined if it finishes all. */
function findSlowText(worker: Worker, name: string): Promise<string | undefined> {
	return new Promise((resolve, reject) => {
		let kind = 'start';
		let timer: NodeJS.Timeout;
		const settle = (slow: string | undefined) => {
			clearTimeout(timer);
			worker.off('message', onMessage).off('error', reject);
			resolve(slow);
		};
		const watch = () => setTimeout(() => settle(kind), limitMs);
		const onMessage = (message: { kind: string } | { done: true }) => {
			clearTimeout(timer);
			if ('done' in message) {
				settle(undefined);
			} else {
				kind = message.kind;
				timer = watch();
			}
		};
		timer = watch();
		worker.on('message', onMessage).on('error', reject);
		worker.postMessage(name);
	});
}
