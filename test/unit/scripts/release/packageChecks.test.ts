import assert from 'node:assert/strict';
import { compareLists, findPrivateContent, formatList } from '../../../../scripts/release/checks/contents.ts';
import { checkCliManifest, checkExtensionManifest, findPlaceholders } from '../../../../scripts/release/checks/manifestFields.ts';
import { compareStrings, findUndefinedKeys } from '../../../../scripts/release/checks/strings.ts';
import { checkChannel, compareVersions } from '../../../../scripts/release/checks/versions.ts';

const pack = (files: Record<string, string | Buffer>) =>
	new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content as string)]));

describe('the check of what packages contain', () => {
	it('reports files that are missing in the committed list or in the package', () => {
		assert.deepEqual(compareLists('cli', ['a', 'b'], ['b', 'c']), [
			"cli: c isn't in scripts/release/contents/cli.txt (npm run release:check -- --update)",
			'cli: a is missing in the package',
		]);
		assert.deepEqual(compareLists('cli', ['a'], ['a']), []);
	});

	it('lists chunks without their names and hashes, and each other file', () => {
		assert.deepEqual(
			formatList([
				'dist/gateway-pdfText-OWN6ZB4F.js',
				'dist/gateway-chunk-2HWRTZ7G.js',
				'dist/gateway-mcp.js',
				'dist/webview/shared/chunk-2HWRTZ7G.js',
				'README.md',
			]),
			['README.md', 'dist/gateway-*.js', 'dist/gateway-mcp.js', 'dist/webview/shared/*.js'],
		);
	});

	it('reports maps, tests, keys, tokens and folders of the machine', () => {
		const files = pack({
			'dist/a.js': 'ok',
			'dist/a.js.map': '{}',
			'test/a.js': '',
			'dist/b.js': `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(60)}`,
			'dist/c.js': `ghp_${'a'.repeat(36)}`,
			'dist/d.js': 'from /home/ana/project/src',
			'dist/e.js': '//# sourceMappingURL=e.js.map',
		});
		assert.deepEqual(findPrivateContent(files, ['/home/ana/project', '/']), [
			"dist/a.js.map doesn't belong into a package",
			"test/a.js doesn't belong into a package",
			'dist/b.js contains a private key',
			'dist/c.js contains a token',
			'dist/d.js contains the path /home/ana/project',
			'dist/e.js contains a source map',
		]);
	});
});

describe('the check of manifests', () => {
	const icon = Buffer.alloc(24);
	icon.write('\x89PNG', 0, 'latin1');
	icon.writeUInt32BE(128, 16);
	icon.writeUInt32BE(128, 20);
	const fields = ['name', 'displayName', 'description', 'publisher', 'version', 'license', 'homepage', 'bugs', 'qna', 'repository'];
	const manifest: Record<string, unknown> = {
		...Object.fromEntries([...fields, 'categories', 'engines'].map(name => [name, 'x'])),
		icon: 'media/icon.png',
		galleryBanner: { color: '#1b3a63', theme: 'dark' },
		pricing: 'Free',
		keywords: ['a'],
	};
	const files = pack({ 'media/icon.png': icon });

	it('accepts a complete one', () => {
		assert.deepEqual(checkExtensionManifest(manifest, files), []);
	});

	it('reports a missing field, a bad one, and one that an extension must not have', () => {
		const { ['qna']: _, ...incomplete } = manifest;
		const bad = { galleryBanner: { color: 'blue', theme: 'dark' }, pricing: 'Paid', keywords: Array(31).fill('a'), dependencies: {} };
		assert.deepEqual(checkExtensionManifest({ ...incomplete, ...bad, enabledApiProposals: ['x'] }, files), [
			'package.json has no qna',
			'package.json has 31 keywords, more than 30',
			'galleryBanner needs a color such as #1b3a63, and a theme',
			'pricing must be Free or Trial',
			'package.json has enabledApiProposals',
			'package.json has dependencies',
		]);
	});

	it('reports an icon that is too small or no PNG', () => {
		const small = Buffer.from(icon);
		small.writeUInt32BE(64, 20);
		for (const content of [small, '<svg/>']) {
			assert.deepEqual(checkExtensionManifest(manifest, pack({ 'media/icon.png': content })), [
				"the icon isn't a square PNG of 128 pixels",
			]);
		}
	});

	it('reports an npm package that is private, has dependencies, or is of another repository', () => {
		const names = ['name', 'version', 'description', 'license', 'keywords', 'homepage', 'bugs', 'engines', 'bin'];
		const cli = { ...Object.fromEntries(names.map(name => [name, 'x'])), repository: { url: 'git+https://b/c.git' } };
		assert.deepEqual(checkCliManifest({ ...cli, files: ['dist'] }, { repository: { url: 'https://b/c.git' } }), []);
		assert.deepEqual(checkCliManifest({ ...cli, private: true, dependencies: {} }, { repository: { url: 'https://a/c.git' } }), [
			'the npm package has no files',
			'the npm package has private',
			'the npm package has dependencies',
			"the npm package's repository is another one",
		]);
	});

	it('reports placeholders in what is shown', () => {
		const packed = pack({
			'package.json': 'https://example.invalid/a',
			'readme.md': 'github.com/someone/a',
			'dist/a.js': 'example.invalid',
		});
		assert.deepEqual(findPlaceholders(packed, 'someone'), [
			'package.json contains example.invalid',
			'readme.md contains the placeholder someone',
		]);
	});
});

describe('the check of versions', () => {
	it('reports a tag or file of another version', () => {
		assert.deepEqual(compareVersions('1.2.3', { tag: '1.2.3', 'CHANGELOG.md': '1.2.2' }), [
			'the version is 1.2.3, but CHANGELOG.md has 1.2.2',
		]);
	});

	it('reports a package that is flagged for the wrong channel', () => {
		const flag = '<Property Id="Microsoft.VisualStudio.Code.PreRelease" Value="true" />';
		assert.deepEqual([checkChannel('1.2.3', ''), checkChannel('1.3.0', flag)], [[], []]);
		assert.deepEqual(checkChannel('1.2.3', flag), ['the package is flagged as a pre-release, but its version is 1.2.3']);
		assert.deepEqual(checkChannel('1.3.0', ''), ["the package isn't flagged as a pre-release, but its version is 1.3.0"]);
	});
});

describe('the check of packed strings', () => {
	it('reports keys of the manifest without a string', () => {
		assert.deepEqual(findUndefinedKeys('{"title": "%a.b%", "other": "%c%", "third": "50% of %d%"}', { 'a.b': 'A' }), [
			"package.nls.json doesn't define %c%",
		]);
	});

	it('reports missing and unused translations, and other placeholders', () => {
		const english = { a: 'Run {0}', b: { message: 'Stop {0} of {1}' }, c: 'C' };
		assert.deepEqual(compareStrings('x.json', english, { a: '{0} R', b: '{1} S {0}', c: 'K' }), []);
		assert.deepEqual(compareStrings('x.json', english, { a: 'R', b: '{1} S {0}', d: 'D' }), [
			"x.json has no 'c'",
			"x.json has 'd', which isn't used",
			"x.json has other placeholders in 'a'",
		]);
	});
});
