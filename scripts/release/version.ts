// npm run release:version -- X.Y.Z [YYYY-MM-DD]: sets the version everywhere, and dates what the changelog lists as unreleased.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/paths.ts';
import { readManifest } from './manifest.ts';
import { escapePattern } from './sourceFiles.ts';

/** Sets the version in package.json, package-lock.json, CHANGELOG.md and in the names of package files in docs/cli.md. */
export function setVersion(folder: string, version: string, date: string): void {
	if (!/^\d+\.\d+\.\d+$/.test(version)) {
		throw new Error(`'${version}' isn't a version such as 1.2.3`);
	}
	const { name, version: current } = readManifest(folder);
	const rewrite = (file: string, change: (text: string) => string): void => {
		const full = path.join(folder, file);
		fs.writeFileSync(full, change(fs.readFileSync(full, 'utf8')));
	};
	const field = new RegExp(`^(\\t+"version": ")${escapePattern(current)}(?=")`, 'm');
	rewrite('package.json', text => text.replace(field, `$1${version}`));
	// the first two versions in the lock file are the checkout's
	rewrite('package-lock.json', text => text.replace(field, `$1${version}`).replace(field, `$1${version}`));
	rewrite('CHANGELOG.md', text => text.replace(/^## \[Unreleased\]$/m, `## [Unreleased]\n\n## [${version}] - ${date}`));
	rewrite('docs/cli.md', text => text.replaceAll(`${name}-${current}.tgz`, `${name}-${version}.tgz`));
}

if (import.meta.main) {
	const [version, date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
	if (!version) {
		throw new Error('usage: npm run release:version -- X.Y.Z [YYYY-MM-DD]');
	}
	setVersion(root, version, date);
}
