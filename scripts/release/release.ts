import fs from 'node:fs';
import path from 'node:path';
import { readZip } from '../lib/zipFile.ts';
import { getCliPackageFile } from './cliPackage.ts';
import { type ReleaseManifest, readManifest } from './manifest.ts';
import { readTarball } from './tarball.ts';

/** Files of a package by path. */
export type PackedFiles = ReadonlyMap<string, Buffer>;

/** A checkout with its built packages. */
export interface Release {
	folder: string;
	manifest: ReleaseManifest;
	/** Name of its tag, for example v1.2.3. */
	tag: string;
	/** Files of the extension: those in the archive's folder extension/, and the two files next to it. */
	extension: PackedFiles;
	/** Bytes of the .vsix file. */
	extensionSize: number;
	/** Files of the npm package. */
	cli: PackedFiles;
}

/** Paths of what a build writes for a release, relative to the checkout. */
export const listReleaseFiles = (manifest: ReleaseManifest): string[] => [
	extensionFile,
	getCliPackageFile(manifest),
	...sbomNames.map(getSbomFile),
];

const extensionFile = 'dist/agent-workbench.vsix';

/** Names of the SBOMs: of the extension, and of the command line. */
export const sbomNames = ['agent-workbench', 'agent-workbench-cli'] as const;

/** Returns the path of an SBOM by its name, relative to the checkout. */
export const getSbomFile = (name: string): string => `dist/${name}.cdx.json`;

/** Reads the built packages of a checkout. */
export function readRelease(folder: string, tag: string): Release {
	const manifest = readManifest(folder);
	const vsix = path.join(folder, extensionFile);
	return {
		folder,
		manifest,
		tag,
		extension: new Map(readZip(vsix).map(entry => [entry.name.replace(/^extension\//, ''), entry.readContent()])),
		extensionSize: fs.statSync(vsix).size,
		cli: readTarball(path.join(folder, getCliPackageFile(manifest))),
	};
}

/** Returns a packed text file; an empty string if the package doesn't have it. */
export const readPackedText = (files: PackedFiles, name: string): string => files.get(name)?.toString('utf8') ?? '';
