import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.ts';
import { makeTempFolder, removeFolder } from '../../../../scripts/lib/tempFolder.ts';
import { findBadHeadings, readChangelog } from '../../../../scripts/release/changelog.ts';
import { isPreRelease, readManifest } from '../../../../scripts/release/manifest.ts';
import { setVersion } from '../../../../scripts/release/version.ts';

describe('the version of a release', () => {
	let folder: string;
	beforeEach(() => {
		folder = makeTempFolder();
		for (const file of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'docs/cli.md']) {
			fs.cpSync(path.join(root, file), path.join(folder, file));
		}
	});
	afterEach(() => removeFolder(folder));

	const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');

	it('is set in the manifest, the lock file, the changelog and the names of package files', () => {
		const before = readChangelog(read('CHANGELOG.md'));
		setVersion(folder, '7.8.9', '2027-01-02');
		assert.equal(readManifest(folder).version, '7.8.9');
		const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: Record<string, { version: string }> };
		assert.deepEqual([lock.version, lock.packages['']?.version], ['7.8.9', '7.8.9']);
		const [first, ...others] = readChangelog(read('CHANGELOG.md'));
		assert.deepEqual([first?.version, first?.date], ['7.8.9', '2027-01-02']);
		assert.deepEqual(others, before);
		assert.match(read('CHANGELOG.md'), /^## \[Unreleased\]\n\n## \[7\.8\.9\]/m);
		assert.match(read('docs/cli.md'), /agent-workbench-7\.8\.9\.tgz/);
	});

	it('is refused if it has another form', () => {
		assert.throws(() => setVersion(folder, 'v1.2', '2027-01-02'), /'v1\.2' isn't a version/);
	});

	it('belongs to the pre-release channel if its minor number is odd', () => {
		assert.deepEqual(['0.1.0', '1.0.5', '2.11.3', '0.2.0'].map(isPreRelease), [true, false, true, false]);
	});

	it('has a section in the changelog with a date', () => {
		assert.deepEqual(readChangelog('# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2027-01-02\n\n### Fixed\n\n- A.\n'), [
			{ version: '1.2.3', date: '2027-01-02', text: '### Fixed\n\n- A.' },
		]);
		assert.deepEqual(findBadHeadings('## [Unreleased]\n## 0.1.0 (2026-11-21)\n## [1.2.3] - 2027-01-02'), ['## 0.1.0 (2026-11-21)']);
	});
});
