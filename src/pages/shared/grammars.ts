import type { HLJSApi, LanguageFn } from 'highlight.js';
import { ownField } from '#base/records/ownField.ts';

/** Grammars by the name that a fence gives; each loads on its first use. */
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

/** Longer code is shown plain: highlighting it would hold up the page. In UTF-16 units. */
const highlightLimit = 20_000;

/** First piece of the code that is tried, in UTF-16 units; the next is twice as long. Links that never end take the grammar of Markdown 16 s in 8,000. */
const firstTry = 1000;
/** Milliseconds that a piece may take: some grammars take four to eight times as long for twice the text, and would hold up the page. */
const tryMs = 100;

/** Loads with the first grammar: a page without code does without it. */
let highlighter: HLJSApi | undefined;
const loads = new Map<string, Promise<void>>();

/**
 * HTML of highlighted code; undefined where its language is unknown, its grammar not loaded yet, or it is too long. The code is escaped in
 * it. `onLoad` is called once the grammar is there.
 */
export function highlighted(code: string, language: string, onLoad: () => void): string | undefined {
	const lower = language.toLowerCase();
	const name = ownField(aliases, lower) ?? lower;
	const load = ownField(grammars, name);
	if (!load || code.length > highlightLimit) {
		return undefined;
	}
	if (highlighter?.getLanguage(name)) {
		return highlightedInTime(highlighter, code, name);
	}
	const loading =
		loads.get(name) ??
		Promise.all([import('highlight.js/lib/core'), load()]).then(([{ default: core }, { default: grammar }]) => {
			core.registerLanguage(name, grammar);
			highlighter = core;
		});
	loads.set(name, loading);
	// a grammar that does not load leaves the code as it is: plain
	loading.then(onLoad, () => undefined);
	return undefined;
}

/** `undefined` where it would take too long, or the grammar fails. */
function highlightedInTime(hljs: HLJSApi, code: string, language: string): string | undefined {
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
