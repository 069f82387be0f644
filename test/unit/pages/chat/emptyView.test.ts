import assert from 'node:assert/strict';
import path from 'node:path';
import { type PageWindow, runPage } from '../graph/nodeForm/pageBundle.ts';
import type * as view from './emptyViewPage.ts';

describe('an empty chat', () => {
	let page: PageWindow<typeof view>;
	before(async () => {
		page = await runPage(path.join(import.meta.dirname, 'emptyViewPage.ts'));
	});
	after(() => page.window.close());

	it('shows the opening statement of its agent, and questions that are sent with a click', () => {
		const { element, posted } = page.exports.renderOpening({ statement: 'Welcome aboard.', questions: ['Where is dock 4?'] });
		assert.equal(element.querySelector('.statement')?.textContent, 'Welcome aboard.');
		element.querySelector<HTMLElement>('.question')?.click();
		assert.deepEqual({ ...posted[0] }, { type: 'send', text: 'Where is dock 4?' });
	});

	it('has no line for a statement that the agent does not have, and a hint without an agent', () => {
		const { element } = page.exports.renderOpening({ statement: '', questions: ['Where is dock 4?'] });
		assert.equal(element.querySelector('.statement'), null);
		assert.match(page.exports.renderOpening(undefined).element.textContent ?? '', /No messages\s*Write one/);
	});
});
