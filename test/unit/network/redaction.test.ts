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
