import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Folder of the package: the bundle lies in its dist/, the schemas in its media/. */
export const packageFolder = path.resolve(import.meta.dirname, '..');

/** The built-in gateway as a program, beside the command line's own. */
export const gatewayProgram = path.join(packageFolder, 'dist', 'gateway.js');

/** A JSON file of the package, by its path in it. */
export function packageJson<T>(file: string): T {
	return JSON.parse(readFileSync(path.join(packageFolder, file), 'utf8')) as T;
}
