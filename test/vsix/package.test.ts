import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { packageFile } from '../../scripts/lib/paths.ts';
import { readZip } from '../../scripts/lib/zipFile.ts';

/**
 * Files that VS Code or a reader of the package finds by their name. All others must be named by the manifest or by code in the package.
 */
const known = [
	'[[]Content_Types].xml',
	'extension.vsixmanifest',
	'extension/package.json',
	'extension/package.nls{,.*}.json',
	'extension/l10n/bundle.l10n*.json',
	'extension/{LICENSE.txt,readme.md,changelog.md}',
	'extension/dist/THIRD-PARTY-NOTICES.txt',
	// code builds the names of a page's script and style from the page's name (src/editor/platform/webviewPage.ts)
	'extension/dist/webview/{chat,inspector,inputs,logs,graph,prompt,results,review,usage}{,-style}.{js,css}',
	// templates of new agents, by name (src/editor/agents/files/skeletons.ts)
	'extension/media/agents/*.yml',
	// copied as a workspace (src/editor/explorer/commands/openSamples.ts)
	'extension/samples/{README.md,.vscode/settings.json,.devcontainer/devcontainer.json,agents/*.yml,runs/*,suites/*,handbook/*.md}',
	// runs the checks of suites (src/suites)
	'extension/dist/checkThread.js',
	// an editor tab's icon for each kind of theme (src/editor/platform/tabIcon.ts)
	'extension/media/tab-{dark,light}.svg',
];

describe('the package', () => {
	const entries = readZip(packageFile);
	const names = entries.map(entry => entry.name);
	const texts = new Map<string, string>();
	/** Returns the text of a file, which is unpacked once: tests look for hundreds of names in hundreds of files. */
	const readPackageText = (name: string): string => {
		const text =
			texts.get(name) ??
			entries
				.find(entry => entry.name === name)!
				.readContent()
				.toString('utf8');
		texts.set(name, text);
		return text;
	};
	const isTextFile = (name: string): boolean => /\.(c?js|json|css)$/.test(name);

	it('contains only files that are used', () => {
		const isReferenced = (file: string): boolean =>
			names.some(name => name !== file && isTextFile(name) && readPackageText(name).includes(path.posix.basename(file)));
		assert.deepEqual(
			names.filter(name => !known.some(pattern => path.matchesGlob(name, pattern)) && !isReferenced(name)),
			[],
		);
	});

	it('contains every built file', () => {
		const needed = ['package.json', 'package.nls.json', 'LICENSE.txt', 'dist/extension.cjs', 'dist/client.cjs', 'dist/gateway.js'];
		assert.deepEqual(
			needed.filter(name => !names.includes(`extension/${name}`)),
			[],
		);
	});

	it('contains the complete sample workspace', () => {
		const samples = path.resolve(import.meta.dirname, '../../samples');
		const files = fs.globSync('{**/*,.vscode/*,.devcontainer/*}', { cwd: samples, withFileTypes: true }).filter(entry => entry.isFile());
		const needed = files.map(entry => path.relative(samples, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
		assert.ok(needed.includes('.vscode/settings.json') && needed.includes('agents/fails-on-purpose.yml'));
		assert.deepEqual(
			needed.filter(name => !names.includes(`extension/samples/${name}`)),
			[],
		);
	});

	it('contains every file that the manifest names', () => {
		const named = [
			...readPackageText('extension/package.json').matchAll(/"(?:\.\/)?((?:media|dist|schemas|syntaxes|l10n)\/[^"$]+\.\w+)"/g),
		].map(match => `extension/${match[1]}`);
		assert.ok(named.includes('extension/dist/extension.cjs'));
		assert.deepEqual(
			named.filter(name => !names.includes(name)),
			[],
		);
	});

	it('has a README whose links and pictures lead to the repository', () => {
		const links = [...readPackageText('extension/readme.md').matchAll(/\]\(([^)]+)\)/g)].map(match => match[1] ?? '');
		assert.ok(links.length > 0);
		assert.deepEqual(
			links.filter(link => !/^(https:|#)/.test(link)),
			[],
		);
	});

	it('leaves the command line to its own package', () => {
		assert.deepEqual(
			names.filter(name => /\/dist\/cli[.-]/.test(name)),
			[],
		);
	});

	it('is 4 MB or less, with strings in two more languages', () => {
		const { size } = fs.statSync(packageFile);
		assert.ok(size <= 4_000_000, `it is ${size} bytes`);
	});

	it('loads 60 KB or less at activation', () => {
		const size = Buffer.byteLength(readPackageText('extension/dist/extension.cjs'));
		assert.ok(size <= 60_000, `dist/extension.cjs is ${size} bytes`);
	});

	it("has no page's elements in the files of the extension host", () => {
		const faults = names.filter(name => name.endsWith('.cjs') && /litElementVersions|litHtmlVersions/.test(readPackageText(name)));
		assert.deepEqual(faults, []);
	});

	it('is minified and references no source maps', () => {
		const scripts = names.filter(name => /\.c?js$/.test(name));
		const faults = scripts.filter(name => /^\/\/ (src|node_modules)\/|^\/\/# sourceMappingURL=/m.test(readPackageText(name)));
		assert.deepEqual(faults, []);
	});

	it('names the licenses of the bundled packages', () => {
		const notices = readPackageText('extension/dist/THIRD-PARTY-NOTICES.txt');
		const named = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \(\S+\)$/gm)].map(match => match[1]);
		assert.deepEqual(
			['undici', 'eventsource-parser', 'zod'].filter(name => !named.includes(name)),
			[],
		);
	});

	it("doesn't mention the machine on which it was built", () => {
		const folder = path.resolve(import.meta.dirname, '../..');
		assert.deepEqual(
			names.filter(name => /\.(c?js|json|txt)$/.test(name) && readPackageText(name).includes(folder)),
			[],
		);
	});
});
