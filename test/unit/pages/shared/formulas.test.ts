import assert from 'node:assert/strict';
import { renderMarkdown } from '#pages/shared/markdown.ts';
import { getMarkdownStrings } from '#pages/shared/markdownStrings.ts';
import { english } from '../../../support/english.ts';
import { installDom } from './dom.ts';

/** Returns the formulas of a text as they were written. */
function findFormulas(text: string): string[] {
	return [...renderMarkdown(text).matchAll(/<span class="formula[^>]*>([^<]*)/g)].map(([, formula = '']) => formula);
}

describe('formulas of a reply', () => {
	for (const text of [
		'It costs $5 and $10',
		'$5-$10 or $5/$6, ($10,$20)',
		'$5 or 5$',
		'US$5 to 10$',
		'cd $HOME/$USER',
		'\\$x$',
		'the $-sign and the $-variable',
		'`$x$` and `\\(x\\)`',
		'```\n$$x$$\n```',
		'    $$x$$',
		'\\[1\\] Author, \\[not a link\\](x)',
		'$$\n\nx\n$$',
		'$ x$ and $x $',
	]) {
		it(`are none in ${JSON.stringify(text)}`, () => assert.deepEqual(findFormulas(text), []));
	}

	it('are found in text, in lists, in tables and on lines of their own', () => {
		assert.deepEqual(findFormulas('$x^2$, \\(y\\), $`z`$ and ($w$). **$v$**'), ['$x^2$', '\\(y\\)', '$`z`$', '$w$', '$v$']);
		assert.deepEqual(findFormulas('Text:\n\\[\nx\n= y\n- b\n\\]\n- item\n  $$\n  a\n  $$'), ['\\[\nx\n= y\n- b\n\\]', '$$\na\n$$']);
		assert.deepEqual(findFormulas('| a |\n|---|\n| $x$ |'), ['$x$']);
		assert.deepEqual(findFormulas('> $$ a_1 = *b* $$\n\n\\[ y = 1 \\] in text'), ['$$ a_1 = *b* $$', '\\[ y = 1 \\]']);
	});

	it('are text until they are complete', () => {
		assert.deepEqual(findFormulas('$$\na\n- b'), []);
		assert.match(renderMarkdown('$$\na\n- b'), /^<p>\$\$\na\n- b<\/p>/);
	});

	for (const [name, text] of Object.entries({
		'dollar signs': '$a '.repeat(20_000),
		'open lines': '$$a\n'.repeat(15_000),
		brackets: '\\[a\n'.repeat(15_000),
		parentheses: '\\('.repeat(30_000),
		footnotes: '[^a]: '.repeat(10_000),
	})) {
		it(`take linear time with any number of ${name}`, () => {
			const began = performance.now();
			renderMarkdown(text);
			assert.ok(performance.now() - began < 4000);
		});
	}

	describe('in a page', () => {
		let dom: ReturnType<typeof installDom>;
		let renderFormulas: typeof import('#pages/shared/formulas/formulas.ts').renderFormulas;
		before(async () => {
			dom = installDom();
			({ renderFormulas } = await import('#pages/shared/formulas/formulas.ts'));
		});
		after(() => dom.restore());

		async function showFormula(source: string): Promise<HTMLElement> {
			const root = document.createElement('div');
			const element = root.appendChild(document.createElement('span'));
			element.className = 'formula';
			element.textContent = source;
			const { promise, resolve } = Promise.withResolvers<void>();
			const observer = new window.MutationObserver(() => resolve());
			observer.observe(root, { attributeFilter: ['title'], childList: true, subtree: true });
			renderFormulas(root, getMarkdownStrings({ t: english }));
			await promise;
			observer.disconnect();
			return element;
		}

		it('become MathML', async () => {
			const formula = await showFormula('$\\frac{a}{b}$');
			assert.equal(formula.querySelector('math > mfrac, math mfrac')?.textContent, 'ab');
			assert.equal(formula.title, '');
		});

		it('are rendered at once when they are shown again', () => {
			const root = document.createElement('div');
			root.innerHTML = '<span class="formula">$\\frac{a}{b}$</span>';
			renderFormulas(root, getMarkdownStrings({ t: english }));
			assert.ok(root.querySelector('mfrac'));
		});

		for (const [source, message] of [
			['$\\frac{a}{b$', /Unexpected end of input/],
			['$\\nothing$', /Unsupported function name: \\nothing/],
			['$\\href{javascript:alert(1)}{x}$', /\\href/],
			['$\\includegraphics{https://x.example/a.png}$', /not trusted/],
			['$\\htmlData{a=b}{x}$', /\\htmlData/],
			['$\\style{position:fixed}{x}$', /not trusted/],
			['$\\color{red;background:url(x)}x$', /Invalid color/],
			['$\\def\\a{\\a\\a}\\a$', /Too many expansions/],
			[`$${'{'.repeat(1900)}x${'}'.repeat(1900)}$`, /^This formula is too large to show\.$/],
			[`$${'\\sqrt{'.repeat(80)}x${'}'.repeat(80)}$`, /^This formula is too large to show\.$/],
			[`$${'x'.repeat(3000)}$`, /^This formula is too large to show\.$/],
			[`$${'x'.repeat(5000)}$`, /^This formula is too large to show\.$/],
		] as const) {
			it(`show the source of ${source.slice(0, 40)} with the reason`, async () => {
				const formula = await showFormula(source);
				assert.equal(formula.textContent, source);
				assert.match(formula.title, message);
				assert.ok(!formula.title.includes('\u0332'));
			});
		}

		it('contain only MathML, without links and addresses', async () => {
			for (const source of [
				'$\\text{<img src=x onerror=alert(1)>}$',
				'$\\label{a}\\ref{a} x$',
				'$\\rule{1000em}{1000em}$',
				'$\\ce{H2O}$',
			]) {
				const formula = await showFormula(source);
				assert.equal(formula.querySelector('a,img,script,style,svg,[href],[src],[onerror]'), null, source);
				assert.ok(!formula.innerHTML.includes('1000em'));
			}
		});
	});
});
