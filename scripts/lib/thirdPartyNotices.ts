import { readBundledParts } from './bundledParts.ts';

/** Line between two license texts. License texts contain lines of hyphens. */
const separator = `\n\n${'='.repeat(80)}\n`;
const copyright = /^\s*(?:copyright|\(c\)|©)/i;

/**
 * Returns names and licenses of the packages whose files are included. Packages whose licenses only differ in who holds the copyright share
 * one text, because most of the file would repeat it.
 * @param files paths from the root: inputs of esbuild's bundles, and copied files; those outside node_modules are ours
 * @throws if a package's license isn't permitted
 */
export function createThirdPartyNotices(root: string, files: readonly string[]): string {
	const groups = new Map<string, { readonly heads: string[]; readonly body: string }>();
	for (const { name, version, license, text } of readBundledParts(root, files)) {
		const lines = text.split('\n');
		const holders = lines.filter(line => copyright.test(line)).map(line => line.trim());
		const body = lines.filter(line => !copyright.test(line)).join('\n');
		const key = body.replace(/\s+/g, ' ').trim();
		const group = groups.get(key) ?? { heads: [], body: body.trim() };
		group.heads.push([`${[name, version].filter(Boolean).join(' ')} (${license})`, ...holders].join('\n'));
		groups.set(key, group);
	}
	const notices = [...groups.values()].map(({ heads, body }) => `${heads.join('\n\n')}\n\n${body}`);
	return ['Agent Workbench contains code of these packages, each under its own license.', ...notices].join(separator);
}
