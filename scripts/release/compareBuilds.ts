import path from 'node:path';
import { readZip } from '../lib/zipFile.ts';
import { hashFile } from './hashFile.ts';
import type { ReleaseManifest } from './manifest.ts';
import { listReleaseFiles } from './release.ts';

/** Compares the files for a release in two checkouts. Returns those that differ, with the first packed files that do. */
export function compareBuilds(first: string, second: string, manifest: ReleaseManifest): string[] {
	return listReleaseFiles(manifest).flatMap(file => {
		const [one, other] = [first, second].map(folder => path.join(folder, file)) as [string, string];
		return hashFile(one) === hashFile(other) ? [] : [`${file} differs: ${file.endsWith('.vsix') ? findDifferences(one, other) : ''}`];
	});
}

function findDifferences(one: string, other: string): string {
	const [a, b] = [one, other].map(file => new Map(readZip(file).map(entry => [entry.name, entry.readContent()]))) as [
		Map<string, Buffer>,
		Map<string, Buffer>,
	];
	const names = [...new Set([...a.keys(), ...b.keys()])].filter(name => !(a.has(name) && b.has(name) && a.get(name)!.equals(b.get(name)!)));
	return names.length > 0 ? names.slice(0, 5).join(', ') : 'order, times or modes of its entries';
}
