import assert from 'node:assert/strict';
import { createUpstreamQuery } from '#models/upstreamRequest.ts';

describe('a query on its way upstream', () => {
	it("loses the caller's key, however its name is encoded, and keeps all other bytes", () => {
		for (const key of ['key=secret', 'key', 'k%65y=secret', '%6Be%79=secret']) {
			assert.equal(createUpstreamQuery(`a=%41&${key}&monkey=1&&alt=sse`), '?a=%41&monkey=1&alt=sse');
			assert.equal(createUpstreamQuery(key), '');
		}
	});
});
