import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage, getErrorReason } from '#base/problems.ts';
import { isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { runInBackground } from '../../platform/background.ts';
import type { RunServices } from '../following/runServices.ts';
import type { RunRecords } from '../history/runRecords.ts';

interface PausedRunWatchParts {
	readonly connections: Connections;
	readonly services: RunServices;
	readonly records: RunRecords;
	/** Called with the key of a run that has resumed or ended. */
	readonly onContinued: (key: string) => void;
	readonly log: vscode.LogOutputChannel;
}

/**
 * Shortest and longest interval between two checks, in milliseconds. A form can be answered elsewhere at any time, and a run can wait for
 * weeks.
 */
const firstMs = 5000;
const lastMs = 120_000;

/**
 * Checks if paused runs of this window were answered elsewhere or have expired. Checks at growing intervals, and when the window gets the
 * focus.
 */
export class PausedRunWatch extends DisposableBase {
	readonly #parts: PausedRunWatchParts;
	#timer: NodeJS.Timeout | undefined;
	#delayMs = firstMs;
	/** Keys of the known paused runs. */
	readonly #waiting = new Set<string>();

	constructor(parts: PausedRunWatchParts) {
		super();
		this.#parts = parts;
		this.register(parts.records.onDidChange(record => this.#onRunChange(record)));
		this.register(parts.records.onDidTakeOver(() => this.#restartChecks(0)));
		this.register(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#restartChecks(0)));
		this.register({ dispose: () => clearTimeout(this.#timer) });
		this.#restartChecks(0);
	}

	#onRunChange(record: RunRecord): void {
		if (!isRunPaused(record)) {
			this.#waiting.delete(record.key);
		} else if (!this.#waiting.has(record.key)) {
			this.#waiting.add(record.key);
			this.#restartChecks(firstMs);
		}
	}

	#listPausedRuns(): readonly RunRecord[] {
		const { records } = this.#parts;
		return records.list().filter(record => isRunPaused(record) && record.runId !== undefined && records.isOwnRun(record.key));
	}

	#restartChecks(ms: number): void {
		clearTimeout(this.#timer);
		this.#delayMs = firstMs;
		this.#scheduleCheck(ms);
	}

	#scheduleCheck(ms: number): void {
		if (!this.disposed && this.#listPausedRuns().length > 0) {
			this.#timer = setTimeout(() => runInBackground(this.#checkPausedRuns(), this.#parts.log, 'Check paused runs'), ms);
		}
	}

	async #checkPausedRuns(): Promise<void> {
		for (const record of this.#listPausedRuns()) {
			await this.#checkRun(record);
		}
		this.#delayMs = Math.min(lastMs, this.#delayMs * 2);
		clearTimeout(this.#timer);
		this.#scheduleCheck(this.#delayMs);
	}

	async #checkRun(record: RunRecord): Promise<void> {
		const { key, connectionId, runId = '', agent } = record;
		const { connections, services, records, onContinued, log } = this.#parts;
		if (!connections.get(connectionId)) {
			return;
		}
		try {
			const service = await services.getService(record, { ask: false });
			const { status } = await service.getRun(runId, { model: agent });
			if (!this.disposed && status !== 'paused') {
				onContinued(key);
			}
		} catch (error) {
			log.debug(`Couldn't check the paused run ${runId}: ${getErrorMessage(error)}`);
			if (getErrorReason(error) === 'not-found' && !this.disposed) {
				records.updateRun(key, { status: 'lost', error: getErrorMessage(error), forgotten: true });
			}
		}
	}
}
