import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/paths.ts';

/** A part of `npm test`: commands one after another, until one fails. */
export interface Suite {
	name: string;
	/** Programs in node_modules/.bin with their arguments. */
	commands: readonly (readonly string[])[];
	/**
	 * How the results are counted: each test, the whole suite as one test, or only a failure as one test, for suites that prepare others.
	 */
	counts: 'tests' | 'whole' | 'failure';
	/** Names of suites that must pass first; if one fails, this suite fails too. */
	needs?: readonly string[];
}

/**
 * Returns all suites in the order in which they start. Suites that others need come first, then the longest ones, so that all lanes finish
 * at about the same time.
 */
export function listSuites(): Suite[] {
	return [
		createPreparationSuite('workbench', [], 'node', 'scripts/prepareWorkbench.ts'),
		{ ...createTestSuite('package', ['npm', 'run', '--silent', 'package'], createMochaCommand('vsix')) },
		// the package is built into the same folder and must not replace the checkout's build
		createPreparationSuite('build', ['package'], 'node', 'esbuild.mjs', '--tests'),
		createCheckSuite('type check', 'tsc'),
		createCheckSuite('lint', 'biome', 'check', '--error-on-warnings'),
		createCheckSuite('import rules', 'node', 'scripts/checkImports.mjs'),
		createCheckSuite('exported names', 'node', 'scripts/checkExports.ts'),
		createCheckSuite('patterns', 'node', 'scripts/checkPatterns.ts'),
		createCheckSuite('strings', 'node', 'scripts/checkStrings.ts'),
		createCheckSuite('words', 'node', 'scripts/checkWords.ts'),
		// host tests on the package, which users get; `npm run test:host` runs them on the checkout
		{ ...createTestSuite('host', ['node', 'scripts/testVsix.ts']), needs: ['workbench', 'build'] },
		{ ...createTestSuite('contract', createMochaCommand('contract')), needs: ['build'] },
		{ ...createTestSuite('faults', createMochaCommand('faults')), needs: ['build'] },
		{ ...createTestSuite('cli', createMochaCommand('cli')), needs: ['build'] },
		...listUiFiles().map(file => ({
			...createTestSuite(`ui: ${path.basename(file, '.test.ts')}`, [...createMochaCommand('ui'), file]),
			needs: ['workbench', 'build'],
		})),
		createTestSuite('unit', ['mocha', '--reporter', 'scripts/test/shortReporter.cjs']),
	];
}

/** Returns the suites whose names start with one of these words, and those they need; all if there are no words. */
export function chooseSuites(all: readonly Suite[], words: readonly string[]): Suite[] {
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
function listUiFiles(): string[] {
	return fs
		.globSync('test/ui/**/*.test.ts', { cwd: root })
		.map(file => file.replaceAll(path.sep, '/'))
		.sort((a, b) => countTestsInFile(path.join(root, b)) - countTestsInFile(path.join(root, a)));
}

/**
 * Counts the tests in a file and in the files it imports from its folder or from folders next to it. Counts each file once, because imports
 * of support files can be circular.
 */
function countTestsInFile(file: string, seen = new Set<string>()): number {
	if (seen.has(file)) {
		return 0;
	}
	seen.add(file);
	const text = fs.readFileSync(file, 'utf8');
	const beside = [...text.matchAll(/ from '(\.\.?\/[\w/]+\.ts)'/g)].map(match => path.join(path.dirname(file), match[1]!));
	return beside.reduce((sum, other) => sum + countTestsInFile(other, seen), [...text.matchAll(/^\s*it\(/gm)].length);
}

const createTestSuite = (name: string, ...commands: string[][]): Suite => ({ name, commands, counts: 'tests' });
const createCheckSuite = (name: string, ...command: string[]): Suite => ({ name, commands: [command], counts: 'whole' });
const createPreparationSuite = (name: string, needs: string[], ...command: string[]): Suite => ({
	name,
	commands: [command],
	counts: 'failure',
	needs,
});
const createMochaCommand = (name: string): string[] => ['mocha', '--config', `test/${name}/.mocharc.json`];
