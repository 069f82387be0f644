import type { CaseResult } from '../../suites/results/caseResult.ts';
import type { Change } from '../../suites/results/comparison.ts';
import type { SuiteEvent } from '../../suites/running/suiteEvents.ts';
import type { Suite } from '../../suites/suite.ts';
import { tell, write } from '../output.ts';
import { faultLine } from './faultLine.ts';

/**
 * Results on standard output as a result file has them: a head a suite, a line a case as it ends, a summary. `--baseline` reads them. What is said about the
 * work goes to standard error.
 */
export class JsonReport {
	readonly #suite: Suite;

	constructor(suite: Suite) {
		this.#suite = suite;
	}

	async event(event: SuiteEvent): Promise<void> {
		if (event.type === 'started') {
			const { file, fingerprint } = this.#suite;
			await write(`${JSON.stringify({ version: 1, suite: file, fingerprint, connection: '', startedAt: Date.now() })}\n`);
		} else if (event.type === 'finished') {
			await write(`${JSON.stringify({ summary: event.summary })}\n`);
		} else if (event.type === 'fault') {
			tell(faultLine(event.fault));
		}
	}

	async result(result: CaseResult, change?: Change): Promise<void> {
		await write(`${JSON.stringify({ ...result, ...(change && { change }) })}\n`);
	}

	close(): void {}
}
