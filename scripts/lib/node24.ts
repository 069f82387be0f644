import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './paths.ts';

/**
 * Returns the Node that runs VS Code's server: 24 or later. npm provides one for Linux and Windows (scripts/node24); macOS uses the
 * machine's.
 * @returns the path of the executable, with links resolved
 */
export function findNode24(): string {
	const candidates = [process.execPath, path.join(root, 'node_modules/.bin/node')];
	for (const candidate of candidates) {
		if (fs.existsSync(candidate) && getMajorVersion(candidate) >= 24) {
			return fs.realpathSync(candidate);
		}
	}
	throw new Error(`VS Code's server needs Node 24 or later, and this is ${process.version}: run "npm ci", or install Node 24`);
}

function getMajorVersion(executable: string): number {
	const version =
		executable === process.execPath ? process.version : (spawnSync(executable, ['--version'], { encoding: 'utf8' }).stdout ?? '');
	return Number.parseInt(version.slice(1), 10);
}
