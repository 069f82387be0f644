import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { InspectorAction } from '#pages/inspector/inspectorMessages.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { parseOutputs, pollDetail, waitForDelay } from '#runs/following/detailPoll.ts';
import { isRunActive, isRunOver } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import { runInBackground } from '../../platform/background.ts';
import { toRunRecord } from '../following/serviceRuns.ts';
import type { RunSource } from './inspectedRun.ts';
import type { RunReading } from './runReading.ts';

/** A run that this editor didn't start. Reads its details from its service, and its events if the service replays them. Stores nothing. */
export class ServiceRun extends DisposableBase implements RunReading {
	readonly #source: RunSource;
	readonly #of: ServiceRunReference;
	readonly #ended = new AbortController();
	readonly #entered = this.register(new vscode.EventEmitter<JournalEntry>());
	readonly onEntry = this.#entered.event;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	readonly answersForms = false;
	readonly chain = undefined;
	readonly tree = [];
	readonly parentKey = undefined;
	readonly #entries: JournalEntry[] = [];
	#detail: WorkflowRunDetail | undefined;
	#problem: string | undefined;

	constructor(source: RunSource, of: ServiceRunReference) {
		super();
		this.#source = source;
		this.#of = of;
		this.register({ dispose: () => this.#ended.abort() });
	}

	get problem(): string | undefined {
		return this.#problem;
	}

	get record(): RunRecord | undefined {
		return this.#detail && toRunRecord(this.#of, this.#detail);
	}

	get actions(): readonly InspectorAction[] {
		const { record } = this;
		const { app } = this.#of;
		// documents need a connection with a key, and so does running a published app again
		const first = app ? (app.published ? [] : (['runAgain'] as const)) : (['runAgain', 'open', 'openOutputs'] as const);
		return [...first, ...(record && isRunOver(record) ? (['compare', 'saveAsRunFile', 'addToSuite', 'addToDataset'] as const) : [])];
	}

	async *readEntries(): AsyncGenerator<JournalEntry> {
		try {
			this.#detail = await this.#fetchDetail();
		} catch (error) {
			this.#problem = this.#explain(error);
			return;
		}
		if (this.record && isRunActive(this.record)) {
			runInBackground(this.#followRunToEnd(), this.#source.log, 'Inspector');
			return;
		}
		yield* this.#replayEvents();
	}

	async readEntriesAt(places: readonly number[]): Promise<readonly JournalEntry[]> {
		return places.flatMap(place => this.#entries[place] ?? []);
	}

	get ranGraph(): unknown {
		return this.#detail?.['graph'];
	}

	async readOutputs(): Promise<Readonly<Record<string, unknown>> | null> {
		return this.#detail ? parseOutputs(this.#detail) : null;
	}

	#explain(error: unknown): string {
		return getErrorMessage(this.#source.connections.toProblem(this.#of.connectionId, error));
	}

	#fetchDetail(): Promise<WorkflowRunDetail> {
		return this.#source.serviceRuns.fetchDetail(this.#of, this.#ended.signal);
	}

	async *#replayEvents(): AsyncGenerator<JournalEntry> {
		const { record } = this;
		for await (const entry of record ? this.#source.serviceRuns.readEvents(this.#of, record, this.#ended.signal) : []) {
			this.#entries.push(entry);
			yield entry;
		}
	}

	/** Reports the entries of an active run, and then its end. If the service stops responding, the run is lost. */
	async #followRunToEnd(): Promise<void> {
		for await (const entry of this.#replayEvents()) {
			this.#entered.fire(entry);
		}
		const { signal } = this.#ended;
		const outcome = await pollDetail({ fetch: () => this.#fetchDetail(), onTrouble: () => undefined, wait: waitForDelay, signal });
		if (outcome.kind !== 'called-off' && this.#detail && !this.disposed) {
			this.#detail =
				outcome.kind === 'finished' ? outcome.detail : { ...this.#detail, status: 'lost', error: this.#explain(outcome.error) };
			this.#changed.fire();
		}
	}
}
