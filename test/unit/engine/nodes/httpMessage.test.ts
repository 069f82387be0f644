import assert from 'node:assert/strict';
import { requestText } from '#engine/nodes/http/httpMessage.ts';
import { Redactor } from '#network/redaction.ts';

const secret = 'sk-0123456789-abcdefghijklmnopqrstuvwxyz';

describe('the record of a request', () => {
	it('has no part of a secret where the body is cut', () => {
		const message = {
			url: new URL('https://service.example/a'),
			headers: {},
			secretHeaders: new Set<string>(),
			redactor: new Redactor([secret]),
		};
		for (const before of [9_950, 9_965, 9_990, 9_999]) {
			const text = requestText('POST', message, Buffer.from(`${'x'.repeat(before)}${secret} and more`));
			assert.ok(!text.includes('sk-0'), text.slice(-60));
			assert.ok(text.length < 10_200);
		}
	});
});
