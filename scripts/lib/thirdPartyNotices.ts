import fs from 'node:fs';
import path from 'node:path';

/** Licenses that allow redistribution with this notice. */
const permitted = new Set([
	'MIT',
	'MIT-0',
	'ISC',
	'0BSD',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'Apache-2.0',
	'Unlicense',
	'BlueOak-1.0.0',
	'CC0-1.0',
	'CC-BY-4.0',
]);

/** Third-party code within packages that include no license file for it: name, license, holder. */
const inside: Readonly<Record<string, string>> = {
	unpdf: 'It carries PDF.js (https://github.com/mozilla/pdf.js), Copyright Mozilla Foundation, under the Apache License 2.0.',
};

interface Package {
	name: string;
	version: string;
	license?: string;
	author?: string | { name: string };
	repository?: string | { url: string };
}

/**
 * Returns names and licenses of the packages whose files are included.
 * @param files paths from the root: inputs of esbuild's bundles, and copied files; those outside node_modules are ours
 * @throws if a package's license isn't permitted
 */
export function createThirdPartyNotices(root: string, files: readonly string[]): string {
	const folders = new Set(files.flatMap(findPackageFolder));
	const notices = [...folders].sort().map(folder => createNotice(path.join(root, folder)));
	const intro = 'Agent Workbench carries code of these packages, each under its own licence.';
	return [intro, ...notices].join(`\n\n${'-'.repeat(80)}\n`);
}

/** Returns the package folder of a file such as node_modules/@scope/name/lib/file.js; empty for our files. */
function findPackageFolder(file: string): string[] {
	const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
	return folder ? [folder] : [];
}

function createNotice(folder: string): string {
	const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as Package;
	const license = (manifest.license ?? '').replace(/^\((.*)\)$/, '$1');
	if (!isLicensePermitted(license)) {
		throw new Error(
			`${manifest.name} is under “${license}”, which is not among the licences permitted in scripts/lib/thirdPartyNotices.ts`,
		);
	}
	const files = fs.readdirSync(folder).filter(name => /^(licen[cs]e|notice|copying)/i.test(name) && !/\.(js|ts)$/.test(name));
	const texts = files.map(name => fs.readFileSync(path.join(folder, name), 'utf8').trim());
	const carried = inside[manifest.name];
	return [
		`${manifest.name} ${manifest.version} (${license})`,
		...(carried ? [carried] : []),
		...(texts.length > 0 ? texts : [getPackageOrigin(manifest)]),
	].join('\n\n');
}

/** True if a license is permitted. In an SPDX expression with alternatives, one permitted license suffices: "MPL-2.0 OR Apache-2.0". */
function isLicensePermitted(expression: string): boolean {
	return expression.split(' OR ').some(license => permitted.has(license));
}

/** Returns the author or repository of a package that names its license without including the text. */
function getPackageOrigin({ author, repository }: Package): string {
	const name = typeof author === 'string' ? author : author?.name;
	const url = typeof repository === 'string' ? repository : repository?.url;
	return [name && `Copyright ${name}`, url].filter(Boolean).join('\n');
}
