import type { CaseResult } from '#suites/results/caseResult.ts';
import type { Suite } from '#suites/suite.ts';
import { formatFailure, getCaseTitle } from './failureText.ts';
import { formatGithubLine } from './githubLines.ts';
import type { SuiteReport } from './suiteReport.ts';

/** GitHub's limit per step. */
const mostAnnotations = 10;
const longestMessage = 4_000;

/** Prints failures as GitHub Actions annotations. GitHub's runner reads both standard output and standard error. */
export class GithubReport implements SuiteReport {
	readonly #stream: NodeJS.WriteStream;
	#suite = '';
	#written = 0;

	constructor(stream: NodeJS.WriteStream) {
		this.#stream = stream;
	}

	async startSuite({ name }: Suite): Promise<void> {
		this.#suite = name;
	}

	async onResult(result: CaseResult): Promise<void> {
		if (result.outcome === 'passed' || this.#written === mostAnnotations) {
			return;
		}
		this.#written++;
		const { file, line, column } = result.checks.find(({ passed }) => !passed)?.place ?? result.place;
		const message = formatFailure(result).slice(0, longestMessage);
		this.#stream.write(
			formatGithubLine({ level: 'error', file, line, column, title: `${this.#suite} › ${getCaseTitle(result)}`, message }),
		);
	}

	async endSuite(): Promise<void> {}

	async close(): Promise<void> {}
}
