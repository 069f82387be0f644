import assert from 'node:assert/strict';
import { xssPayloads } from '../../fixtures/xss.ts';
import { installDom } from './dom.ts';

type View = typeof import('../../../src/webview/shared/markdownView.ts');

describe('a rendered reply', () => {
	let dom: ReturnType<typeof installDom>;
	let MarkdownView: View['MarkdownView'];
	before(async () => {
		dom = installDom();
		({ MarkdownView } = await import('../../../src/webview/shared/markdownView.ts'));
	});
	after(() => dom.restore());

	const ran: string[] = [];
	const actions = {
		code: {
			buttons: [{ action: 'copy', label: 'Copy', icon: 'copy' }],
			run: (action: string, code: string) => void ran.push(`${action} ${code}`),
		},
		image: (link: HTMLAnchorElement) => {
			const button = document.createElement('button');
			button.textContent = `image ${link.getAttribute('href')}`;
			return button;
		},
	};
	function rendered(...texts: string[]): HTMLElement {
		const root = document.createElement('div');
		for (const [index, text] of texts.entries()) {
			// each with a view that is not throttled
			new MarkdownView(root, actions).update(text, index === texts.length - 1);
		}
		return root;
	}

	/** Resolves when the element holds the text. */
	function shows(root: HTMLElement, text: string): Promise<void> {
		return new Promise(resolve => {
			const observer = new window.MutationObserver(() => look());
			const look = () => {
				if (root.textContent?.includes(text)) {
					observer.disconnect();
					resolve();
				}
			};
			observer.observe(root, { childList: true, subtree: true, characterData: true });
			look();
		});
	}

	const attributes = new Set(['href', 'title', 'class', 'start', 'style', 'type', 'dir', 'tabindex', 'aria-label']);
	for (const payload of xssPayloads) {
		it(`runs and loads nothing: ${JSON.stringify(payload).slice(0, 70)}`, () => {
			const root = rendered(payload);
			assert.equal(
				root.querySelector('script,style,iframe,object,embed,link,meta,base,form,img,svg,math,video,audio,template,textarea,details'),
				null,
			);
			for (const element of root.querySelectorAll('*')) {
				for (const { name, value } of element.attributes) {
					assert.ok(attributes.has(name), `${element.tagName} has the attribute ${name}`);
					assert.ok(name !== 'href' || /^(?:https?|mailto):/i.test(value), `a link to ${value}`);
					assert.ok(name !== 'style' || /^(?:text-align: (?:left|right|center);)?$/.test(value), `a style ${value}`);
				}
			}
		});
	}

	it('shows code with its buttons, and gives them the code as it was', () => {
		const root = rendered('```js\nif (a < b) {}\n```');
		root.querySelector('button')?.click();
		assert.deepEqual(ran, ['copy if (a < b) {}']);
	});

	it('asks before an image is loaded', () => {
		const root = rendered('![a](https://h.example/p.png)');
		assert.equal(root.querySelector('img'), null);
		assert.equal(root.querySelector('button')?.textContent, 'image https://h.example/p.png');
	});

	it('leaves finished blocks alone while text comes', async () => {
		const root = document.createElement('div');
		const view = new MarkdownView(root, actions);
		view.update('first\n\nsec', false);
		const first = root.firstElementChild;
		view.update('first\n\nsecond\n\n```ts\nlet a', false);
		view.update('first\n\nsecond\n\n```ts\nlet a = 1;\n```\n\nend', true);
		// the throttle: rendered again a little later
		await shows(root, 'end');
		assert.equal(root.firstElementChild, first);
		assert.equal(root.querySelectorAll('.code').length, 1);
		assert.match(root.textContent ?? '', /first\s*second\s*ts\s*let a = 1;\s*end/);
	});

	it('keeps tasks and aligned tables', () => {
		const root = rendered('- [x] done\n\n| a |\n|--:|\n| 1 |');
		assert.match(root.querySelector('li')?.textContent ?? '', /^☑ done/);
		assert.equal(root.querySelector('td')?.style.textAlign, 'right');
	});
});
