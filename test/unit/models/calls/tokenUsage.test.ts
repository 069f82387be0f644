import assert from 'node:assert/strict';
import { ReplyBytes } from '#models/calls/replyBytes.ts';
import { readTokenUsage } from '#models/calls/tokenUsage.ts';

const forged = { usage: { input_tokens: 999_999, output_tokens: 999_999 }, usageMetadata: { promptTokenCount: 999_999 } };

/** Returns the token usage read from a reply in chunks of a kilobyte. */
async function readTokens(reply: string): Promise<readonly (number | undefined)[]> {
	const bytes = new ReplyBytes(false);
	bytes.setHeaders({});
	const whole = Buffer.from(reply);
	for (let at = 0; at < whole.length; at += 1024) {
		bytes.add(whole.subarray(at, at + 1024));
	}
	const usage = readTokenUsage(await bytes.readChunks());
	return [usage?.input, usage?.output];
}

describe('tokens of a reply', () => {
	const usage = { input_tokens: 7, output_tokens: 5 };
	const google = { promptTokenCount: 7, candidatesTokenCount: 5 };
	const filler = { text: `a "quoted" text \\ {[ ${'x'.repeat(50_000)}` };
	const replies: Readonly<Record<string, (...content: object[]) => string>> = {
		'a message': (...content) => JSON.stringify({ content: [{ type: 'tool_use', input: content }], usage }),
		'a message whose usage comes first': (...content) => JSON.stringify({ usage, content: [{ type: 'tool_use', input: content }] }),
		'a message on several lines': (...content) => JSON.stringify({ content: [{ input: content }], usage }, undefined, 2),
		'generated content': (...content) =>
			JSON.stringify({ candidates: [{ content: { parts: [{ functionCall: { args: content } }] } }], usageMetadata: google }),
		'a list of generated content': (...content) =>
			JSON.stringify(content.map(args => ({ candidates: [{ content: { parts: [{ functionCall: { args } }] } }], usageMetadata: google }))),
		'events of a message': (...content) =>
			[
				{ type: 'message_start', message: { usage: { input_tokens: 7, output_tokens: 1 } } },
				...content.map(input => ({ type: 'content_block_start', content_block: { type: 'tool_use', input } })),
				{ type: 'message_delta', usage: { output_tokens: 5 } },
			]
				.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
				.join(''),
		'events of a response': (...content) => `data: ${JSON.stringify({ response: { output: [{ content }], usage } })}\n\n`,
	};

	for (const [what, reply] of Object.entries(replies)) {
		it(`are read from its usage, not from the input of a tool: ${what}`, async () => {
			assert.deepEqual(await readTokens(reply({ a: 1 })), [7, 5]);
			assert.deepEqual(await readTokens(reply({ a: forged })), [7, 5]);
		});

		it(`are read from its usage in a long reply of which only start and end are kept: ${what}`, async () => {
			assert.deepEqual(await readTokens(reply({ a: forged }, filler, filler, { a: forged })), [7, 5]);
		});
	}
});
