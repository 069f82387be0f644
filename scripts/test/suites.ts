import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/paths.ts';
import { restFiles } from './restFiles.ts';

/** A group of tests: commands one after another, until one fails. */
export interface Suite {
	name: string;
	/** Programs in node_modules/.bin with their arguments. */
	commands: readonly (readonly string[])[];
	/** How it counts: each of its tests; as one test; or as one only if it fails, because it just prepares other suites. */
	counts: 'tests' | 'whole' | 'failure';
	/** Names of suites that must pass first; if one fails, this suite fails too. */
	needs?: readonly string[];
	/** Names of suites that must pass first if they are chosen. */
	after?: readonly string[];
	/** True if `npm test` leaves it to `npm run test:rest`. */
	isRest?: boolean;
	/** True if its inputs are random: a failure stands, because other inputs could pass. */
	isRandom?: boolean;
}

/** The longest suites of each part, as measured: a long one that starts last leaves the other lanes idle. */
export const longestFirst = [
	...['host', 'ui: journeys', 'unit', 'contract', 'unit: editor', 'faults', 'cli'],
	...[
		'unit, rest',
		'unit: editor, rest',
		'faults, rest',
		'ui: chat',
		'ui: graph',
		'ui: files',
		'ui: runningAgents',
		'cli, rest',
		'ui: inspector',
	],
	...['ui: chatAgents', 'ui: explorer', 'ui: noFolder', 'fuzz', 'contract, rest', 'package', 'ui: firstLook', 'release'],
	'ui: untrusted',
];

/** Patterns of the unit tests of two suites, which take about the same time: as one suite, they would run alone at the end. */
const unitFiles = ['test/unit/{*.test.ts,!(editor)/**/*.test.ts}', 'test/unit/editor/**/*.test.ts'];

/** Suites of `npm test`, of `npm run test:rest`, or both. */
export type Part = 'main' | 'rest' | 'all';

/**
 * Returns all suites in the order in which they start. Suites that others need come first, then the longest ones, so that all lanes finish
 * at about the same time.
 */
export function listSuites(): Suite[] {
	return [
		{ ...createPreparationSuite('packaging', 'npm', 'run', '--silent', 'package'), isRest: true },
		createPreparationSuite('workbench', 'node', 'scripts/prepareWorkbench.ts'),
		// the package is built into the same folder and must not replace the checkout's build
		{ ...createPreparationSuite('build', 'node', 'esbuild.mjs', '--tests'), after: ['packaging'] },
		...sortByDuration([
			...listTestSuites(),
			{ ...createCheckSuite('release', 'node', 'scripts/release/check.ts', '--built'), needs: ['packaging'], isRest: true },
		]),
		// several checkers would check shared types once each, while other suites need the cores
		createCheckSuite('type check', 'tsc', '--checkers', '1'),
		createCheckSuite('lint', 'biome', 'check', '--error-on-warnings'),
		createCheckSuite('import rules', 'node', 'scripts/checkImports.mjs'),
		createCheckSuite('exported names', 'node', 'scripts/checkExports.ts'),
		createCheckSuite('patterns', 'node', 'scripts/checkPatterns.ts'),
		createCheckSuite('strings', 'node', 'scripts/checkStrings.ts'),
		createCheckSuite('words', 'node', 'scripts/checkWords.ts'),
	];
}

function listTestSuites(): Suite[] {
	return [
		createTestSuite('host', ['build', 'workbench'], ['node', 'scripts/testHost.ts', 'main']),
		...listUiFiles().flatMap(file => splitTests(`ui: ${path.basename(file, '.test.ts')}`, ['build', 'workbench'], file, useConfig('ui'))),
		// attacks and large amounts take longer than the limit of other unit tests
		...['unit', 'unit: editor'].flatMap((name, at) =>
			splitTests(name, [], unitFiles[at]!, ['--reporter', shortReporter], { options: ['--timeout', '60000'] }),
		),
		...splitTests('contract', ['build'], 'test/contract/**/*.test.ts', useConfig('contract')),
		...splitTests('faults', ['build'], 'test/faults/**/*.test.ts', useConfig('faults')),
		...splitTests('cli', ['build'], 'test/cli/*.test.ts', useConfig('cli'), { needs: ['packaging'] }),
		{
			...createTestSuite('fuzz', [], ['mocha', '--config', 'test/fuzz/.mocharc.cjs', '--reporter', shortReporter]),
			isRest: true,
			isRandom: true,
		},
		{
			...createTestSuite(
				'package',
				['packaging', 'build', 'workbench'],
				['mocha', ...useConfig('vsix')],
				// the host tests that the suite "host" leaves out: one window for them and for the package
				['node', 'scripts/testVsix.ts', 'rest'],
			),
			isRest: true,
		},
	];
}

/** Returns the suites of a part, or those of any part whose names start with one of these words, and the suites they need. */
export function chooseSuites(all: readonly Suite[], part: Part, words: readonly string[] = []): Suite[] {
	const isChosen = ({ name, isRest = false }: Suite): boolean =>
		words.length > 0 ? words.some(word => name.startsWith(word)) : part === 'all' || isRest === (part === 'rest');
	const names = new Set(all.filter(isChosen).map(({ name }) => name));
	const needs = new Map(all.map(suite => [suite.name, suite.needs ?? []]));
	// iterating a set includes entries added meanwhile
	for (const name of names) {
		for (const need of needs.get(name) ?? []) {
			names.add(need);
		}
	}
	return all
		.filter(({ name }) => names.has(name))
		.map(suite => ({ ...suite, needs: [...(suite.needs ?? []), ...(suite.after ?? []).filter(name => names.has(name))] }));
}

/** Returns a suite of the test files that match a pattern, and one of those that `npm test` leaves out, which has `more` needs and options. */
function splitTests(
	name: string,
	needs: string[],
	pattern: string,
	options: string[],
	more: { readonly needs?: string[]; readonly options?: string[] } = {},
): Suite[] {
	const files = fs.globSync(pattern, { cwd: root }).map(file => file.replaceAll(path.sep, '/'));
	const rest = files.filter(file => restFiles.some(glob => path.posix.matchesGlob(file, glob)));
	const ignored = restFiles.flatMap(glob => ['--ignore', glob]);
	return [
		...(rest.length < files.length ? [createTestSuite(name, needs, ['mocha', ...options, pattern, ...ignored])] : []),
		...(rest.length > 0
			? [
					{
						...createTestSuite(
							rest.length < files.length ? `${name}, rest` : name,
							[...needs, ...(more.needs ?? [])],
							['mocha', ...options, ...(more.options ?? []), ...rest],
						),
						isRest: true,
					},
				]
			: []),
	];
}

/** Returns UI test files, to run in one process each. */
function listUiFiles(): string[] {
	return fs.globSync('test/ui/**/*.test.ts', { cwd: root }).map(file => file.replaceAll(path.sep, '/'));
}

/** Sorts suites by `longestFirst`; those that aren't in it keep their order and come last. */
function sortByDuration(suites: readonly Suite[]): Suite[] {
	const getPlace = ({ name }: Suite): number => (longestFirst.indexOf(name) + longestFirst.length + 1) % (longestFirst.length + 1);
	return suites.toSorted((a, b) => getPlace(a) - getPlace(b));
}

const shortReporter = 'scripts/test/shortReporter.cjs';
const useConfig = (layer: string): string[] => ['--config', `test/${layer}/.mocharc.json`];
const createTestSuite = (name: string, needs: string[], ...commands: string[][]): Suite => ({ name, commands, counts: 'tests', needs });
const createCheckSuite = (name: string, ...command: string[]): Suite => ({ name, commands: [command], counts: 'whole' });
const createPreparationSuite = (name: string, ...command: string[]): Suite => ({ name, commands: [command], counts: 'failure' });
