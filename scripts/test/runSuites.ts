import { listFailures } from './failures.ts';
import type { SuiteResult } from './runSuite.ts';
import type { Suite } from './suites.ts';
import { parseTestReport, type TestReport } from './testReport.ts';

/** Outcome of a suite, and the details its tests reported. */
export type Result = SuiteResult & TestReport;

/** Callbacks of runSuites() for a single suite. */
export interface Runner {
	/** Runs a suite in a new process. Never rejects. `again`: it has failed before. */
	run(suite: Suite, again: boolean): Promise<Result>;
	/** Called after each run. `again`: the suite has failed and will be retried. */
	report(suite: Suite, result: Result, again: boolean): void;
}

/**
 * Runs suites, up to `lanes` concurrently. A suite starts when those that it needs have passed. A failed suite is retried once, and the
 * retry counts: a defect fails again, but a failure caused by machine load passes. A failed test with random inputs isn't retried: other
 * inputs could pass. Suites that others need are retried immediately, and the rest alone at the end.
 * @returns one result per suite; if a retry passed, the failures of the first run are listed as second tries
 */
export async function runSuites(suites: readonly Suite[], lanes: number, runner: Runner): Promise<Result[]> {
	const results = new Map<string, Result>();
	const failed: Suite[] = [];
	const needed = new Set(suites.flatMap(suite => suite.needs ?? []));

	const runSuiteFirst = async (suite: Suite): Promise<Result> => {
		const missing = suite.needs?.find(name => results.get(name)!.failed > 0);
		if (missing !== undefined) {
			const result = createMissingResult(suite, missing);
			runner.report(suite, result, false);
			return result;
		}
		const result = await runner.run(suite, false);
		const isRetried = result.failed > 0 && !suite.isRandom && !result.failures.some(({ random }) => random);
		runner.report(suite, result, isRetried);
		if (isRetried && needed.has(suite.name)) {
			return retrySuite(suite, result);
		}
		if (isRetried) {
			failed.push(suite);
		}
		return result;
	};
	const retrySuite = async (suite: Suite, before: Result): Promise<Result> => {
		const result = await runner.run(suite, true);
		runner.report(suite, result, false);
		return mergeRetryResult(before, result);
	};

	const waiting = [...suites];
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
			runSuiteFirst(suite).then(result => {
				results.set(suite.name, result);
				going.delete(suite.name);
			}),
		);
	}
	for (const suite of failed) {
		results.set(suite.name, await retrySuite(suite, results.get(suite.name)!));
	}
	return [...results.values()];
}

function createMissingResult({ name }: Suite, missing: string): Result {
	return { name, seconds: 0, passed: 0, failed: 1, ...parseTestReport(`not run: ${missing} failed`), output: '' };
}

function mergeRetryResult(before: Result, result: Result): Result {
	const passedNow = result.failed === 0 ? listFailures(before) : [];
	return { ...result, secondTries: [...before.secondTries, ...passedNow, ...result.secondTries] };
}
