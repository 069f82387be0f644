import path from 'node:path';
import * as vscode from 'vscode';
import { background } from '../../common/background.ts';
import { DisposableBase } from '../../common/disposables.ts';
import { isCancellation, messageOf } from '../../common/problems.ts';
import type { Batch } from '../batches/batch.ts';
import type { ResultStore } from '../batches/resultStore.ts';
import type { SuiteBatches } from '../batches/suiteBatches.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import type { ResultActions } from './resultActions.ts';
import { type FromResults, type KeptResults, parseResultsMessage } from './resultsMessages.ts';
import type { FromResultsHost } from './resultsProtocol.ts';
import { resultsState } from './resultsState.ts';
import { resultsStrings } from './resultsStrings.ts';
import { caseOf } from './resultViews.ts';
import { ShownBatch } from './shownBatch.ts';

/** Milliseconds over which what a batch tells is gathered into one message. */
const gatherMs = 150;
/** Rows that are sent with a list whose places have changed, where the page has not asked for others. */
const firstRows = 60;

/** What a page of results needs beside whose results it shows. */
export interface ResultsPanelParts {
	readonly files: SuiteFiles;
	readonly batches: SuiteBatches;
	readonly store: ResultStore;
	readonly actions: ResultActions;
	readonly log: vscode.LogOutputChannel;
}

/**
 * Joins one webview panel to the results of a suite. The page is told how many rows there are and asks for those in sight; while it is hidden nothing is read
 * and nothing sent, for a page that comes back asks anew.
 */
export class ResultsPanel extends DisposableBase {
	readonly suite: vscode.Uri;
	readonly #panel: vscode.WebviewPanel;
	readonly #parts: ResultsPanelParts;
	readonly #name: string;
	#kept: KeptResults;
	#shown: ShownBatch | undefined;
	/** The batch of this window that writes what is shown. */
	#batch: Batch | undefined;
	#ready = false;
	#timer: NodeJS.Timeout | undefined;
	#slice = { from: 0, to: firstRows };
	#sentGeneration = 0;
	#problem: string | undefined;
	/** What is done is done in turn: results are not read while another file takes their place. */
	#turn: Promise<void> = Promise.resolve();

	constructor(panel: vscode.WebviewPanel, kept: KeptResults, parts: ResultsPanelParts) {
		super();
		this.#panel = panel;
		this.#parts = parts;
		this.#kept = kept;
		this.suite = vscode.Uri.parse(kept.suite);
		this.#name = path.posix.basename(this.suite.path, '.suite.json');
		panel.title = vscode.l10n.t('Results of {0}', this.#name);
		this.own(panel.webview.onDidReceiveMessage(message => this.#receive(message)));
		this.own(panel.onDidChangeViewState(() => !panel.visible && this.#hide()));
		this.own(parts.batches.onDidStart(batch => batch.suite.file === this.suite.fsPath && this.#follow(batch)));
		this.own({ dispose: () => this.#hide() });
	}

	reveal(): void {
		this.#panel.reveal();
	}

	#hide(): void {
		this.#ready = false;
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#receive(raw: unknown): void {
		const message = parseResultsMessage(raw);
		if (message) {
			this.#next(() => this.#handle(message));
		}
	}

	async #handle(message: FromResults): Promise<void> {
		switch (message.type) {
			case 'ready':
				await this.#begin();
				break;
			case 'listing':
				this.#kept = { ...this.#kept, listing: message.listing };
				await this.#shown?.setListing(message.listing);
				await this.#send();
				break;
			case 'slice':
				this.#slice = { from: message.from, to: message.to };
				await this.#sendRows(message.from, message.to);
				break;
			case 'case':
				await this.#sendCase(message.id);
				break;
			case 'batch':
				await this.#open((await this.#files()).find(file => path.basename(file) === message.id));
				break;
			case 'act':
				await this.#act(message);
				break;
			case 'rerun':
				this.#start(message.ids.map(Number).filter(Number.isInteger));
				break;
			case 'command':
				await this.#command(message.command);
		}
	}

	async #begin(): Promise<void> {
		this.#ready = true;
		const files = await this.#files();
		const wanted = files.find(file => path.basename(file) === this.#kept.batch) ?? files[0];
		if (wanted !== this.#shown?.file) {
			await this.#open(wanted);
		} else {
			await this.#shown?.update();
		}
		this.#sentGeneration = this.#shown?.generation ?? 0;
		this.#post({
			type: 'snapshot',
			suite: this.suite.toString(),
			name: this.#name,
			state: await this.#state(),
			strings: resultsStrings(),
		});
		await this.#sendRows(0, firstRows);
	}

	#files(): Promise<readonly string[]> {
		return this.#parts.store.files(this.suite.fsPath);
	}

	/** Shows the results of another batch. */
	async #open(file: string | undefined): Promise<void> {
		this.#problem = undefined;
		this.#slice = { from: 0, to: firstRows };
		this.#batch = file === undefined ? undefined : this.#parts.batches.running(file);
		const baseline = await this.#parts.store.baseline(this.suite.fsPath);
		const generation = (this.#shown?.generation ?? 0) + 1;
		this.#shown = file === undefined ? undefined : await ShownBatch.open(file, this.#kept.listing, baseline, generation);
		this.#kept = { ...this.#kept, batch: file === undefined ? undefined : path.basename(file) };
		await this.#send();
	}

	/** A batch of this suite has begun: it is what one wants to see. */
	#follow(batch: Batch): void {
		this.own(batch.onDidChange(() => this.#changeSoon()));
		this.#next(async () => {
			await this.#open(batch.file);
			this.#batch = batch;
			await this.#send();
		});
		void batch.ended.then(() => this.#changeSoon());
	}

	#changeSoon(): void {
		if (this.#ready) {
			this.#timer ??= setTimeout(() => {
				this.#timer = undefined;
				this.#next(async () => {
					await this.#shown?.update();
					await this.#send();
				});
			}, gatherMs);
		}
	}

	async #state() {
		return resultsState({
			shown: this.#shown,
			batch: this.#batch,
			kept: this.#kept,
			files: await this.#files(),
			running: file => this.#parts.batches.running(file) !== undefined,
			baseline: await this.#parts.store.baseline(this.suite.fsPath),
			problem: this.#problem,
			fingerprint: async () => (await this.#parts.files.look(this.suite)).suite?.fingerprint,
		});
	}

	/** Tells the page how things stand; rows that have other places go along, so that those in sight are not empty for a moment. */
	async #send(): Promise<void> {
		if (!this.#ready) {
			return;
		}
		const shown = this.#shown;
		const isOther = shown !== undefined && shown.generation !== this.#sentGeneration;
		this.#sentGeneration = shown?.generation ?? 0;
		const rows = isOther ? { from: this.#slice.from, rows: await shown.rows(this.#slice.from, this.#slice.to) } : undefined;
		this.#post({ type: 'state', state: await this.#state(), ...(rows && { rows }) });
	}

	async #sendRows(from: number, to: number): Promise<void> {
		if (this.#shown) {
			const rows = await this.#shown.rows(from, to);
			this.#post({ type: 'rows', generation: this.#shown.generation, from, rows });
		}
	}

	async #sendCase(id: string): Promise<void> {
		const result = await this.#shown?.result(id);
		const comparable = result !== undefined && this.#shown?.baseline !== undefined;
		this.#post({ type: 'case', case: result && caseOf(result, comparable) });
	}

	async #act({ act, id, check }: Extract<FromResults, { type: 'act' }>): Promise<void> {
		const shown = this.#shown;
		const result = await shown?.result(id);
		if (!shown || !result) {
			return;
		}
		const { actions } = this.#parts;
		switch (act) {
			case 'goToRun':
				await actions.goToRun(this.suite, result, shown.head?.connection);
				break;
			case 'goToCase':
				await actions.goToCase(result);
				break;
			case 'compareBaseline':
				await actions.compareOutputs(result, await shown.before(result));
				break;
			case 'compareExpected':
				await actions.compareExpected(result, check ?? 0);
				break;
			case 'accept':
				await actions.accept(this.suite, [result]);
		}
	}

	async #command(command: Extract<FromResults, { type: 'command' }>['command']): Promise<void> {
		const { store, actions } = this.#parts;
		const shown = this.#shown;
		switch (command) {
			case 'run':
				this.#start(undefined);
				break;
			case 'rerunFailed':
				this.#start(shown?.entries.filter(({ outcome }) => outcome !== 'passed').map(({ ordinal }) => ordinal) ?? []);
				break;
			case 'resume':
				this.#work(shown ? actions.resume(this.suite, shown.file) : Promise.resolve());
				break;
			case 'cancel':
				this.#batch?.cancel();
				break;
			case 'pin':
			case 'unpin':
				await store.pin(this.suite.fsPath, command === 'pin' ? shown?.file : undefined);
				await this.#open(shown?.file);
				break;
			case 'exportCsv':
				this.#export('csv');
				break;
			case 'exportJsonl':
				this.#export('jsonl');
				break;
			case 'exportMarkdown':
				this.#export('md');
		}
	}

	#start(ordinals: readonly number[] | undefined): void {
		if (ordinals?.length !== 0) {
			this.#work(this.#parts.actions.run(this.suite, ordinals));
		}
	}

	#export(format: 'csv' | 'jsonl' | 'md'): void {
		if (this.#shown) {
			this.#work(this.#parts.actions.save(this.#name, format, this.#shown));
		}
	}

	#post(message: FromResultsHost): void {
		if (this.#ready && !this.disposed) {
			void this.#panel.webview.postMessage(message);
		}
	}

	#next(act: () => Promise<void>): void {
		this.#turn = this.#turn.then(() => this.#told(act()));
	}

	/** Does what takes its time beside what the page asks meanwhile. */
	#work(work: Promise<unknown>): void {
		background(this.#told(work), this.#parts.log, 'Results');
	}

	/** What goes wrong is told on the page. */
	async #told(work: Promise<unknown>): Promise<void> {
		try {
			await work;
		} catch (error) {
			if (!isCancellation(error)) {
				this.#parts.log.warn(`Results: ${messageOf(error)}`);
				this.#problem = messageOf(error);
				await this.#send();
			}
		}
	}
}
