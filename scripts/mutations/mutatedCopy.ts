import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/paths.ts';
import { makeTempFolder, removeFolder } from '../lib/tempFolder.ts';
import { runSuite } from '../test/runSuite.ts';
import type { Suite } from '../test/suites.ts';
import { parseTestReport } from '../test/testReport.ts';
import { applyMutation, type Mutation } from './findMutations.ts';
import { type Layer, layers, type ReachingFile } from './testOrder.ts';

/** How a mutation came out. */
export interface Verdict {
	/** Command that catches it first, or undefined if it survived. */
	readonly caughtBy?: 'npm test' | 'test:rest';
	/** The failed test, or the reason why nothing failed. */
	readonly detail: string;
}

/** Numbers of unit test files that run in the first processes: most mutations fail in the nearest file. */
const firstUnitFiles = [6, 40];

/** Milliseconds after which a command counts as failed: a mutation can make a loop endless. */
const limit = 600_000;

const build = ['node', 'esbuild.mjs', '--tests'];

const notCaught = "isn't caught by";

/** A git worktree of the last commit, in which one mutation at a time is tested. Packages and the editor are the checkout's. */
export class MutatedCopy implements Disposable {
	readonly #parent = makeTempFolder();
	readonly #folder = path.join(this.#parent, 'copy');

	constructor() {
		execFileSync('git', ['worktree', 'add', '--quiet', '--detach', this.#folder, 'HEAD'], { cwd: root });
		for (const shared of ['node_modules', '.vscode-test']) {
			fs.symlinkSync(fs.realpathSync(path.join(root, shared)), path.join(this.#folder, shared));
		}
	}

	get folder(): string {
		return this.#folder;
	}

	/** Checks the types of the copy, so that later checks only read what a mutation changed. */
	async prepareTypeCheck(): Promise<void> {
		const failure = await this.#findFailure(this.#createTypeCheck());
		if (failure) {
			throw new Error(`The type check fails without a mutation: ${failure}`);
		}
	}

	/** Applies a mutation, runs the tests until one fails or the time is over, and undoes it. */
	async testMutation(mutation: Mutation, tests: readonly ReachingFile[], milliseconds: number): Promise<Verdict> {
		const file = path.join(this.#folder, mutation.file);
		const text = fs.readFileSync(file, 'utf8');
		const deadline = Date.now() + milliseconds;
		const done: string[] = [];
		fs.writeFileSync(file, applyMutation(mutation, text));
		try {
			for (const suite of this.#listSuites(tests)) {
				if (Date.now() > deadline) {
					return { detail: `${notCaught} ${done.join(', ')}; the rest had no time` };
				}
				const failure = await this.#findFailure(suite);
				if (failure) {
					return { caughtBy: suite.isRest ? 'test:rest' : 'npm test', detail: `${suite.name}: ${failure}` };
				}
				done.push(suite.name);
			}
			return { detail: `${notCaught} ${done.join(', ')}` };
		} finally {
			fs.writeFileSync(file, text);
		}
	}

	[Symbol.dispose](): void {
		if (!fs.existsSync(this.#folder)) {
			return;
		}
		execFileSync('git', ['worktree', 'remove', '--force', this.#folder], { cwd: root });
		removeFolder(this.#parent);
	}

	/** Returns the commands for a mutation: those of `npm test` first, in each part the lowest layer first. */
	#listSuites(tests: readonly ReachingFile[]): readonly Suite[] {
		const suites: Suite[] = [];
		for (const isRest of [false, true]) {
			for (const layer of layers) {
				const files = tests.filter(test => test.layer === layer && test.isRest === isRest).map(({ file }) => file);
				const groups = layer === 'unit' && !isRest ? splitFiles(files, firstUnitFiles) : [files];
				for (const group of groups.filter(({ length }) => length > 0)) {
					if (layer === 'cli' && isRest) {
						// these test the packages, which are built into the folder of the build
						suites.push({ name: 'packaging', commands: [['npm', 'run', '--silent', 'package'], build], counts: 'failure' });
					} else if (layer !== 'unit' && layer !== 'fuzz' && !suites.some(({ name }) => name === 'build')) {
						suites.push({ name: 'build', commands: [build], counts: 'failure' });
					}
					suites.push({ name: layer, commands: [createCommand(layer, group, isRest)], counts: 'tests', isRest });
				}
			}
			if (!isRest) {
				suites.splice(1, 0, this.#createTypeCheck());
			}
		}
		return suites;
	}

	#createTypeCheck(): Suite {
		const info = path.join(this.#parent, 'types.json');
		return { name: 'type check', commands: [['tsc', '--checkers', '1', '--incremental', '--tsBuildInfoFile', info]], counts: 'failure' };
	}

	/** Returns the first failed test of a suite, or the last line of a command without tests. */
	async #findFailure(suite: Suite): Promise<string | undefined> {
		const { failed, output } = await runSuite(suite, { folder: this.#folder, limit });
		if (failed === 0) {
			return undefined;
		}
		const [first] = parseTestReport(output).failures;
		return first ? `${first.title} (${first.error.split('\n', 1)})` : (output.trim().split('\n').at(-1) ?? 'failed');
	}
}

function createCommand(layer: Layer, files: readonly string[], isRest: boolean): readonly string[] {
	switch (layer) {
		case 'unit':
			// on a busy machine a test that measures time can fail once, and the usual limit is short
			return ['mocha', '--bail', '--retries', '1', '--timeout', '30000', '--reporter', 'scripts/test/shortReporter.cjs', ...files];
		case 'fuzz':
			// not its own configuration, which always adds all its files
			return ['mocha', '--bail', '--timeout', '120000', '--reporter', 'scripts/test/shortReporter.cjs', ...files];
		case 'host':
			return ['node', 'scripts/testHost.ts', isRest ? 'rest' : 'main'];
		default:
			return ['mocha', '--bail', '--config', `test/${layer}/.mocharc.json`, ...files];
	}
}

/** Splits files into groups of these sizes, and the remaining ones. */
function splitFiles(files: readonly string[], sizes: readonly number[]): readonly (readonly string[])[] {
	const [size, ...more] = sizes;
	return size === undefined ? [files] : [files.slice(0, size), ...splitFiles(files.slice(size), more)];
}
