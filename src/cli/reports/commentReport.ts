import { formatQuantity } from '#base/text/quantity.ts';
import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite, SuiteFault } from '#suites/suite.ts';
import { formatCost, formatSeconds } from './amounts.ts';
import { formatFailureTitle, formatPosition, getCaseTitle } from './failureText.ts';
import { escapeCell } from './markdownCell.ts';
import type { ReportFile } from './reportFile.ts';
import type { SuiteReport } from './suiteReport.ts';

/** First line of each comment, by which a job finds the comment to update. It isn't shown. */
const marker = '<!-- agent-workbench test -->';
/** Maximum numbers of listed cases, suites and reasons. */
const mostCases = 20;
const mostSuites = 50;
const longest = 150;
/** Maximum numbers of characters of each list. A comment can have 65,536; of a longer one, nothing is shown, and the earlier one stays. */
const longestLists = { suites: 20_000, reasons: 20_000, cases: 24_000 };

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
	readonly #rows: { readonly passed: boolean; readonly row: string }[] = [];
	readonly #reasons: string[] = [];
	#worst: WorstCase[] = [];
	#count = 0;
	#passed = true;
	#suite = '';
	#cells = '';

	constructor(file: ReportFile) {
		this.#file = file;
	}

	async onFaults(errors: readonly SuiteFault[]): Promise<void> {
		this.#passed &&= errors.length === 0;
		for (const error of errors) {
			this.#reasons.push(`- ${escapeCell(`${formatPosition(error)}: ${error.message}`)}`);
		}
	}

	async startSuite({ name }: Suite, { passed, failed, notRun, faults, seconds, cost, currency }: SuiteSummary): Promise<void> {
		this.#suite = name;
		if (faults > 0) {
			this.#reasons.push(`- ${escapeCell(`${name}: ${formatQuantity(faults, 'row')} couldn't be read.`)}`);
		}
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
		this.#rows.push({ passed, row: `| ${passed ? '✅' : '❌'} ${escapeCell(this.#suite, { longest })} | ${this.#cells} |` });
		this.#reasons.push(...reasons.map(reason => `- ${escapeCell(`${this.#suite}: ${reason}`)}`));
	}

	async close(): Promise<void> {
		const { suites: longestRows, reasons: longestReasons, cases: longestCases } = longestLists;
		// suites that failed come first if not all of them fit
		const all = this.#rows.length > mostSuites ? this.#rows.sort((a, b) => Number(a.passed) - Number(b.passed)) : this.#rows;
		const suites = takeLines(
			all.map(({ row }) => row),
			mostSuites,
			longestRows,
		);
		const reasons = takeLines(this.#reasons, mostSuites, longestReasons);
		const cases = takeLines(
			this.#worst.map(({ row }) => row),
			mostCases,
			longestCases,
		);
		const createNote = (all: number, { length }: readonly string[]) => (all > length ? ['', `… and ${all - length} more.`] : []);
		const lines = [
			marker,
			this.#passed ? '### ✅ Agent tests passed' : '### ❌ Agent tests failed',
			'',
			'| suite | passed | failed | not run | rate | time | cost |',
			'|---|--:|--:|--:|--:|--:|--:|',
			...suites,
			...createNote(all.length, suites),
			...(reasons.length > 0 ? ['', ...reasons] : []),
			...createNote(this.#reasons.length, reasons),
			...(cases.length > 0 ? ['', '| suite | case | why | where |', '|---|---|---|---|', ...cases] : []),
			...createNote(this.#count, cases),
		];
		await this.#file.write(`${lines.join('\n')}\n`);
		await this.#file.close();
	}
}

/** Returns the first lines, as many as fit. */
function takeLines(lines: readonly string[], most: number, longestText: number): readonly string[] {
	let length = 0;
	const end = lines.findIndex((line, at) => {
		length += line.length + 1;
		return at === most || length > longestText;
	});
	return end < 0 ? lines : lines.slice(0, end);
}
