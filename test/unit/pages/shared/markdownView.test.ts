import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { createFileLink } from '#pages/chat/fileLinks.ts';
import { getMarkdownStrings } from '#pages/shared/markdownStrings.ts';
import { xssPayloads } from '../../../fixtures/xss.ts';
import { english } from '../../../support/english.ts';
import { installDom } from './dom.ts';

type View = typeof import('#pages/shared/markdownView.ts');

describe('rendered reply', () => {
	let dom: ReturnType<typeof installDom>;
	let MarkdownView: View['MarkdownView'];
	let sanitized: typeof import('#pages/shared/sanitize.ts').sanitizeTexts;
	before(async () => {
		dom = installDom();
		({ MarkdownView } = await import('#pages/shared/markdownView.ts'));
		({ sanitizeTexts: sanitized } = await import('#pages/shared/sanitize.ts'));
	});
	after(() => dom.restore());

	const ran: string[] = [];
	const actions = {
		code: {
			strings: getMarkdownStrings({ t: english }),
			buttons: [{ action: 'copy', label: 'Copy', icon: 'copy' }],
			run: (action: string, code: string) => void ran.push(`${action} ${code}`),
		},
		renderFile: (link: HTMLAnchorElement): HTMLElement => link,
		renderImage: (link: HTMLAnchorElement) => {
			const button = document.createElement('button');
			button.textContent = `image ${link.getAttribute('href')}`;
			return button;
		},
	};
	function renderTexts(...texts: string[]): HTMLElement {
		const root = document.createElement('div');
		for (const [index, text] of texts.entries()) {
			// one view per text, because each view is throttled
			new MarkdownView(root, actions).updateText(text, index === texts.length - 1);
		}
		return root;
	}

	/** Resolves when a change of the element makes the condition true. */
	function waitForChange(root: HTMLElement, holds: () => boolean): Promise<void> {
		return new Promise(resolve => {
			const observer = new window.MutationObserver(() => checkCondition());
			const checkCondition = () => {
				if (holds()) {
					observer.disconnect();
					resolve();
				}
			};
			observer.observe(root, { childList: true, subtree: true, characterData: true });
			checkCondition();
		});
	}

	const attributes = new Set(['href', 'title', 'class', 'start', 'style', 'type', 'dir', 'tabindex', 'aria-label']);
	for (const payload of xssPayloads) {
		it(`runs and loads nothing for ${JSON.stringify(payload).slice(0, 70)}`, () => {
			const root = renderTexts(payload);
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

	it('links to web pages and to files of the workspace, but to no other scheme', () => {
		const opened: string[] = [];
		const root = document.createElement('div');
		const file = createFileLink(message => void opened.push(message.type === 'openPath' ? message.path : ''));
		new MarkdownView(root, { ...actions, renderFile: file }).updateText(
			'[a](src/a.ts#L10) [b](./b%20c.md) [c](a.ts:3) [d](https://x.example/) [e](file:///etc/passwd) [f](vscode://x) [g](#top)',
			true,
		);
		const buttons = [...root.querySelectorAll<HTMLButtonElement>('button.fileLink')];
		for (const button of buttons) {
			button.click();
		}
		assert.deepEqual(opened, ['src/a.ts#L10', './b c.md', 'a.ts:3']);
		assert.deepEqual(
			[...root.querySelectorAll('a[href]')].map(link => link.getAttribute('href')),
			['https://x.example/'],
		);
	});

	it('shows code with buttons that get the original code', () => {
		const root = renderTexts('```js\nif (a < b) {}\n```');
		root.querySelector('button')?.click();
		assert.deepEqual(ran, ['copy if (a < b) {}']);
	});

	it('loads an image only on request', () => {
		const root = renderTexts('![a](https://h.example/p.png)');
		assert.equal(root.querySelector('img'), null);
		assert.equal(root.querySelector('button')?.textContent, 'image https://h.example/p.png');
	});

	it('keeps the elements of finished blocks while text arrives', async () => {
		const root = document.createElement('div');
		const view = new MarkdownView(root, actions);
		view.updateText('first\n\nsec', false);
		const first = root.querySelector('.block');
		view.updateText('first\n\nsecond\n\n```ts\nlet a', false);
		view.updateText('first\n\nsecond\n\n```ts\nlet a = 1;\n```\n\nend', true);
		// rendering is throttled, so the text appears a little later
		await waitForChange(root, () => root.textContent?.includes('end') === true);
		assert.equal(root.querySelector('.block'), first);
		assert.equal(root.querySelectorAll('.code').length, 1);
		assert.match(root.textContent ?? '', /first\s*second\s*ts\s*let a = 1;\s*end/);
	});

	it('highlights long code when it ends, even if the end adds no text', async () => {
		const root = document.createElement('div');
		const view = new MarkdownView(root, actions);
		view.updateText('```js\nlet a = 1;\n```', true);
		await waitForChange(root, () => root.querySelector('.hljs-keyword') !== null);
		const code = `\`\`\`js\n${'let a = 1;\n'.repeat(500)}`;
		const getKeywords = () => root.querySelectorAll('.hljs-keyword').length;
		view.updateText(code, false);
		await waitForChange(root, () => root.textContent?.split('let').length === 501);
		assert.ok(getKeywords() < 500, 'code that long is highlighted at its end only');
		view.updateText(`${code}\`\`\`\n\nend`, false);
		await waitForChange(root, () => root.textContent?.includes('end') === true);
		assert.equal(getKeywords(), 500);
	});

	it('renders a large text in slices and completely', async () => {
		const count = 60;
		const text = Array.from({ length: count }, (_, index) => `text ${index} [more] ${'and so on '.repeat(10)}`).join('\n\n');
		const root = document.createElement('div');
		const view = new MarkdownView(root, actions);
		view.updateText('text 0', false);
		view.updateText(`${text}\n\n[more]: https://more.example`, true);
		await waitForChange(
			root,
			() => root.querySelectorAll('.block > p').length === count && root.querySelectorAll('.block a').length === count,
		);
		const whole = document.createElement('div');
		new MarkdownView(whole, actions).updateText(text, true);
		assert.equal(whole.querySelectorAll('.block').length, count, 'a text that is complete stands there at once');
	});

	it('groups blocks and removes a group with its last block', async () => {
		const root = document.createElement('div');
		const view = new MarkdownView(root, actions);
		const paragraphs = Array.from({ length: 15 }, (_, index) => `text ${index}\n\n`).join('');
		const listSizes = () => [...root.children].map(group => group.children.length);
		view.updateText(`${paragraphs}1. a\n\n2`, false);
		assert.deepEqual(listSizes(), [16, 1]);
		// the apparent paragraph becomes the second item of the preceding list
		view.updateText(`${paragraphs}1. a\n\n2. b`, true);
		await waitForChange(root, () => root.querySelectorAll('li').length === 2);
		assert.deepEqual(listSizes(), [16]);
	});

	it('keeps texts with unbalanced tags apart', () => {
		const [first, second] = sanitized(['<p>a</p></div><b>x</b>', '<p>b</p>']);
		assert.equal(first?.textContent, 'ax');
		assert.equal(second?.innerHTML, '<p>b</p>');
	});

	it('renders task lists and aligned tables', () => {
		const root = renderTexts('- [x] done\n\n| a |\n|--:|\n| 1 |');
		assert.match(root.querySelector('li')?.textContent ?? '', /^☑ done/);
		assert.equal(root.querySelector('td')?.style.textAlign, 'right');
	});

	for (const [name, text] of Object.entries({
		code: `\`\`\`txt\n${'one line of code\n'.repeat(18_000)}`,
		'a paragraph without an end': 'word '.repeat(60_000),
		quotes: '> > > quoted\n'.repeat(24_000),
	})) {
		it(`renders a long text of ${name} in time that grows with its length`, async () => {
			const { MarkdownBlocks } = await import('#pages/shared/markdownBlocks.ts');
			let parsed = 0;
			const { updateText } = MarkdownBlocks.prototype;
			const spy = mock.method(MarkdownBlocks.prototype, 'updateText', function (this: InstanceType<typeof MarkdownBlocks>, part: string) {
				parsed += part.length - this.text.length + this.openLength;
				return updateText.call(this, part);
			});
			const root = document.createElement('div');
			document.body.append(root);
			new MarkdownView(root, actions).updateText(text, true);
			await waitForChange(root, () => spy.mock.calls.at(-1)?.arguments[0] === text);
			spy.mock.restore();
			root.remove();
			assert.ok(parsed < 8 * text.length, `${parsed / text.length} times`);
		});
	}
});
