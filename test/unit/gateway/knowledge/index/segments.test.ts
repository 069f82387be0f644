import assert from 'node:assert/strict';
import { readFrontMatter, splitSections } from '#gateway/knowledge/index/sections.ts';
import { estimateTokens, splitSegments } from '#gateway/knowledge/index/segments.ts';

describe('segments of a document', () => {
	it('include their headings', () => {
		const text = '# Handbook\nHello.\n\n## Leave ##\n28 days.\n\n### Sick\nA note.\n\n## Travel\nTrains.';
		assert.deepEqual(splitSegments(text, true), [
			{ headings: ['Handbook'], text: 'Hello.' },
			{ headings: ['Handbook', 'Leave'], text: '28 days.' },
			{ headings: ['Handbook', 'Leave', 'Sick'], text: 'A note.' },
			{ headings: ['Handbook', 'Travel'], text: 'Trains.' },
		]);
	});

	it("don't treat lines of code as headings", () => {
		const sections = splitSections('# A\n```sh\n# no heading\n```\n~~~\n# nor this\n```\n~~~\nend');
		assert.deepEqual(
			sections.map(({ headings }) => headings),
			[['A']],
		);
	});

	it('are split at paragraphs, and start with the end of the previous one', () => {
		const paragraphs = Array.from({ length: 40 }, (_, i) => `Paragraph ${i} ${'speaks of tides and gauges. '.repeat(6)}`.trim());
		const segments = splitSegments(paragraphs.join('\n\n'), false);
		assert.ok(segments.length > 2);
		assert.ok(segments.every(({ text }) => estimateTokens(text) <= 560));
		assert.ok(paragraphs.every(paragraph => segments.some(({ text }) => text.includes(paragraph))));
		for (const [i, { text }] of segments.slice(1).entries()) {
			const beginning = text.slice(0, 60);
			assert.ok(segments[i]?.text.includes(beginning), `no overlap: ${beginning}`);
		}
	});

	for (const [name, text] of [
		['one line without a space', 'x'.repeat(20_000)],
		['Chinese without a line break', '潮位站的传感器每六个月校准一次。'.repeat(500)],
		['emoji', '🛟'.repeat(5_000)],
		['a table of short lines', Array.from({ length: 3_000 }, (_, i) => `| ${i} | ${i * 2} |`).join('\n')],
	] as const) {
		it(`are small for ${name}, and lose nothing`, () => {
			const segments = splitSegments(text, false);
			assert.ok(segments.length > 1);
			assert.ok(segments.every(each => estimateTokens(each.text) <= 760 && each.text.isWellFormed()));
			const [first, last] = [segments[0]?.text ?? '', segments.at(-1)?.text ?? ''];
			assert.ok(text.startsWith(first));
			assert.ok(text.endsWith(last.slice(-20)));
		});
	}

	it("don't exist for an empty document", () => {
		assert.deepEqual(splitSegments(' \n\n ', false), []);
		assert.deepEqual(splitSegments('---\ntitle: x\n---\n# Only a heading\n', true), []);
	});
});

describe('front matter', () => {
	it('returns its plain fields', () => {
		const text = '---\nowner: People\nversion: 3\ntags: [a, b]\nnested: { no: 1 }\ndraft: true\n---\n# A\ntext';
		assert.deepEqual(readFrontMatter(text), { owner: 'People', version: 3, tags: ['a', 'b'], draft: true });
		assert.deepEqual(splitSections(text), [{ headings: ['A'], text: 'text' }]);
	});

	for (const text of [
		'no front matter',
		'---\nnot closed: 1',
		'---\n: [broken\n---\nx',
		'---\na: &a [x]\nb: *a\n---\nx',
		'---\njust text\n---\n',
		'',
	]) {
		it(`is ignored in ${JSON.stringify(text)}`, () => {
			assert.deepEqual(readFrontMatter(text), {});
		});
	}
});
