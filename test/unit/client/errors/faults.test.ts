import assert from 'node:assert/strict';
import { encodeMessage, formatMessage, localizable } from '#base/text/localizableMessage.ts';
import { createHttpFault } from '#client/errors/faults.ts';
import { messageHeader } from '#contract/faults/serviceFault.ts';
import { Redactor } from '#network/redaction.ts';

const key = 'sk-verysecretkey-0123456789';
const redactor = new Redactor([key]);

/** Texts with the key at the position where messages are truncated. */
const quoting = [275, 280, 290, 299, 400].map(length => 'x'.repeat(length) + key);

describe('errors of services that quote the key', () => {
	it('contain no part of it if a body is truncated', () => {
		for (const text of quoting) {
			for (const body of [text, JSON.stringify({ error: { message: text } }), JSON.stringify({ detail: text }), `<title>${text}</title>`]) {
				assert.doesNotMatch(createHttpFault(400, {}, body, redactor).message, /sk-/);
			}
		}
	});
});

describe('errors of the built-in gateway', () => {
	const message = localizable`Unknown model '${'gpt-9'}'.`;
	const headers = { [messageHeader]: encodeMessage(message) };
	const getFault = (said: string, kind?: 'gateway' | 'openai', given = headers) =>
		createHttpFault(404, given, JSON.stringify({ code: 'not_found', message: said }), redactor, kind);

	it('keep the template and the values of its message, and read the same in English', () => {
		const { message: text, localizable: found } = getFault("Unknown model 'gpt-9'.", 'gateway');
		assert.equal(text, "The service responded with status 404 (not_found): Unknown model 'gpt-9'. Check the name or ID, and the base URL.");
		assert.equal(formatMessage(found!), text);
		assert.ok(JSON.stringify(found).includes(JSON.stringify(message)));
		assert.equal(getFault("Unknown model 'gpt-9'.").message, text);
	});

	it("don't take the message of another kind of service, nor one that differs from the body", () => {
		for (const fault of [
			getFault("Unknown model 'gpt-9'.", 'openai'),
			getFault("Unknown model 'gpt-9'."),
			getFault('Something else.', 'gateway'),
			getFault("Unknown model 'gpt-9'.", 'gateway', { [messageHeader]: '%' }),
		]) {
			assert.ok(!JSON.stringify(fault.localizable).includes(message.template), fault.message);
		}
	});

	it('have no key in the values', () => {
		const quoting = localizable`Unknown model '${key}'.`;
		const fault = getFault(formatMessage(quoting), 'gateway', { [messageHeader]: encodeMessage(quoting) });
		assert.doesNotMatch(JSON.stringify(fault.localizable) + fault.message, /sk-/);
	});
});
