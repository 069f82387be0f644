import fs from 'node:fs';
import path from 'node:path';

/** A package whose code is in our bundles. */
export interface BundledPart {
	name: string;
	/** Empty if unknown: code that another package carries. */
	version: string;
	/** SPDX expression. */
	license: string;
	/** License texts, as the package contains them or the standard text. */
	text: string;
	/** Address of its source. */
	source: string;
}

interface Manifest {
	name: string;
	version: string;
	license?: string;
	author?: string | { name: string };
	repository?: string | { url: string };
}

/** A sentence of each permitted license that its complete text contains. Others don't allow redistribution with only a notice. */
const permitted: Readonly<Record<string, RegExp>> = {
	MIT: /Permission is hereby granted, free of charge/,
	'MIT-0': /Permission is hereby granted, free of charge/,
	ISC: /Permission to use, copy, modify/,
	'0BSD': /Permission to use, copy, modify/,
	'BSD-2-Clause': /Redistribution and use in source and binary forms/,
	'BSD-3-Clause': /Redistribution and use in source and binary forms/,
	'Apache-2.0': /TERMS AND CONDITIONS FOR USE/,
	Unlicense: /released into the public domain/,
	'BlueOak-1.0.0': /Blue Oak Model License/,
	'CC0-1.0': /CC0/,
	'CC-BY-4.0': /Creative Commons Attribution 4\.0/,
};

/** Code within packages that have no manifest for it, by package. */
const carried: Readonly<Record<string, { name: string; license: string; holder: string; source: string }>> = {
	unpdf: { name: 'pdfjs-dist', license: 'Apache-2.0', holder: 'Mozilla Foundation', source: 'https://github.com/mozilla/pdf.js' },
};

/** Licenses of packages that contain the text of one but don't name it. */
const unnamed: Readonly<Record<string, string>> = { khroma: 'MIT' };

/**
 * Returns the packages that files belong to, by name and version, each with the text of its license.
 * @param files paths of included files: inputs of esbuild's bundles, and copied files; those outside node_modules are ours
 * @throws if a package's license isn't permitted, or there is no text for it
 */
export function readBundledParts(root: string, files: readonly string[]): BundledPart[] {
	const parts = [...new Set(files.flatMap(findPackageFolder))].flatMap(folder => readParts(path.join(root, folder)));
	const unique = new Map(parts.map(part => [`${part.name}@${part.version}`, part]));
	return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

/** Returns the package folder of a file such as node_modules/@scope/name/lib/file.js; empty for our files. */
function findPackageFolder(file: string): string[] {
	// in a checkout whose node_modules is a link, esbuild names its target
	const folder = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))?.[1];
	return folder ? [folder] : [];
}

function readParts(folder: string): BundledPart[] {
	const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
	const license = (manifest.license ?? unnamed[manifest.name] ?? '').replace(/^\((.*)\)$/, '$1');
	const names = fs.readdirSync(folder).filter(name => /^(licen[cs]e|notice|copying)/i.test(name) && !/\.(js|ts)$/.test(name));
	const texts = names.map(name => fs.readFileSync(path.join(folder, name), 'utf8').trim());
	const part = {
		name: manifest.name,
		version: manifest.version,
		license,
		text: completeText(manifest.name, license, texts.length > 0 ? texts : [describeHolder(manifest)]),
		source: getSource(manifest),
	};
	const inner = carried[manifest.name];
	return inner ? [part, { ...inner, version: '', text: completeText(inner.name, inner.license, [`Copyright ${inner.holder}`]) }] : [part];
}

/** Appends the standard text if a package only names its license. In an SPDX expression with alternatives, one permitted license suffices. */
function completeText(name: string, license: string, texts: readonly string[]): string {
	const chosen = license.split(' OR ').find(each => each in permitted);
	if (!chosen) {
		throw new Error(`${name} has the license '${license}', which scripts/lib/bundledParts.ts doesn't permit`);
	}
	if (texts.some(text => permitted[chosen]!.test(text))) {
		return texts.join('\n\n');
	}
	const standard = path.join(import.meta.dirname, 'licenses', `${chosen}.txt`);
	if (!fs.existsSync(standard)) {
		throw new Error(`${name} doesn't contain the text of its license '${license}', and scripts/lib/licenses doesn't either`);
	}
	return [...texts, fs.readFileSync(standard, 'utf8').trim()].join('\n\n');
}

function describeHolder(manifest: Manifest): string {
	const name = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
	return [name && `Copyright ${name}`, getSource(manifest)].filter(Boolean).join('\n');
}

/** Returns the address of a package's source as a web address, or an empty string. */
function getSource({ repository }: Manifest): string {
	const url = (typeof repository === 'string' ? repository : repository?.url) ?? '';
	return url
		.replace(/^git\+/, '')
		.replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
		.replace(/^github:/, 'https://github.com/')
		.replace(/^([\w-]+\/[\w.-]+)$/, 'https://github.com/$1')
		.replace(/\.git$/, '');
}
