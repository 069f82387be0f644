import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite } from '#suites/suite.ts';
import { formatCost, formatSeconds } from './amounts.ts';
import { formatFailureTitle, formatPosition, getCaseTitle } from './failureText.ts';
import { escapeCell } from './markdownCell.ts';
import type { ReportFile } from './reportFile.ts';
import type { SuiteReport } from './suiteReport.ts';

/** First line of each comment, by which a job finds the comment to update. It isn't shown. */
const marker = '<!-- agent-workbench test -->';
/** Maximum numbers of listed cases, suites and reasons. A comment can have 65,536 characters. */
const mostCases = 20;
const mostSuites = 50;
const longest = 150;

/** A case that didn't pass. */
interface WorstCase {
	readonly score: number;
	/** True if it failed; cases that couldn't run say less about a change. */
	readonly isFailed: boolean;
	readonly row: string;
}

/** Writes results as Markdown for a comment on a pull request: the verdict, a table of the suites, and the worst cases. */
export class CommentReport implements SuiteReport {
	readonly #file: ReportFile;
	readonly #rows: string[] = [];
	readonly #reasons: string[] = [];
	#worst: WorstCase[] = [];
	#count = 0;
	#passed = true;
	#suite = '';
	#cells = '';

	constructor(file: ReportFile) {
		this.#file = file;
	}

	async startSuite({ name }: Suite, { passed, failed, notRun, seconds, cost, currency }: SuiteSummary): Promise<void> {
		this.#suite = name;
		const rate = passed + failed === 0 ? '' : `${((passed / (passed + failed)) * 100).toFixed(1)} %`;
		const amounts = [formatSeconds(seconds), cost > 0 ? formatCost(cost, currency) : ''].map(cell => escapeCell(cell));
		this.#cells = [passed, failed, notRun, rate, ...amounts].join(' | ');
	}

	async onResult(result: CaseResult): Promise<void> {
		if (result.outcome === 'passed') {
			return;
		}
		this.#count++;
		const cells = [this.#suite, getCaseTitle(result), formatFailureTitle(result), formatPosition(result.place)];
		const row = `| ${cells.map(cell => escapeCell(cell, { longest })).join(' | ')} |`;
		this.#worst.push({ score: result.score, isFailed: result.outcome === 'failed', row });
		this.#worst = this.#worst.sort((a, b) => Number(b.isFailed) - Number(a.isFailed) || a.score - b.score).slice(0, mostCases);
	}

	async endSuite(): Promise<void> {}

	async onVerdict({ passed, reasons }: { readonly passed: boolean; readonly reasons: readonly string[] }): Promise<void> {
		this.#passed &&= passed;
		if (this.#rows.length < mostSuites) {
			this.#rows.push(`| ${passed ? '✅' : '❌'} ${escapeCell(this.#suite, { longest })} | ${this.#cells} |`);
			this.#reasons.push(...reasons.map(reason => `- ${escapeCell(`${this.#suite}: ${reason}`)}`));
		}
	}

	async close(): Promise<void> {
		const left = this.#count - this.#worst.length;
		const lines = [
			marker,
			this.#passed ? '### ✅ Agent tests passed' : '### ❌ Agent tests failed',
			'',
			'| suite | passed | failed | not run | rate | time | cost |',
			'|---|--:|--:|--:|--:|--:|--:|',
			...this.#rows,
			...(this.#reasons.length > 0 ? ['', ...this.#reasons.slice(0, mostSuites)] : []),
			...(this.#worst.length > 0 ? ['', '| suite | case | why | where |', '|---|---|---|---|', ...this.#worst.map(({ row }) => row)] : []),
			...(left > 0 ? ['', `… and ${left} more.`] : []),
		];
		await this.#file.write(`${lines.join('\n')}\n`);
		await this.#file.close();
	}
}
