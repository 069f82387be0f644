import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The package's folder, which contains dist/ with this bundle and media/ with the schemas. */
export const packageFolder = path.resolve(import.meta.dirname, '..');

/** The built-in gateway's program, in the same folder as the command line's. */
export const gatewayProgram = path.join(packageFolder, 'dist', 'gateway.js');

/** Reads a JSON file from the package's folder. */
export function readPackageJson<T>(file: string): T {
	return JSON.parse(readFileSync(path.join(packageFolder, file), 'utf8')) as T;
}
