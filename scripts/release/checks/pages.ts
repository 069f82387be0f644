import fs from 'node:fs';
import path from 'node:path';
import { readChangelog } from '../changelog.ts';
import { type Release, readPackedText } from '../release.ts';

/** Titles of commands, and names of commands and settings. */
export interface KnownNames {
	titles: ReadonlySet<string>;
	names: ReadonlySet<string>;
}

/** Check 5: the pages that marketplaces show have working pictures and links, and name only commands and settings that exist. */
export function checkPages({ folder, extension, cli }: Release): string[] {
	const known = readKnownNames(folder);
	const pages = fs.globSync('README*.md', { cwd: folder }).sort();
	const exists = (file: string): boolean => fs.existsSync(path.join(folder, file));
	const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');
	const newest = readChangelog(read('CHANGELOG.md'))[0]?.text ?? '';
	return [
		...[...pages, 'CHANGELOG.md'].flatMap(page => checkLinks(page, read(page), exists)),
		...pages.flatMap(page => checkNames(page, read(page), known)),
		// older versions may name what a later one has removed
		...checkNames('CHANGELOG.md', newest, { ...known, titles: new Set() }),
		...findRelativeLinks('the packed README', readPackedText(extension, 'readme.md')),
		...findRelativeLinks('the packed changelog', readPackedText(extension, 'changelog.md')),
		...findRelativeLinks("the npm package's README", readPackedText(cli, 'README.md')),
	];
}

/** Returns pictures that a marketplace doesn't show or that have no description, and links to files that don't exist. */
export function checkLinks(page: string, text: string, exists: (file: string) => boolean): string[] {
	const prose = removeCode(text);
	const faults = [...prose.matchAll(/(!?)\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g)].flatMap(([, mark, label = '', link = '']) => {
		const file = link.split('#')[0]!;
		return [
			...(mark && label.trim() === '' ? [`${link} has no description`] : []),
			...(mark && /\.svg$/i.test(file) ? [`${link} is an SVG`] : []),
			...(/^http:/.test(link) ? [`${link} isn't a secure address`] : []),
			...(file === '' || /^[a-z]+:/.test(link) || exists(path.posix.join(path.posix.dirname(page), file)) ? [] : [`${link} doesn't exist`]),
		];
	});
	const tags = [...prose.matchAll(/<(video|img|script|iframe)\b/gi)].map(([, tag]) => `contains a ${tag} tag`);
	return [...faults, ...tags].map(fault => `${page}: ${fault}`);
}

/** Returns commands and settings that don't exist. An empty set of titles accepts every title. */
export function checkNames(page: string, text: string, { titles, names }: KnownNames): string[] {
	const words = removeCode(text).replaceAll(/`[^`]*`/g, '');
	const italics = [...words.matchAll(/(?<![*\w\\])\*(?![*\s])([^*]+)\*(?![*\w])/g)].map(([, title]) => title!.replaceAll(/\s+/g, ' '));
	const identifiers = [...text.matchAll(/\bagentWorkbench(?:\.[A-Za-z]+)+/g)].map(([name]) => name);
	return [
		...italics.filter(title => titles.size > 0 && !titles.has(title)).map(title => `'${title}' isn't a command`),
		...identifiers.filter(name => !names.has(name)).map(name => `'${name}' isn't a command or setting`),
	].map(fault => `${page}: ${fault}`);
}

/** Returns links of a packed page that work only in a checkout. */
export function findRelativeLinks(page: string, text: string): string[] {
	const links = [...removeCode(text).matchAll(/\]\(([^)\s]+)/g)].map(([, link]) => link!);
	return links.filter(link => !/^(?:https:|#|mailto:)/.test(link)).map(link => `${page}: ${link} doesn't work without the repository`);
}

const removeCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/^ {4}.*$/gm, '');

function readKnownNames(folder: string): KnownNames {
	const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
	const { contributes } = read('package.json') as {
		contributes: {
			commands: { command: string; title: string; category: string }[];
			configuration: { properties: Record<string, unknown> }[];
		};
	};
	const languages = fs.globSync('package.nls*.json', { cwd: folder }).map(file => read(file) as Record<string, string>);
	const titles = languages.flatMap(strings =>
		contributes.commands.flatMap(({ title, category }) => {
			const [group, text] = [category, title].map(each => strings[each.replaceAll('%', '')] ?? each);
			return [text!, `${group}: ${text}`];
		}),
	);
	const settings = [contributes.configuration].flat().flatMap(({ properties }) => Object.keys(properties));
	return { titles: new Set(titles), names: new Set([...settings, ...contributes.commands.map(({ command }) => command)]) };
}
