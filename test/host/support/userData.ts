import fs from 'node:fs';
import path from 'node:path';
import { userDataVariable } from '../../../scripts/lib/hostRun.ts';

/** Returns the folder in which the editor under test stores the user's logs, settings and state. */
export function getUserDataFolder(): string {
	const folder = process.env[userDataVariable];
	if (folder === undefined || !fs.existsSync(folder)) {
		throw new Error(`There is no folder of the user's data at ${folder}`);
	}
	return folder;
}

/** Returns the contents of the smaller files in a folder and its subfolders. */
export function readTexts(folder: string): string[] {
	return fs
		.globSync('**/*', { cwd: folder, withFileTypes: true })
		.filter(file => file.isFile())
		.map(file => path.join(file.parentPath, file.name))
		.filter(file => (fs.statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) < 5_000_000)
		.map(file => fs.readFileSync(file, 'latin1'));
}
