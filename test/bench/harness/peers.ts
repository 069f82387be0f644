import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = path.resolve(import.meta.dirname, '..');
const require = createRequire(path.join(folder, 'package.json'));

/** Loads a package of test/bench/package.json; first installs all of them from their lock file if needed. */
export async function loadPeer<T>(name: string): Promise<T> {
	return (await import(pathToFileURL(getPeerFile(name)).href)) as T;
}

/** Returns the path of a package in test/bench/package.json, or of one of its modules, to start in a separate process. */
export function getPeerFile(name: string): string {
	if (!existsSync(path.join(folder, 'node_modules'))) {
		process.stderr.write('Installing the packages to compare with\n');
		execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
			cwd: folder,
			stdio: ['ignore', 'ignore', 'inherit'],
			shell: process.platform === 'win32',
		});
	}
	return require.resolve(name);
}
