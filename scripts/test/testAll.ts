import os from 'node:os';
import { closing } from './closing.ts';
import { runSuite, type SuiteResult } from './runSuite.ts';
import { chosen, type Suite, suites } from './suites.ts';
import { type Told, toldIn } from './told.ts';

type Result = SuiteResult & Told;

/** Suites that run at the same time: one more than there are cores, because UI tests wait much. */
const lanes = Number(process.env['TEST_LANES'] ?? Math.min(os.availableParallelism(), 4) + 1);

/**
 * Runs all suites, or those whose names begin with one of these words and what they need; prints the output of each when it has ended, and closes with the line `N passed, N failed`.
 * @returns the exit code
 */
export async function testAll(words: readonly string[] = []): Promise<number> {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => process.exit(130));
	}
	const started = performance.now();
	const results = new Map<string, Result>();
	const waiting = chosen(suites(), words);
	const going = new Map<string, Promise<void>>();
	while (waiting.length > 0 || going.size > 0) {
		const next = going.size < lanes ? waiting.findIndex(suite => (suite.needs ?? []).every(name => results.has(name))) : -1;
		if (next === -1) {
			await Promise.race(going.values());
			continue;
		}
		const suite = waiting.splice(next, 1)[0]!;
		going.set(
			suite.name,
			run(suite, results).then(result => {
				report(result, suite);
				results.set(suite.name, result);
				going.delete(suite.name);
			}),
		);
	}
	return close([...results.values()], (performance.now() - started) / 1000);
}

async function run(suite: Suite, results: ReadonlyMap<string, Result>): Promise<Result> {
	const missing = suite.needs?.find(name => results.get(name)!.failed > 0);
	if (missing !== undefined) {
		return { name: suite.name, seconds: 0, passed: 0, failed: 1, ...toldIn(`not run: ${missing} failed`), output: '' };
	}
	console.log(`▸ ${suite.name}`);
	const result = await runSuite(suite);
	return { ...result, ...toldIn(result.output) };
}

function report({ name, rest, seconds, passed, failed }: Result, { counts }: Suite): void {
	const summary = counts === 'tests' ? `${passed} passed, ${failed} failed` : failed === 0 ? 'passed' : 'failed';
	// in front of the line, so that it cannot be taken for the last one
	console.log(`${failed === 0 ? '✔' : '✖'} ${name}: ${summary} in ${seconds.toFixed(1)} s`);
	const text = rest.trimEnd();
	if (text && (counts === 'tests' || failed > 0)) {
		console.log(`${text.replaceAll(/^/gm, '  │ ')}\n`);
	}
}

function close(results: readonly Result[], seconds: number): number {
	const summary = `all suites in ${seconds.toFixed(0)} s, ${lanes} at a time`;
	console.log(`\n${closing(results, summary).join('\n')}`);
	return results.every(result => result.failed === 0) && results.some(result => result.passed > 0) ? 0 : 1;
}
