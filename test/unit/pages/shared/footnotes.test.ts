import assert from 'node:assert/strict';
import { renderMarkdown } from '#pages/shared/markdown.ts';
import { MarkdownBlocks } from '#pages/shared/markdownBlocks.ts';
import { getMarkdownStrings } from '#pages/shared/markdownStrings.ts';
import { english } from '../../../support/english.ts';
import { installDom } from './dom.ts';

describe('footnotes of a reply', () => {
	const text = 'One[^b], two[^a], three[^b], none[^c].\n\n[^a]: First *note*.\n[^b]: Second\n    line\n\n    paragraph\n\nEnd.';

	it('are numbered by their references; a reference without a footnote is text', () => {
		const html = renderMarkdown(text);
		assert.deepEqual(
			[...html.matchAll(/class="footnoteLink" title="(\w)">(\d)/g)].map(([, label, number]) => `${label}${number}`),
			['b1', 'a2', 'b1'],
		);
		assert.match(html, /none\[\^c\]/);
		assert.match(
			html,
			/<div class="footnote"><a class="footnoteBack" title="b">1<\/a><p>Second\nline<\/p>\n<p>paragraph<\/p>\n<\/div>\n<p>End/,
		);
	});

	it('are linked when they arrive after their references', () => {
		const blocks = new MarkdownBlocks();
		for (let end = 1; end <= text.length; end += 3) {
			blocks.updateText(text.slice(0, end));
		}
		blocks.updateText(text);
		const [first] = blocks.resolveLateLinks();
		assert.equal(first?.index, 0);
		assert.equal(first?.block.html.match(/footnoteLink/g)?.length, 3);
	});

	it('escape their labels, and are not found in code and links', () => {
		assert.doesNotMatch(renderMarkdown('`[^a]` [^"><img>]\n\n[^"><img>]: x\n\n[^a]: y'), /<img|<code>[^<]*<a/);
	});

	it('lead to each other in the same reply only', async () => {
		const dom = installDom();
		try {
			const { MarkdownView } = await import('#pages/shared/markdownView.ts');
			const strings = getMarkdownStrings({ t: english });
			const actions = {
				code: { strings, buttons: [], run: () => undefined },
				renderImage: (link: HTMLElement) => link,
				renderFile: (link: HTMLElement) => link,
			};
			const roots = [0, 1].map(() => document.body.appendChild(document.createElement('div')));
			for (const root of roots) {
				new MarkdownView(root, actions).updateText(text, true);
			}
			const [, root] = roots;
			const link = root?.querySelector<HTMLElement>('a.footnoteLink');
			link?.click();
			assert.equal(document.activeElement, root?.querySelectorAll('a.footnoteBack')[1]);
			assert.equal((document.activeElement as HTMLElement).title, 'Back to the text');
			(document.activeElement as HTMLElement).click();
			assert.equal(document.activeElement, link);
		} finally {
			dom.restore();
		}
	});
});
