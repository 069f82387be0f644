import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { hashContent } from '#base/files/contentHash.ts';
import { Problem } from '#base/problems.ts';
import type { AskedRecordingMode } from '#contract/recordings/recordings.ts';
import type { FileRecording } from '#runs/recordings/fileRecording.ts';
import { type ResultHead, readResultFileState } from '#suites/results/resultFile.ts';
import { readAgentTexts, readDependencies } from '#suites/running/dependencies.ts';
import { KeptOutputs } from '#suites/running/judgeAgain.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { SuiteRunner, SuiteRunOptions } from '#suites/running/suiteRunner.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { Suite } from '#suites/suite.ts';
import { prepareVariants } from '#suites/variants/prepareVariants.ts';
import { runInBackground } from '../../platform/background.ts';
import type { SuiteServices } from '../suiteServices.ts';
import { WindowBatch } from './batch.ts';
import { countCases } from './countCases.ts';
import type { ResultStore } from './resultStore.ts';

interface SuiteBatchesParts {
	readonly services: Pick<SuiteServices, 'openService' | 'openRecording' | 'finishRecording'>;
	readonly store: ResultStore;
	readonly runner: Pick<SuiteRunner, 'run'>;
	readonly log: vscode.LogOutputChannel;
}

interface BatchOptions {
	/** Cases to run. If absent, all cases. */
	readonly ordinals?: ReadonlySet<number>;
	readonly coverage?: boolean;
	/** Result file of an interrupted batch to resume. */
	readonly resume?: string;
	/** Mode of the recording that a command asks for. */
	readonly recordings?: AskedRecordingMode;
	/** True to run each case with all variants of the suite. */
	readonly matrix?: boolean;
	/** Result file whose outputs the judges of the suite grade again, instead of running its cases. */
	readonly judgeAgain?: string;
}

/** The batches of this window. Everything that runs a suite (Test Explorer, lenses, results page) uses this class. */
export class SuiteBatches extends DisposableBase {
	readonly #parts: SuiteBatchesParts;
	readonly #running = new Map<string, WindowBatch>();
	/** Result files of batches that are about to be resumed. */
	readonly #resuming = new Set<string>();
	readonly #started = this.register(new vscode.EventEmitter<WindowBatch>());
	/** Fires when a batch starts, before any of its events. */
	readonly onDidStart = this.#started.event;

	constructor(parts: SuiteBatchesParts) {
		super();
		this.#parts = parts;
		this.register({ dispose: () => [...this.#running.values()].map(batch => batch.cancelBatch()) });
	}

	/** Returns the running batch that writes this result file, if any. */
	findBatchByFile(file: string): WindowBatch | undefined {
		return this.#running.get(file);
	}

	/** Returns the running batches of a suite. */
	listRunningBatches(suite: string): readonly WindowBatch[] {
		return [...this.#running.values()].filter(batch => batch.suite.file === suite);
	}

	/**
	 * Starts or resumes a batch. Rejects if its service isn't available, if something has changed since the batch was interrupted, or if it's
	 * running already: of two batches that resume a file, one would lose its results.
	 */
	async start(suite: Suite, options: BatchOptions): Promise<WindowBatch> {
		const { resume } = options;
		if (resume === undefined) {
			return this.#start(suite, options);
		}
		if (this.#running.has(resume) || this.#resuming.has(resume)) {
			throw new Problem('running', vscode.l10n.t('This batch is already running.'));
		}
		this.#resuming.add(resume);
		try {
			return await this.#start(suite, options);
		} finally {
			this.#resuming.delete(resume);
		}
	}

	async #start(suite: Suite, options: BatchOptions): Promise<WindowBatch> {
		const { services } = this.#parts;
		const before = options.resume === undefined ? undefined : (await readResultFileState(options.resume))?.head;
		const matrix = options.matrix === true || before?.matrix !== undefined;
		// variants would share the recorded replies
		const recording = matrix ? undefined : await services.openRecording(suite, options.recordings);
		try {
			return await this.#startRecorded(suite, { ...options, matrix }, { recording, before });
		} catch (error) {
			if (recording) {
				await services.finishRecording(suite, recording);
			}
			throw error;
		}
	}

	async #startRecorded(
		suite: Suite,
		{ ordinals, coverage = false, resume, matrix = false, judgeAgain }: BatchOptions,
		{ recording, before }: { readonly recording: FileRecording | undefined; readonly before: ResultHead | undefined },
	): Promise<WindowBatch> {
		const { services, store, runner, log } = this.#parts;
		const service = await services.openService(suite, recording?.mode === 'none');
		const variants = matrix ? await prepareVariants(suite, service.variants, vscode.l10n.t) : undefined;
		const kept = judgeAgain === undefined ? undefined : await KeptOutputs.readResultFile(judgeAgain);
		const depends = {
			...(await readBatchDependencies(suite, service)),
			...(variants && { variants: hashContent(variants) }),
			...(recording?.mode === 'none' && { recording: recording.fingerprint }),
		};
		if (resume !== undefined) {
			requireUnchanged(before?.depends ?? {}, depends);
		}
		const earlier = resume ?? judgeAgain;
		const selected = earlier === undefined ? ordinals : await store.readSelection(earlier);
		const file = resume ?? (await store.createFile(suite.file, Date.now(), selected, new Set(this.#running.keys())));
		const batch = new WindowBatch(suite, service.connectionId, file, matrix);
		this.#running.set(file, batch);
		const options: SuiteRunOptions = {
			resultFile: file,
			depends,
			resume: resume !== undefined,
			signal: batch.signal,
			coverage,
			...(recording && { recording }),
			...(variants && { variants }),
			...(kept && { judgeAgain: kept }),
			...(selected && { filter: ({ ordinal }) => selected.has(ordinal) }),
		};
		this.#started.fire(batch);
		if (selected) {
			batch.setTotal(selected.size);
		} else {
			runInBackground(
				countCases(suite).then(count => batch.setTotal(count * (variants?.length ?? 1))),
				log,
				'Counting rows',
			);
		}
		const events = runner.run(suite, service, options);
		const following = batch.followEvents(recording ? this.#finishAfter(events, batch, recording) : events);
		runInBackground(
			following.then(() => {
				this.#running.delete(file);
			}),
			log,
			'Suite',
		);
		return batch;
	}

	/** Yields the events of a batch, and writes its recording before they end. */
	async *#finishAfter(events: AsyncIterable<SuiteEvent>, batch: WindowBatch, recording: FileRecording): AsyncGenerator<SuiteEvent, void> {
		try {
			yield* events;
		} finally {
			const report = await this.#parts.services.finishRecording(batch.suite, recording);
			batch.recorded = report && { ...report, file: recording.file };
		}
	}
}

/** Returns hashes of the agents and files that results depend on. Without snapshots, which users accept one by one during a batch. */
async function readBatchDependencies(suite: Suite, { agents, placeholders }: SuiteService): Promise<Readonly<Record<string, string>>> {
	const { snapshots: _, ...others } = await readDependencies(suite, placeholders);
	return { agents: hashContent(await readAgentTexts(agents ?? [])), ...others };
}

/** Throws if an interrupted batch would continue with other agents or files, because its results couldn't be compared. */
function requireUnchanged(before: Readonly<Record<string, string>>, depends: Readonly<Record<string, string>>): void {
	if (Object.keys(before).some(name => before[name] !== depends[name])) {
		throw new Problem(
			'changed',
			vscode.l10n.t(
				'The agents, or data that the suite uses, have changed since this batch was interrupted. Run the suite from the start.',
			),
		);
	}
}
