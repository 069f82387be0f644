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
			[ui('ui', 'test/ui/**/*.test.ts', '--ignore', 'test/ui/chat/**')],
			// host tests on the package, which is what users get; `npm run test:host` runs them on the checkout
			[mocha('contract'), tests('host', ['node', 'scripts/testVsix.ts']), ui('ui of the chat', 'test/ui/chat/**/*.test.ts')],
		],
	];
}

const tests = (name: string, ...commands: string[][]): Suite => ({ name, commands, counts: 'tests' });
const check = (name: string, ...command: string[]): Suite => ({ name, commands: [command], counts: 'whole' });
const prepare = (name: string, ...command: string[]): Suite => ({ name, commands: [command], counts: 'failure' });
const mocha = (name: string): Suite => tests(name, mochaCommand(name));
const ui = (name: string, ...files: string[]): Suite => tests(name, [...mochaCommand('ui'), ...files]);
const mochaCommand = (name: string): string[] => ['mocha', '--config', `test/${name}/.mocharc.json`];
const unit = tests('unit', ['mocha', '--reporter', 'dot']);

const packaging = tests('package', ['npm', 'run', '--silent', 'package'], mochaCommand('vsix'));
