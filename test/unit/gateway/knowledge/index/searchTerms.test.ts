import assert from 'node:assert/strict';
import { getSearchTerms, toIndexText } from '#gateway/knowledge/index/searchTerms.ts';

describe('search terms of a question', () => {
	it('are its words, and character pairs in scripts without spaces', () => {
		assert.deepEqual(getSearchTerms('Radar gauges 2026: 传感器'), ['"radar"', '"gauges"', '"2026"', '"传感"', '"感器"']);
		assert.deepEqual(getSearchTerms('器'), ['"器"*']);
		assert.deepEqual(getSearchTerms('AI'), ['"ai"']);
		assert.equal(toIndexText('Radar 传感器, ok'), 'Radar 传感 感器 器 ok');
	});

	for (const hostile of [
		'" OR * NEAR',
		'a"b',
		'text : x',
		'(',
		')',
		'-',
		'^',
		'*',
		'NEAR(a b, 5)',
		"'; DROP TABLE documents; --",
		'\u0000',
		'{a b} :',
	]) {
		it(`contain no query syntax of ${JSON.stringify(hostile)}`, () => {
			assert.ok(getSearchTerms(hostile).every(term => /^"[\p{L}\p{N}\p{M}]+"\*?$/u.test(term)));
		});
	}

	it('are limited for an endless question', () => {
		assert.equal(getSearchTerms(Array.from({ length: 100_000 }, (_, i) => `w${i}`).join(' ')).length, 64);
		assert.equal(getSearchTerms('字'.repeat(10) + '传感器潮位站校准电池安全手册旅行假期'.repeat(40)).length <= 64, true);
		// used to overflow the stack
		assert.deepEqual(getSearchTerms('漢字'.repeat(2_500_000)), ['"漢字"', '"字漢"']);
	});
});
