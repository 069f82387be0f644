import assert from 'node:assert/strict';
import { createLimitedFetch, serviceReplyLimits } from '#network/replyLimits.ts';

/** Reads a reply of a service through the limits. */
async function readReply(chunks: readonly string[], counted: 'whole' | 'events', ms?: number): Promise<number> {
	const type = counted === 'events' ? 'text/event-stream' : 'application/json';
	const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
		start(controller) {
			for (const chunk of chunks) {
				controller.enqueue(new TextEncoder().encode(chunk));
			}
			controller.close();
		},
	});
	const fetch = createLimitedFetch(async () => new Response(body, { headers: { 'content-type': type } }), counted, {
		...serviceReplyLimits,
		...(ms !== undefined && { ms }),
	});
	return (await (await fetch('http://service.example/')).text()).length;
}

describe("the limits of a service's replies", () => {
	for (const counted of ['whole', 'events'] as const) {
		it(`refuse ${counted === 'whole' ? 'a reply' : 'an event'} of so many values that parsing it would block for seconds`, async () => {
			const start = counted === 'events' ? 'data: [' : '[';
			const many = [start, ...Array.from({ length: 100 }, () => '{},'.repeat(30_000)), '{}]\n\n'];
			await assert.rejects(readReply(many, counted), /exceeds the limit of 4 million values/);
			const text = ['["', ...Array.from({ length: 100 }, () => 'A long text, as usual. '.repeat(10_000)), '"]\n\n'];
			assert.ok((await readReply(text, counted)) > 20_000_000);
		});
	}

	for (const counted of ['whole', 'events'] as const) {
		it(`end ${counted === 'whole' ? 'a reply' : 'a stream'} that still comes, byte by byte, when its time is up`, async () => {
			await assert.rejects(readReply([' ', ' '], counted, -1), { code: 'UND_ERR_HEADERS_TIMEOUT' });
			assert.equal(await readReply([' ', ' '], counted, 60_000), 2);
		});
	}

	it('count the values of each event of a stream alone', async () => {
		const event = `data: [${'{},'.repeat(100_000)}{}]\n\n`;
		assert.equal(
			await readReply(
				Array.from({ length: 60 }, () => event),
				'events',
			),
			60 * event.length,
		);
	});
});
