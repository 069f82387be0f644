import { formatQuantity } from '#base/text/quantity.ts';
import type { AttackSummary } from '#suites/attacks/attackSummary.ts';
import type { JudgeSummary } from '#suites/judges/judgeAgreement.ts';
import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite, SuiteFault } from '#suites/suite.ts';
import type { VariantComparison } from '#suites/variants/compareVariants.ts';
import { createAttackRows, describeUnreached } from './attackCells.ts';
import { createComparisonRows, describeChanges } from './comparisonCells.ts';
import { formatFailureTitle, formatPosition, getCaseTitle } from './failureText.ts';
import { createJudgeRows, describeJudges } from './judgeCells.ts';
import { escapeCell } from './markdownCell.ts';
import type { ReportFile } from './reportFile.ts';
import type { SuiteReport } from './suiteReport.ts';

/** Maximum number of listed failures, because a job summary is limited to a megabyte. */
const mostFailures = 100;

/** Writes results as Markdown for the summary of a job: a table of the suites, then the failures. */
export class MarkdownReport implements SuiteReport {
	readonly #file: ReportFile;
	readonly #rows: { passed: boolean; readonly cells: string }[] = [];
	readonly #reasons: string[] = [];
	readonly #failures: string[] = [];
	readonly #comparisons: string[] = [];
	#left = 0;
	#suite = '';

	constructor(file: ReportFile) {
		this.#file = file;
	}

	async onFaults(errors: readonly SuiteFault[]): Promise<void> {
		for (const error of errors.slice(0, mostFailures)) {
			this.#reasons.push(`- ❌ ${escapeCell(`${formatPosition(error)}: ${error.message}`)}`);
		}
	}

	async startSuite({ name }: Suite, { passed, failed, notRun, faults, seconds, tokens }: SuiteSummary): Promise<void> {
		this.#suite = name;
		const cells = `${escapeCell(name)} | ${passed} | ${failed} | ${notRun} | ${seconds.toFixed(1)} s | ${tokens}`;
		this.#rows.push({ passed: failed + notRun + faults === 0, cells });
		if (faults > 0) {
			this.#reasons.push(`- ❌ ${escapeCell(`${name}: ${formatQuantity(faults, 'row')} couldn't be read.`)}`);
		}
	}

	async onResult(result: CaseResult): Promise<void> {
		if (result.outcome === 'passed') {
			return;
		}
		if (this.#failures.length === mostFailures) {
			this.#left++;
			return;
		}
		const cells = [this.#suite, getCaseTitle(result), formatFailureTitle(result), formatPosition(result.place)].map(cell =>
			escapeCell(cell),
		);
		this.#failures.push(`| ${cells.join(' | ')} |`);
	}

	async onComparison(comparison: VariantComparison): Promise<void> {
		this.#addTable('variants', createComparisonRows(comparison), describeChanges(comparison));
	}

	async onAttacks(summary: AttackSummary): Promise<void> {
		this.#addTable('attacks', createAttackRows(summary), describeUnreached(summary));
	}

	async onJudges(judges: readonly JudgeSummary[]): Promise<void> {
		this.#addTable('judges', createJudgeRows(judges), describeJudges(judges));
	}

	#addTable(title: string, cells: readonly (readonly string[])[], notes: readonly string[]): void {
		const [titles = '', ...rows] = cells.map(row => `| ${row.map(cell => escapeCell(cell)).join(' | ')} |`);
		const columns = cells[0]!.map(() => '---').join('|');
		this.#comparisons.push('', `### ${escapeCell(this.#suite)}: ${title}`, '', titles, `|${columns}|`, ...rows);
		this.#comparisons.push(...(notes.length > 0 ? ['', ...notes.map(note => `- ${escapeCell(note)}`)] : []));
	}

	async endSuite(): Promise<void> {}

	async onVerdict({ passed, reasons }: { readonly passed: boolean; readonly reasons: readonly string[] }): Promise<void> {
		this.#rows.at(-1)!.passed = passed;
		this.#reasons.push(...reasons.map(reason => `- ❌ ${escapeCell(`${this.#suite}: ${reason}`)}`));
	}

	async close(): Promise<void> {
		const lines = [
			'## Agent tests',
			'',
			'| suite | passed | failed | not run | time | tokens |',
			'|---|--:|--:|--:|--:|--:|',
			...this.#rows.map(({ passed, cells }) => `| ${passed ? '✅' : '❌'} ${cells} |`),
			...(this.#reasons.length > 0 ? ['', ...this.#reasons] : []),
			...this.#comparisons,
			...(this.#failures.length > 0 ? ['', '| suite | case | why | where |', '|---|---|---|---|', ...this.#failures] : []),
			...(this.#left > 0 ? ['', `… and ${this.#left} more.`] : []),
		];
		await this.#file.write(`${lines.join('\n')}\n`);
		await this.#file.close();
	}
}
