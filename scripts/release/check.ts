// npm run release:check [-- --tag vX.Y.Z] [-- --built]: checks that the packages can be published, without a network. Checks a copy with a
// test owner and a test version, or, with --tag, the real ones.
// --built: uses the packages in dist/, and leaves installing them to the suites "package" and "cli, rest", which test the same files.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib/paths.ts';
import { makeTempFolder, removeFolder } from '../lib/tempFolder.ts';
import { checkContents, formatList, getListFile } from './checks/contents.ts';
import { checkDevContainers } from './checks/devContainers.ts';
import { checkInstallation } from './checks/installation.ts';
import { checkManifests } from './checks/manifestFields.ts';
import { checkPages } from './checks/pages.ts';
import { checkSboms } from './checks/sboms.ts';
import { checkPackedStrings } from './checks/strings.ts';
import { checkChannel, checkVersions } from './checks/versions.ts';
import { checkWorkflows } from './checks/workflows.ts';
import { createCleanCopy, packageCopy, runQuietly } from './cleanCopy.ts';
import { compareBuilds } from './compareBuilds.ts';
import { placeholderOwner } from './manifest.ts';
import { replaceOwner } from './owner.ts';
import { type Release, readPackedText, readRelease } from './release.ts';
import { setVersion } from './version.ts';

const { values: options } = parseArgs({
	options: { tag: { type: 'string' }, built: { type: 'boolean' }, update: { type: 'boolean' } },
});

/** An owner that replaces the placeholder in the copy. */
const testOwner = 'release-check';

const folder = makeTempFolder();
try {
	checkRelease(path.join(folder, 'a copy'));
} finally {
	removeFolder(folder);
}

function checkRelease(copy: string): void {
	if (!options.built) {
		runQuietly(root, [path.join(root, 'scripts/package.ts')]);
	}
	const tested = readRelease(root, options.tag ?? '');
	report(1, 'the same bytes from two copies of the sources, and from the tested build', () => {
		createCleanCopy(copy);
		packageCopy(copy);
		return compareBuilds(root, copy, tested.manifest);
	});
	const release = options.tag ? readRelease(copy, options.tag) : createTestRelease(copy, tested);
	if (options.update) {
		updateLists(release);
	}
	report(2, 'only the listed files', () => checkContents(release));
	report(3, 'complete manifests', () => checkManifests(release, placeholderOwner));
	report(4, `one version, and its channel (tag ${release.tag})`, () => [
		...checkVersions(release),
		...checkChannel(tested.manifest.version, readPackedText(tested.extension, 'extension.vsixmanifest')),
	]);
	report(5, 'pages whose pictures and links work', () => checkPages(release));
	report(6, 'strings in each language', () => checkPackedStrings(release));
	report(7, 'SBOMs of what is bundled, with licenses', () => checkSboms(release));
	report(8, 'workflows with the least rights', () => checkWorkflows(release));
	if (options.built) {
		console.log("–  9 packages that install and run: tested by the suites 'package' and 'cli, rest'");
	} else {
		report(9, 'packages that install and run', checkInstallation);
	}
	console.log('– 10 the web: no bundle for it is built');
	report(11, 'dev containers that fit', () => checkDevContainers(release));
	console.log('– 12 accounts and policies: by a person, as docs/internals/releasing.md says');
}

/** Packages the copy with an owner and a version of the pre-release channel. */
function createTestRelease(copy: string, { manifest }: Release): Release {
	const [major, minor] = manifest.version.split('.').map(Number) as [number, number];
	const version = `${major}.${minor + 1 + (minor % 2)}.0`;
	replaceOwner(copy, testOwner);
	setVersion(copy, version, '2027-01-02');
	packageCopy(copy, '--no-build');
	return readRelease(copy, `v${version}`);
}

/** Prints one line for a check, and the problems that it found. */
function report(number: number, title: string, check: () => string[]): void {
	const started = performance.now();
	const problems = findProblems(check);
	const seconds = ((performance.now() - started) / 1000).toFixed(1);
	console.log(`${problems.length === 0 ? '✔' : '✖'} ${String(number).padStart(2)} ${title}: ${seconds} s`);
	for (const problem of problems) {
		console.log(`     ${problem.replaceAll('\n', '\n     ')}`);
		process.exitCode = 1;
	}
}

/** Runs a check. A check that throws has one problem. */
function findProblems(check: () => string[]): string[] {
	try {
		return check();
	} catch (error) {
		return [error instanceof Error ? error.message : String(error)];
	}
}

/** Writes the lists of packed files, to be reviewed and committed. */
function updateLists({ extension, cli }: Release): void {
	for (const [name, files] of Object.entries({ extension, cli })) {
		fs.mkdirSync(path.dirname(getListFile(name)), { recursive: true });
		fs.writeFileSync(getListFile(name), `${formatList(files.keys()).join('\n')}\n`);
	}
}
