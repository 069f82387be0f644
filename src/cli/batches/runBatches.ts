import path from 'node:path';
import { hashContent } from '#base/files/contentHash.ts';
import type { FileRecording } from '#runs/recordings/fileRecording.ts';
import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Baseline } from '#suites/results/comparison.ts';
import { type ResultHead, readResultFileState, readResults } from '#suites/results/resultFile.ts';
import { readAgentTexts, readDependencies } from '#suites/running/dependencies.ts';
import { KeptOutputs } from '#suites/running/judgeAgain.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import { SuiteRunner, type SuiteRunOptions } from '#suites/running/suiteRunner.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { Suite } from '#suites/suite.ts';
import type { PreparedVariant } from '#suites/variants/prepareVariants.ts';
import { CliFault, type ExitCode, exitCodes, getWorstExitCode } from '../cliFault.ts';
import { printLine, toPlainLine } from '../output.ts';
import { ConsoleReport } from '../reports/consoleReport.ts';
import { JsonReport } from '../reports/jsonReport.ts';
import type { SuiteReport } from '../reports/suiteReport.ts';
import { Baselines } from './baselines.ts';
import { createCaseFilter } from './caseFilter.ts';
import { checkGate } from './gateCheck.ts';
import type { Matrices } from './matrixStart.ts';
import { describeParts, type ResultFolder } from './resultFolder.ts';
import { findWeakJudges, reportTables } from './suiteTables.ts';

/** Command-line options for batches. */
export interface BatchOptions {
	/** Text to search for in the names of cases and suites, ignoring case. */
	readonly filter?: string;
	/** File with earlier results to compare with. */
	readonly baseline?: string;
	/** File with earlier results whose outputs are judged again, instead of running the cases. */
	readonly judgeAgain?: string;
	readonly concurrency?: number;
	readonly repeat?: number;
	readonly bail: boolean;
	readonly update: boolean;
	readonly coverage: boolean;
	/** True to add the results to the history files of suites. */
	readonly history: boolean;
	/** True to compare the variants of suites, and to start that without asking. */
	readonly matrix: boolean;
	readonly yes: boolean;
	/** True to write results as JSON instead of text. */
	readonly json: boolean;
	/** Hash of the service's configuration, if known. */
	readonly configuration?: string;
}

interface ChosenFile {
	readonly file: string;
	readonly depends: Readonly<Record<string, string>>;
	/** Things that have changed since an interrupted batch, so that the batch isn't resumed. */
	readonly changed: readonly string[];
}

interface BatchParts extends BatchOptions {
	readonly reports: SuiteReport;
	readonly folder: ResultFolder;
	/** Variants to compare, by suite. */
	readonly matrices: Matrices;
	/** Results to judge again, if any. */
	readonly kept?: KeptOutputs | undefined;
	readonly signal: AbortSignal;
	/** Opens the recording of a suite; resolves to undefined if it uses none. */
	readonly openRecording: (suite: Suite) => Promise<FileRecording | undefined>;
	/** Writes a recording and prints what happened. */
	readonly closeRecording: (recording: FileRecording) => Promise<ExitCode>;
}

/** Runs suites one after another on a service, shows their progress and writes the reports. Resolves to the exit code. */
export async function runBatches(suites: readonly Suite[], service: SuiteService, parts: BatchParts): Promise<ExitCode> {
	const runner = new SuiteRunner({ checkThread: new URL('./checkThread.js', import.meta.url) });
	try {
		const baselines = parts.baseline === undefined ? undefined : await Baselines.readBaselines('baseline', parts.baseline, parts.folder);
		const kept = parts.judgeAgain === undefined ? undefined : await Baselines.readBaselines('judge-again', parts.judgeAgain, parts.folder);
		const codes: ExitCode[] = [];
		let cases = 0;
		for (const suite of suites) {
			const baseline = await baselines?.findBaseline(suite);
			if (baselines && !baseline) {
				printLine(
					`--baseline ${parts.baseline}: the file has no results for ${toPlainLine(path.relative('', suite.file))}, so nothing is compared.`,
				);
			}
			const keptFile = kept?.findResultFile(suite);
			if (kept && keptFile === undefined) {
				throw new CliFault(`--judge-again ${parts.judgeAgain}: the file has no results for ${path.relative('', suite.file)}.`);
			}
			const judgeAgain = keptFile === undefined ? undefined : await KeptOutputs.readResultFile(keptFile);
			const batch = new Batch(suite, service, baseline, { ...parts, kept: judgeAgain });
			const { code, summary } = await batch.run(runner, await readAgentTexts(service.agents ?? []));
			codes.push(code);
			cases += summary.cases + summary.faults;
			if (parts.signal.aborted || (parts.bail && code !== exitCodes.passed)) {
				break;
			}
		}
		if (cases === 0 && suites.length > 0 && !parts.signal.aborted) {
			throw new CliFault(
				parts.filter === undefined ? 'test: the suites have no test cases.' : `--filter ${parts.filter}: no test case matches.`,
			);
		}
		return getWorstExitCode([...codes, parts.signal.aborted ? exitCodes.interrupted : exitCodes.passed]);
	} finally {
		await runner.close();
	}
}

/** One run of one suite. */
class Batch {
	readonly #suite: Suite;
	readonly #service: SuiteService;
	readonly #baseline: Baseline | undefined;
	readonly #parts: BatchParts;
	readonly #console: ConsoleReport | JsonReport;
	#unreached = false;
	#hasWeakJudges = false;

	constructor(suite: Suite, service: SuiteService, baseline: Baseline | undefined, parts: BatchParts) {
		this.#suite = suite;
		this.#service = service;
		this.#baseline = baseline;
		this.#parts = parts;
		const isWhole = createCaseFilter(suite, parts.filter) === undefined;
		this.#console = parts.json ? new JsonReport(suite, { connection: service.name, isWhole }) : new ConsoleReport(suite, { isWhole });
	}

	async run(runner: SuiteRunner, agents: unknown): Promise<{ readonly code: ExitCode; readonly summary: SuiteSummary }> {
		const recording = await this.#parts.openRecording(this.#suite);
		try {
			return await this.#runRecorded(recording, runner, agents);
		} catch (error) {
			// a result or report that can't be written mustn't lose replies that were paid for
			await recording?.finish().catch(() => undefined);
			throw error;
		}
	}

	async #runRecorded(recording: FileRecording | undefined, runner: SuiteRunner, agents: unknown): ReturnType<Batch['run']> {
		const { reports } = this.#parts;
		const { file: resultFile, depends, changed } = await this.#chooseResultFile(agents, recording);
		if (changed.length > 0) {
			printLine(
				`${toPlainLine(this.#suite.name)}: starting over because these changed since the batch was interrupted: ${describeParts(changed)}.`,
			);
		}
		const state = await readResultFileState(resultFile).catch(() => undefined);
		let finished: Extract<SuiteEvent, { type: 'finished' }> | undefined;
		try {
			for await (const event of runner.run(this.#suite, this.#service, {
				...this.#createRunOptions(resultFile, depends, state !== undefined && !state.summary && !this.#parts.kept),
				...(recording && { recording }),
			})) {
				await this.#reportEvent(event, resultFile);
				finished = event.type === 'finished' ? event : finished;
			}
		} catch (error) {
			throw (error as Error).name === 'SuiteRunError' ? new CliFault((error as Error).message) : error;
		} finally {
			this.#console.close();
		}
		const { summary, cancelled } = finished!;
		cancelled && this.#printCancellation(cancelled);
		if (summary.cases + summary.faults > 0) {
			await reports.startSuite(this.#suite, summary);
			for await (const result of readResults(resultFile)) {
				await reports.onResult(result);
			}
			await (summary.cases > 0 && this.#reportTables(resultFile, cancelled !== undefined));
			await reports.endSuite();
		}
		const replayed = recording ? await this.#parts.closeRecording(recording) : exitCodes.passed;
		const reasons = cancelled ? undefined : await this.#checkGate(resultFile, summary, agents);
		const code = getWorstExitCode([this.#getExitCode(summary, reasons && reasons.length === 0), replayed]);
		if (summary.cases + summary.faults > 0) {
			await reports.onVerdict?.({ passed: code === exitCodes.passed && !cancelled, reasons: reasons ?? [] });
		}
		return { code, summary };
	}

	get #variants(): readonly PreparedVariant[] | undefined {
		return this.#parts.matrices.get(this.#suite);
	}

	/** Reports the tables of the batch. Judges that agree too little with people fail it, unless only a part of the suite ran. */
	async #reportTables(resultFile: string, isCancelled: boolean): Promise<void> {
		const { agents } = this.#service;
		const batch = { suite: this.#suite, resultFile, variants: this.#variants, agents };
		const judges = await reportTables(batch, [this.#console, this.#parts.reports]);
		const reasons = this.#parts.filter === undefined && !isCancelled ? findWeakJudges(this.#suite, judges) : [];
		this.#hasWeakJudges = reasons.length > 0;
		for (const reason of reasons) {
			printLine(`${toPlainLine(this.#suite.name)}: ${toPlainLine(reason)}`);
		}
	}

	/**
	 * Chooses the result file: that of an interrupted batch, if nothing that its results depend on has changed. A batch in a temporary folder
	 * is never resumed.
	 */
	async #chooseResultFile(agents: unknown, recording: FileRecording | undefined): Promise<ChosenFile> {
		const { folder, repeat, filter, update, coverage, judgeAgain } = this.#parts;
		// an interrupted batch that judges again starts over, because the file with the results can change
		if (!folder.isKept || judgeAgain !== undefined) {
			return { file: await folder.openResultFile(this.#suite, { judgeAgain }), depends: {}, changed: [] };
		}
		const depends = {
			options: hashContent([this.#service.name, repeat, filter, update, coverage, ...(this.#variants ? ['matrix'] : [])]),
			suite: this.#suite.fingerprint,
			agents: hashContent(agents),
			configuration: this.#parts.configuration ?? '',
			...(await readDependencies(this.#suite, this.#service.placeholders)),
			...(this.#variants && { variants: hashContent(this.#variants) }),
			...(recording && { recording: recording.fingerprint }),
			// an updating batch changes the snapshots itself
			...(update && { snapshots: '' }),
		};
		const file = await folder.openResultFile(this.#suite, depends);
		return { file, depends, changed: await folder.findChanges(file, depends) };
	}

	#createRunOptions(resultFile: string, depends: ResultHead['depends'] & object, resume: boolean): SuiteRunOptions {
		const { filter, concurrency, repeat, bail, update, coverage, signal } = this.#parts;
		const isWanted = createCaseFilter(this.#suite, filter);
		return {
			resultFile,
			depends,
			resume,
			signal,
			bail,
			update,
			coverage,
			...(this.#variants && { variants: this.#variants }),
			...(this.#parts.kept && { judgeAgain: this.#parts.kept }),
			...(concurrency !== undefined && { concurrency }),
			...(repeat !== undefined && { repeat }),
			...(isWanted && { filter: isWanted }),
		};
	}

	async #reportEvent(event: SuiteEvent, resultFile: string): Promise<void> {
		if (event.type === 'result') {
			this.#countResult(event.result);
			await this.#console.onResult(event.result, this.#baseline?.compareResult(event.result));
			return;
		}
		await this.#console.onEvent(event);
		if (event.type === 'started' && event.takenUp > 0) {
			let left = event.takenUp;
			for await (const result of readResults(resultFile)) {
				if (left-- === 0) {
					break;
				}
				this.#countResult(result);
				await this.#console.onResult(result, this.#baseline?.compareResult(result));
			}
		}
	}

	#countResult({ unreached }: CaseResult): void {
		this.#unreached ||= unreached ?? false;
	}

	#printCancellation({ stopped, notStopped }: { readonly stopped: number; readonly notStopped: number }): void {
		const runs = `${stopped} ${stopped === 1 ? 'run was' : 'runs were'} stopped on the service`;
		const others = notStopped > 0 ? `, ${notStopped} more didn't confirm in time` : '';
		const hint = this.#parts.folder.isKept ? 'Run the same command again to resume' : 'With --data DIR, the same command would resume here';
		printLine(`Interrupted: ${runs}${others}. ${hint}.`);
	}

	/**
	 * Checks the gate of the suite and adds the results to its history. Resolves to the reasons why it isn't passed; to `undefined` without a
	 * gate, and for parts of a suite.
	 */
	async #checkGate(resultFile: string, { faults }: SuiteSummary, agents: unknown): Promise<readonly string[] | undefined> {
		const { filter, history } = this.#parts;
		if (filter !== undefined || (!history && (this.#variants || !this.#suite.gate))) {
			return undefined;
		}
		const reasons = await checkGate(this.#suite, resultFile, { faults, agents, history, baseline: this.#baseline });
		for (const reason of reasons ?? []) {
			printLine(`${toPlainLine(this.#suite.name)}: the gate isn't passed. ${toPlainLine(reason)}`);
		}
		return reasons;
	}

	#getExitCode({ failed, notRun, faults }: SuiteSummary, isGatePassed: boolean | undefined): ExitCode {
		if (isGatePassed && !this.#unreached && !this.#hasWeakJudges) {
			return exitCodes.passed;
		}
		return getWorstExitCode([
			failed > 0 || isGatePassed === false || this.#hasWeakJudges ? exitCodes.checkFailed : exitCodes.passed,
			notRun > 0 && !this.#unreached ? exitCodes.fault : exitCodes.passed,
			this.#unreached ? exitCodes.unreached : exitCodes.passed,
			faults > 0 ? exitCodes.fault : exitCodes.passed,
		]);
	}
}
