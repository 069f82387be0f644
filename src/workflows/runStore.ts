import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import type { RunHistory } from './runHistory.ts';
import type { RunRecord, Runs } from './runTypes.ts';
import { isSmall } from './valueSize.ts';

/** Runs that are kept; the oldest finished ones go first. */
const mostRuns = 500;
/** Outputs up to this size, in characters of JSON, stay in a record; larger ones are read from the run's journal. */
const mostOutputCharacters = 4096;
/** Changes of progress (not of status) are told at most this often, in milliseconds, so that a tree redraws no faster than one reads. */
const progressMs = 100;
const saveMs = 300;

/** All runs that were started here, kept across restarts in a file. The one place that says how a run stands. */
export class RunStore extends DisposableBase implements Runs {
	readonly #changed = this.own(new vscode.EventEmitter<RunRecord>());
	readonly onDidChange = this.#changed.event;
	readonly #removed = this.own(new vscode.EventEmitter<readonly string[]>());
	readonly onDidRemove = this.#removed.event;
	readonly #history: RunHistory;
	/** By key, oldest first. */
	readonly #records: Map<string, RunRecord>;
	readonly #untold = new Set<string>();
	#tellTimer: NodeJS.Timeout | undefined;
	#saveTimer: NodeJS.Timeout | undefined;
	/** Something changed since this window opened: a window that only looks writes nothing over what another one has written. */
	#unsaved = false;

	constructor(history: RunHistory) {
		super();
		this.#history = history;
		this.#records = new Map(history.read().map(record => [record.key, record]));
	}

	list(filter: { readonly connectionId?: string; readonly agent?: string; readonly file?: string } = {}): readonly RunRecord[] {
		const wanted = Object.entries(filter) as [keyof RunRecord, string][];
		return [...this.#records.values()].filter(record => wanted.every(([field, value]) => record[field] === value)).reverse();
	}

	get(key: string): RunRecord | undefined {
		return this.#records.get(key);
	}

	/** Adds a run that is about to start, and saves it at once: a window that closes in this moment finds it again. */
	add(record: RunRecord): void {
		this.#records.set(record.key, record);
		const surplus = [...this.#records.values()]
			.filter(({ status }) => !isLive(status))
			.slice(0, Math.max(0, this.#records.size - mostRuns));
		this.#remove(surplus.map(({ key }) => key));
		this.#changed.fire(record);
		this.#save();
	}

	/** Changes facts of a run. A change of status is told and saved at once. */
	update(key: string, patch: Partial<RunRecord>): void {
		const before = this.#records.get(key);
		if (!before) {
			return;
		}
		const record = { ...before, ...patch };
		if (!isLive(record.status)) {
			delete (record as { node?: unknown }).node;
		}
		if ('outputs' in patch && !isSmall(patch.outputs, mostOutputCharacters)) {
			delete (record as { outputs?: unknown }).outputs;
		}
		this.#records.set(key, record);
		if (record.status !== before.status || record.runId !== before.runId) {
			this.#untold.delete(key);
			this.#changed.fire(record);
			this.#save();
		} else {
			this.#untold.add(key);
			this.#tellTimer ??= setTimeout(() => this.#tell(), progressMs);
			this.#saveSoon();
		}
	}

	/** Takes all runs out of the history that are not going on; says which. */
	clear(): readonly string[] {
		const keys = [...this.#records.values()].filter(({ status }) => !isLive(status)).map(({ key }) => key);
		this.#remove(keys);
		this.#save();
		return keys;
	}

	override dispose(): void {
		clearTimeout(this.#tellTimer);
		clearTimeout(this.#saveTimer);
		if (this.#unsaved) {
			this.#history.close([...this.#records.values()]);
		}
		super.dispose();
	}

	#remove(keys: readonly string[]): void {
		for (const key of keys) {
			this.#records.delete(key);
		}
		if (keys.length > 0) {
			this.#removed.fire(keys);
		}
	}

	#tell(): void {
		this.#tellTimer = undefined;
		for (const key of this.#untold) {
			const record = this.#records.get(key);
			if (record) {
				this.#changed.fire(record);
			}
		}
		this.#untold.clear();
	}

	#saveSoon(): void {
		this.#unsaved = true;
		this.#saveTimer ??= setTimeout(() => this.#save(), saveMs);
	}

	#save(): void {
		clearTimeout(this.#saveTimer);
		this.#saveTimer = undefined;
		this.#unsaved = true;
		this.#history.write([...this.#records.values()]);
	}
}

/** Whether a run still goes on, as far as is known here. */
export function isLive(status: RunRecord['status']): boolean {
	return status === 'starting' || status === 'running' || status === 'stopping';
}
