import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/paths.ts';
import { listSourceFiles } from './sourceFiles.ts';

/** A time that no checkout has. */
const longAgo = new Date('2001-02-03T04:05:06Z');

/**
 * Copies the sources of this checkout to a folder where everything differs that must not matter: the path, times and modes of files.
 * The files of installed packages are the same, in folders of the copy: a link to the whole folder would show in paths.
 */
export function createCleanCopy(folder: string): void {
	const umask = process.umask(0o077);
	for (const file of listSourceFiles(root)) {
		const target = path.join(folder, file);
		fs.mkdirSync(path.dirname(target), { recursive: true });
		fs.writeFileSync(target, fs.readFileSync(path.join(root, file)));
		fs.utimesSync(target, longAgo, longAgo);
	}
	process.umask(umask);
	linkFiles(fs.realpathSync(path.join(root, 'node_modules')), path.join(folder, 'node_modules'));
}

/** Creates a folder with the same files, or with copies of them on another disk. */
function linkFiles(from: string, to: string): void {
	fs.mkdirSync(to);
	for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
		const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
		if (entry.isDirectory()) {
			linkFiles(source, target);
		} else if (entry.isSymbolicLink()) {
			fs.symlinkSync(fs.readlinkSync(source), target);
		} else {
			linkFile(source, target);
		}
	}
}

function linkFile(source: string, target: string): void {
	try {
		fs.linkSync(source, target);
	} catch {
		fs.copyFileSync(source, target);
	}
}

/** Creates the packages of a copy, with another time zone, language and umask than usual. */
export function packageCopy(folder: string, ...options: string[]): void {
	const umask = process.umask(0o077);
	try {
		runQuietly(folder, [path.join(folder, 'scripts/package.ts'), ...options], { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' });
	} finally {
		process.umask(umask);
	}
}

/** Runs a script with this Node.js. Its output is in the error if it fails. */
export function runQuietly(folder: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): void {
	try {
		execFileSync(process.execPath, args, {
			cwd: folder,
			stdio: 'pipe',
			maxBuffer: 64 * 1024 * 1024,
			env: { ...process.env, ...environment },
		});
	} catch (error) {
		const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
		throw new Error(`${path.basename(args[0]!)} failed:\n${`${stdout ?? ''}${stderr ?? ''}`.trimEnd().slice(-4000)}`);
	}
}
