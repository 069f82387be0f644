import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import {
	type FromResults,
	type FromResultsHost,
	type KeptResults,
	parseResultsMessage,
	type ResultsView,
} from '#pages/results/resultsMessages.ts';
import { getResultsStrings } from '#pages/results/resultsStrings.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import { mergeSlices, type Slice } from '#pages/shared/table/rowCache.ts';
import type { ColumnMemory } from '../../platform/columnMemory.ts';
import { PanelPage } from '../../platform/webviewPage.ts';
import type { WindowBatch } from '../batches/batch.ts';
import type { ResultStore } from '../batches/resultStore.ts';
import type { SuiteBatches } from '../batches/suiteBatches.ts';
import { PageRequests } from '../pageRequests.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import { BaselineReader } from './baselineReader.ts';
import { BatchHeads } from './batchHeads.ts';
import { FollowedBatch } from './followedBatch.ts';
import type { ResultActions } from './resultActions.ts';
import { isAboutOther, ResultRequests } from './resultRequests.ts';
import { createResultsState, getSuiteFeatures } from './resultsState.ts';
import { toCaseView } from './resultViews.ts';
import { ShownBatch } from './shownBatch.ts';
import { SuiteTrend } from './suiteTrend.ts';
import type { VariantActions } from './variantActions.ts';

/** Milliseconds during which changes of a batch are collected into one message. */
const gatherMs = 150;
/** Number of rows to send with a reordered list if the page hasn't requested a range yet. */
const firstRows = 60;

export interface ResultsPanelParts {
	readonly files: SuiteFiles;
	readonly batches: SuiteBatches;
	readonly store: ResultStore;
	readonly actions: ResultActions;
	readonly variants: VariantActions;
	readonly columns: ColumnMemory;
	readonly log: vscode.LogOutputChannel;
}

/**
 * The host's side of a results page. The page gets the number of rows and requests the visible ones. Nothing is read or sent while the page
 * is hidden, because it reloads when it becomes visible.
 */
export class ResultsPanel extends PanelPage<FromResults, FromResultsHost> {
	readonly suite: vscode.Uri;
	readonly #parts: ResultsPanelParts;
	readonly #name: string;
	readonly #requests: ResultRequests;
	#kept: KeptResults;
	#shown: ShownBatch | undefined;
	readonly #followed = this.register(new FollowedBatch(() => this.#scheduleRefresh()));
	/** Range of rows that are probably visible, and the last range that the page requested. */
	#slice: Slice = { from: 0, to: firstRows };
	#asked: Slice = this.#slice;
	#sentGeneration = 0;
	readonly #heads = new BatchHeads();
	readonly #baselines: BaselineReader;
	readonly #trend: SuiteTrend;
	/** Milliseconds that the last read of a growing file took. */
	#lookMs = 0;
	#features = getSuiteFeatures(undefined);
	/** Queues requests, so that no results are read while another file is being opened. */
	readonly #queue: PageRequests;

	constructor(panel: vscode.WebviewPanel, kept: KeptResults, parts: ResultsPanelParts) {
		super(panel, { parse: parseResultsMessage, name: 'Results', log: parts.log });
		this.#parts = parts;
		this.#kept = kept;
		this.suite = vscode.Uri.parse(kept.suite);
		this.#name = path.posix.basename(this.suite.path, '.suite.json');
		this.#baselines = new BaselineReader(parts.log);
		this.#queue = new PageRequests({
			name: 'Results',
			log: parts.log,
			// if the file itself no longer exists, there are no rows to send, but the page must still show the error
			showProblem: () => this.#sendState().catch(async () => this.post({ type: 'state', state: await this.#getState() })),
		});
		this.#trend = this.register(new SuiteTrend(this.suite, { store: parts.store, heads: this.#heads }, () => this.#startTrend()));
		this.#requests = new ResultRequests(this.suite, this.#name, parts, {
			getShown: () => this.#shown,
			trend: this.#trend,
			start: work => this.start(this.#queue.showErrors(work)),
			reopenBatch: async () => {
				this.#baselines.clear();
				await this.#openBatch(this.#shown?.file);
			},
		});
		panel.title = vscode.l10n.t({ message: 'Results of {0}', args: [this.#name], comment: ['{0} is the name of a suite'] });
		this.register(parts.batches.onDidStart(batch => batch.suite.file === this.suite.fsPath && this.#followBatch(batch)));
	}

	protected override async handleMessage(message: FromResults): Promise<void> {
		if (message.type === 'command' && message.command === 'cancel') {
			// don't wait in the queue, because every moment costs another run
			this.#followed.batch?.cancelBatch();
		} else {
			if (message.type === 'listing') {
				this.#shown?.abortSearch();
			}
			if (message.type === 'act' || message.type === 'apply' || message.type === 'command') {
				this.#queue.problem = undefined;
			}
			void this.#queue.enqueue(() => (isAboutOther(message, this.#kept.batch) ? this.#sendState() : super.handleMessage(message)));
		}
	}

	protected override readonly handlers: Handlers<FromResults> = {
		widths: message => this.#parts.columns.saveWidths(message),
		ready: () => this.#sendSnapshot(),
		listing: async message => {
			this.#kept = { ...this.#kept, listing: message.listing };
			await this.#shown?.setListing(message.listing);
			await this.#sendState();
		},
		slice: async message => {
			this.#slice = mergeSlices(this.#asked, message);
			this.#asked = message;
			await this.#sendRows(message.from, message.to);
		},
		fold: async message => {
			await this.#shown?.toggleGroup(message.group);
			await this.#sendState();
		},
		case: message => this.#sendCase(message.id),
		batch: async ({ id }) => {
			const file = (await this.#listFiles()).find(each => path.basename(each) === id);
			if (file === undefined) {
				throw new Problem('no-batch', vscode.l10n.t("The results of this batch don't exist anymore."));
			}
			await this.#openBatch(file);
		},
		view: ({ view }) => this.#setView(view),
		act: message => this.#requests.applyAction(message),
		compare: message => this.#requests.compareResults(message),
		apply: message => this.#requests.applyToAgent(message.variant),
		rerun: message => this.#requests.rerun(message),
		command: ({ command }) => (command === 'cancel' ? undefined : this.#requests.commands[command]()),
	};

	async #sendSnapshot(): Promise<void> {
		this.startPage();
		this.#features = getSuiteFeatures((await this.#parts.files.readSuiteForDisplay(this.suite)).suite);
		const files = await this.#listFiles();
		const wanted = files.find(file => path.basename(file) === this.#kept.batch) ?? files[0];
		if (wanted !== this.#shown?.file) {
			await this.#openBatch(wanted);
		} else {
			await this.#readNewResults();
		}
		this.#sentGeneration = this.#shown?.generation ?? 0;
		this.post({
			type: 'snapshot',
			suite: this.suite.toString(),
			name: this.#name,
			state: await this.#getState(),
			strings: getResultsStrings(vscode.l10n),
			widths: this.#parts.columns.getWidths(),
		});
		this.#startTrend();
		await this.#sendRows(0, firstRows);
	}

	/** Shows the results of a batch, or the trend. */
	showView(view: ResultsView): void {
		void this.#queue.enqueue(() => this.#setView(view));
	}

	async #setView(view: ResultsView): Promise<void> {
		if (view !== this.#kept.view) {
			this.#kept = { ...this.#kept, view };
			this.#startTrend();
			await this.#sendState();
		}
	}

	/** Reads the history and sends it, if the page shows it. Later requests don't wait for that. */
	#startTrend(): void {
		if (this.#kept.view === 'trend' && this.isReady) {
			this.start(this.#trend.readTrend().then(trend => this.post({ type: 'trend', trend })));
		}
	}

	#listFiles(): Promise<readonly string[]> {
		return this.#parts.store.listFiles(this.suite.fsPath);
	}

	/** Shows the results of another batch. */
	async #openBatch(file: string | undefined): Promise<void> {
		this.#queue.problem = undefined;
		this.#slice = { from: 0, to: firstRows };
		this.#followed.followBatch(file === undefined ? undefined : this.#parts.batches.findBatchByFile(file));
		const wanted = await this.#parts.store.getBaseline(this.suite.fsPath);
		// reading a baseline of 100,000 results takes a second or two; show the results without changes until then
		const baseline = this.#baselines.getBaseline(wanted);
		if (wanted !== undefined && wanted !== file && !baseline) {
			this.start(this.#queue.showErrors(this.#loadBaseline(wanted)));
		}
		const generation = (this.#shown?.generation ?? 0) + 1;
		this.#shown?.abortSearch();
		this.#shown = file === undefined ? undefined : await ShownBatch.openBatch(file, this.#kept.listing, baseline, generation);
		this.#continueReading();
		this.#kept = { ...this.#kept, batch: file === undefined ? undefined : path.basename(file) };
		await this.#sendState();
	}

	/** Reads a baseline, then reloads the results to compare them with it. */
	async #loadBaseline(file: string): Promise<void> {
		if (await this.#baselines.startReading(file)) {
			void this.#queue.enqueue(() => (this.#baselines.endReading(file) ? this.#openBatch(this.#shown?.file) : this.#sendState()));
		}
	}

	/** Shows a batch of this suite that has just started. */
	#followBatch(batch: WindowBatch): void {
		void this.#queue.enqueue(async () => {
			await this.#openBatch(batch.file);
			// it may be over by now, and its error is still to be shown
			this.#followed.followBatch(batch);
			await this.#sendState();
		});
	}

	/** Schedules a refresh. Long lists are refreshed less often because they take longer. */
	#scheduleRefresh(after = Math.max(gatherMs, 4 * this.#lookMs)): void {
		if (this.isReady) {
			this.schedule(
				after,
				() =>
					void this.#queue.enqueue(async () => {
						await this.#readNewResults();
						await this.#sendState();
					}),
			);
		}
	}

	/** Reads what was added to the file, or the next part of a long file. */
	async #readNewResults(): Promise<void> {
		const begun = performance.now();
		await this.#shown?.readNewResults();
		this.#lookMs = performance.now() - begun;
		this.#continueReading();
	}

	/** Continues reading a long file in parts, so that requests of the page are handled in between. */
	#continueReading(): void {
		if (this.#shown?.isWhole === false) {
			this.#scheduleRefresh(0);
		}
	}

	async #getState() {
		return createResultsState({
			shown: this.#shown,
			batch: this.#followed.batch,
			kept: this.#kept,
			heads: this.#heads,
			files: await this.#listFiles(),
			isRunning: file => this.#parts.batches.findBatchByFile(file) !== undefined,
			baseline: await this.#parts.store.getBaseline(this.suite.fsPath),
			comparing: this.#baselines.isReading,
			features: this.#features,
			isWhole: this.#shown !== undefined && (await this.#trend.isBatchWhole(this.#shown)),
			problem: this.#queue.problem,
			getFingerprint: async () => (await this.#parts.files.readSuiteForDisplay(this.suite)).suite?.fingerprint,
		});
	}

	/** Sends the state to the page. If the order has changed, includes the visible rows, so that they aren't empty for a moment. */
	async #sendState(): Promise<void> {
		if (!this.isReady) {
			return;
		}
		const shown = this.#shown;
		const isOther = shown !== undefined && shown.generation !== this.#sentGeneration;
		this.#sentGeneration = shown?.generation ?? 0;
		const rows = isOther ? { from: this.#slice.from, rows: await shown.readRows(this.#slice.from, this.#slice.to) } : undefined;
		this.post({ type: 'state', state: await this.#getState(), ...(rows && { rows }) });
	}

	async #sendRows(from: number, to: number): Promise<void> {
		if (this.#shown) {
			const rows = await this.#shown.readRows(from, to);
			this.post({ type: 'rows', generation: this.#shown.generation, from, rows });
		}
	}

	async #sendCase(id: string): Promise<void> {
		const result = await this.#shown?.readResult(id);
		const change = this.#shown?.entries.find(entry => entry.ordinal === result?.ordinal)?.change ?? 'new';
		this.post({ type: 'case', case: result && toCaseView(result, change !== 'new' && change !== 'same') });
	}
}
