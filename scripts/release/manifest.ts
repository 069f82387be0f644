import fs from 'node:fs';
import path from 'node:path';

/** Fields of package.json that the scripts for releases use. */
export interface ReleaseManifest {
	name: string;
	displayName: string;
	description: string;
	publisher: string;
	version: string;
	license: string;
	keywords: string[];
	homepage: string;
	bugs: { url: string };
	repository: { type: string; url: string };
	engines: { vscode: string; node: string };
}

/** Owner of the repository until `npm run release:owner` replaces it. */
export const placeholderOwner = 'example-owner';

/** Reads the manifest of a checkout. */
export function readManifest(folder: string): ReleaseManifest {
	return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as ReleaseManifest;
}

/** Returns the page of the repository, for example https://github.com/owner/agent-workbench. */
export const getRepositoryPage = ({ repository }: ReleaseManifest): string => repository.url.replace(/\.git$/, '');

/** Returns the owner in the address of the repository. package.json is the only place that defines it. */
export function getRepositoryOwner(manifest: ReleaseManifest): string {
	return new URL(getRepositoryPage(manifest)).pathname.split('/')[1] ?? '';
}

/** True for versions of the pre-release channel: an odd minor number. */
export const isPreRelease = (version: string): boolean => Number(version.split('.')[1]) % 2 === 1;
