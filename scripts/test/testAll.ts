import { runSuite, type SuiteResult } from './runSuite.ts';
import { phases, type Suite } from './suites.ts';

/**
 * Runs all suites, prints the output of each when it has ended, and closes with the line `N passed, N failed`.
 * @returns the exit code
 */
export async function testAll(): Promise<number> {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => process.exit(130));
	}
	const started = performance.now();
	const results: SuiteResult[] = [];
	for (const lanes of phases()) {
		const done = await Promise.all(lanes.map(runLane));
		results.push(...done.flat());
	}
	return close(results, (performance.now() - started) / 1000);
}

async function runLane(suites: readonly Suite[]): Promise<SuiteResult[]> {
	const results: SuiteResult[] = [];
	for (const suite of suites) {
		console.log(`▸ ${suite.name}`);
		const result = await runSuite(suite);
		report(result, suite);
		results.push(result);
	}
	return results;
}

function report({ name, output, seconds, passed, failed }: SuiteResult, { counts }: Suite): void {
	const summary = counts === 'tests' ? `${passed} passed, ${failed} failed` : failed === 0 ? 'passed' : 'failed';
	// in front of the line, so that it cannot be taken for the last one
	console.log(`${failed === 0 ? '✔' : '✖'} ${name}: ${summary} in ${seconds.toFixed(1)} s`);
	const text = output.trimEnd();
	if (text && (counts === 'tests' || failed > 0)) {
		console.log(`${text.replaceAll(/^/gm, '  │ ')}\n`);
	}
}

function close(results: readonly SuiteResult[], seconds: number): number {
	const sum = (of: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[of], 0);
	const failed = results.filter(result => result.failed > 0).map(result => result.name);
	console.log(`\nall suites in ${seconds.toFixed(0)} s${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''}`);
	console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
	return sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
}
