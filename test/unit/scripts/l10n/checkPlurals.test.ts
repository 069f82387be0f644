import assert from 'node:assert/strict';
import { findMissingSingulars } from '../../../../scripts/l10n/checkPlurals.ts';

describe('findMissingSingulars', () => {
	const find = (...messages: string[]) => findMissingSingulars(messages.map(message => ({ message, files: ['src/a.ts'] })));

	for (const message of ['{0} tokens', '{0} input tokens', "'{0}' accepts up to {1} files.", 'Cleared {0} replies.', 'at most {0} files']) {
		it(`refuses '${message}' alone`, () => assert.deepEqual(find(message), [message]));
	}

	it('accepts a plural with its singular in the same source file', () => {
		assert.deepEqual(find('{0} tokens', '1 token', '{0} input tokens', '1 input token', 'Cleared {0} replies.', 'Cleared 1 reply.'), []);
	});

	it('refuses a plural whose singular is in another source file', () => {
		const strings = [
			{ message: '{0} runs', files: ['src/a.ts'] },
			{ message: '1 run', files: ['src/b.ts'] },
		];
		assert.deepEqual(findMissingSingulars(strings), ['{0} runs']);
	});

	it('accepts verbs and limits of the code', () => {
		assert.deepEqual(find('{0} needs a key', 'The limit is {0} bytes.', 'It has more than {0} levels.', '{0} of {1} passed'), []);
	});
});
