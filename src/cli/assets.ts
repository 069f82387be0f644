import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Folder of the package: contains dist/ with this bundle and media/ with the schemas. */
export const packageFolder = path.resolve(import.meta.dirname, '..');

/** The built-in gateway's program, next to the command line's. */
export const gatewayProgram = path.join(packageFolder, 'dist', 'gateway.js');

/** Reads a JSON file of the package. */
export function readPackageJson<T>(file: string): T {
	return JSON.parse(readFileSync(path.join(packageFolder, file), 'utf8')) as T;
}
