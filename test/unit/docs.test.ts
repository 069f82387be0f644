import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const pages = [...fs.globSync('README*.md', { cwd: root }), ...fs.globSync('docs/*.md', { cwd: root })].map(file =>
	file.replaceAll(path.sep, '/'),
);
const languages = ['zh-cn', 'ja'];
const getTranslation = (page: string, language: string): string => page.replace(/\.md$/, `.${language}.md`);

interface Manifest {
	contributes: {
		commands: { command: string; title: string; category: string }[];
		configuration: { properties: Record<string, unknown> }[];
	};
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const strings = ['', ...languages.map(language => `.${language}`)].map(
	ending => JSON.parse(read(`package.nls${ending}.json`)) as Record<string, string>,
);
const { commands, configuration } = manifest.contributes;

/** Titles of all commands, with and without their category, in all languages. */
const titles = new Set(
	strings.flatMap(texts =>
		commands.flatMap(({ title, category }) => {
			const [group, text] = [category, title].map(each => texts[each.replaceAll('%', '')] ?? each);
			return [text, `${group}: ${text}`];
		}),
	),
);
const names = new Set([
	...[configuration].flat().flatMap(({ properties }) => Object.keys(properties)),
	...commands.map(({ command }) => command),
]);

/** Text of a page without blocks of code. */
const readProse = (page: string): string => read(page).replaceAll(/^```.*?^```$/gms, '');
/** Text of a page without any code. */
const readWords = (page: string): string =>
	readProse(page)
		.replaceAll(/^ {4}.*$/gm, '')
		.replaceAll(/`[^`]*`/g, '');
const countLines = (page: string): number => read(page).split('\n').length - 1;
/** The anchor that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

function isBroken(page: string, link: string): boolean {
	const [file = '', anchor] = link.split('#');
	const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
	if (!fs.existsSync(path.join(root, target))) {
		return true;
	}
	return anchor !== undefined && ![...readProse(target).matchAll(/^#+ (.*)$/gm)].some(([, heading]) => toAnchor(heading ?? '') === anchor);
}

describe('README.md and docs', () => {
	it('have at most 150 lines (README) and 200 lines (other pages)', () => {
		assert.deepEqual(
			pages.filter(page => countLines(page) > (page.startsWith('README') ? 150 : 200)),
			[],
		);
	});

	it('link only to files and headings that exist', () => {
		const broken = pages.flatMap(page =>
			[...readProse(page).matchAll(/\]\(([^)\s]+)\)/g)]
				.map(([, link]) => link ?? '')
				.filter(link => !/^[a-z]+:/.test(link) && isBroken(page, link))
				.map(link => `${page}: ${link}`),
		);
		assert.deepEqual(broken, []);
	});

	it('have the same headings, links and code in each language', () => {
		const outline = (page: string) => {
			const links = [...readProse(page).matchAll(/\]\(([^)\s]+)\)/g)]
				.map(([, link]) => link ?? '')
				.filter(link => !languageLinks.test(link))
				.toSorted();
			const code = [...read(page).matchAll(/^```.*?^```$|^ {4}[^\n]*$|`[^`\n]+`/gms)].map(([text]) => text).toSorted();
			return { levels: [...readProse(page).matchAll(/^#+ /gm)].map(([level]) => level), links, code };
		};
		// other headings have other anchors, and the index of each language is another file
		const languageLinks = /^(?:\.\.\/|docs\/)?README(?:\.[\w-]+)?\.md(?:#.*)?$/;
		for (const page of ['README.md', 'docs/README.md']) {
			for (const language of languages) {
				assert.deepEqual(outline(getTranslation(page, language)), outline(page), `${page} in ${language}`);
				assert.ok(read(page).includes(`](README.${language}.md)`), `${page} doesn't link to ${language}`);
			}
		}
	});

	it("describe each picture for readers who can't see it", () => {
		assert.deepEqual(
			pages.filter(page => /!\[\s*\]/.test(readProse(page))),
			[],
		);
	});

	it('write only titles of commands in italics', () => {
		const unknown = pages.flatMap(page =>
			[...readWords(page).matchAll(/(?<![*\w\\])\*(?![*\s])([^*]+)\*(?![*\w])/g)]
				.map(([, text]) => (text ?? '').replaceAll(/\s+/g, ' '))
				.filter(text => !titles.has(text))
				.map(text => `${page}: ${text}`),
		);
		assert.deepEqual(unknown, []);
	});

	it('name only settings and commands that exist', () => {
		const unknown = pages.flatMap(page =>
			[...read(page).matchAll(/\bagentWorkbench(?:\.[A-Za-z]+)+/g)]
				.filter(([name]) => !names.has(name))
				.map(([name]) => `${page}: ${name}`),
		);
		assert.deepEqual(unknown, []);
	});
});
