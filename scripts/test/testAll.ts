import os from 'node:os';
import { formatClosingLines } from './closing.ts';
import { runSuite } from './runSuite.ts';
import { type Result, runSuites } from './runSuites.ts';
import { chooseSuites, listSuites, type Part, type Suite } from './suites.ts';
import { parseTestReport } from './testReport.ts';

/** Number of concurrent suites: one more than the cores, because UI tests mostly wait. */
const lanes = Number(process.env['TEST_LANES'] ?? Math.min(os.availableParallelism(), 4) + 1);

/**
 * Runs the suites of `npm test`, of the rest (`--rest`), of both (`--all`), or of any part whose names start with one of the other
 * arguments; and the suites they need. Prints the output of each when it has finished, and ends with the line `N passed, N failed`.
 * @returns the exit code
 */
export async function testAll(args: readonly string[] = []): Promise<number> {
	const part: Part = args.includes('--all') ? 'all' : args.includes('--rest') ? 'rest' : 'main';
	const words = args.filter(arg => !arg.startsWith('--'));
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => process.exit(130));
	}
	const started = performance.now();
	const results = await runSuites(chooseSuites(listSuites(), part, words), lanes, { run: runAndReportSuite, report: reportResult });
	return printClosing(results, (performance.now() - started) / 1000);
}

async function runAndReportSuite(suite: Suite, again: boolean): Promise<Result> {
	console.log(`▸ ${suite.name}${again ? ', once more' : ''}`);
	const result = await runSuite(suite);
	return { ...result, ...parseTestReport(result.output) };
}

function reportResult({ counts }: Suite, { name, rest, seconds, passed, failed }: Result, again: boolean): void {
	const summary = counts === 'tests' ? `${passed} passed, ${failed} failed` : failed === 0 ? 'passed' : 'failed';
	// a prefix, so that this line can't be mistaken for the last one
	console.log(`${failed === 0 ? '✔' : '✖'} ${name}: ${summary} in ${seconds.toFixed(1)} s${again ? ', to be run once more' : ''}`);
	const text = rest.trimEnd();
	if (text && (counts === 'tests' || failed > 0)) {
		console.log(`${text.replaceAll(/^/gm, '  │ ')}\n`);
	}
}

function printClosing(results: readonly Result[], seconds: number): number {
	const summary = `all suites in ${seconds.toFixed(0)} s, ${lanes} at a time`;
	console.log(`\n${formatClosingLines(results, summary).join('\n')}`);
	return results.every(result => result.failed === 0) && results.some(result => result.passed > 0) ? 0 : 1;
}
