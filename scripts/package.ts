// Creates both packages in dist/, the extension and the command line, from one production build. The same sources give the same bytes in
// every folder, time zone and umask.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { packageFile, root } from './lib/paths.ts';
import { readZip } from './lib/zipFile.ts';
import { readChangelog } from './release/changelog.ts';
import { createCliPackage, listCliFiles } from './release/cliPackage.ts';
import { hashFile } from './release/hashFile.ts';
import { getRepositoryPage, isPreRelease, readManifest } from './release/manifest.ts';
import { getSbomFile, listReleaseFiles } from './release/release.ts';
import { writeSbom } from './release/sbom.ts';
import { unifyModes } from './release/unifyModes.ts';

const manifest = readManifest(root);
const page = getRepositoryPage(manifest);
const date = getReleaseDate();

// times in an archive are local, and those of its files: both are set to those of the release
process.env['TZ'] = 'UTC';
process.env['SOURCE_DATE_EPOCH'] = String(Date.parse(date) / 1000);

if (!process.argv.includes('--no-build')) {
	execFileSync(process.execPath, [path.join(root, 'esbuild.mjs'), '--production'], { stdio: 'inherit' });
}
await createVSIX({
	cwd: root,
	packagePath: packageFile,
	dependencies: false,
	preRelease: isPreRelease(manifest.version),
	// the editor shows the README without other files, so its links and images point to the repository
	baseContentUrl: `${page}/blob/HEAD`,
	baseImagesUrl: `${page}/raw/HEAD`,
});
unifyModes(packageFile);
const cliFile = createCliPackage(root);

const { name, publisher, version, license } = manifest;
const subject = { name, version, license, date };
const packed = readZip(packageFile).map(entry => entry.name.replace(/^extension\//, ''));
writeSbom(root, { ...subject, purl: `pkg:vsix/${publisher}/${name}`, file: packageFile, sbomFile: getFullPath(getSbomFile(name)) }, packed);
writeSbom(
	root,
	{ ...subject, purl: `pkg:npm/${name}`, file: cliFile, sbomFile: getFullPath(getSbomFile(`${name}-cli`)) },
	listCliFiles(root),
);
const sums = listReleaseFiles(manifest).map(file => `${hashFile(getFullPath(file))}  ${path.basename(file)}\n`);
fs.writeFileSync(getFullPath('dist/SHA256SUMS'), sums.join(''));

function getFullPath(file: string): string {
	return path.join(root, file);
}

/** Returns the version's date in the changelog: the packages don't depend on a clone with its history. */
function getReleaseDate(): string {
	const sections = readChangelog(fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'));
	const section = sections.find(({ version }) => version === manifest.version);
	if (!section) {
		throw new Error(`CHANGELOG.md has no section for version ${manifest.version}: run "npm run release:version"`);
	}
	return section.date;
}
