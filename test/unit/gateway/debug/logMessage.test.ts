import assert from 'node:assert/strict';
import { parseLogMessage } from '#gateway/debug/logMessage.ts';

describe('a log message', () => {
	it('is split at its braces, which may be nested; an unclosed brace is literal text', () => {
		assert.deepEqual(parseLogMessage('a {b} c {"d": {e}} { } {f {g} h'), [
			{ text: 'a ' },
			{ expression: 'b' },
			{ text: ' c ' },
			{ expression: '"d": {e}' },
			{ text: ' { } {f ' },
			{ expression: 'g' },
			{ text: ' h' },
		]);
		assert.deepEqual(parseLogMessage('} {a} }'), [{ text: '} ' }, { expression: 'a' }, { text: ' }' }]);
		assert.deepEqual(parseLogMessage(''), []);
	});

	it('with many unclosed braces takes time proportional to its length', () => {
		const started = performance.now();
		const message = `${'{'.repeat(300_000)}{a}`;
		assert.deepEqual(parseLogMessage(message), [{ text: '{'.repeat(300_000) }, { expression: 'a' }]);
		assert.ok(performance.now() - started < 2_000, `${Math.round(performance.now() - started)} ms`);
	});
});
