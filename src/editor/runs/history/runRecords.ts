import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isWithinSize } from '#base/records/valueSize.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import { runAfterActivation } from '#base/timing/afterActivation.ts';
import type { RunRecordFiles } from '#runs/history/runRecordFiles.ts';
import { isRunActive, isRunOver } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';

/** Maximum number of stored runs. The oldest finished runs are removed first. */
const mostRuns = 500;
/** Maximum length of the outputs in a record, in characters of JSON. Larger outputs are only in the run's journal. */
const mostOutputCharacters = 4096;
/** Maximum length of an error in a record, because all records are written whenever one changes. The journal has the complete error. */
const mostErrorCharacters = 4096;
/**
 * Minimum milliseconds between two events for progress other than the status, so that the tree doesn't redraw faster than people can read.
 */
const progressMs = 100;
const saveMs = 300;
/** Milliseconds to wait before reading the files of other windows, because they are written in batches. */
const othersMs = 200;
/** Milliseconds to wait before reading the files of other windows again if some couldn't be read. */
const retryMs = 1000;

/**
 * The records of all runs that this window started, stored across restarts, and read-only records of other windows with the same folder.
 * This is the single source of truth for the state of a run.
 */
export class RunRecords extends DisposableBase implements Runs {
	readonly #changed = this.register(new vscode.EventEmitter<RunRecord>());
	readonly onDidChange = this.#changed.event;
	readonly #removed = this.register(new vscode.EventEmitter<readonly string[]>());
	readonly onDidRemove = this.#removed.event;
	readonly #removedOwn = this.register(new vscode.EventEmitter<readonly string[]>());
	/**
	 * Fires when this window has removed runs of its own, so their files can be deleted. Other windows delete the files of the runs that they
	 * remove: a run that this window only doesn't find anymore may still be active.
	 */
	readonly onDidRemoveOwn = this.#removedOwn.event;
	readonly #takenOver = this.register(new vscode.EventEmitter<void>());
	/** Fires when this window has taken over the runs of a closed window. */
	readonly onDidTakeOver = this.#takenOver.event;
	readonly #history: RunRecordFiles;
	/** Runs by key, oldest first. */
	readonly #records: Map<string, RunRecord>;
	/** Runs of other windows by key, oldest first. */
	#others: ReadonlyMap<string, RunRecord>;
	readonly #unreported = new Set<string>();
	/** Keys of runs that the last read didn't find. */
	#missing: ReadonlySet<string> = new Set();
	#reportTimer: NodeJS.Timeout | undefined;
	#saveTimer: NodeJS.Timeout | undefined;
	#othersTimer: NodeJS.Timeout | undefined;
	#stopWatching: (() => void) | undefined;
	/** True if something has changed since this window opened. A window without changes must not overwrite the files of other windows. */
	#unsaved = false;

	constructor(history: RunRecordFiles) {
		super();
		this.#history = history;
		this.#records = indexByKey(history.takeOverRuns());
		this.#others = indexByKey(history.readOtherRuns() ?? []);
		this.register(runAfterActivation(() => this.#watchOtherWindows()));
	}

	list(filter: { readonly connectionId?: string; readonly agent?: string; readonly file?: string } = {}): readonly RunRecord[] {
		const wanted = Object.entries(filter) as [keyof RunRecord, string][];
		return this.#listAllRuns()
			.filter(record => wanted.every(([field, value]) => record[field] === value))
			.reverse();
	}

	get(key: string): RunRecord | undefined {
		return this.#records.get(key) ?? this.#others.get(key);
	}

	/** True if a run belongs to this window, which has started it or taken it over from a closed window. */
	isOwnRun(key: string): boolean {
		return this.#records.has(key);
	}

	/** Returns the keys of all runs in the histories of all windows, or `undefined` if some can't be read. */
	listStoredKeys(): ReadonlySet<string> | undefined {
		const others = this.#history.readOtherRuns();
		return others && new Set([...this.#listAllRuns(), ...others].map(({ key }) => key));
	}

	/** Adds a run that is about to start and saves it immediately, so that it can be found again if the window closes now. */
	add(record: RunRecord): void {
		this.#records.set(record.key, record);
		const surplus = [...this.#records.values()].filter(isRunOver).slice(0, Math.max(0, this.#records.size - mostRuns));
		this.#deleteRecords(surplus.map(({ key }) => key));
		this.#changed.fire(record);
		this.#saveRecords();
	}

	/** Changes fields of a run. Changes of the status, IDs, forms and debugger position are reported and saved immediately. */
	updateRun(key: string, patch: Partial<RunRecord>): void {
		const before = this.#records.get(key);
		if (!before) {
			return;
		}
		const record: { -readonly [field in keyof RunRecord]: RunRecord[field] } = { ...before, ...patch };
		if (!isRunActive(record)) {
			delete (record as { node?: unknown }).node;
			delete (record as { stands?: unknown }).stands;
		}
		if (isRunOver(record)) {
			delete (record as { forms?: unknown }).forms;
		}
		if ('outputs' in patch && !isWithinSize(patch.outputs, mostOutputCharacters)) {
			delete (record as { outputs?: unknown }).outputs;
		}
		if (patch.error !== undefined) {
			record.error = cutToLimit(patch.error, mostErrorCharacters);
		}
		this.#records.set(key, record);
		if (
			['status', 'runId', 'taskId', 'forms', 'stands'].some(field => record[field as keyof RunRecord] !== before[field as keyof RunRecord])
		) {
			this.#unreported.delete(key);
			this.#changed.fire(record);
			this.#saveRecords();
		} else {
			this.#unreported.add(key);
			this.#reportTimer ??= setTimeout(() => this.#reportProgress(), progressMs);
			this.#scheduleSave();
		}
	}

	/** Removes all finished runs of this window from the history. Returns their keys. */
	clear(): readonly string[] {
		return this.removeRuns([...this.#records.keys()]);
	}

	/** Removes the given runs that are finished and belong to this window. Returns their keys. */
	removeRuns(keys: readonly string[]): readonly string[] {
		const over = keys.filter(key => this.#records.has(key) && isRunOver(this.#records.get(key)!));
		this.#deleteRecords(over);
		this.#saveRecords();
		return over;
	}

	override dispose(): void {
		clearTimeout(this.#reportTimer);
		clearTimeout(this.#saveTimer);
		clearTimeout(this.#othersTimer);
		this.#stopWatching?.();
		if (this.#unsaved) {
			this.#history.close([...this.#records.values()]);
		}
		super.dispose();
	}

	/** Lists the runs of this and other windows, oldest first. */
	#listAllRuns(): RunRecord[] {
		const own = [...this.#records.values()];
		return this.#others.size === 0 ? own : [...this.#others.values(), ...own].sort((a, b) => a.startedAt - b.startedAt);
	}

	#watchOtherWindows(): void {
		this.#stopWatching = this.#history.watchFiles(() => this.#scheduleReadingOthers());
		// include changes that were made between the first read and now
		this.#scheduleReadingOthers();
	}

	#scheduleReadingOthers(ms = othersMs): void {
		this.#othersTimer ??= setTimeout(() => this.#readOtherWindows(), ms);
	}

	#readOtherWindows(): void {
		this.#othersTimer = undefined;
		const before = this.#others;
		const known = this.#records.size;
		for (const record of this.#history.takeOverRuns([...this.#records.values()])) {
			this.#records.set(record.key, this.#records.get(record.key) ?? record);
		}
		this.#others = indexByKey(this.#keepNewlyMissing(this.#history.readOtherRuns()).filter(({ key }) => !this.#records.has(key)));
		for (const record of this.#others.values()) {
			const old = before.get(record.key);
			if (old?.status !== record.status || old.taskId !== record.taskId || old.forms?.length !== record.forms?.length) {
				this.#changed.fire(record);
			}
		}
		const gone = [...before.keys()].filter(key => !this.#others.has(key) && !this.#records.has(key));
		if (gone.length > 0) {
			this.#removed.fire(gone);
		}
		if (this.#records.size > known) {
			this.#saveRecords();
			this.#takenOver.fire();
		}
	}

	/**
	 * Adds known runs that a read misses for the first time, or all if it failed. If another window is just taking over their file, the next
	 * read finds them.
	 */
	#keepNewlyMissing(found: readonly RunRecord[] | undefined): readonly RunRecord[] {
		if (!found) {
			this.#scheduleReadingOthers(retryMs);
			return [...this.#others.values()];
		}
		const keys = new Set(found.map(({ key }) => key));
		const missing = [...this.#others.values()].filter(({ key }) => !keys.has(key) && !this.#missing.has(key));
		this.#missing = new Set(missing.map(({ key }) => key));
		if (missing.length > 0) {
			this.#scheduleReadingOthers();
		}
		return [...found, ...missing];
	}

	#deleteRecords(keys: readonly string[]): void {
		for (const key of keys) {
			this.#records.delete(key);
		}
		if (keys.length > 0) {
			this.#removed.fire(keys);
			this.#removedOwn.fire(keys);
		}
	}

	#reportProgress(): void {
		this.#reportTimer = undefined;
		for (const key of this.#unreported) {
			const record = this.#records.get(key);
			if (record) {
				this.#changed.fire(record);
			}
		}
		this.#unreported.clear();
	}

	#scheduleSave(): void {
		this.#unsaved = true;
		this.#saveTimer ??= setTimeout(() => this.#saveRecords(), saveMs);
	}

	#saveRecords(): void {
		clearTimeout(this.#saveTimer);
		this.#saveTimer = undefined;
		this.#unsaved = true;
		this.#history.writeRecords([...this.#records.values()]);
	}
}

function indexByKey(records: readonly RunRecord[]): Map<string, RunRecord> {
	return new Map(records.map(record => [record.key, record]));
}
