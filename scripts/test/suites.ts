import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/paths.ts';

/** A part of `npm test`: commands one after another, until one fails. */
export interface Suite {
	name: string;
	/** Programs in node_modules/.bin with their arguments. */
	commands: readonly (readonly string[])[];
	/** How it counts: each of its tests; as one test; or as one only if it fails, because it just prepares other suites. */
	counts: 'tests' | 'whole' | 'failure';
	/** Names of suites that must pass first; if one fails, this suite fails too. */
	needs?: readonly string[];
}

/** Returns all suites in their starting order: first those that others need, then the longest first, so that the lanes finish together. */
export function suites(): Suite[] {
	return [
		prepare('workbench', [], 'node', 'scripts/prepareWorkbench.ts'),
		{ ...tests('package', ['npm', 'run', '--silent', 'package'], mocha('vsix')) },
		// the package is built into the same folder and must not replace the checkout's build
		prepare('build', ['package'], 'node', 'esbuild.mjs', '--tests'),
		check('type check', 'tsc'),
		check('lint', 'biome', 'check', '--error-on-warnings'),
		check('import rules', 'node', 'scripts/checkImports.mjs'),
		check('exported names', 'node', 'scripts/checkExports.ts'),
		check('patterns', 'node', 'scripts/checkPatterns.ts'),
		check('strings', 'node', 'scripts/checkStrings.ts'),
		// host tests on the package, which users get; `npm run test:host` runs them on the checkout
		{ ...tests('host', ['node', 'scripts/testVsix.ts']), needs: ['workbench', 'build'] },
		{ ...tests('contract', mocha('contract')), needs: ['build'] },
		{ ...tests('faults', mocha('faults')), needs: ['build'] },
		{ ...tests('cli', mocha('cli')), needs: ['build'] },
		...uiFiles().map(file => ({
			...tests(`ui: ${path.basename(file, '.test.ts')}`, [...mocha('ui'), file]),
			needs: ['workbench', 'build'],
		})),
		tests('unit', ['mocha', '--reporter', 'scripts/test/shortReporter.cjs']),
	];
}

/** Returns the suites whose names start with one of these words, and those they need; all if there are no words. */
export function chosen(all: readonly Suite[], words: readonly string[]): Suite[] {
	const names = new Set(all.filter(({ name }) => words.length === 0 || words.some(word => name.startsWith(word))).map(({ name }) => name));
	const needs = new Map(all.map(suite => [suite.name, suite.needs ?? []]));
	// iterating a set includes entries added meanwhile
	for (const name of names) {
		for (const need of needs.get(name) ?? []) {
			names.add(need);
		}
	}
	return all.filter(({ name }) => names.has(name));
}

/** Returns UI test files, to run in one process each, with the most tests first. */
function uiFiles(): string[] {
	return fs
		.globSync('test/ui/**/*.test.ts', { cwd: root })
		.map(file => file.replaceAll(path.sep, '/'))
		.sort((a, b) => testsIn(path.join(root, b)) - testsIn(path.join(root, a)));
}

/** Counts tests in a file and the files it imports from its folder or its siblings, each once; imports of support files can be circular. */
function testsIn(file: string, seen = new Set<string>()): number {
	if (seen.has(file)) {
		return 0;
	}
	seen.add(file);
	const text = fs.readFileSync(file, 'utf8');
	const beside = [...text.matchAll(/ from '(\.\.?\/[\w/]+\.ts)'/g)].map(match => path.join(path.dirname(file), match[1]!));
	return beside.reduce((sum, other) => sum + testsIn(other, seen), [...text.matchAll(/^\s*it\(/gm)].length);
}

const tests = (name: string, ...commands: string[][]): Suite => ({ name, commands, counts: 'tests' });
const check = (name: string, ...command: string[]): Suite => ({ name, commands: [command], counts: 'whole' });
const prepare = (name: string, needs: string[], ...command: string[]): Suite => ({ name, commands: [command], counts: 'failure', needs });
const mocha = (name: string): string[] => ['mocha', '--config', `test/${name}/.mocharc.json`];
