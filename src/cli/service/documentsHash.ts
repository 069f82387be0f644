import path from 'node:path';
import { contentHash } from '#base/files/contentHash.ts';
import { scanFolder } from '#base/files/folderScan.ts';
import { fieldOf, fieldsOf } from '#base/records/plainValues.ts';

/**
 * Hash of the documents in the folders that a configuration has as datasets: their names, sizes and times, by which the index takes them as changed too.
 *
 * @param base what folders are relative to
 */
export function documentsHash(config: unknown, base: string): string {
	const folders = Object.values(fieldsOf(fieldOf(config, 'knowledge')))
		.map(dataset => fieldOf(dataset, 'folder'))
		.filter(folder => typeof folder === 'string');
	return folders.length === 0 ? '' : contentHash(folders.map(folder => documentsIn(path.resolve(base, folder))));
}

/** Undefined for a folder that can't be read: the gateway reports it. */
function documentsIn(folder: string): readonly unknown[] | undefined {
	try {
		return scanFolder(folder).files.map(({ path: name, size, modified }) => [name, size, modified]);
	} catch {
		return undefined;
	}
}
