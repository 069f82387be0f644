import { stat } from 'node:fs/promises';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import type { AttackSummary } from '#suites/attacks/attackSummary.ts';
import { readDatasetRows } from '#suites/datasets/datasetRows.ts';
import type { JudgeSummary } from '#suites/judges/judgeAgreement.ts';
import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Change } from '#suites/results/comparison.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { Suite } from '#suites/suite.ts';
import type { VariantComparison } from '#suites/variants/compareVariants.ts';
import { colorText, type Tone, toPlainLine, writeOutput } from '../output.ts';
import { formatCost, formatSeconds } from './amounts.ts';
import { formatAttacks } from './attackCells.ts';
import { formatComparison } from './comparisonCells.ts';
import { formatFailure, formatPosition, getCaseTitle } from './failureText.ts';
import { formatFaultLine } from './faultLine.ts';
import { formatJudges } from './judgeCells.ts';
import { StatusLine } from './statusLine.ts';

/** Number of cases per suite that get a line if there is no terminal status line. After that, only every thousandth case gets one. */
const mostLines = 200;
const everyCase = 1_000;
/** Maximum size in bytes of a dataset whose rows are counted in advance. */
const longestCounted = 20 * 1024 * 1024;
/** Minimum milliseconds between messages about a service that asks us to wait. */
const waitLineMs = 30_000;

const changeNotes: Readonly<Record<Exclude<Change, 'same'>, string>> = {
	new: 'not in the baseline',
	changed: 'changed since the baseline',
	better: 'better than in the baseline',
	worse: 'worse than in the baseline',
	judge: "not compared: the judge isn't the baseline's",
};

/**
 * Prints the progress of suites. Prints failures as they happen. Shows other progress as a status line on a terminal, or as a line per case
 * elsewhere.
 */
export class ConsoleReport {
	readonly #status = new StatusLine(process.stdout);
	readonly #suite: Suite;
	readonly #counts = { passed: 0, failed: 0, 'not-run': 0 };
	/** Ordinals of the cases that are running. */
	readonly #running = new Set<number>();
	readonly #startedAt = Date.now();
	/** True if all rows of the dataset are run, so that their number is known in advance. */
	readonly #isWhole: boolean;
	#cases = 0;
	/** Number of rows of the dataset, once counted. */
	#rows: number | undefined;
	#waitsUntil = 0;
	#waitReportedAt = 0;

	constructor(suite: Suite, { isWhole }: { readonly isWhole: boolean }) {
		this.#suite = suite;
		this.#isWhole = isWhole;
		this.#rows = suite.dataset ? undefined : 0;
	}

	async onEvent(event: SuiteEvent): Promise<void> {
		const name = toPlainLine(this.#suite.name);
		switch (event.type) {
			case 'started':
				this.#cases = event.cases;
				this.#status.showText(() => this.#formatProgress());
				if (this.#status.isShown && this.#isWhole) {
					void this.#countRows();
				}
				if (event.takenUp > 0) {
					await this.#printLine(
						colorText('quiet', `${name}: resuming after ${formatQuantity(event.takenUp, 'result')} of the interrupted batch`),
					);
				}
				break;
			case 'case':
				this.#running.add(event.ordinal);
				break;
			case 'result':
				await this.onResult(event.result);
				break;
			case 'fault':
				await this.#printLine(formatFaultLine(event.fault));
				break;
			case 'waiting':
				this.#waitsUntil = event.until;
				if (!this.#status.isShown && Date.now() >= this.#waitReportedAt + waitLineMs) {
					this.#waitReportedAt = Date.now();
					await this.#printLine(colorText('doubtful', `${name}: ${toPlainLine(event.why)}`));
				}
				break;
			default:
				this.#status.stopUpdates();
				// none of the suite's cases matched the filter
				if (event.summary.cases + event.summary.faults > 0) {
					await this.#printSummary(event.summary);
				}
		}
	}

	/** Prints a result of this run, or one from the resumed batch. */
	async onResult(result: CaseResult, change?: Change): Promise<void> {
		this.#running.delete(result.ordinal);
		const count = ++this.#counts[result.outcome];
		const title = `${toPlainLine(this.#suite.name)} › ${toPlainLine(getCaseTitle(result))}`;
		const note = change === undefined || change === 'same' ? '' : `  (${changeNotes[change]})`;
		if (result.outcome !== 'passed') {
			const why = formatFailure(result).split(/\r\n|[\r\n\u2028\u2029]/);
			const head = `${colorText('bad', result.outcome === 'failed' ? '✖' : '⊘')} ${title}  ${colorText('quiet', formatPosition(result.place))}${note}`;
			// prefix each line, so that the job runner doesn't interpret an agent's output as a command
			await this.#printLine([head, ...why.map(line => `  │ ${toPlainLine(line)}`)].join('\n'));
		} else if (note !== '' || (!this.#status.isShown && (count <= mostLines || count % everyCase === 0))) {
			await this.#printLine(`${colorText('good', '✔')} ${title}  ${colorText('quiet', formatSeconds(result.seconds))}${note}`);
		}
	}

	/** Prints the comparison of variants. */
	async onComparison(comparison: VariantComparison): Promise<void> {
		await writeOutput(formatComparison(comparison));
	}

	/** Prints the rates of attacks. */
	async onAttacks(summary: AttackSummary): Promise<void> {
		await writeOutput(formatAttacks(summary));
	}

	/** Prints the agreement of judges with people. */
	async onJudges(judges: readonly JudgeSummary[]): Promise<void> {
		await writeOutput(formatJudges(judges));
	}

	/** Removes the status line. */
	close(): void {
		this.#status.stopUpdates();
	}

	/** Counts the rows of the dataset for the total, unless the dataset is large. */
	async #countRows(): Promise<void> {
		const { dataset } = this.#suite;
		if (!dataset) {
			return;
		}
		try {
			if ((await stat(dataset.file)).size > longestCounted) {
				return;
			}
			let rows = 0;
			for await (const row of readDatasetRows(dataset, fillPlaceholders)) {
				rows += 'values' in row ? 1 : 0;
			}
			this.#rows = rows;
		} catch {
			// the run reports the problem of the file
		}
	}

	#formatProgress(): string {
		const { passed, failed, 'not-run': notRun } = this.#counts;
		const done = passed + failed + notRun;
		const seconds = (Date.now() - this.#startedAt) / 1000;
		const waits = Math.ceil((this.#waitsUntil - Date.now()) / 1000);
		return [
			`${toPlainLine(this.#suite.name)}  ${done}${this.#rows === undefined ? '' : `/${this.#cases + this.#rows}`} done, ${failed + notRun} failed, ${this.#running.size} running`,
			seconds > 1 ? `${(done / seconds).toFixed(1)}/s` : '',
			waits > 0 ? `the service asked to wait ${waits} s` : '',
		]
			.filter(Boolean)
			.join('  ');
	}

	async #printSummary(summary: SuiteSummary): Promise<void> {
		const { passed, failed, notRun, faults, seconds, tokens, judgeTokens, userTokens = 0, cost, currency } = summary;
		const parts: [string, Tone | undefined][] = [
			[`${passed} passed`, passed > 0 ? 'good' : undefined],
			[`${failed} failed`, failed > 0 ? 'bad' : undefined],
			...(notRun > 0 ? [[`${notRun} couldn't run`, 'bad'] as [string, Tone]] : []),
			...(faults > 0 ? [[`${formatQuantity(faults, 'row')} couldn't be read`, 'bad'] as [string, Tone]] : []),
		];
		const facts = [
			formatSeconds(seconds),
			...(tokens > 0 ? [formatQuantity(tokens, 'token')] : []),
			...(judgeTokens > 0 ? [formatQuantity(judgeTokens, 'judge token')] : []),
			...(userTokens > 0 ? [formatQuantity(userTokens, 'user token')] : []),
			...(cost > 0 ? [formatCost(cost, currency)] : []),
		];
		const counts = parts.map(([text, tone]) => (tone ? colorText(tone, text) : text)).join(', ');
		await this.#printLine(
			`${colorText(failed + notRun + faults > 0 ? 'bad' : 'good', '■')} ${toPlainLine(this.#suite.name)}  ${counts}  ${facts.join('  ')}`,
		);
	}

	async #printLine(text: string): Promise<void> {
		this.#status.clear();
		await writeOutput(`${text}\n`);
	}
}
