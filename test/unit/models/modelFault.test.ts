import assert from 'node:assert/strict';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { toModelFault } from '#models/modelFault.ts';

describe('the error for a reply of an upstream', () => {
	for (const [what, statusCode, responseBody, message] of [
		['of another protocol', 200, 'null', "The service at http://up sent a response that doesn't match its protocol."],
		['that redirects', 302, '', 'The service at http://up responded with a redirect (status 302). Check the address.'],
		['with an error in a success', 200, '{"error":{"message":"no credits"}}', 'The service at http://up responded with 502: no credits'],
		['that refuses', 429, '{"error":{"message":"slow down"}}', 'The service at http://up responded with 429: slow down'],
	] as const) {
		it(`is clear for a reply ${what}`, () => {
			const error = Object.assign(new Error('Invalid JSON response'), { name: 'AI_APICallError', statusCode, responseBody });
			const fault = toModelFault(error, { origin: 'http://up' });
			assert.ok(fault instanceof ServiceFault);
			assert.deepEqual([fault.status, fault.message], [statusCode < 400 ? 502 : statusCode, message]);
		});
	}
});
