import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { cutText } from '#base/text/cutText.ts';
import type { LabelName, ReviewedOutput, ReviewState } from '#pages/review/reviewMessages.ts';
import { toCheckText } from '#suites/checks/kinds/comparison.ts';
import { runGit } from '#suites/git.ts';
import { summarizeOutputs } from '#suites/judges/judgeAgreement.ts';
import { type JudgedOutput, listJudgedOutputs } from '#suites/judges/judgedOutputs.ts';
import { appendLabel, hashJudgedOutput, JudgeLabels } from '#suites/judges/judgeLabels.ts';
import { orderForReview } from '#suites/judges/reviewOrder.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { readCaseLines, readResultLines } from '#suites/results/resultFile.ts';
import type { Suite } from '#suites/suite.ts';

/** Maximum length of shown texts. The label of a longer output has no text, because a judge would see a part as its example. */
const longestText = 50_000;
const defaultThreshold = 0.5;

type ReviewedSuite = Pick<Suite, 'file' | 'root' | 'judges'>;

/** Outputs of a batch that a person labels, one after the other. Labels are written as they are given. */
export class ReviewSession {
	readonly #suite: ReviewedSuite;
	readonly #file: string;
	readonly #by: string;
	readonly #outputs: readonly JudgedOutput[];
	readonly #order: readonly JudgedOutput[];
	readonly hasVariants: boolean;
	#labels: JudgeLabels;
	#summary: { readonly of: JudgeLabels; readonly summary: Pick<ReviewState, 'labeled' | 'judges'> } | undefined;
	#place = 0;
	#result: CaseResult | undefined;

	private constructor(
		{ suite, file, by }: { readonly suite: ReviewedSuite; readonly file: string; readonly by: string },
		outputs: readonly JudgedOutput[],
		labels: JudgeLabels,
		hasVariants: boolean,
	) {
		this.#suite = suite;
		this.#file = file;
		this.#by = by;
		this.#outputs = outputs;
		this.#labels = labels;
		this.hasVariants = hasVariants;
		const getThreshold = (name: string) => suite.judges?.[name]?.atLeast ?? defaultThreshold;
		this.#order = orderForReview(outputs, { labels, by, getThreshold });
	}

	/** Reads the judged outputs of a result file and their labels. Rejects if a file can't be read. */
	static async openSession(suite: ReviewedSuite, file: string, by: string): Promise<ReviewSession> {
		// the last result of a case counts
		const outputs = new Map<number, readonly JudgedOutput[]>();
		let hasVariants = false;
		for await (const line of readResultLines(file)) {
			if ('head' in line) {
				hasVariants = line.head.matrix !== undefined;
			} else if ('result' in line) {
				outputs.set(line.result.ordinal, listJudgedOutputs(line.result));
			}
		}
		const session = new ReviewSession({ suite, file, by }, [...outputs.values()].flat(), await JudgeLabels.readLabels(suite), hasVariants);
		session.#result = await session.#readResult(0);
		return session;
	}

	get file(): string {
		return this.#file;
	}
	/** Number of outputs. */
	get count(): number {
		return this.#order.length;
	}
	/** The result that the shown output is from. */
	get result(): CaseResult | undefined {
		return this.#result;
	}

	/** Shows the next or previous output. Rejects if a file can't be read; then, the same output is shown as before. */
	async move(by: number): Promise<void> {
		const place = Math.max(0, Math.min(this.count - 1, this.#place + by));
		const [labels, result] = [await JudgeLabels.readLabels(this.#suite, this.#labels), await this.#readResult(place)];
		[this.#place, this.#labels, this.#result] = [place, labels, result];
	}

	/** Writes a label of the shown output, unless it has the same one already. Rejects if the label file can't be written. */
	async label(label: LabelName, note: string): Promise<void> {
		const [shown, result] = [this.#order[this.#place], this.#result];
		if (!shown || !result || (this.ownLabel?.label === label && (this.ownLabel.note ?? '') === note)) {
			return;
		}
		const { name, row, variant } = result;
		const text = toCheckText(result.checks[shown.check]?.actual);
		await appendLabel(this.#suite, {
			case: name,
			...(row !== undefined && { row }),
			...(variant !== undefined && { variant }),
			output: shown.output,
			check: shown.judge.name,
			label,
			...(text.length <= longestText && { text }),
			...(note !== '' && { note }),
			by: this.#by,
			at: this.#getLabelTime(shown).toISOString(),
		});
		// another window or person may have added labels too
		this.#labels = await JudgeLabels.readLabels(this.#suite, this.#labels);
	}

	/** Returns the current time, or a later one if the clock was ahead when the person's last label was written: the latest one counts. */
	#getLabelTime(output: JudgedOutput): Date {
		const own = this.#getOwnLabel(output);
		return new Date(Math.max(Date.now(), own ? Date.parse(own.at) + 1 : 0));
	}

	/** The person's label of the shown output. */
	get ownLabel() {
		const shown = this.#order[this.#place];
		return shown && this.#getOwnLabel(shown);
	}

	/** Returns what the page shows. The judge's decision is included only for labeled outputs. */
	createState(): Omit<ReviewState, 'canJudgeAgain'> {
		const shown = this.#showOutput();
		return {
			place: this.#place,
			count: this.count,
			by: this.#by,
			...this.#summarizeLabels(),
			...(shown && { shown }),
		};
	}

	/** Summarizes the labels, which takes long for many outputs, once for each version of the label file. */
	#summarizeLabels(): Pick<ReviewState, 'labeled' | 'judges'> {
		if (this.#summary?.of !== this.#labels) {
			const labeled = this.#order.filter(each => this.#getOwnLabel(each) !== undefined).length;
			this.#summary = { of: this.#labels, summary: { labeled, judges: summarizeOutputs(this.#outputs, this.#labels) } };
		}
		return this.#summary.summary;
	}

	/** ID of the shown output. It has the hash of the output, because other batches have results with the same numbers. */
	get shownId(): string | undefined {
		const shown = this.#order[this.#place];
		return shown && `${shown.ordinal}/${shown.check}/${shown.output}`;
	}

	#showOutput(): ReviewedOutput | undefined {
		const [shown, result] = [this.#order[this.#place], this.#result];
		const check = shown && result?.checks[shown.check];
		if (!shown || !result || !check) {
			return undefined;
		}
		const { judge, passed, score } = shown;
		const { name, row, variant, inputs } = result;
		const own = this.ownLabel;
		return {
			id: this.shownId!,
			name: [
				name,
				...(row === undefined || name.includes(String(row)) ? [] : [String(row)]),
				...(variant === undefined ? [] : [variant]),
			].join(' · '),
			judge: judge.name,
			rubric: this.#suite.judges?.[judge.name]?.rubric ?? '',
			inputs: cutText(JSON.stringify(inputs, undefined, 2), longestText),
			output: cutText(typeof check.actual === 'string' ? check.actual : (JSON.stringify(check.actual, undefined, 2) ?? ''), longestText),
			note: own?.note ?? '',
			...(own && { label: own.label, grade: { passed, score, reason: check.message ?? '', model: judge.model } }),
		};
	}

	#getOwnLabel({ judge, output }: JudgedOutput) {
		return this.#labels.getOwnLabel(judge.name, output, this.#by);
	}

	/** Reads the result of an output; `undefined` without outputs. Rejects if the file has another output now. */
	async #readResult(place: number): Promise<CaseResult | undefined> {
		const wanted = this.#order[place];
		if (!wanted) {
			return undefined;
		}
		let found: CaseResult | undefined;
		for await (const line of readCaseLines(this.#file, wanted.ordinal)) {
			if ('result' in line && line.result.ordinal === wanted.ordinal) {
				found = line.result;
			}
		}
		const check = found?.checks[wanted.check];
		if (!found || !check || hashJudgedOutput(found, check) !== wanted.output) {
			throw new Problem('changed-results', vscode.l10n.t('The results have changed. Close the review and open it again.'));
		}
		return found;
	}
}

/** Returns the name of the person at this computer: Git's in the folder of a suite, or else that of the user account. */
export async function readPersonName(suite: string): Promise<string> {
	const name = await runGit(path.dirname(suite), ['config', 'user.name']).catch(() => '');
	return name.trim() || readUserName();
}

function readUserName(): string {
	try {
		return os.userInfo().username;
	} catch {
		// containers can run as a user without an account
		return process.env['USER'] ?? 'unknown';
	}
}
