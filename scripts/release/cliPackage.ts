import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { getRepositoryPage, type ReleaseManifest, readManifest } from './manifest.ts';

/** What runs without an editor: the command line, and the gateway that it starts. */
const packedFiles = [
	'LICENSE',
	'dist/{cli,gateway}{,-*}.js',
	'dist/*Thread.js',
	'dist/emscripten-module.wasm',
	'dist/THIRD-PARTY-NOTICES.txt',
	'media/{agent,run}.schema.json',
];

/** Oldest Node.js that runs the command line. */
const oldestNode = '>=22.19';

/**
 * Creates the npm package of the command line from a production build. Its folder is generated, because package.json of the checkout is the
 * extension's.
 * @returns the path of the archive in dist/
 */
export function createCliPackage(root: string): string {
	const manifest = readManifest(root);
	const folder = path.join(root, 'dist/npm');
	fs.rmSync(folder, { recursive: true, force: true });
	for (const file of listCliFiles(root)) {
		fs.cpSync(path.join(root, file), path.join(folder, file));
	}
	fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(createCliManifest(manifest), null, '\t')}\n`);
	const page = fs.readFileSync(path.join(root, 'docs/cli.md'), 'utf8');
	fs.writeFileSync(path.join(folder, 'README.md'), linkToRepository(page, 'docs', `${getRepositoryPage(manifest)}/blob/HEAD`));
	setModes(folder);
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	execFileSync(npm, ['pack', '--silent', '--pack-destination', path.join(root, 'dist')], {
		cwd: folder,
		shell: process.platform === 'win32',
		// npm's report of the archive's name
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return path.join(root, getCliPackageFile(manifest));
}

/** Returns the files of a production build that the package contains, relative to the checkout. */
export const listCliFiles = (root: string): string[] => fs.globSync(packedFiles, { cwd: root }).map(file => file.replaceAll(path.sep, '/'));

/** Returns the path of the archive, relative to the checkout. */
export const getCliPackageFile = ({ name, version }: ReleaseManifest): string => `dist/${name}-${version}.tgz`;

function createCliManifest({ name, version, license, keywords, homepage, bugs, repository }: ReleaseManifest): object {
	return {
		name,
		version,
		description: 'Command line of Agent Workbench: runs, checks and tests AI agents and workflows, and serves them with its gateway.',
		license,
		keywords,
		homepage,
		bugs,
		repository: { ...repository, url: `git+${repository.url}` },
		type: 'module',
		bin: { [name]: 'dist/cli.js' },
		engines: { node: oldestNode },
		files: ['dist', 'media'],
	};
}

/** Points the relative links of a page to the repository, because the package doesn't contain their targets. */
export function linkToRepository(page: string, folder: string, base: string): string {
	return page.replaceAll(/(?<=\]\()(?![a-z]+:|#)[^)\s]+/g, link => `${base}/${path.posix.join(folder, link)}`);
}

/** Sets the same modes everywhere: an archive contains them, and they depend on the user's umask. */
function setModes(folder: string): void {
	for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
		const file = path.join(entry.parentPath, entry.name);
		fs.chmodSync(file, entry.isDirectory() || entry.name === 'cli.js' ? 0o755 : 0o644);
	}
}
