import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage, Problem } from '#base/problems.ts';
import { cutText } from '#base/text/cutText.ts';
import type { ShownEntry, TrendView } from '#pages/results/trend/trendMessages.ts';
import { addToHistory, readCommit, readOutcomes } from '#suites/gate/addToHistory.ts';
import { getHistoryFile, getHistoryFileName, readRecentHistory } from '#suites/gate/history.ts';
import { mostChecks, type SuiteHistoryEntry } from '#suites/gate/historyEntry.ts';
import type { ResultStore } from '../batches/resultStore.ts';
import { getSuiteRoot } from '../suiteFiles.ts';
import type { BatchHeads } from './batchHeads.ts';
import type { ShownBatch } from './shownBatch.ts';

/** Maximum number of entries on a page. */
const mostEntries = 1000;
/** Maximum length of texts of an entry. */
const longestText = 200;

/** The history of a suite, and the batches that can be added to it. */
export class SuiteTrend extends DisposableBase {
	readonly #suite: vscode.Uri;
	readonly #store: Pick<ResultStore, 'listFiles' | 'readSelection'>;
	readonly #heads: BatchHeads;

	readonly #onChange: () => void;

	/** @param onChange called when the history file may have changed */
	constructor(
		suite: vscode.Uri,
		{ store, heads }: { readonly store: Pick<ResultStore, 'listFiles' | 'readSelection'>; readonly heads: BatchHeads },
		onChange: () => void,
	) {
		super();
		this.#suite = suite;
		this.#store = store;
		this.#heads = heads;
		this.#onChange = onChange;
		// the name of the suite could have characters of a pattern
		const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(suite, '..'), '*.suite.history.jsonl');
		const watcher = this.register(vscode.workspace.createFileSystemWatcher(pattern));
		for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
			this.register(event(onChange));
		}
	}

	/** Reads the last entries of the history. Never rejects. */
	async readTrend(): Promise<TrendView> {
		const about = { file: getHistoryFileName(path.posix.basename(this.#suite.path)) };
		try {
			const { entries, count, damaged } = await readRecentHistory(this.#getFile(), mostEntries);
			const batches = await this.#heads.readBatches(await this.#store.listFiles(this.#suite.fsPath));
			const ids = new Map(batches.map(({ file, head }) => [head.startedAt, path.basename(file)]));
			return { ...about, entries: entries.map(entry => toShownEntry(entry, ids.get(Date.parse(entry.at)))), count, damaged };
		} catch (error) {
			return { ...about, entries: [], count: 0, damaged: 0, problem: getErrorMessage(error) };
		}
	}

	/** True if a batch finished and ran all cases of its suite. */
	async isBatchWhole({ file, summary }: ShownBatch): Promise<boolean> {
		return summary !== undefined && (await this.#store.readSelection(file)) === undefined;
	}

	/** Adds the numbers of a batch to the history. Rejects if it's incomplete, and if the file can't be written. */
	async addBatch(shown: ShownBatch): Promise<void> {
		const { file, head } = shown;
		if (!head || !(await this.isBatchWhole(shown))) {
			throw new Problem('incomplete', vscode.l10n.t('Only batches in which all test cases ran can be added to the history'));
		}
		// the time of the batch leads from the entry back to its results
		const at = new Date(head.startedAt).toISOString();
		const history = this.#getFile();
		// a page that hasn't been updated yet can ask twice
		if ((await readRecentHistory(history, mostEntries)).entries.some(entry => entry.at === at)) {
			return;
		}
		await addToHistory(history, await readOutcomes(file), {
			at,
			commit: await readCommit(this.#suite.fsPath, at),
			suite: head.fingerprint,
			agents: head.depends?.['agents'] ?? '',
		});
		this.#onChange();
	}

	#getFile(): string {
		return getHistoryFile({ file: this.#suite.fsPath, root: getSuiteRoot(this.#suite) });
	}
}

/** Shortens an entry to what a page shows. */
function toShownEntry(entry: SuiteHistoryEntry, batch: string | undefined): ShownEntry {
	const { suite: _, agents: __, outcomes: ___, commit, variant, currency, checks, ...numbers } = entry;
	return {
		...numbers,
		...(commit !== undefined && { commit: cutText(commit, longestText) }),
		...(variant !== undefined && { variant: cutText(variant, longestText) }),
		...(currency !== undefined && { currency: cutText(currency, longestText) }),
		...(checks && { checks: shortenNames(checks) }),
		...(batch !== undefined && { batch }),
	};
}

function shortenNames(checks: NonNullable<SuiteHistoryEntry['checks']>): NonNullable<SuiteHistoryEntry['checks']> {
	const rates = Object.entries(checks).slice(0, mostChecks);
	return Object.fromEntries(rates.map(([name, rate]) => [cutText(name, longestText), rate]));
}
