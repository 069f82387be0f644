// Fails if two files of src/ export the same name, or if no other file uses an export (CONTRIBUTING.md, "How we write").
import fs from 'node:fs';
import path from 'node:path';

/** Names that several files may export, with the reason. */
const allowedTwice: Readonly<Record<string, string>> = {
	...Object.fromEntries(['headerView', 'filterBar', 'statusLine', 'emptyView', 'countText'].map(name => [name, 'a part of each page'])),
	...Object.fromEntries(
		['createProviderModel', 'createProviderEmbeddingModel'].map(name => [name, 'what the file of each provider exports']),
	),
	describeKind: 'descriptions of the fields of each node kind, read by scripts/agentFileSchema.ts',
};

/** Exports that no file of this repository imports by name, with their users. Keys are `file name`, or a name in any file. */
const usedOutside: Readonly<Record<string, string>> = {
	'extension.ts activate': 'the editor',
	'extension.ts deactivate': 'the editor',
	describeKind: 'scripts/agentFileSchema.ts, from each node kind',
};

/** An exported name and the position of its declaration. */
export interface ExportedName {
	readonly name: string;
	/** Relative to src/. */
	readonly file: string;
	readonly offset: number;
}

const declaration = /^export (?:declare |abstract |async )*(?:class|function\*?|const|let|interface|type|enum) (\w+)/gm;
const importing = /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*\s+as\s+\w+)\s*from\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

function readFiles(root: string): ReadonlyMap<string, string> {
	const names = fs.globSync('{src,test,scripts}/**/*.{ts,mjs}', { cwd: root, exclude: ['**/node_modules/**'] });
	return new Map(names.map(name => [name.replaceAll(path.sep, '/'), fs.readFileSync(path.join(root, name), 'utf8')]));
}

function findExports(files: ReadonlyMap<string, string>): readonly ExportedName[] {
	return [...files]
		.filter(([file]) => file.startsWith('src/'))
		.flatMap(([file, text]) =>
			[...text.matchAll(declaration)].map(({ 1: name = '', index }) => ({ name, file: file.slice('src/'.length), offset: index })),
		);
}

/**
 * Returns all imports from src/ as `file name`. If a whole module is imported, every exported name that the importing file mentions counts.
 */
function findImportedNames(files: ReadonlyMap<string, string>, exported: readonly ExportedName[]): ReadonlySet<string> {
	const namesOf = Map.groupBy(exported, ({ file }) => file);
	const used = new Set<string>();
	for (const [file, text] of files) {
		for (const [, names, from, lazy] of text.matchAll(importing)) {
			const target = resolveImport(file, from ?? lazy ?? '');
			const imported = names?.startsWith('{')
				? [...names.matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+)/g)].map(([, name]) => name)
				: (namesOf.get(target) ?? []).map(({ name }) => name).filter(name => new RegExp(`\\b${name}\\b`).test(text));
			for (const name of imported) {
				used.add(`${target} ${name}`);
			}
		}
	}
	return used;
}

/** Returns the imported file, relative to src/. */
function resolveImport(file: string, from: string): string {
	const target = from.startsWith('#') ? `src/${from.slice(1)}` : path.posix.join(path.posix.dirname(file), from);
	return target.replace(/^src\//, '');
}

/** Finds exports that no other file uses. */
export function findUnusedExports(root: string): readonly ExportedName[] {
	const files = readFiles(root);
	const exported = findExports(files);
	const used = findImportedNames(files, exported);
	return exported.filter(({ file, name }) => ![`${file} ${name}`, name].some(key => used.has(key) || Object.hasOwn(usedOutside, key)));
}

/** Finds names exported by several files: types in all of src/, functions and constants within a unit. */
export function findDuplicateExports(root: string): ReadonlyMap<string, readonly string[]> {
	const byName = Map.groupBy(findExports(readFiles(root)), ({ name, file }) =>
		/^[A-Z]/.test(name) ? name : `${getUnitName(file)} ${name}`,
	);
	return new Map(
		[...byName]
			.map(([key, found]) => [key.replace(/^.* /, ''), [...new Set(found.map(({ file }) => file))]] as const)
			.filter(([name, found]) => found.length > 1 && !Object.hasOwn(allowedTwice, name)),
	);
}

function getUnitName(file: string): string {
	return file.split('/')[0] ?? '';
}

if (import.meta.main) {
	const root = path.join(import.meta.dirname, '..');
	const faults = [
		...findUnusedExports(root).map(({ file, name }) => `src/${file}: exports ${name}, which no other file uses`),
		...[...findDuplicateExports(root)].map(
			([name, found]) => `${name} is exported by ${found.map(file => `src/${file}`).join(', ')}: give one another name`,
		),
	];
	for (const line of faults) {
		console.error(line);
	}
	process.exit(faults.length ? 1 : 0);
}
