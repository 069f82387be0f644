import assert from 'node:assert/strict';
import { findLikelyKey, maskKeys } from '#base/text/likelyKeys.ts';

describe('masking keys in texts for others', () => {
	for (const [text, masked] of [
		['key sk-ant-api03-AbCdEf_123 was refused', 'key *** was refused'],
		['awb-0123456789abcdef and ghp_abcdefgh1234', '*** and ***'],
		['AIzaSyA1234567890abcdefghij', '***'],
		['eyJhbGciOiJI.eyJzdWIiOiIx.sig_nature', '***'],
		['authorization: Bearer abc.def-123', 'authorization: Bearer ***'],
		['proxy http://ana:s3cret@proxy.example:8080/', 'proxy http://***proxy.example:8080/'],
		['GET /v1/files?api_key=abc123&page=2', 'GET /v1/files?api_key=***&page=2'],
		['{"password": "a b", "user": "ana"}', '{"password": ***, "user": "ana"}'],
		[`body ${'a1'.repeat(20)} end`, 'body *** end'],
	] as const) {
		it(`masks ${text.slice(0, 40)}`, () => {
			assert.equal(maskKeys(text, []), masked);
		});
	}

	it('masks known secrets in all their forms', () => {
		const known = 'my own/word';
		const text = `${known} ${encodeURIComponent(known)} ${Buffer.from(known).toString('base64')}`;
		assert.equal(maskKeys(text, [known, '']), '*** *** ***');
	});

	it('leaves counts, run IDs and ordinary messages as they are', () => {
		const text = 'POST /v1/messages 429 312 ms tokens=1200 run 3f2b8c1e-0a7d-4a57-9f0e-2d1c5b6a7e88 monkey business';
		assert.equal(maskKeys(text, ['abc']), text);
	});

	it('takes linear time', () => {
		const began = performance.now();
		for (const part of ['eyJaaaaaaaa.', 'token', '://a', 'sk-', 'auth: ', 'a_', '"key":"']) {
			maskKeys(part.repeat(50_000), []);
		}
		assert.ok(performance.now() - began < 2_000);
	});
});

describe('a text of a recording', () => {
	it('may contain an image of ten megabytes in base64', () => {
		const image = 'aB3dEfGh+/'.repeat(1_000_000);
		assert.equal(findLikelyKey(image), undefined);
		for (const start of ['app-', 'ghp_', 'AIza', 'Bearer ']) {
			assert.equal(findLikelyKey(`x ${start}${image.replaceAll(/[+/]/g, 'x')}`)?.startsWith(start), true, start);
		}
	});

	it('contains a key that is a long random word', () => {
		const key = 'q7Zx0Lm2Pn5Rt8Vw1Yb4Cd6Fg9Hj3Kk0Ss';
		assert.equal(findLikelyKey(`say ${key} twice`), key);
		assert.equal(findLikelyKey(`id: "${key}"`), undefined);
	});
});
