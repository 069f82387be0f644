import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { SuiteSummary } from '#suites/results/caseResult.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { Suite } from '#suites/suite.ts';

/** How far a batch is. */
interface BatchProgress {
	/** Cases that it runs; absent while that is not known. */
	readonly total?: number;
	readonly passed: number;
	readonly failed: number;
	readonly notRun: number;
	/** Results that were there before it went on. */
	readonly takenUp: number;
	/** Unix milliseconds until which the service asks to wait, and in which words. */
	readonly waiting?: { readonly until: number; readonly why: string };
	/** Seconds that it is likely to take still. */
	readonly secondsLeft?: number;
}

/** A batch that goes on, or has ended in this window. */
export class WindowBatch extends DisposableBase {
	readonly suite: Suite;
	readonly connectionId: string;
	/** Absolute path of its results. */
	readonly file: string;
	readonly #events = this.own(new vscode.EventEmitter<SuiteEvent>());
	readonly onEvent = this.#events.event;
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	/** It got on, or is being stopped. */
	readonly onDidChange = this.#changed.event;
	readonly #ended = Promise.withResolvers<void>();
	/** Resolves once it is over, however it ended; see {@link error}. */
	readonly ended: Promise<void> = this.#ended.promise;
	readonly #ending = new AbortController();
	readonly #startedAt = Date.now();
	#progress: BatchProgress = { passed: 0, failed: 0, notRun: 0, takenUp: 0 };
	#isOver = false;
	summary: SuiteSummary | undefined;
	cancelled: { readonly stopped: number; readonly notStopped: number } | undefined;
	/** Why it could not be run. */
	error: unknown;

	constructor(suite: Suite, connectionId: string, file: string) {
		super();
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
	/** Whether it was asked to stop. */
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

	/** Stops the runs that go on at the service, and starts no others. */
	cancel(): void {
		this.#ending.abort(new vscode.CancellationError());
		this.#changed.fire();
	}

	/** Tells how many cases there are in all, once that is known. */
	setTotal(total: number): void {
		this.#progress = { ...this.#progress, total };
		this.#changed.fire();
	}

	/** Takes up what the runner tells until its end. Never rejects. */
	async follow(events: AsyncIterable<SuiteEvent>): Promise<void> {
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
