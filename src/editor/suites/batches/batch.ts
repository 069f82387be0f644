import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { RecordingReport } from '#runs/recordings/fileRecording.ts';
import type { SuiteSummary } from '#suites/results/caseResult.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { Suite } from '#suites/suite.ts';

/** Progress of a batch. */
interface BatchProgress {
	/** Number of cases that the batch runs. Absent until they are counted. */
	readonly total?: number;
	readonly passed: number;
	readonly failed: number;
	readonly notRun: number;
	/** Number of results that existed before the batch was resumed. */
	readonly takenUp: number;
	/** Time in Unix milliseconds until which the service asks us to wait, and the reason to show. */
	readonly waiting?: { readonly until: number; readonly why: string };
	/** Estimated number of seconds left. */
	readonly secondsLeft?: number;
}

/** A batch that is running or has finished in this window. */
export class WindowBatch extends DisposableBase {
	readonly suite: Suite;
	readonly connectionId: string;
	/** Absolute path of the batch's result file. */
	readonly file: string;
	readonly #events = this.register(new vscode.EventEmitter<SuiteEvent>());
	readonly onEvent = this.#events.event;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	/** Fires on progress, and when a stop is requested. */
	readonly onDidChange = this.#changed.event;
	readonly #ended = Promise.withResolvers<void>();
	/** Resolves when the batch has ended, whether or not it failed. See {@link error}. */
	readonly ended: Promise<void> = this.#ended.promise;
	readonly #ending = new AbortController();
	readonly #startedAt = Date.now();
	#progress: BatchProgress = { passed: 0, failed: 0, notRun: 0, takenUp: 0 };
	#isOver = false;
	summary: SuiteSummary | undefined;
	cancelled: { readonly stopped: number; readonly notStopped: number } | undefined;
	/** What the batch's recording replayed and recorded, if it used one. */
	recorded: (RecordingReport & { readonly file: string }) | undefined;
	/** The reason why the batch couldn't run. */
	error: unknown;

	/** True if the batch runs each case with all variants of the suite. */
	readonly comparesVariants: boolean;

	constructor(suite: Suite, connectionId: string, file: string, comparesVariants = false) {
		super();
		this.comparesVariants = comparesVariants;
		this.suite = suite;
		this.connectionId = connectionId;
		this.file = file;
	}

	get signal(): AbortSignal {
		return this.#ending.signal;
	}
	get isOver(): boolean {
		return this.#isOver;
	}
	/** True if a stop was requested and the batch is still running. */
	get isStopping(): boolean {
		return this.#ending.signal.aborted && !this.#isOver;
	}

	get progress(): BatchProgress {
		const { passed, failed, notRun, total, takenUp } = this.#progress;
		const done = passed + failed + notRun;
		const left = total === undefined ? undefined : total - takenUp - done;
		return left === undefined || done === 0 || this.#isOver
			? this.#progress
			: { ...this.#progress, secondsLeft: ((Date.now() - this.#startedAt) / 1000 / done) * Math.max(0, left) };
	}

	/** Stops the batch's runs on the service, and starts no further runs. */
	cancelBatch(): void {
		this.#ending.abort(new vscode.CancellationError());
		this.#changed.fire();
	}

	/** Sets the total number of cases. */
	setTotal(total: number): void {
		this.#progress = { ...this.#progress, total };
		this.#changed.fire();
	}

	/** Tracks the runner's events until they end. Never rejects. */
	async followEvents(events: AsyncIterable<SuiteEvent>): Promise<void> {
		try {
			for await (const event of events) {
				this.#updateProgress(event);
				this.#events.fire(event);
				this.#changed.fire();
			}
		} catch (error) {
			this.error = error;
		}
		this.#isOver = true;
		this.#changed.fire();
		this.#ended.resolve();
	}

	#updateProgress(event: SuiteEvent): void {
		const { waiting: _, ...before } = this.#progress;
		if (event.type === 'started') {
			this.#progress = { ...before, takenUp: event.takenUp };
		} else if (event.type === 'result') {
			const { outcome } = event.result;
			const field = outcome === 'not-run' ? 'notRun' : outcome;
			this.#progress = { ...before, [field]: before[field] + 1 };
		} else if (event.type === 'waiting') {
			this.#progress = { ...before, waiting: { until: event.until, why: event.why } };
		} else if (event.type === 'finished') {
			this.summary = event.summary;
			this.cancelled = event.cancelled;
		}
	}
}
