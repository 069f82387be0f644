import type { HLJSApi, LanguageFn } from 'highlight.js';
import { getOwnField } from '#base/records/ownField.ts';

/** Grammars by language name; each is loaded on first use. */
const grammars: Readonly<Record<string, () => Promise<{ default: LanguageFn }>>> = {
	bash: () => import('highlight.js/lib/languages/bash'),
	c: () => import('highlight.js/lib/languages/c'),
	cpp: () => import('highlight.js/lib/languages/cpp'),
	csharp: () => import('highlight.js/lib/languages/csharp'),
	css: () => import('highlight.js/lib/languages/css'),
	dart: () => import('highlight.js/lib/languages/dart'),
	diff: () => import('highlight.js/lib/languages/diff'),
	dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
	elixir: () => import('highlight.js/lib/languages/elixir'),
	go: () => import('highlight.js/lib/languages/go'),
	graphql: () => import('highlight.js/lib/languages/graphql'),
	haskell: () => import('highlight.js/lib/languages/haskell'),
	ini: () => import('highlight.js/lib/languages/ini'),
	java: () => import('highlight.js/lib/languages/java'),
	javascript: () => import('highlight.js/lib/languages/javascript'),
	json: () => import('highlight.js/lib/languages/json'),
	kotlin: () => import('highlight.js/lib/languages/kotlin'),
	less: () => import('highlight.js/lib/languages/less'),
	lua: () => import('highlight.js/lib/languages/lua'),
	makefile: () => import('highlight.js/lib/languages/makefile'),
	markdown: () => import('highlight.js/lib/languages/markdown'),
	perl: () => import('highlight.js/lib/languages/perl'),
	php: () => import('highlight.js/lib/languages/php'),
	powershell: () => import('highlight.js/lib/languages/powershell'),
	python: () => import('highlight.js/lib/languages/python'),
	r: () => import('highlight.js/lib/languages/r'),
	ruby: () => import('highlight.js/lib/languages/ruby'),
	rust: () => import('highlight.js/lib/languages/rust'),
	scala: () => import('highlight.js/lib/languages/scala'),
	scss: () => import('highlight.js/lib/languages/scss'),
	shell: () => import('highlight.js/lib/languages/shell'),
	sql: () => import('highlight.js/lib/languages/sql'),
	swift: () => import('highlight.js/lib/languages/swift'),
	typescript: () => import('highlight.js/lib/languages/typescript'),
	xml: () => import('highlight.js/lib/languages/xml'),
	yaml: () => import('highlight.js/lib/languages/yaml'),
};

const aliases: Readonly<Record<string, string>> = {
	'c++': 'cpp',
	cc: 'cpp',
	h: 'c',
	hpp: 'cpp',
	'c#': 'csharp',
	cs: 'csharp',
	docker: 'dockerfile',
	golang: 'go',
	hs: 'haskell',
	html: 'xml',
	svg: 'xml',
	vue: 'xml',
	toml: 'ini',
	js: 'javascript',
	jsx: 'javascript',
	mjs: 'javascript',
	cjs: 'javascript',
	jsonc: 'json',
	kt: 'kotlin',
	make: 'makefile',
	md: 'markdown',
	patch: 'diff',
	ps1: 'powershell',
	pwsh: 'powershell',
	py: 'python',
	rb: 'ruby',
	rs: 'rust',
	sh: 'bash',
	zsh: 'bash',
	console: 'shell',
	ts: 'typescript',
	tsx: 'typescript',
	javascriptreact: 'javascript',
	typescriptreact: 'typescript',
	yml: 'yaml',
};

/** Maximum length of highlighted code, in UTF-16 units. Longer code would block the page. */
const highlightLimit = 20_000;

/**
 * Length of the first attempt to highlight, in UTF-16 units. Each next attempt is twice as long. Unclosed links keep the Markdown grammar
 * busy for 16 s in 8,000 units.
 */
const firstTry = 1000;
/**
 * Time limit of an attempt in milliseconds. Some grammars take four to eight times as long for twice the text, which would block the page.
 */
const tryMs = 100;

/** The highlighter, loaded with the first grammar, so that pages without code don't load it. */
let highlighter: HLJSApi | undefined;
const loads = new Map<string, Promise<void>>();

/**
 * Returns the HTML of highlighted code, escaped; `undefined` if the language is unknown, its grammar isn't loaded yet, or the code is too
 * long. `onLoad` is called when the grammar is loaded.
 */
export function highlightCode(code: string, language: string, onLoad: () => void): string | undefined {
	const lower = language.toLowerCase();
	const name = getOwnField(aliases, lower) ?? lower;
	const load = getOwnField(grammars, name);
	if (!load || code.length > highlightLimit) {
		return undefined;
	}
	if (highlighter?.getLanguage(name)) {
		return highlightWithTimeLimit(highlighter, code, name);
	}
	const loading =
		loads.get(name) ??
		Promise.all([import('highlight.js/lib/core'), load()]).then(([{ default: core }, { default: grammar }]) => {
			core.registerLanguage(name, grammar);
			highlighter = core;
		});
	loads.set(name, loading);
	// if a grammar can't be loaded, the code stays plain
	loading.then(onLoad, () => undefined);
	return undefined;
}

/** Highlights code; `undefined` if it takes too long or the grammar fails. */
function highlightWithTimeLimit(hljs: HLJSApi, code: string, language: string): string | undefined {
	try {
		for (let length = firstTry; ; length *= 2) {
			const began = performance.now();
			const { value } = hljs.highlight(code.slice(0, length), { language, ignoreIllegals: true });
			if (length >= code.length) {
				return value;
			}
			if (performance.now() - began > tryMs) {
				return undefined;
			}
		}
	} catch {
		return undefined;
	}
}
