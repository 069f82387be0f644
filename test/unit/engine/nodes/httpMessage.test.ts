import assert from 'node:assert/strict';
import { buildHttpMessage, formatRequest } from '#engine/nodes/http/httpMessage.ts';
import { httpSchema } from '#engine/nodes/http/httpSchema.ts';
import { VariablePool } from '#engine/variables/variables.ts';
import { Redactor } from '#network/redaction.ts';

const secret = 'sk-0123456789-abcdefghijklmnopqrstuvwxyz';

describe('the record of a request', () => {
	it('contains no part of a secret if the body is truncated', () => {
		const message = {
			url: new URL('https://service.example/a'),
			headers: {},
			secretHeaders: new Set<string>(),
			redactor: new Redactor([secret]),
		};
		for (const before of [9_950, 9_965, 9_990, 9_999]) {
			const text = formatRequest('POST', message, Buffer.from(`${'x'.repeat(before)}${secret} and more`));
			assert.ok(!text.includes('sk-0'), text.slice(-60));
			assert.ok(text.length < 10_200);
		}
	});
});

describe('the headers of a request', () => {
	const createMessageWith = (headers: string, more: object = {}) =>
		buildHttpMessage(
			httpSchema.parse({ method: 'get', url: 'http://service.example/', headers, params: '', ...more }),
			new VariablePool(),
			[],
		);

	it('contain the last of several headers with one name, regardless of case', () => {
		const authorization = { type: 'api-key', config: { type: 'custom', api_key: 'k-12345', header: 'x-Key' } };
		assert.deepEqual(createMessageWith('A: 1\nX-Key: 2\nB: 3\na: 4', { authorization }).headers, { B: '3', a: '4', 'x-Key': 'k-12345' });
	});

	it('are built quickly, however many an agent file has', () => {
		const began = process.cpuUsage();
		const { headers } = createMessageWith(Array.from({ length: 20_000 }, (_, i) => `h${i}: x`).join('\n'));
		assert.equal(Object.keys(headers).length, 20_000);
		assert.ok(process.cpuUsage(began).user < 1_000_000);
	});
});
