import { cutText } from '#base/text/cutText.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite } from '#suites/suite.ts';
import { colorText, toPlainLine, writeOutput } from '../output.ts';
import { formatSeconds } from './amounts.ts';
import { formatFailureTitle, formatPosition, getCaseTitle } from './failureText.ts';
import type { SuiteReport } from './suiteReport.ts';

/** Number of cases from which failures are repeated at the end, because the originals have scrolled away. */
const longList = 20;
/** Maximum number of repeated failures. */
const mostFailed = 50;
/** Maximum number of characters per failure. */
const longestLine = 160;

/** Prints the end of the report on all suites: repeated failures and a total. */
export class ClosingReport implements SuiteReport {
	readonly #startedAt = performance.now();
	readonly #failed: string[] = [];
	#suite = '';
	#suites = 0;
	readonly #counts = { passed: 0, failed: 0, notRun: 0, faults: 0 };

	async startSuite({ name }: Suite, { passed, failed, notRun, faults }: SuiteSummary): Promise<void> {
		this.#suite = toPlainLine(name);
		this.#suites++;
		this.#counts.passed += passed;
		this.#counts.failed += failed;
		this.#counts.notRun += notRun;
		this.#counts.faults += faults;
	}

	async onResult(result: CaseResult): Promise<void> {
		if (result.outcome !== 'passed' && this.#failed.length < mostFailed) {
			const place = colorText('quiet', formatPosition(result.place));
			this.#failed.push(
				`  ${colorText('bad', '✖')} ${this.#suite} › ${toPlainLine(getCaseTitle(result))}  ${place}\n    │ ${cutText(toPlainLine(formatFailureTitle(result)), longestLine)}\n`,
			);
		}
	}

	async endSuite(): Promise<void> {}

	async close(): Promise<void> {
		const { passed, failed, notRun, faults } = this.#counts;
		const isLong = passed + failed + notRun > longList;
		if (this.#suites < 2 && !isLong) {
			return;
		}
		const left = failed + notRun - this.#failed.length;
		if (isLong && this.#failed.length > 0) {
			await writeOutput(`\nFailed:\n${this.#failed.join('')}${left > 0 ? `  … and ${left} more\n` : ''}`);
		}
		const parts = [
			`${passed} passed`,
			`${failed} failed`,
			...(notRun > 0 ? [`${notRun} couldn't run`] : []),
			...(faults > 0 ? [`${formatQuantity(faults, 'row')} couldn't be read`] : []),
		];
		const total = `${parts.join(', ')} in ${formatSeconds((performance.now() - this.#startedAt) / 1000)}`;
		await writeOutput(`\n${colorText(failed + notRun + faults > 0 ? 'bad' : 'good', total)}\n`);
	}
}
