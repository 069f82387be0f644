import fs from 'node:fs';
import path from 'node:path';
import { WindowFile } from '#base/files/windowFile.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { RunRecord } from '../runTypes.ts';

/**
 * The history of runs on disk: each window keeps the runs that it owns in a file of its own, and the next window takes over what one that is gone has
 * left. Not the editor's state of the workspace: that is written some time after it was set, and a window that is reloaded before then forgets a run that
 * goes on.
 */
export class RunRecordFiles {
	readonly #folder: string;
	readonly #file: WindowFile;

	/** `failed` hears of writes that fail, such as on a full disk: runs go on, their history ends with the window. */
	constructor(dataFolder: string, windows: WindowPresence, failed: (error: unknown) => void) {
		this.#folder = path.join(dataFolder, 'history');
		this.#file = new WindowFile(this.#folder, windows, failed);
		try {
			this.#moveOld(path.join(dataFolder, 'runs.json'));
		} catch (error) {
			failed(error);
		}
	}

	/** Takes over the runs of windows that are gone; returns them and those that are `known` here, oldest first. */
	takeOver(known: readonly RunRecord[] = []): readonly RunRecord[] {
		const { texts, forget } = this.#file.takeOver();
		const taken = merged([known, ...texts.map(recordsOf)]);
		if (forget) {
			this.#file.writeNow(JSON.stringify(taken));
			forget();
		}
		return taken;
	}

	/** Runs of other windows that are open, as they have kept them last. */
	ofOthers(): readonly RunRecord[] {
		return merged(this.#file.ofOthers().map(({ text }) => recordsOf(text)));
	}

	/** Calls back when another window may have kept something, until the returned function is called. */
	watch(changed: () => void): () => void {
		return this.#file.watch(changed);
	}

	/** Keeps these records of this window's; while a write goes on only the last of what comes is written. */
	write(records: readonly RunRecord[]): void {
		this.#file.write(JSON.stringify(records));
	}

	/** Keeps these records before it returns: the window closes, and nobody waits for what is written later. */
	close(records: readonly RunRecord[]): void {
		this.#file.close(JSON.stringify(records));
	}

	/** The one file that all windows of a folder wrote up to version 0.1.0. */
	#moveOld(file: string): void {
		if (fs.existsSync(file)) {
			fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
			fs.renameSync(file, path.join(this.#folder, 'runs.json'));
		}
	}
}

function recordsOf(text: string): readonly RunRecord[] {
	const records = tryParseJson(text);
	return Array.isArray(records) ? records : [];
}

/** Each run once, as the first list has it that names it; oldest first. */
function merged(lists: readonly (readonly RunRecord[])[]): readonly RunRecord[] {
	const records = new Map<string, RunRecord>();
	for (const record of lists.flat()) {
		if (!records.has(record.key)) {
			records.set(record.key, record);
		}
	}
	return [...records.values()].sort((a, b) => a.startedAt - b.startedAt);
}
