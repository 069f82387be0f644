import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type BundledPart, readBundledParts } from '../lib/bundledParts.ts';

/** The part of esbuild's metafile that says what a bundle contains. */
export interface BundleOutputs {
	outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

/** A package file that an SBOM describes. */
export interface SbomSubject {
	name: string;
	version: string;
	license: string;
	/** Package URL without the version, for example pkg:npm/name. */
	purl: string;
	/** Path of the package file. */
	file: string;
	/** Path of the SBOM. */
	sbomFile: string;
	/** When it was released, as in `2026-11-27`. */
	date: string;
}

/** Returns the sources of which at least one byte is in the given outputs. */
export function listBundledInputs({ outputs }: BundleOutputs, isIncluded: (output: string) => boolean): string[] {
	const inputs = Object.entries(outputs).flatMap(([output, { inputs: all }]) => (isIncluded(output) ? Object.entries(all) : []));
	return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input);
}

/**
 * Writes the SBOM of a package (CycloneDX 1.6, JSON). It lists what esbuild bundled into the package's files, not what is
 * installed.
 * @param files what the package contains, relative to the checkout
 */
export function writeSbom(root: string, subject: SbomSubject, files: readonly string[]): void {
	const metafile = JSON.parse(fs.readFileSync(path.join(root, 'dist/metafile.json'), 'utf8')) as BundleOutputs;
	const included = new Set(files);
	const parts = readBundledParts(
		root,
		listBundledInputs(metafile, output => included.has(output)),
	);
	fs.writeFileSync(subject.sbomFile, `${JSON.stringify(createSbom(subject, parts), null, '\t')}\n`);
}

/** Creates an SBOM. Equal packages have equal SBOMs: its serial number is a hash. */
export function createSbom(
	{ name, version, license, purl, file, date }: Omit<SbomSubject, 'sbomFile'>,
	parts: readonly BundledPart[],
): object {
	const hash = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
	const subject = `${purl}@${version}`;
	const components = parts.map(createComponent);
	return {
		$schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
		bomFormat: 'CycloneDX',
		specVersion: '1.6',
		serialNumber: `urn:uuid:${formatUuid(hash)}`,
		version: 1,
		metadata: {
			timestamp: `${date}T00:00:00Z`,
			component: {
				type: 'application',
				'bom-ref': subject,
				name,
				version,
				hashes: [{ alg: 'SHA-256', content: hash }],
				licenses: [{ license: { id: license } }],
				purl: subject,
			},
		},
		components,
		dependencies: [
			{ ref: subject, dependsOn: components.map(component => component['bom-ref']) },
			...components.map(component => ({ ref: component['bom-ref'] })),
		],
	};
}

function createComponent({ name, version, license, source }: BundledPart) {
	const purl = `pkg:npm/${name.replace('@', '%40')}${version ? `@${version}` : ''}`;
	const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
	return {
		type: 'library',
		'bom-ref': purl,
		...(group ? { group } : {}),
		name: short,
		...(version ? { version } : {}),
		licenses: license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }],
		purl,
		...(source ? { externalReferences: [{ type: 'vcs', url: source }] } : {}),
	};
}

/** Formats a hash as a UUID of version 8 (RFC 9562: content defined by the application). */
function formatUuid(hash: string): string {
	return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
