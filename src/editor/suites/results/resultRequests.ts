import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { FromResults } from '#pages/results/resultsMessages.ts';
import type { ResultStore } from '../batches/resultStore.ts';
import type { ResultActions } from './resultActions.ts';
import type { IndexedResult } from './resultIndex.ts';
import type { ShownBatch } from './shownBatch.ts';
import type { SuiteTrend } from './suiteTrend.ts';
import type { VariantActions } from './variantActions.ts';

type Act = Extract<FromResults, { type: 'act' }>;
type Command = Exclude<Extract<FromResults, { type: 'command' }>['command'], 'cancel'>;

/** The panel that the requests come from. */
interface RequestingPanel {
	readonly trend: Pick<SuiteTrend, 'addBatch'>;
	getShown(): ShownBatch | undefined;
	/** Starts work in the background, without blocking later requests of the page. */
	start(work: Promise<unknown>): void;
	/** Reloads the results and compares them with the current baseline. */
	reopenBatch(): Promise<void>;
}

/** Handles requests of a results page. */
export class ResultRequests {
	readonly #suite: vscode.Uri;
	readonly #name: string;
	readonly #store: ResultStore;
	readonly #actions: ResultActions;
	readonly #variants: VariantActions;
	readonly #panel: RequestingPanel;

	constructor(
		suite: vscode.Uri,
		name: string,
		{ store, actions, variants }: { readonly store: ResultStore; readonly actions: ResultActions; readonly variants: VariantActions },
		panel: RequestingPanel,
	) {
		this.#suite = suite;
		this.#name = name;
		this.#store = store;
		this.#actions = actions;
		this.#variants = variants;
		this.#panel = panel;
	}

	readonly commands: Readonly<Record<Command, () => unknown>> = {
		run: () => this.#panel.start(this.#actions.runSuite(this.#suite, undefined)),
		compareVariants: () => this.#panel.start(this.#variants.compareVariants(this.#suite)),
		rerunFailed: () => this.#rerunCases(({ outcome }) => outcome !== 'passed'),
		review: async () => {
			const { file } = this.#panel.getShown() ?? {};
			await vscode.commands.executeCommand('agentWorkbench.suite.review' satisfies CommandId, this.#suite, file && path.basename(file));
		},
		resume: () => this.#startForShownResults(({ file }) => this.#actions.resumeBatch(this.#suite, file)),
		pin: () => this.#setBaseline(this.#panel.getShown()?.file),
		unpin: () => this.#setBaseline(undefined),
		// not in the background: a second click must find the entry of the first
		addToHistory: async () => {
			const shown = this.#panel.getShown();
			await (shown && this.#panel.trend.addBatch(shown));
		},
		exportCsv: () => this.#startForShownResults(shown => this.#actions.exportListedResults(this.#name, 'csv', shown)),
		exportJsonl: () => this.#startForShownResults(shown => this.#actions.exportListedResults(this.#name, 'jsonl', shown)),
		exportMarkdown: () => this.#startForShownResults(shown => this.#actions.exportListedResults(this.#name, 'md', shown)),
	};

	/** Runs the cases of listed results again. */
	rerun({ ids }: Extract<FromResults, { type: 'rerun' }>): void {
		const wanted = new Set(ids);
		this.#rerunCases(({ ordinal }) => wanted.has(String(ordinal)));
	}

	#rerunCases(isWanted: (entry: IndexedResult) => boolean): void {
		const cases = this.#panel.getShown()?.entries.filter(isWanted) ?? [];
		if (cases.length > 0) {
			this.#panel.start(
				this.#actions.runSuite(
					this.#suite,
					cases.map(({ ordinal, name, row }) => ({ ordinal, name, ...(row !== undefined && { row }) })),
				),
			);
		}
	}

	async applyAction({ act, id, check }: Act): Promise<void> {
		const shown = this.#panel.getShown();
		const result = await shown?.readResult(id);
		if (!shown || !result) {
			return;
		}
		const actions = this.#actions;
		const acts: Readonly<Record<Act['act'], () => Promise<void>>> = {
			goToRun: () => actions.goToRun(this.#suite, result, shown.head?.connection),
			goToCase: () => actions.goToCase(result),
			compareBaseline: async () => actions.compareOutputs(result, await shown.readBaselineResult(result)),
			compareExpected: () => actions.compareExpected(result, check ?? 0),
			accept: () => actions.acceptSnapshots(this.#suite, [result]),
		};
		await acts[act]();
	}

	/** Compares the outputs of two variants. */
	async compareResults({ first, second }: Extract<FromResults, { type: 'compare' }>): Promise<void> {
		const shown = this.#panel.getShown();
		const [left, right] = [await shown?.readResult(first), await shown?.readResult(second)];
		if (left && right) {
			await this.#actions.compareResults(left, right);
		}
	}

	/** Writes a variant into the agent file. */
	applyToAgent(variant: string): void {
		this.#panel.start(this.#variants.applyToAgent(this.#suite, variant, this.#panel.getShown()?.head?.fingerprint));
	}

	#startForShownResults(work: (shown: ShownBatch) => Promise<unknown>): void {
		const shown = this.#panel.getShown();
		if (shown) {
			this.#panel.start(work(shown));
		}
	}

	async #setBaseline(file: string | undefined): Promise<void> {
		await this.#store.setBaseline(this.#suite.fsPath, file);
		await this.#panel.reopenBatch();
	}
}

/** True if a request is about the results of another batch than this one, because the page showed that when the user made it. */
export function isAboutOther(message: FromResults, batch: string | undefined): boolean {
	return 'batch' in message && message.batch !== undefined && message.batch !== batch;
}
