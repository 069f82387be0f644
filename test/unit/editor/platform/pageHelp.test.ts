import assert from 'node:assert/strict';
import fs from 'node:fs';
import { JSDOM } from 'jsdom';
import { escapeHtml, renderPageHelp } from '#editor/platform/pageHelp.ts';

describe('the accessibility help', () => {
	it('exists for each page, as a dialog with a name and a button that closes it', () => {
		const pages = fs.globSync('src/pages/*/main.ts').map(file => file.split('/')[2] ?? '');
		assert.ok(pages.includes('chat'));
		for (const page of pages) {
			const { document } = new JSDOM(renderPageHelp(page, '<b>&"')).window;
			const dialog = document.querySelector('dialog');
			const title = document.getElementById(dialog?.getAttribute('aria-labelledby') ?? '');
			assert.equal(title?.textContent, 'Accessibility help: <b>&"', page);
			assert.ok(dialog?.querySelector('p')?.textContent);
			assert.ok(dialog?.querySelector('form[method="dialog"] button'));
			assert.equal(document.querySelector('b'), null);
		}
	});

	it('is left out of unknown pages', () => {
		assert.equal(renderPageHelp('none', ''), '');
		assert.equal(escapeHtml('<a href="&">'), '&lt;a href=&quot;&amp;&quot;>');
	});
});
