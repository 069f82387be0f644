import { judgeKeptOutput } from '../checks/evaluate.ts';
import { getJudgeName } from '../checks/kinds/judge.ts';
import { CaseIndex, hashRow } from '../results/caseIndex.ts';
import type { CaseResult, CheckResult } from '../results/caseResult.ts';
import { readResults } from '../results/resultFile.ts';
import { scoreChecks } from '../results/scoreChecks.ts';
import type { SuiteCheck } from '../suite.ts';
import { type CaseRunner, type CaseRunnerParts, createNotRunFields, type RanCase, type ReadyCase, recordJudges } from './caseRunner.ts';
import { CaseFault, type CaseWork } from './caseWork.ts';

/** Results of an earlier batch whose outputs are judged again. */
export class KeptOutputs {
	readonly #results: CaseIndex<CaseResult>;

	private constructor(results: CaseIndex<CaseResult>) {
		this.#results = results;
	}

	/** Reads a result file. Results of variants are skipped. Rejects if the file can't be read. */
	static async readResultFile(file: string): Promise<KeptOutputs> {
		const results = new CaseIndex<CaseResult>();
		for await (const result of readResults(file)) {
			if (result.variant === undefined) {
				results.add(result, result);
			}
		}
		return new KeptOutputs(results);
	}

	find({ name, row, values }: Pick<CaseWork, 'name' | 'row'> & Partial<Pick<CaseWork, 'values'>>): CaseResult | undefined {
		return this.#results.find({ name, ...(row !== undefined && { row, rowHash: hashRow(values ?? {}) }) });
	}
}

/** Takes the place of a {@link CaseRunner}, but runs nothing: the judges of the suite grade the outputs of earlier results. */
export class JudgeAgainRunner implements Pick<CaseRunner, 'prepareCase' | 'runCase' | 'checkRuns'> {
	readonly #kept: KeptOutputs;
	readonly #parts: Pick<CaseRunnerParts, 'tools' | 'recording'>;

	constructor(kept: KeptOutputs, parts: Pick<CaseRunnerParts, 'tools' | 'recording'>) {
		this.#kept = kept;
		this.#parts = parts;
	}

	prepareCase(work: CaseWork): ReadyCase {
		return { work, request: Promise.resolve({ inputs: {} }) };
	}

	/** Runs nothing. A case that the limits of the batch don't let start isn't judged either. */
	async runCase({ work, request }: ReadyCase): Promise<RanCase> {
		const begun = { startedAt: Date.now(), started: performance.now(), inputs: {} };
		return request.then(
			() => ({ work, tries: [] }),
			(fault: Error) => ({ work, tries: [{ ...begun, fault }] }),
		);
	}

	/**
	 * Judges the outputs of a case again. Other checks keep their results. A case without an earlier result is one that couldn't run, so that
	 * a part of the results doesn't look like all. Rejects with the signal's reason if canceled.
	 */
	async checkRuns({ work, tries }: RanCase): Promise<CaseResult> {
		const { tools } = this.#parts;
		const { ordinal, name, row, place, values } = work;
		const asRow = row !== undefined && { row, rowHash: hashRow(values ?? {}) };
		const found = this.#kept.find(work);
		if (!found) {
			const unknown = { ordinal, name, ...asRow, place, inputs: {}, startedAt: Date.now(), seconds: 0 };
			return { ...unknown, ...createNotRunFields(new CaseFault(`There's no earlier result of '${name}'.`)) };
		}
		const { fault: _, unreached: __, used: ___, ...kept } = found;
		const started = performance.now();
		const base = { ...kept, ordinal, name, ...asRow, place };
		try {
			const [refused] = tries;
			if (refused?.fault) {
				throw refused.fault;
			}
			const checks = kept.outcome === 'not-run' ? failToJudge('it had not run') : await this.#judgeChecks(work, kept);
			return { ...base, checks, ...scoreChecks(checks), seconds: (performance.now() - started) / 1000 };
		} catch (error) {
			if (tools.signal.aborted) {
				throw error;
			}
			return { ...base, ...createNotRunFields(error as Error), outputs: kept.outputs };
		}
	}

	async #judgeChecks(work: CaseWork, kept: CaseResult): Promise<readonly CheckResult[]> {
		if (kept.repeated) {
			failToJudge(`only one of its ${kept.repeated.runs} runs was kept`);
		}
		const tools = recordJudges(this.#parts, work);
		const judges = [...(work.turns ?? []).flatMap(({ checks }) => checks), ...work.checks].filter(({ kind }) => kind === 'judge');
		const results: CheckResult[] = [];
		let withoutValue = 0;
		for (const check of kept.checks) {
			const hasNoValue = check.kind === 'judge' && !check.judge && !check.passed && check.actual === undefined;
			withoutValue += Number(hasNoValue);
			if (check.kind !== 'judge' || hasNoValue) {
				results.push(check);
				continue;
			}
			const judge = takeJudge(judges, check);
			if (judge) {
				results.push(await judgeKeptOutput(judge, check.actual, tools));
			}
		}
		return judges.length > withoutValue ? failToJudge(`no output was kept for the judge '${getJudgeName(judges[0]!.fields)}'`) : results;
	}
}

/** Removes the check of the same judge from the list. `undefined` if the suite has no such judge anymore. */
function takeJudge(judges: SuiteCheck[], { judge }: CheckResult): SuiteCheck | undefined {
	if (!judge) {
		return failToJudge('the results are from an older version, which kept no outputs of judges');
	}
	const at = judges.findIndex(({ fields }) => getJudgeName(fields) === judge.name);
	return at < 0 ? undefined : judges.splice(at, 1)[0];
}

function failToJudge(reason: string): never {
	throw new CaseFault(`The case can't be judged again: ${reason}.`);
}
