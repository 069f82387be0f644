import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderMarkdown } from '#pages/shared/markdown.ts';
import { MarkdownBlocks } from '#pages/shared/markdownBlocks.ts';

/** Returns the HTML of a text that arrives in chunks with these ends. Updates links at the end. */
function growBlocks(text: string, cuts: readonly number[]): string {
	const blocks = new MarkdownBlocks();
	const shown: string[] = [];
	for (const cut of [...new Set(cuts.map(c => Math.min(c, text.length))), text.length].sort((a, b) => a - b)) {
		const { from, blocks: open } = blocks.updateText(text.slice(0, cut));
		shown.splice(from, shown.length, ...open.map(({ html }) => html));
	}
	for (const { index, block } of blocks.resolveLateLinks()) {
		shown[index] = block.html;
	}
	return shown.join('');
}

const listAllOffsets = (text: string) => Array.from(text, (_, index) => index);

describe('Markdown that arrives in chunks', () => {
	for (const [name, text] of [
		['paragraphs', 'one\ntwo\n\nthree'],
		['a heading with a line below it', 'Title\n=====\ntext'],
		['a table', 'before\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\nafter'],
		['a loose list', '- a\n\n- b\n\n  still b\n\nafter'],
		['a list with a fence in it', '1. a\n   ```js\n   1\n   ```\n2. b'],
		['a fence with blank lines', '```ts\na\n\nb\n```\n\nafter'],
		['an open fence', 'x\n\n```\na\n\nb'],
		['quotes', '> a\nlazy\n\n> b'],
		['a link defined later', 'see [it] and [that][2]\n\nmore\n\n[it]: https://a.example\n[2]: https://b.example'],
		['Windows line ends', 'a\r\n\r\n- b\r\n- c\r\n\r\nd'],
		['old Mac line ends', 'a\r\rb'],
		['a rule and code by indentation', 'a\n\n---\n\n    code\n\n    more\n\nb'],
		['task lists', '- [ ] open\n- [x] done'],
	] as const) {
		it(`renders the same as the complete text: ${name}`, () => {
			assert.equal(growBlocks(text, listAllOffsets(text)), renderMarkdown(text));
		});
	}

	it('renders the same as the complete text for random texts and chunks', () => {
		const piece = fc.constantFrom(
			'a ',
			'\n',
			'\n\n',
			'- ',
			'1. ',
			'# ',
			'> ',
			'```\n',
			'    ',
			'| a |\n',
			'|--|\n',
			'*b* ',
			'---\n',
			'`c` ',
			'[x]',
			'[x]: /y\n',
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 25 }), fc.array(fc.nat(80), { maxLength: 4 }), (pieces, cuts) => {
				const text = pieces.join('');
				assert.equal(growBlocks(text, cuts), renderMarkdown(text));
			}),
			{ numRuns: 400 },
		);
	});

	it('parses only the last block again', () => {
		const blocks = new MarkdownBlocks();
		blocks.updateText('one\n\ntwo\n\nthree\nf');
		const { from, blocks: open } = blocks.updateText('one\n\ntwo\n\nthree\nfour');
		assert.equal(from, 2);
		assert.deepEqual(
			open.map(({ html, code }) => ({ html, code })),
			[{ html: '<p>three\nfour</p>\n', code: undefined }],
		);
	});

	it('shows raw HTML as text and images as links', () => {
		assert.equal(renderMarkdown('<b>x</b>'), '<p>&lt;b&gt;x&lt;/b&gt;</p>\n');
		assert.equal(
			renderMarkdown('![a "b](https://h.example/p.png)'),
			'<p><a class="remoteImage" href="https://h.example/p.png">a &quot;b</a></p>\n',
		);
	});

	it('links URLs but not file names', () => {
		assert.doesNotMatch(renderMarkdown('see readme.md'), /href/);
		assert.match(renderMarkdown('see https://a.example/x'), /href="https:\/\/a\.example\/x"/);
	});
});
