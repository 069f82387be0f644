import assert from 'node:assert/strict';
import type { PanelStrings } from '#pages/chat/panel/panelStrings.ts';
import { getMarkdownStrings } from '#pages/shared/markdownStrings.ts';
import { english } from '../../../support/english.ts';
import { installDom } from '../shared/dom.ts';

describe('image in a reply', () => {
	let dom: ReturnType<typeof installDom>;
	let MarkdownView: typeof import('#pages/shared/markdownView.ts').MarkdownView;
	let RemoteImages: typeof import('#pages/chat/remoteImages.ts').RemoteImages;
	before(async () => {
		dom = installDom();
		({ MarkdownView } = await import('#pages/shared/markdownView.ts'));
		({ RemoteImages } = await import('#pages/chat/remoteImages.ts'));
	});
	after(() => dom.restore());

	function renderTexts(text: string, image?: () => never): HTMLElement {
		const images = new RemoteImages(
			() => undefined,
			() => ({ loadImage: 'Load image from {0}', imageFailed: '{0}' }) as PanelStrings,
		);
		const root = document.createElement('div');
		new MarkdownView(root, {
			code: { strings: getMarkdownStrings({ t: english }), buttons: [], run: () => undefined },
			renderImage: image ?? (link => images.createImageElement(link)),
			renderFile: link => link,
		}).updateText(text, true);
		return root;
	}

	for (const address of ['https://', 'http://%zz/', 'https://[bad', 'https:// ', 'http://a:99999/p.png', 'http://[::1', 'https://%00/']) {
		it(`shows only its description if ${JSON.stringify(address)} isn't a valid URL, and renders the rest of the reply`, () => {
			const root = renderTexts(`before\n\n![a picture](<${address}>)\n\n**after**`);
			assert.match(root.textContent ?? '', /before[\s\S]*a picture[\s\S]*after/);
			assert.equal(root.querySelector('strong')?.textContent, 'after');
		});
	}

	it('names the server it would be loaded from', () => {
		assert.match(renderTexts('![p](https://h.example/p.png)').textContent ?? '', /p · Load image from h\.example/);
	});

	it('falls back to the source of its block if it throws', () => {
		const root = renderTexts('*a* ![p](https://h.example/p.png)\n\n*b*', () => {
			throw new Error('no image');
		});
		assert.equal(root.querySelector('.block')?.textContent, '*a* ![p](https://h.example/p.png)\n');
		assert.equal(root.querySelector('em')?.textContent, 'b');
	});
});
