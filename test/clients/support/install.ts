import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'mocha';
import { installFolderOnce } from '../../../scripts/lib/installOnce.ts';
import { cacheFolder } from '../../../scripts/lib/paths.ts';

const own = path.resolve(import.meta.dirname, '..');
const lock = fs.readFileSync(path.join(own, 'package-lock.json'));
const folder = path.join(cacheFolder, `clients-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);

let installed: Promise<string | undefined> | undefined;

/** Installs the clients of test/clients/package.json from their lock file, once. Skips the tests with a message if that fails. */
export async function installClients(context: Context): Promise<void> {
	context.timeout(600_000);
	installed ??= installFromLockFile();
	const failure = await installed;
	if (failure !== undefined) {
		console.log(`      skipped: the clients cannot be installed here (${failure})`);
		context.skip();
	}
}

/** Loads an installed client package. */
export async function loadClient<T>(name: string): Promise<T> {
	return (await import(pathToFileURL(createRequire(path.join(folder, 'package.json')).resolve(name)).href)) as T;
}

/** Returns the path of a file of an installed client; undefined if there is none for this platform. */
export function findClientFile(name: string): string | undefined {
	const file = path.join(folder, 'node_modules', name);
	return fs.existsSync(file) ? file : undefined;
}

async function installFromLockFile(): Promise<string | undefined> {
	try {
		await installFolderOnce(folder, async unfinished => {
			for (const file of ['package.json', 'package-lock.json']) {
				fs.copyFileSync(path.join(own, file), path.join(unfinished, file));
			}
			process.stderr.write('Installing the clients to test with\n');
			execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
				cwd: unfinished,
				stdio: ['ignore', 'ignore', 'pipe'],
				shell: process.platform === 'win32',
			});
		});
		return undefined;
	} catch (error) {
		return (error as Error).message.split('\n').slice(0, 2).join(' ');
	}
}
