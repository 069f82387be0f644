import assert from 'node:assert/strict';
import { getMarkdownStrings } from '#pages/shared/markdownStrings.ts';
import type { MarkdownActions } from '#pages/shared/markdownView.ts';
import { english } from '../support/english.ts';
import { installDom } from '../unit/pages/shared/dom.ts';
import { chooseSize } from './support/long.ts';

/** More elements than a block may have, but few enough to render without a noticeable pause. */
const mostElements = 40_000;

describe('a reply that could freeze the chat', () => {
	let dom: ReturnType<typeof installDom>;
	let MarkdownView: typeof import('#pages/shared/markdownView.ts').MarkdownView;
	before(async () => {
		dom = installDom();
		({ MarkdownView } = await import('#pages/shared/markdownView.ts'));
	});
	after(() => dom.restore());

	const actions: MarkdownActions = {
		code: { strings: getMarkdownStrings({ t: english }), buttons: [], run: () => undefined },
		renderFile: link => link,
		renderImage: link => {
			const shown = document.createElement('span');
			shown.textContent = new URL(link.getAttribute('href') ?? '').host;
			return shown;
		},
	};

	/** Resolves when the end of the reply is rendered. */
	async function renderReply(text: string): Promise<HTMLElement> {
		const root = document.createElement('div');
		const view = new MarkdownView(root, actions);
		const done = new Promise<void>(resolve => {
			const observer = new window.MutationObserver(() => {
				if (root.textContent?.includes('the end')) {
					observer.disconnect();
					resolve();
				}
			});
			observer.observe(root, { childList: true, subtree: true, characterData: true });
		});
		view.updateText(`${text}\n\nthe end`, true);
		await done;
		return root;
	}

	const kilobytes = chooseSize(5, 70);
	const attacks: Readonly<Record<string, string>> = {
		'emphasis inside emphasis': '*a '.repeat(kilobytes * 170) + ' a*'.repeat(kilobytes * 170),
		'alternating strong, emphasis and strikethrough': '**a *b ~~c '.repeat(kilobytes * 90),
		'a table of a thousand columns': `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${'x\n'.repeat(60)}`,
		'a table with very many cells': `|a|a|\n|-|-|\n${'|*b*|`c`|\n'.repeat(kilobytes * 100)}`,
		'quotes inside lists inside quotes': '> - '.repeat(kilobytes * 250),
		'a list with one letter per item': '- a\n'.repeat(kilobytes * 250),
		'unclosed links': '[a]('.repeat(kilobytes * 250),
		'a link definition used a thousand times': `[a]: https://a.example/${'a'.repeat(1000)}\n\n${'[a] '.repeat(kilobytes * 100)}`,
		'images with invalid addresses': ['https://', 'http://%zz/', 'https://[bad', 'http://a:99999']
			.map(url => `![x](<${url}>)\n\n`)
			.join(''),
	};
	for (const [name, text] of Object.entries(attacks)) {
		it(`is rendered to its end with few elements and without deep nesting: ${name}`, async () => {
			const root = await renderReply(text);
			assert.ok(root.querySelectorAll('*').length < mostElements);
			assert.equal(root.querySelector('em em em em '.repeat(40).trim()), null);
		});
	}
});
