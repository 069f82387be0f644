import assert from 'node:assert/strict';
import type { PanelStrings } from '#pages/chat/panel/panelStrings.ts';
import { installDom } from '../shared/dom.ts';

describe('an image of a reply', () => {
	let dom: ReturnType<typeof installDom>;
	let MarkdownView: typeof import('#pages/shared/markdownView.ts').MarkdownView;
	let RemoteImages: typeof import('#pages/chat/remoteImages.ts').RemoteImages;
	before(async () => {
		dom = installDom();
		({ MarkdownView } = await import('#pages/shared/markdownView.ts'));
		({ RemoteImages } = await import('#pages/chat/remoteImages.ts'));
	});
	after(() => dom.restore());

	function rendered(text: string, image?: () => never): HTMLElement {
		const images = new RemoteImages(
			() => undefined,
			() => ({ loadImage: 'Load image from {0}', imageFailed: '{0}' }) as PanelStrings,
		);
		const root = document.createElement('div');
		new MarkdownView(root, {
			code: { buttons: [], run: () => undefined },
			image: image ?? (link => images.element(link)),
			file: link => link,
		}).update(text, true);
		return root;
	}

	for (const address of ['https://', 'http://%zz/', 'https://[bad', 'https:// ', 'http://a:99999/p.png', 'http://[::1', 'https://%00/']) {
		it(`is its description where ${JSON.stringify(address)} is no address, and the reply goes on`, () => {
			const root = rendered(`before\n\n![a picture](<${address}>)\n\n**after**`);
			assert.match(root.textContent ?? '', /before[\s\S]*a picture[\s\S]*after/);
			assert.equal(root.querySelector('strong')?.textContent, 'after');
		});
	}

	it('names the server that it would come from', () => {
		assert.match(rendered('![p](https://h.example/p.png)').textContent ?? '', /p · Load image from h\.example/);
	});

	it('that cannot be shown leaves its block as it was written', () => {
		const root = rendered('*a* ![p](https://h.example/p.png)\n\n*b*', () => {
			throw new Error('no image');
		});
		assert.equal(root.querySelector('.block')?.textContent, '*a* ![p](https://h.example/p.png)\n');
		assert.equal(root.querySelector('em')?.textContent, 'b');
	});
});
