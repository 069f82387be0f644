import fs from 'node:fs';
import path from 'node:path';
import { type PackedFiles, type Release, readPackedText } from '../release.ts';
import { listSourceFiles } from '../sourceFiles.ts';

type Fields = Record<string, unknown>;

/** Fields of the extension's manifest that its page in a marketplace shows. */
const listed = [
	...['name', 'displayName', 'description', 'publisher', 'version', 'license', 'icon', 'galleryBanner', 'pricing', 'categories'],
	...['keywords', 'homepage', 'bugs', 'qna', 'repository', 'engines'],
];
/** Fields of the npm package. */
const listedByNpm = ['name', 'version', 'description', 'license', 'keywords', 'homepage', 'bugs', 'repository', 'engines', 'bin', 'files'];
const mostKeywords = 30;
const leastIconSize = 128;

/** Check 3: both manifests are complete, and the owner isn't the placeholder. */
export function checkManifests({ folder, extension, cli }: Release, placeholder: string): string[] {
	const manifest = parseFields(extension);
	const npmManifest = parseFields(cli);
	return [
		...checkExtensionManifest(manifest, extension),
		...checkCliManifest(npmManifest, manifest),
		...[extension, cli].flatMap(files => findPlaceholders(files, placeholder)),
		...findSources(folder, placeholder).map(file => `${file} contains the placeholder ${placeholder}`),
	];
}

/** Returns files of a checkout that contain a text, except the one that defines the placeholder. */
export function findSources(folder: string, text: string): string[] {
	return listSourceFiles(folder).filter(
		file => file !== 'scripts/release/manifest.ts' && fs.readFileSync(path.join(folder, file)).includes(text),
	);
}

const parseFields = (files: PackedFiles): Fields => JSON.parse(readPackedText(files, 'package.json')) as Fields;

/** Returns missing and invalid fields of the extension's manifest. */
export function checkExtensionManifest(manifest: Fields, files: PackedFiles): string[] {
	const {
		keywords = [],
		icon,
		galleryBanner,
		pricing,
	} = manifest as {
		keywords?: string[];
		icon?: string;
		galleryBanner?: { color: string; theme: string };
		pricing?: string;
	};
	const size = icon ? readPngSize(files.get(icon)) : undefined;
	return [
		...listed.filter(name => !manifest[name]).map(name => `package.json has no ${name}`),
		...(keywords.length > mostKeywords ? [`package.json has ${keywords.length} keywords, more than ${mostKeywords}`] : []),
		...(size && Math.min(...size) >= leastIconSize && size[0] === size[1]
			? []
			: [`the icon isn't a square PNG of ${leastIconSize} pixels`]),
		...(/^#[\da-f]{6}$/i.test(galleryBanner?.color ?? '') && /^(?:dark|light)$/.test(galleryBanner?.theme ?? '')
			? []
			: ['galleryBanner needs a color such as #1b3a63, and a theme']),
		...(pricing === 'Free' || pricing === 'Trial' ? [] : ['pricing must be Free or Trial']),
		...['enabledApiProposals', 'dependencies', 'preview', 'enableProposedApi']
			.filter(name => name in manifest)
			.map(name => `package.json has ${name}`),
	];
}

/** Returns missing and invalid fields of the npm package's manifest, which must be of the same repository as the extension's. */
export function checkCliManifest(manifest: Fields, { repository }: Fields): string[] {
	const url = (value: unknown): string => String((value as { url?: string } | undefined)?.url).replace(/^git\+/, '');
	return [
		...listedByNpm.filter(name => !manifest[name]).map(name => `the npm package has no ${name}`),
		...['private', 'dependencies', 'devDependencies', 'scripts']
			.filter(name => name in manifest)
			.map(name => `the npm package has ${name}`),
		...(url(manifest['repository']) === url(repository) ? [] : ["the npm package's repository is another one"]),
	];
}

/** Returns packed manifests and pages that contain a reserved address or the placeholder of the owner. */
export function findPlaceholders(files: PackedFiles, placeholder: string): string[] {
	const pages = ['package.json', 'readme.md', 'README.md', 'changelog.md', 'extension.vsixmanifest'].filter(name => files.has(name));
	return pages.flatMap(name => {
		const text = readPackedText(files, name);
		return [
			...(text.includes('example.invalid') ? [`${name} contains example.invalid`] : []),
			...(text.includes(placeholder) ? [`${name} contains the placeholder ${placeholder}`] : []),
		];
	});
}

/** Returns width and height of a PNG image, or undefined if it isn't one. */
function readPngSize(bytes?: Buffer): [number, number] | undefined {
	return bytes?.toString('latin1', 1, 4) === 'PNG' ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined;
}
