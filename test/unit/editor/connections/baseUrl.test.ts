import assert from 'node:assert/strict';
import { getUrlOrigin, isUnencrypted, normalizeBaseUrl } from '#editor/connections/baseUrl.ts';

describe('a base URL', () => {
	const cases: [text: string, normal: string | undefined][] = [
		[' https://Gateway.Example.com/ ', 'https://gateway.example.com'],
		['http://localhost:8080/v1/', 'http://localhost:8080/v1'],
		['https://host/a/b?key=secret#x', 'https://host/a/b'],
		['https://host:443', 'https://host'],
		['https://ana@host', undefined],
		['https://ana:secret@host', undefined],
		['file:///etc/passwd', undefined],
		['javascript:alert(1)', undefined],
		['host.example.com', undefined],
		['', undefined],
	];
	for (const [text, normal] of cases) {
		it(`normalizes '${text}' to ${normal ?? 'nothing'}`, () => assert.equal(normalizeBaseUrl(text), normal));
	}

	it('has an origin with scheme, host and port', () => {
		assert.equal(getUrlOrigin('https://host/a/b'), 'https://host');
		assert.notEqual(getUrlOrigin('https://host'), getUrlOrigin('http://host'));
		assert.notEqual(getUrlOrigin('https://host'), getUrlOrigin('https://host:8443'));
	});

	it('is unencrypted only for http over a network', () => {
		assert.deepEqual(['http://host', 'http://localhost:1', 'http://127.0.0.1', 'http://[::1]', 'https://host'].map(isUnencrypted), [
			true,
			false,
			false,
			false,
			false,
		]);
	});
});
