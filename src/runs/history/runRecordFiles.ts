import fs from 'node:fs';
import path from 'node:path';
import { WindowFile } from '#base/files/windowFile.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { RunRecord } from '../runTypes.ts';

/**
 * The run history on disk: each window saves its own runs in a separate file, and another window takes over the file of a closed one. The
 * editor's workspace state isn't used because it is written with a delay: a window that reloads too early would lose an active run.
 */
export class RunRecordFiles {
	readonly #folder: string;
	readonly #file: WindowFile;

	/** `failed` is called with write errors, such as a full disk. Runs continue, but their history is lost when the window closes. */
	constructor(dataFolder: string, windows: WindowPresence, failed: (error: unknown) => void) {
		this.#folder = path.join(dataFolder, 'history');
		this.#file = new WindowFile(this.#folder, windows, failed);
		try {
			this.#moveOldFile(path.join(dataFolder, 'runs.json'));
		} catch (error) {
			failed(error);
		}
	}

	/** Takes over the runs of closed windows. Returns them with the `known` ones of this window, oldest first. */
	takeOverRuns(known: readonly RunRecord[] = []): readonly RunRecord[] {
		const { texts, mustMerge } = this.#file.takeOverFiles();
		const taken = mergeRecords([known, ...texts.map(parseRecords)]);
		if (mustMerge) {
			this.#file.writeSync(JSON.stringify(taken));
		}
		return taken;
	}

	/** Returns the runs of other windows, as last saved. Returns `undefined` if some can't be read, so a missing run may still exist. */
	readOtherRuns(): readonly RunRecord[] | undefined {
		const texts = this.#file.readOtherWindows();
		return texts && mergeRecords(texts.map(parseRecords));
	}

	/** Calls back when another window may have saved something, until the returned function is called. */
	watchFiles(changed: () => void): () => void {
		return this.#file.watchOtherWindows(changed);
	}

	/** Saves the records of this window. During a write, only the latest pending records are kept. */
	writeRecords(records: readonly RunRecord[]): void {
		this.#file.write(JSON.stringify(records));
	}

	/** Saves the records synchronously, because the window is closing. */
	close(records: readonly RunRecord[]): void {
		this.#file.close(JSON.stringify(records));
	}

	/** Moves the single history file that all windows of a folder shared until version 0.1.0. */
	#moveOldFile(file: string): void {
		if (fs.existsSync(file)) {
			fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
			fs.renameSync(file, path.join(this.#folder, 'runs.json'));
		}
	}
}

function parseRecords(text: string): readonly RunRecord[] {
	const records = tryParseJson(text);
	return Array.isArray(records) ? records : [];
}

/** Merges lists, preferring the first record of a run; oldest first. */
function mergeRecords(lists: readonly (readonly RunRecord[])[]): readonly RunRecord[] {
	const records = new Map<string, RunRecord>();
	for (const record of lists.flat()) {
		if (!records.has(record.key)) {
			records.set(record.key, record);
		}
	}
	return [...records.values()].sort((a, b) => a.startedAt - b.startedAt);
}
