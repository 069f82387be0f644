// VS Code calls run() in its extension host, which runs every *.test.cjs in this folder and below.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import util from 'node:util';
import * as mochaModule from 'mocha';
// @ts-expect-error plain JavaScript, which mocha also loads
import { printTestReport } from '../../scripts/test/printTestReport.cjs';
import { restFiles } from '../../scripts/test/restFiles.ts';
import { getDispatchers } from './activation/dispatchers.ts';

// mocha is a namespace in the Node.js of the oldest VS Code, and the main export in newer ones; both contain the class
const { Mocha } = mochaModule as unknown as { Mocha: typeof import('mocha') };

/** Prints mocha's output to the console, each line marked for the runner (scripts/lib/hostTestsInWorkbench.ts). */
function printTestOutput(...args: unknown[]): void {
	for (const line of util.format(...args).split('\n')) {
		console.log(`[test] ${line}`);
	}
}

/**
 * Runs all host tests in this extension host and writes mocha's counts to the file that AGENT_WORKBENCH_TEST_RESULT names, because VS
 * Code's exit code also means success if its extension host has crashed.
 * @throws if a test failed
 */
export async function run(): Promise<void> {
	process.setSourceMapsEnabled(true);
	const { AGENT_WORKBENCH_TEST_GREP: grep, AGENT_WORKBENCH_TEST_RESULT: resultFile } = process.env;
	const mocha = new Mocha({
		ui: 'bdd',
		reporter: 'spec',
		timeout: 120_000,
		retries: 1,
		color: false,
		forbidOnly: Boolean(process.env['CI']),
		...(grep ? { grep } : {}),
	});
	Object.assign(Mocha.reporters.Base, { consoleLog: printTestOutput });
	for (const file of fs.globSync('**/*.test.cjs', { cwd: __dirname }).sort().filter(isInPart)) {
		mocha.addFile(path.join(__dirname, file));
	}
	const dispatchersBefore = getDispatchers();
	mocha.rootHooks({
		afterAll() {
			const changed = getDispatchers().some((dispatcher, i) => dispatcher !== dispatchersBefore[i]);
			assert.equal(changed, false, 'the process-wide fetch dispatchers have changed during the tests');
		},
	});
	const result = await new Promise<{ passes: number; failures: number }>(resolve => {
		const runner = mocha.run(failures => resolve({ passes: runner.stats?.passes ?? 0, failures }));
		printTestReport(runner, printTestOutput);
	});
	if (resultFile) {
		fs.writeFileSync(resultFile, JSON.stringify(result));
	}
	if (result.failures > 0) {
		throw new Error(`${result.failures} tests failed`);
	}
}

/** True for the files of the part that AGENT_WORKBENCH_TEST_PART names, if any. Both parts activate the extension. */
function isInPart(file: string): boolean {
	const part = process.env['AGENT_WORKBENCH_TEST_PART'];
	const source = `test/host/${file.replaceAll(path.sep, '/').replace(/cjs$/, 'ts')}`;
	return !part || file.startsWith('activation') || (part === 'rest') === restFiles.some(glob => path.posix.matchesGlob(source, glob));
}
