import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/paths.ts';

/** A part of `npm test`: commands one after another, until one fails. */
export interface Suite {
	name: string;
	/** Programs of node_modules/.bin with their arguments. */
	commands: readonly (readonly string[])[];
	/**
	 * What it adds to the count: the tests that it says have passed and failed; one, as it passes or fails as a whole; or one only if it fails,
	 * because others merely stand on it.
	 */
	counts: 'tests' | 'whole' | 'failure';
}

/**
 * Suites in the order in which they run: phases one after another; in a phase two lanes at the same time (there may be no more than two cores);
 * in a lane one suite after another.
 */
export function phases(): Suite[][][] {
	return [
		[
			[
				check('type check', 'tsc'),
				check('lint', 'biome', 'check', '--error-on-warnings'),
				check('import rules', 'node', 'scripts/checkImports.mjs'),
				unit,
			],
			[prepare('workbench', 'node', 'scripts/prepareWorkbench.ts'), packaging, prepare('build', 'node', 'esbuild.mjs', '--tests')],
		],
		[
			[mocha('ui')],
			[
				mocha('contract'),
				...dsl(),
				tests('host', ['node', 'scripts/testHost.ts']),
				tests('host, on the package', ['node', 'scripts/testVsix.ts']),
			],
		],
	];
}

const tests = (name: string, ...commands: string[][]): Suite => ({ name, commands, counts: 'tests' });
const check = (name: string, ...command: string[]): Suite => ({ name, commands: [command], counts: 'whole' });
const prepare = (name: string, ...command: string[]): Suite => ({ name, commands: [command], counts: 'failure' });
const mocha = (name: string): Suite => tests(name, mochaCommand(name));
const mochaCommand = (name: string): string[] => ['mocha', '--config', `test/${name}/.mocharc.json`];
const unit = tests('unit', ['mocha', '--reporter', 'dot']);

const packaging = tests('package', ['npm', 'run', '--silent', 'package'], mochaCommand('vsix'));

/** Agent files with recorded results. */
function dsl(): Suite[] {
	const cases = 'test/dsl/cases';
	return fs.existsSync(path.join(root, cases)) ? [tests('dsl', ['npm', 'run', '--silent', 'test:dsl', '--', cases])] : [];
}
