import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { SuiteSummary } from '#suites/results/caseResult.ts';
import { escapeLinks } from '../platform/wording.ts';
import type { WindowBatch } from './batches/batch.ts';
import { formatBatchResult } from './explorer/resultText.ts';

/** Seconds after which the user has probably turned to something else. */
const longBatch = 10;

interface LastResultsParts {
	readonly onDidStart: vscode.Event<WindowBatch>;
	/** Shows a result in the Test Explorer. */
	readonly showInExplorer: (suite: vscode.Uri, result: string) => void;
	/** True if a results page of the suite is visible. */
	readonly isPageVisible: (suite: vscode.Uri) => boolean;
	readonly openResults: (suite: vscode.Uri) => void;
}

/** The result of the last batch of each suite in this window, such as `200 passed · 2.1 s`. Shown where the suite is. */
export class LastResults extends DisposableBase {
	readonly #parts: LastResultsParts;
	readonly #results = new Map<string, string>();
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	constructor(parts: LastResultsParts) {
		super();
		this.#parts = parts;
		this.register(parts.onDidStart(batch => void batch.ended.then(() => this.#onEnded(batch))));
	}

	getResult(suite: vscode.Uri): string | undefined {
		return this.#results.get(suite.fsPath);
	}

	#onEnded({ suite: { file, name }, summary, cancelled }: WindowBatch): void {
		if (!summary || this.disposed) {
			return;
		}
		const [uri, result] = [vscode.Uri.file(file), formatBatchResult(summary, cancelled !== undefined)];
		this.#results.set(uri.fsPath, result);
		this.#changed.fire();
		this.#parts.showInExplorer(uri, result);
		if (this.#isUnseen(uri, summary)) {
			void this.#notifyUser(uri, `${name}: ${result}`, summary.failed + summary.notRun + summary.faults > 0);
		}
	}

	/** True if the user doesn't see the result: the window isn't focused, or after a long batch neither the suite nor its results are shown. */
	#isUnseen(suite: vscode.Uri, { seconds }: SuiteSummary): boolean {
		const isShown =
			this.#parts.isPageVisible(suite) || vscode.window.visibleTextEditors.some(({ document }) => document.uri.fsPath === suite.fsPath);
		return !vscode.window.state.focused || (seconds >= longBatch && !isShown);
	}

	async #notifyUser(suite: vscode.Uri, message: string, isFailure: boolean): Promise<void> {
		const open = vscode.l10n.t('Open results');
		const show = isFailure ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
		if ((await show(escapeLinks(message), open)) === open) {
			this.#parts.openResults(suite);
		}
	}
}
