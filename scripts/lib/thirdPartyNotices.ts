import { readBundledParts } from './bundledParts.ts';

/** Line between two packages. License texts contain lines of hyphens. */
const separator = `\n\n${'='.repeat(80)}\n`;

/**
 * Returns names and licenses of the packages whose files are included.
 * @param files paths from the root: inputs of esbuild's bundles, and copied files; those outside node_modules are ours
 * @throws if a package's license isn't permitted
 */
export function createThirdPartyNotices(root: string, files: readonly string[]): string {
	const notices = readBundledParts(root, files).map(
		({ name, version, license, text }) => `${[name, version].filter(Boolean).join(' ')} (${license})\n\n${text}`,
	);
	return ['Agent Workbench contains code of these packages, each under its own license.', ...notices].join(separator);
}
