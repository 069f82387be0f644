import assert from 'node:assert/strict';
import { indexedText, searchTerms } from '#gateway/knowledge/index/searchTerms.ts';

describe('terms of a question', () => {
	it('are its words, and the pairs of scripts without spaces', () => {
		assert.deepEqual(searchTerms('Radar gauges 2026: 传感器'), ['"radar"', '"gauges"', '"2026"', '"传感"', '"感器"']);
		assert.deepEqual(searchTerms('器'), ['"器"*']);
		assert.deepEqual(searchTerms('AI'), ['"ai"']);
		assert.equal(indexedText('Radar 传感器, ok'), 'Radar 传感 感器 器 ok');
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
		it(`hold nothing of the query language of ${JSON.stringify(hostile)}`, () => {
			assert.ok(searchTerms(hostile).every(term => /^"[\p{L}\p{N}\p{M}]+"\*?$/u.test(term)));
		});
	}

	it('are few of a question without end', () => {
		assert.equal(searchTerms(Array.from({ length: 100_000 }, (_, i) => `w${i}`).join(' ')).length, 64);
		assert.equal(searchTerms('字'.repeat(10) + '传感器潮位站校准电池安全手册旅行假期'.repeat(40)).length <= 64, true);
	});
});
