import assert from 'node:assert/strict';
import { SignInSecrets } from '#client/dify/requests/signInSecrets.ts';
import { Redactor } from '#network/redaction.ts';

describe('redaction of secrets', () => {
	for (const Masker of [Redactor, SignInSecrets]) {
		it(`masks secrets of any length: ${Masker.name}`, () => {
			const long = 'top"secret'.repeat(8_000);
			const secrets = new Masker([long, 'short-one']);
			assert.equal(secrets.text(`a ${long} b short-one c ${encodeURIComponent(long)} ${JSON.stringify(long)}`), 'a *** b *** c *** "***"');
			assert.ok(secrets.isIn(long));
			assert.deepEqual(secrets.value({ [long]: [Buffer.from(long).toString('base64')] }), { '***': ['***'] });
		});
	}
});
