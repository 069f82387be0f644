import fs from 'node:fs';
import path from 'node:path';
import { type Schema, Validator } from '@cfworker/json-schema';
import { root } from '../../lib/paths.ts';
import { getSbomFile, type PackedFiles, type Release, readPackedText } from '../release.ts';
import type { BundleOutputs } from '../sbom.ts';

interface Sbom {
	components: { group?: string; name: string; version?: string }[];
}

/** Packages that another package carries: esbuild doesn't know them. */
const carried = ['pdfjs-dist'];

/** Check 7: each SBOM fits the schema and lists the packages that esbuild bundled, and the notices have the license of each. */
export function checkSboms({ folder, extension, cli }: Release): string[] {
	const metafile = JSON.parse(fs.readFileSync(path.join(folder, 'dist/metafile.json'), 'utf8')) as BundleOutputs;
	return [['agent-workbench', extension] as const, ['agent-workbench-cli', cli] as const].flatMap(([name, files]) => {
		const sbom = JSON.parse(fs.readFileSync(path.join(folder, getSbomFile(name)), 'utf8')) as Sbom;
		return [
			...validateSbom(sbom),
			...compareParts(sbom, listPackageNames(metafile, files)),
			...findMissingNotices(sbom, readPackedText(files, 'dist/THIRD-PARTY-NOTICES.txt')),
		].map(fault => `${name}: ${fault}`);
	});
}

/** Validates an SBOM against the schema of CycloneDX 1.6. */
export function validateSbom(sbom: object): string[] {
	const read = (name: string): Schema => JSON.parse(fs.readFileSync(path.join(root, 'test/fixtures/cyclonedx', name), 'utf8')) as Schema;
	const validator = new Validator(read('bom-1.6.schema.json'), '7', false);
	for (const name of ['spdx.schema.json', 'jsf-0.82.schema.json']) {
		validator.addSchema(read(name));
	}
	return validator
		.validate(sbom)
		.errors.slice(-3)
		.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** Returns the names of packages of which at least one byte is in the files of a package. */
export function listPackageNames({ outputs }: BundleOutputs, files: PackedFiles): string[] {
	const inputs = [...files.keys()].flatMap(file => Object.entries(outputs[file]?.inputs ?? {}));
	const names = inputs.flatMap(([input, { bytesInOutput }]) => {
		const last = input.split('node_modules/').slice(1).at(-1);
		return bytesInOutput > 0 && last
			? [
					last
						.split('/')
						.slice(0, last.startsWith('@') ? 2 : 1)
						.join('/'),
				]
			: [];
	});
	return [...new Set(names)].sort();
}

/** Compares the components of an SBOM with the bundled packages. */
export function compareParts({ components }: Sbom, bundled: readonly string[]): string[] {
	const listed = components.map(getFullName);
	return [
		...bundled.filter(name => !listed.includes(name)).map(name => `${name} is bundled, but not listed`),
		...listed.filter(name => !bundled.includes(name) && !carried.includes(name)).map(name => `${name} is listed, but not bundled`),
	];
}

/** Returns components without a license text in the notices. */
export function findMissingNotices({ components }: Sbom, notices: string): string[] {
	const sections = notices.split(`\n${'='.repeat(80)}\n`);
	return components
		.filter(component => {
			const title = [getFullName(component), component.version].filter(Boolean).join(' ');
			// packages with the same license share a section
			const section = sections.find(text => `\n${text}`.includes(`\n${title} (`));
			return (section?.length ?? 0) < title.length + 400;
		})
		.map(component => `${getFullName(component)} has no license text in the notices`);
}

const getFullName = ({ group, name }: Sbom['components'][number]): string => [group, name].filter(Boolean).join('/');
