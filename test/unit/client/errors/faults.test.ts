import assert from 'node:assert/strict';
import { httpFault } from '#client/errors/faults.ts';
import { Redactor } from '#network/redaction.ts';

const key = 'sk-verysecretkey-0123456789';
const redactor = new Redactor([key]);

/** Texts that quote the key where messages are cut. */
const quoting = [275, 280, 290, 299, 400].map(length => 'x'.repeat(length) + key);

describe('errors of services that quote the key', () => {
	it('have no part of it where a body is cut', () => {
		for (const text of quoting) {
			for (const body of [text, JSON.stringify({ error: { message: text } }), JSON.stringify({ detail: text }), `<title>${text}</title>`]) {
				assert.doesNotMatch(httpFault(400, {}, body, redactor).message, /sk-/);
			}
		}
	});
});
