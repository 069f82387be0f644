import fs from 'node:fs';
import path from 'node:path';
import { userDataVariable } from '../../../scripts/lib/hostRun.ts';

/** The folder in which the editor under test keeps logs, settings and states of the user. */
export function userData(): string {
	const folder = process.env[userDataVariable];
	if (folder === undefined || !fs.existsSync(folder)) {
		throw new Error(`There is no folder of the user's data at ${folder}`);
	}
	return folder;
}

/** Texts of the files below a folder that are small enough to be read. */
export function textsBelow(folder: string): string[] {
	return fs
		.globSync('**/*', { cwd: folder, withFileTypes: true })
		.filter(file => file.isFile())
		.map(file => path.join(file.parentPath, file.name))
		.filter(file => (fs.statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) < 5_000_000)
		.map(file => fs.readFileSync(file, 'latin1'));
}
