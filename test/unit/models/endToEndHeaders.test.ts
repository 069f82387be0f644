import assert from 'node:assert/strict';
import { getEndToEndHeaders } from '#models/endToEndHeaders.ts';

describe('headers of a passed through reply', () => {
	it("don't include those of the connection to the upstream, and its rules for web pages", () => {
		const connection = [
			...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
			...['te', 'trailer', 'transfer-encoding', 'upgrade', 'access-control-allow-origin'],
		];
		const headers = Object.fromEntries([...connection, 'content-type', 'request-id', 'set-cookie'].map(name => [name, 'x']));
		assert.deepEqual(getEndToEndHeaders({ ...headers, 'set-cookie': ['a', 'b'] }), {
			'content-type': 'x',
			'request-id': 'x',
			'set-cookie': ['a', 'b'],
		});
	});
});
