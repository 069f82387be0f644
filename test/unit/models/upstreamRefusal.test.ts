import assert from 'node:assert/strict';
import { createRefusalFault, UpstreamRefusal } from '#models/upstreamRefusal.ts';

const key = 'sk-0123456789-abcdefghijklmnopqrstuvwxyz';

describe('a refusal that quotes the key', () => {
	const bodies: Readonly<Record<string, (text: string) => string>> = {
		'a message': text => JSON.stringify({ error: { message: text } }),
		'plain text': text => text,
		'the title of a page': text => `<html><title>${text}</title></html>`,
	};
	for (const [what, bodyOf] of Object.entries(bodies)) {
		it(`contains no part of it wherever the message is truncated: ${what}`, () => {
			for (let before = 440; before <= 520; before++) {
				const refusal = new UpstreamRefusal(401, {});
				refusal.add(Buffer.from(bodyOf('x'.repeat(before) + key)));
				const { message } = createRefusalFault(refusal, 'https://service.example', key);
				assert.ok(!message.includes(key.slice(0, 6)), message);
			}
		});
	}
});
