import fs from 'node:fs';
import path from 'node:path';
import { findBadHeadings, readChangelog } from '../changelog.ts';
import { isPreRelease } from '../manifest.ts';
import { type Release, readPackedText } from '../release.ts';

/** Check 4: manifest, tag, changelog and npm package have one version, and the package's channel is the version's. */
export function checkVersions({ folder, manifest: { version }, tag, extension, cli }: Release): string[] {
	const changelog = fs.readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8');
	const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as { version: string };
	const { version: cliVersion } = JSON.parse(readPackedText(cli, 'package.json')) as { version: string };
	return compareVersions(version, {
		tag: tag.replace(/^v/, ''),
		'the first section of CHANGELOG.md': readChangelog(changelog)[0]?.version ?? 'none',
		'package-lock.json': lock.version,
		'the npm package': cliVersion,
	}).concat(
		checkChannel(version, readPackedText(extension, 'extension.vsixmanifest')),
		findBadHeadings(changelog).map(heading => `CHANGELOG.md: '${heading}' isn't '## [X.Y.Z] - YYYY-MM-DD'`),
	);
}

/** Returns places whose version differs from the manifest's. */
export function compareVersions(version: string, others: Readonly<Record<string, string>>): string[] {
	return Object.entries(others)
		.filter(([, other]) => other !== version)
		.map(([name, other]) => `the version is ${version}, but ${name} has ${other}`);
}

/** Compares the pre-release flag in the package's XML manifest with the version. */
export function checkChannel(version: string, xml: string): string[] {
	const isFlagged = /Id="Microsoft\.VisualStudio\.Code\.PreRelease" Value="true"/.test(xml);
	return isFlagged === isPreRelease(version)
		? []
		: [`the package ${isFlagged ? 'is' : "isn't"} flagged as a pre-release, but its version is ${version}`];
}
