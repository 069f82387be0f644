import assert from 'node:assert/strict';
import { SignInSecrets } from '#client/dify/requests/signInSecrets.ts';
import { Redactor } from '#network/redaction.ts';

describe('redacting secrets', () => {
	for (const Masker of [Redactor, SignInSecrets]) {
		it(`masks secrets of any length: ${Masker.name}`, () => {
			const long = 'top"secret'.repeat(8_000);
			const secrets = new Masker([long, 'short-one']);
			assert.equal(
				secrets.redactText(`a ${long} b short-one c ${encodeURIComponent(long)} ${JSON.stringify(long)}`),
				'a *** b *** c *** "***"',
			);
			assert.ok(secrets.containsSecret(long));
			assert.deepEqual(secrets.redactValue({ [long]: [Buffer.from(long).toString('base64')] }), { '***': ['***'] });
		});
	}
});

describe('the redactor', () => {
	it('masks characters outside ASCII that JSON escapes, in either case', () => {
		const secret = 'päss "wörd" 日本 😀 \u001f';
		const redactor = new Redactor([secret]);
		const lower = 'p\\u00e4ss \\"w\\u00f6rd\\" \\u65e5\\u672c \\ud83d\\ude00 \\u001f';
		const upper = 'p\\u00E4ss \\"w\\u00F6rd\\" \\u65E5\\u672C \\uD83D\\uDE00 \\u001F';
		assert.equal(JSON.parse(`"${lower}"`), secret);
		assert.equal(redactor.redactText(`${secret}, ${lower}, ${upper}`), '***, ***, ***');
		assert.equal(new Redactor(['a\\u00e9é']).redactText('a\\\\u00e9\\u00E9'), '***', 'only escapes have another case');
	});

	it('masks a secret as it appears in a parsed URL', () => {
		const secret = 'a "b" {c}/d+e=f&ü';
		const redactor = new Redactor([secret]);
		const url = new URL(`http://host/1/${secret}/2?k=${secret}`);
		const { username } = Object.assign(new URL('http://host'), { username: secret });
		assert.equal(redactor.redactText(`${url.href} ${username}`), 'http://host/1/***/2?k=*** ***');
	});

	it('masks a secret inside of longer base64', () => {
		for (const before of ['', 'u', 'us', 'user:']) {
			for (const after of ['', '>', '?>', '<>?']) {
				const text = Buffer.from(`${before}p"ss>word?~1~~>${after}`).toString('base64');
				const redactor = new Redactor(['p"ss>word?~1~~>']);
				assert.match(redactor.redactText(text), /^.{0,8}\*\*\*.{0,8}$/);
				const urlText = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
				assert.match(redactor.redactText(urlText), /^.{0,8}\*\*\*.{0,8}$/);
			}
		}
		assert.equal(new Redactor(['abcd']).redactText('eGFiY2RlZg'), 'eGFiY2RlZg', 'a short secret would occur by chance');
	});

	it('masks a secret that other encoders wrote', () => {
		const redactor = new Redactor(['a/b"c/ü']);
		const twice = JSON.stringify(JSON.stringify('a/b"c/ü')).slice(3, -3);
		assert.equal(redactor.redactText(`a\\/b\\"c\\/ü a%2fb%22c%2f%c3%bc ${twice}`), '*** *** ***');
	});

	it('masks no text that a parsed URL left of a secret', () => {
		assert.equal(new Redactor(['secret/../b']).redactText('a b c'), 'a b c');
	});

	it('masks a secret of any length equally fast', () => {
		const secret = Array.from({ length: 30_000 }, (_, i) => String.fromCharCode(97 + ((i * 7) % 26))).join('');
		const encoded = Buffer.from(secret).toString('base64');
		assert.equal(new Redactor([secret]).redactText(`1 ${secret} 2 ${encoded}`), '1 *** 2 ***');

		const letters = 'a'.repeat(1_000_000);
		const began = process.cpuUsage();
		assert.equal(new Redactor([`${'a'.repeat(10_000)}b${'a'.repeat(10_000)}`]).containsSecret(letters), true);
		assert.equal(new Redactor([`${'a'.repeat(50)}b${'a'.repeat(10_000)}`]).redactText(letters), letters);
		assert.ok(process.cpuUsage(began).user < 1_000_000);
	});
});
