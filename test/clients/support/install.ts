import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'mocha';
import { installFolderOnce } from '../../../scripts/lib/installOnce.ts';
import { cacheFolder } from '../../../scripts/lib/paths.ts';

/** Sets of packages with a lock file: the clients, and promptfoo, which needs so much space that only its test installs it. */
const sets = {
	clients: { own: path.resolve(import.meta.dirname, '..'), options: [] },
	// the optional packages are for other providers and for reading documents
	promptfoo: { own: path.resolve(import.meta.dirname, '../promptfoo'), options: ['--omit=optional'] },
} as const;
type SetName = keyof typeof sets;

const installed = new Map<SetName, Promise<string | undefined>>();

/** Installs a set of packages from its lock file, once. Skips the tests with a message if that fails. */
export async function installClients(context: Context, name: SetName = 'clients'): Promise<void> {
	context.timeout(600_000);
	if (!installed.has(name)) {
		installed.set(name, installFromLockFile(name));
	}
	const failure = await installed.get(name);
	if (failure !== undefined) {
		console.log(`      skipped: the clients cannot be installed here (${failure})`);
		context.skip();
	}
}

/** Loads an installed client package. */
export async function loadClient<T>(name: string): Promise<T> {
	return (await import(pathToFileURL(createRequire(path.join(getClientFolder('clients'), 'package.json')).resolve(name)).href)) as T;
}

/** Returns the path of a file of an installed client; undefined if there is none for this platform. */
export function findClientFile(name: string): string | undefined {
	const file = path.join(getClientFolder('clients'), 'node_modules', name);
	return fs.existsSync(file) ? file : undefined;
}

/** Returns the folder with the `node_modules` of a set. */
export function getClientFolder(name: SetName): string {
	const lock = fs.readFileSync(path.join(sets[name].own, 'package-lock.json'));
	return path.join(cacheFolder, `${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
}

async function installFromLockFile(name: SetName): Promise<string | undefined> {
	const { own, options } = sets[name];
	try {
		await installFolderOnce(getClientFolder(name), async unfinished => {
			for (const file of ['package.json', 'package-lock.json']) {
				fs.copyFileSync(path.join(own, file), path.join(unfinished, file));
			}
			process.stderr.write('Installing the clients to test with\n');
			execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...options], {
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
