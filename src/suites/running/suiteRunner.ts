import { FileWriteError } from '#base/files/writeFailure.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import type { CheckTools } from '../checks/evaluate.ts';
import type { CheckTaskInputs, CheckTaskOutputs } from '../checks/thread/checkTasks.ts';
import { JudgeLabels } from '../judges/judgeLabels.ts';
import type { CaseResult } from '../results/caseResult.ts';
import type { ResultHead } from '../results/resultFile.ts';
import { ResultJournal } from '../results/resultJournal.ts';
import { ResultSum } from '../results/resultSum.ts';
import { SnapshotBook, SnapshotFileError } from '../results/snapshots.ts';
import type { Suite } from '../suite.ts';
import type { PreparedVariant } from '../variants/prepareVariants.ts';
import { Batch, type BatchParts } from './batch.ts';
import { CaseRunner, type CaseRunnerParts } from './caseRunner.ts';
import { CaseFault, CaseMaker, type CaseWork } from './caseWork.ts';
import { resolveChatModel } from './chatRun.ts';
import { hashSuiteAgents } from './dependencies.ts';
import { JudgeAgainRunner, type KeptOutputs } from './judgeAgain.ts';
import { OrdinalSet } from './ordinalSet.ts';
import { type PacedCallOptions, runPacedCall } from './pacedCall.ts';
import type { SuiteEvent } from './suiteEvents.ts';
import { SuiteRunError } from './suiteRunError.ts';
import type { SuiteRecording, SuiteService } from './suiteService.ts';

interface SuiteRunnerParts {
	/** Code of the check threads: `checkThread.js` next to the bundle, or `src/suites/checks/thread/checkThread.ts` from source. */
	readonly checkThread: URL;
	/** Translates the messages of checks. Default: English. */
	readonly t?: Translate;
}

/** Options of a batch. */
export interface SuiteRunOptions {
	/** Result file that results are appended to. */
	readonly resultFile: string;
	/** Resumes the interrupted batch of that file; otherwise the file is overwritten. */
	readonly resume?: boolean;
	/** See `ResultHead.depends`. */
	readonly depends?: ResultHead['depends'];
	/** Cancels the batch: active runs are stopped and have no result. */
	readonly signal?: AbortSignal;
	/** Selects the cases to run. Default: all. */
	readonly filter?: (each: { readonly ordinal: number; readonly name: string; readonly row?: number }) => boolean;
	/** Overrides of the suite's settings. */
	readonly concurrency?: number;
	readonly repeat?: number;
	/** Ends the batch after the first case that doesn't pass. */
	readonly bail?: boolean;
	/** Accepts the values of `snapshot` checks. */
	readonly update?: boolean;
	/** Recording that the runs use, if any. */
	readonly recording?: SuiteRecording;
	/** Adds coverage to results. */
	readonly coverage?: boolean;
	/** Earlier results, whose outputs are judged again instead of running their cases. Cases without one are `not-run`. */
	readonly judgeAgain?: KeptOutputs;
	/** Variants to run each case with, one after the other. */
	readonly variants?: readonly PreparedVariant[];
}

/** Limits of the threads for checks. */
const threadLimits = { maxThreads: 2, timeoutMs: 5_000, memoryMb: 256 };

/** Runs suites for the editor and the command line. One instance supports any number of concurrent batches. */
export class SuiteRunner {
	readonly #threads: ThreadPool<CheckTaskInputs, CheckTaskOutputs>;
	readonly #t: Translate;

	constructor({ checkThread, t = fillPlaceholders }: SuiteRunnerParts) {
		this.#t = t;
		this.#threads = new ThreadPool(checkThread, threadLimits);
	}

	/**
	 * Runs a suite on a service and yields its events. Leaving the loop cancels the batch like the signal. Throws a {@link SuiteRunError}
	 * if its files can't be read or written. If the service can't be reached, cases are `not-run`.
	 */
	async *run(suite: Suite, service: SuiteService, options: SuiteRunOptions): AsyncGenerator<SuiteEvent, void> {
		const off = new AbortController();
		const signal = options.signal ? AbortSignal.any([options.signal, off.signal]) : off.signal;
		const sum = new ResultSum({ keepsRuns: options.judgeAgain !== undefined });
		const done = new OrdinalSet();
		const [snapshots, labels] = await Promise.all([SnapshotBook.openBook(suite.file), JudgeLabels.readLabels(suite)]).catch(
			(error: unknown) => {
				throw toSuiteRunError(error);
			},
		);
		const journal = await openJournal(suite, service, options, result => {
			// run cases again that didn't reach the service; count a line that was written twice only once
			if (result.unreached || done.has(result.ordinal)) {
				return false;
			}
			done.add(result.ordinal);
			sum.add(result);
			sum.takenUp++;
			if (options.update && result.run?.status !== 'failed') {
				// the interrupted batch didn't write its snapshots
				snapshots.acceptResult(result);
			}
			return true;
		});
		const earlier = { sum, has: (ordinal: number) => done.has(ordinal) };
		const batch = this.#createBatch(suite, service, options, { journal, snapshots, labels, earlier }, signal);
		using _waits = service.pace.addWaitListener((until, why) => void batch.events.push({ type: 'waiting', until, why }));
		const running = batch.run();
		// errors are handled below: a failing batch first ends its events
		running.catch(() => undefined);
		try {
			yield* batch.events.readEntries();
			await running.catch((error: unknown) => {
				throw toSuiteRunError(error);
			});
		} finally {
			off.abort();
			await running.catch(() => undefined);
			await journal.close();
		}
	}

	/** Stops the threads of checks. */
	async close(): Promise<void> {
		await this.#threads.close();
	}

	#createBatch(
		suite: Suite,
		service: SuiteService,
		options: SuiteRunOptions,
		{ journal, snapshots, labels, earlier }: Pick<BatchParts, 'journal' | 'snapshots' | 'earlier'> & Pick<CheckTools, 'labels'>,
		signal: AbortSignal,
	): Batch {
		const concurrency = options.concurrency ?? suite.concurrency;
		const paced: PacedCallOptions = { pace: service.pace, limit: concurrency, signal };
		let judgeModel: Promise<string> | undefined;
		const chatModels = new Map<string, Promise<string>>();
		const cases = new CaseMaker(suite, service);
		const { judgeAgain, filter: isWanted = () => true } = options;
		const parts: CaseRunnerParts = {
			service,
			paced,
			repeat: options.repeat ?? suite.repeat,
			passRate: suite.passRate,
			coverage: options.coverage === true,
			...(options.recording && { recording: options.recording }),
			getChatModel: ({ target }: CaseWork) => {
				const chat = target as Parameters<typeof resolveChatModel>[0];
				const model = chatModels.get(chat.model) ?? runPacedCall(paced, () => resolveChatModel(chat, service.client, signal));
				chatModels.set(chat.model, model);
				return model;
			},
			tools: {
				threads: this.#threads,
				snapshots,
				labels,
				update: options.update === true,
				getSecrets: () => cases.secrets,
				client: { createMessage: (body, call) => runPacedCall(paced, () => service.client.createMessage(body, call)) },
				getJudgeModel: () => {
					judgeModel ??= findJudgeModel(service, paced);
					return judgeModel;
				},
				signal,
				t: this.#t,
			},
		};
		return new Batch({
			suite,
			journal,
			cases,
			runner: judgeAgain ? new JudgeAgainRunner(judgeAgain, parts) : new CaseRunner(parts),
			snapshots,
			concurrency,
			// variants are texts that were read before
			hashAgents: () => hashSuiteAgents(suite, options.variants ? [] : service.agents),
			isWanted,
			earlier,
			bail: options.bail === true,
			variants: options.variants,
			signal,
		});
	}
}

async function openJournal(
	suite: Suite,
	service: SuiteService,
	options: SuiteRunOptions,
	keep: (result: CaseResult) => boolean,
): Promise<ResultJournal> {
	const { resultFile: file, resume, variants } = options;
	const { matrix, cache: cached } = suite;
	const head: ResultHead = {
		version: 1,
		suite: suite.file,
		fingerprint: suite.fingerprint,
		connection: service.name,
		...(options.depends && { depends: options.depends }),
		...(variants && matrix && { matrix: { names: variants.map(({ name }) => name), baseline: matrix.baseline, cached } }),
		startedAt: Date.now(),
	};
	try {
		const journal = resume ? await ResultJournal.resumeFile(file, head, keep) : await ResultJournal.createFile(file, head);
		if (journal) {
			return journal;
		}
	} catch (error) {
		throw toSuiteRunError(error);
	}
	throw new SuiteRunError(
		'changed',
		`'${file}' has results of another suite or of an earlier version of this suite. Run the suite from the start.`,
	);
}

async function findJudgeModel(service: SuiteService, paced: PacedCallOptions): Promise<string> {
	const model = service.judgeModel ?? (await runPacedCall(paced, () => service.client.listMessagesModels({ signal: paced.signal })))[0]?.id;
	if (model === undefined) {
		throw new CaseFault(`'${service.name}' lists no models for judges and simulated users. Set 'model' in the suite.`);
	}
	return model;
}

function toSuiteRunError(error: unknown): unknown {
	return error instanceof SnapshotFileError || error instanceof FileWriteError || (error instanceof Error && 'syscall' in error)
		? new SuiteRunError('file', error.message, { cause: error })
		: error;
}
