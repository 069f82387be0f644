import assert from 'node:assert/strict';
import { findFileReferences } from '#pages/shared/fileReferences.ts';
import { renderMarkdown } from '#pages/shared/markdown.ts';

const listReferences = (text: string) => findFileReferences(text).map(({ start, end }) => text.slice(start, end));

describe('files with a line in a text', () => {
	for (const [text, found] of [
		['see src/app.ts:12, and lib\\b.py:3:4.', ['src/app.ts:12', 'lib\\b.py:3:4']],
		['src/app.ts(12,3): error TS1', ['src/app.ts(12,3)']],
		['(src/a.ts:1-9) and `b.go#L3-L8`', ['src/a.ts:1-9', 'b.go#L3-L8']],
		['ünï/日本.md:7', ['ünï/日本.md:7']],
		['at 10:30, ratio 3:4, a.b(1), x.com:443, v1.2:3', []],
		['src/app.ts and .ts:5 and //a.ts:5', []],
	] as const) {
		it(`finds ${found.length} in '${text}'`, () => assert.deepEqual(listReferences(text), found));
	}

	it('takes time in proportion to the text', () => {
		for (const text of ['a:1'.repeat(300_000), `${'a'.repeat(300_000)}.ts:1`, 'a.ts:1'.repeat(100_000), '.a'.repeat(500_000)]) {
			const began = performance.now();
			findFileReferences(text);
			assert.ok(performance.now() - began < 5000);
		}
	});

	it('become links in text and as inline code, but not in links, blocks of code or other code', () => {
		const link = '<a class="fileLink" title="src/a.ts:5">';
		assert.equal(renderMarkdown('In **src/a.ts:5** now'), `<p>In <strong>${link}src/a.ts:5</a></strong> now</p>\n`);
		assert.equal(renderMarkdown('`src/a.ts:5`'), `<p>${link}<code>src/a.ts:5</code></a></p>\n`);
		assert.doesNotMatch(renderMarkdown('`run src/a.ts:5`\n\n```\nsrc/a.ts:5\n```\n\n[src/a.ts:5](https://a.example)'), /fileLink/);
		assert.match(renderMarkdown('<b title="x">a.ts:5'), /&lt;b title=&quot;x&quot;&gt;<a class="fileLink" title="a.ts:5">/);
	});
});
