// VS Code's own server and web client from npm (code-server), without its command line, a compiler or an install script.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { installOnce } from './installOnce.ts';
import { node24 } from './node24.ts';
import { cacheFolder, root } from './paths.ts';

/** An installed workbench. */
export interface Workbench {
	/** Where its packages are, and whatever else is unpacked once (the browser, fonts). */
	folder: string;
	/** The script that starts the server. */
	serverMain: string;
	/** Of VS Code and of the package that carries it, as in "1.139.1 (workbench of code-server 4.139.1)". */
	version: string;
}

/** Manifest, lock file and shims of what is installed. */
const source = path.join(root, 'test/workbench');

/** Built-in extensions that no test needs: 100 MB, and they start processes or ask for an account. */
const unusedExtensions = [
	'copilot',
	'mermaid-markdown-features',
	'microsoft-authentication',
	'ms-vscode.js-debug',
	'ms-vscode.js-debug-companion',
	'ms-vscode.vscode-js-profile-table',
];

/** Packages with executables for every platform, of which one is used. */
const perPlatform = ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds'];

/** Installs the workbench below .vscode-test/ if this lock file's is not there yet: 206 MB, about 9 s. */
export async function ensureWorkbench(): Promise<Workbench> {
	const folder = path.join(cacheFolder, `workbench-${lockHash()}`);
	const started = performance.now();
	if (await installOnce(folder, unfinished => install(unfinished, folder))) {
		console.log(`installed the workbench in ${((performance.now() - started) / 1000).toFixed(1)} s: ${path.relative(root, folder)}`);
	}
	const server = serverOf(folder);
	const { version } = JSON.parse(fs.readFileSync(path.join(server, 'package.json'), 'utf8')) as { version: string };
	const carrier = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
	return {
		folder,
		serverMain: path.join(server, 'out/server-main.js'),
		version: `${version} (workbench of code-server ${carrier.dependencies['code-server']})`,
	};
}

const serverOf = (folder: string): string => path.join(folder, 'node_modules/code-server/lib/vscode');

function lockHash(): string {
	const hash = createHash('sha256').update(process.platform + process.arch);
	for (const file of ['package-lock.json', 'shims/spdlog/index.js', 'shims/native-watchdog/index.js']) {
		hash.update(fs.readFileSync(path.join(source, file)));
	}
	return hash.digest('hex').slice(0, 12);
}

async function install(folder: string, finalFolder: string): Promise<void> {
	fs.cpSync(source, folder, { recursive: true });
	await npmCi(folder);
	const packages = path.join(folder, 'node_modules');
	const server = serverOf(folder);
	for (const name of unusedExtensions) {
		fs.rmSync(path.join(server, 'extensions', name), { recursive: true, force: true });
	}
	for (const name of perPlatform) {
		for (const platform of fs.readdirSync(path.join(packages, name))) {
			if (platform !== `${process.platform}-${process.arch}`) {
				fs.rmSync(path.join(packages, name, platform), { recursive: true });
			}
		}
	}
	// the server and the web client look for their packages beside themselves; a junction (Windows) holds an absolute path, so the final one
	const link = path.join(server, 'node_modules');
	const target = process.platform === 'win32' ? path.join(finalFolder, 'node_modules') : path.relative(server, packages);
	fs.symlinkSync(target, link, 'junction');
}

/** Under Node 24: the npm of a machine's older Node skips optional packages whose `engines` ask for more, and the browser is one. */
async function npmCi(folder: string): Promise<void> {
	const node = node24();
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
