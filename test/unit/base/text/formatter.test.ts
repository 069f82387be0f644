import assert from 'node:assert/strict';
import { createFormatter } from '#base/text/formatter.ts';

describe('createFormatter', () => {
	const moment = new Date(2026, 0, 31, 17, 30).getTime();

	it('formats numbers and dates in the given language', () => {
		const { formatNumber, formatDate, formatDateTime } = createFormatter(() => 'zh-cn');
		assert.equal(formatNumber(1234.5), '1,234.5');
		assert.equal(formatDate(moment), '2026/1/31');
		assert.equal(formatDateTime(moment), '2026/1/31 17:30:00');
	});

	it('separates the items of a list as in the given language', () => {
		const format = (language: string) => createFormatter(() => language).formatList(['a', 'b', 'c']);
		assert.deepEqual(['en', 'zh-cn', 'ja'].map(format), ['a, b, c', 'a、b、c', 'a、b、c']);
	});

	it('reads the language on each call', () => {
		let language = 'en';
		const { formatDate } = createFormatter(() => language);
		assert.equal(formatDate(moment), '1/31/2026');
		language = 'de';
		assert.equal(formatDate(moment), '31.1.2026');
	});

	it('formats in English for an empty or malformed language', () => {
		for (const language of ['', 'zh_CN', '!']) {
			assert.equal(createFormatter(() => language).formatDate(moment), '1/31/2026', language);
		}
	});

	it('formats with the given parts, and a time that is none', () => {
		const { formatDate, formatDateTime, formatNumber, formatTime } = createFormatter(() => 'en');
		assert.equal(formatDateTime(moment, { hour: 'numeric', minute: '2-digit' }).replace(/\s/, ' '), '5:30 PM');
		assert.equal(formatTime(moment).replace(/\s/, ' '), '5:30:00 PM');
		assert.equal(formatNumber(0.5, { style: 'percent' }), '50%');
		assert.equal(formatNumber(0.5), '0.5');
		assert.equal(formatDate(Number.NaN), 'Invalid Date');
	});

	it('formats sizes as KB or MB', () => {
		const { formatSize } = createFormatter(() => 'de');
		assert.deepEqual([0, 1, 1025, 12.5 * 1024 * 1024].map(formatSize), ['0 KB', '1 KB', '2 KB', '12,5 MB']);
	});
});
