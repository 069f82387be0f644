import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isSmall } from '#base/records/valueSize.ts';
import { beginningOf } from '#base/text/cutText.ts';
import { afterActivation } from '#base/timing/afterActivation.ts';
import type { RunRecordFiles } from '#runs/history/runRecordFiles.ts';
import { isActive, isOver } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';

/** Runs that are kept; the oldest finished ones go first. */
const mostRuns = 500;
/** Outputs up to this size, in characters of JSON, stay in a record; larger ones are read from the run's journal. */
const mostOutputCharacters = 4096;
/** Of an error the rest is in the run's journal: all records are written whenever one changes. */
const mostErrorCharacters = 4096;
/** Changes of progress (not of status) are told at most this often, in milliseconds, so that a tree redraws no faster than one reads. */
const progressMs = 100;
const saveMs = 300;
/** Other windows write in batches: their files are read once these have come to rest, in milliseconds. */
const othersMs = 200;

/**
 * The records of all runs that were started here, kept across restarts, and those of other windows on the same folder, which are shown and not touched. The one place
 * that says how a run stands.
 */
export class RunRecords extends DisposableBase implements Runs {
	readonly #changed = this.own(new vscode.EventEmitter<RunRecord>());
	readonly onDidChange = this.#changed.event;
	readonly #removed = this.own(new vscode.EventEmitter<readonly string[]>());
	readonly onDidRemove = this.#removed.event;
	readonly #takenOver = this.own(new vscode.EventEmitter<void>());
	/** Runs of a window that is gone are this window's from now on. */
	readonly onDidTakeOver = this.#takenOver.event;
	readonly #history: RunRecordFiles;
	/** By key, oldest first. */
	readonly #records: Map<string, RunRecord>;
	/** Runs of other windows by key, oldest first. */
	#others: ReadonlyMap<string, RunRecord>;
	readonly #untold = new Set<string>();
	/** Keys of those that the last look did not find. */
	#missing: ReadonlySet<string> = new Set();
	#tellTimer: NodeJS.Timeout | undefined;
	#saveTimer: NodeJS.Timeout | undefined;
	#othersTimer: NodeJS.Timeout | undefined;
	#unwatch: (() => void) | undefined;
	/** Something changed since this window opened: a window that only looks writes nothing over what another one has written. */
	#unsaved = false;

	constructor(history: RunRecordFiles) {
		super();
		this.#history = history;
		this.#records = byKey(history.takeOver());
		this.#others = byKey(history.ofOthers());
		this.own(afterActivation(() => this.#watchOthers()));
	}

	list(filter: { readonly connectionId?: string; readonly agent?: string; readonly file?: string } = {}): readonly RunRecord[] {
		const wanted = Object.entries(filter) as [keyof RunRecord, string][];
		return this.#all()
			.filter(record => wanted.every(([field, value]) => record[field] === value))
			.reverse();
	}

	get(key: string): RunRecord | undefined {
		return this.#records.get(key) ?? this.#others.get(key);
	}

	/** Whether a run is this window's: it was started here, or by a window that is gone. */
	isOwn(key: string): boolean {
		return this.#records.has(key);
	}

	/** Adds a run that is about to start, and saves it at once: a window that closes in this moment finds it again. */
	add(record: RunRecord): void {
		this.#records.set(record.key, record);
		const surplus = [...this.#records.values()].filter(isOver).slice(0, Math.max(0, this.#records.size - mostRuns));
		this.#remove(surplus.map(({ key }) => key));
		this.#changed.fire(record);
		this.#save();
	}

	/** Changes facts of a run. A change of its status, its IDs, its forms and where it stands are told and saved at once. */
	update(key: string, patch: Partial<RunRecord>): void {
		const before = this.#records.get(key);
		if (!before) {
			return;
		}
		const record: { -readonly [field in keyof RunRecord]: RunRecord[field] } = { ...before, ...patch };
		if (!isActive(record)) {
			delete (record as { node?: unknown }).node;
			delete (record as { stands?: unknown }).stands;
		}
		if (isOver(record)) {
			delete (record as { forms?: unknown }).forms;
		}
		if ('outputs' in patch && !isSmall(patch.outputs, mostOutputCharacters)) {
			delete (record as { outputs?: unknown }).outputs;
		}
		if (patch.error !== undefined) {
			record.error = beginningOf(patch.error, mostErrorCharacters);
		}
		this.#records.set(key, record);
		if (
			['status', 'runId', 'taskId', 'forms', 'stands'].some(field => record[field as keyof RunRecord] !== before[field as keyof RunRecord])
		) {
			this.#untold.delete(key);
			this.#changed.fire(record);
			this.#save();
		} else {
			this.#untold.add(key);
			this.#tellTimer ??= setTimeout(() => this.#tell(), progressMs);
			this.#saveSoon();
		}
	}

	/** Takes all runs of this window out of the history that are over; says which. */
	clear(): readonly string[] {
		return this.remove([...this.#records.keys()]);
	}

	/** Forgets those of these runs that are over and this window's; returns their keys. */
	remove(keys: readonly string[]): readonly string[] {
		const over = keys.filter(key => this.#records.has(key) && isOver(this.#records.get(key)!));
		this.#remove(over);
		this.#save();
		return over;
	}

	override dispose(): void {
		clearTimeout(this.#tellTimer);
		clearTimeout(this.#saveTimer);
		clearTimeout(this.#othersTimer);
		this.#unwatch?.();
		if (this.#unsaved) {
			this.#history.close([...this.#records.values()]);
		}
		super.dispose();
	}

	/** Oldest first. */
	#all(): RunRecord[] {
		const own = [...this.#records.values()];
		return this.#others.size === 0 ? own : [...this.#others.values(), ...own].sort((a, b) => a.startedAt - b.startedAt);
	}

	#watchOthers(): void {
		this.#unwatch = this.#history.watch(() => this.#readOthersSoon());
		// what came between the first look and now
		this.#readOthersSoon();
	}

	#readOthersSoon(): void {
		this.#othersTimer ??= setTimeout(() => this.#readOthers(), othersMs);
	}

	#readOthers(): void {
		this.#othersTimer = undefined;
		const before = this.#others;
		const known = this.#records.size;
		for (const record of this.#history.takeOver([...this.#records.values()])) {
			this.#records.set(record.key, this.#records.get(record.key) ?? record);
		}
		this.#others = byKey(this.#stillThere(this.#history.ofOthers()).filter(({ key }) => !this.#records.has(key)));
		for (const record of this.#others.values()) {
			const told = before.get(record.key);
			if (told?.status !== record.status || told.taskId !== record.taskId || told.forms?.length !== record.forms?.length) {
				this.#changed.fire(record);
			}
		}
		const gone = [...before.keys()].filter(key => !this.#others.has(key) && !this.#records.has(key));
		if (gone.length > 0) {
			this.#removed.fire(gone);
		}
		if (this.#records.size > known) {
			this.#save();
			this.#takenOver.fire();
		}
	}

	/**
	 * The runs of others, with those that were not found for the first time: a file that another window is just taking over is there under either name for
	 * whoever looks twice.
	 */
	#stillThere(found: readonly RunRecord[]): RunRecord[] {
		const keys = new Set(found.map(({ key }) => key));
		const missing = [...this.#others.values()].filter(({ key }) => !keys.has(key) && !this.#missing.has(key));
		this.#missing = new Set(missing.map(({ key }) => key));
		if (missing.length > 0) {
			this.#readOthersSoon();
		}
		return [...found, ...missing];
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

function byKey(records: readonly RunRecord[]): Map<string, RunRecord> {
	return new Map(records.map(record => [record.key, record]));
}
