import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { Suite } from '#suites/suite.ts';
import { formatNumber } from '../../platform/format.ts';
import type { WindowBatch } from '../batches/batch.ts';
import { createFailureMessages } from './failureMessages.ts';
import { formatBatchEnd, formatRecorded, formatTestOutput, toTerminalLines } from './resultText.ts';
import type { SuiteItems } from './suiteItems.ts';

/** Maximum number of items to create for rows that failed but aren't loaded. The results page lists all rows. */
const mostNewItems = 500;

/** Reports the progress of one batch to a test run. */
export class SuiteTestRun {
	readonly #run: vscode.TestRun;
	readonly #items: SuiteItems;
	readonly #uri: vscode.Uri;
	readonly #suite: Suite;
	#newItems = 0;
	#rows = 0;
	#failedRows = 0;
	#unreadableRows = 0;

	constructor(run: vscode.TestRun, items: SuiteItems, uri: vscode.Uri, suite: Suite) {
		this.#run = run;
		this.#items = items;
		this.#uri = uri;
		this.#suite = suite;
	}

	async followBatch(batch: WindowBatch): Promise<void> {
		const listening = batch.onEvent(event => this.#onBatchEvent(event));
		await batch.ended;
		listening.dispose();
		this.#reportDataset(batch);
		this.#run.appendOutput(formatBatchEnd(batch), undefined, this.#items.getSuiteItem(this.#uri));
		if (batch.recorded) {
			this.#run.appendOutput(formatRecorded(batch.recorded), undefined, this.#items.getSuiteItem(this.#uri));
		}
		if (batch.error !== undefined) {
			this.#run.errored(this.#items.getSuiteItem(this.#uri), new vscode.TestMessage(getErrorMessage(batch.error)));
		}
	}

	#onBatchEvent(event: SuiteEvent): void {
		switch (event.type) {
			case 'case': {
				const { ordinal, name, row } = event;
				const item =
					row === undefined ? this.#items.getCaseItem(this.#uri, name) : this.#getRowItem({ ordinal, name, row, line: 1 }, false);
				if (item) {
					this.#run.started(item);
				}
				break;
			}
			case 'result':
				this.#reportResult(event.result);
				break;
			case 'fault': {
				const { message, file, line, column } = event.fault;
				this.#unreadableRows++;
				const place = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, column - 1));
				this.#run.appendOutput(toTerminalLines([message]), place, this.#items.getDatasetItem(this.#uri));
				break;
			}
			case 'waiting': {
				const seconds = Math.max(0, Math.ceil((event.until - Date.now()) / 1000));
				const message = vscode.l10n.t({
					message: '{0}: waiting {1} s',
					args: [event.why, seconds],
					comment: ['{0} is the reason, such as a rate limit; {1} is a number of seconds'],
				});
				this.#run.appendOutput(toTerminalLines([message]));
			}
		}
	}

	#reportResult(result: CaseResult): void {
		const { row, name, ordinal, place, outcome, seconds } = result;
		const ms = Math.round(seconds * 1000);
		if (row !== undefined) {
			this.#rows++;
			this.#failedRows += outcome === 'passed' ? 0 : 1;
		}
		const item =
			row === undefined
				? this.#items.getCaseItem(this.#uri, name)
				: this.#getRowItem({ ordinal, name, row, line: place.line }, outcome !== 'passed');
		if (!item) {
			return;
		}
		this.#run.appendOutput(formatTestOutput(result), undefined, item);
		if (outcome === 'passed') {
			this.#run.passed(item, ms);
		} else if (outcome === 'failed') {
			this.#run.failed(item, createFailureMessages(result), ms);
		} else {
			this.#run.errored(item, createFailureMessages(result), ms);
		}
	}

	#getRowItem(row: { ordinal: number; name: string; row: number; line: number }, wanted: boolean): vscode.TestItem | undefined {
		const file = this.#suite.dataset?.file ?? this.#suite.file;
		const known = this.#items.getRowItem(this.#uri, row, file, false);
		if (known || !wanted || this.#newItems >= mostNewItems) {
			return known;
		}
		this.#newItems++;
		return this.#items.getRowItem(this.#uri, row, file, true);
	}

	/**
	 * Reports how many rows didn't pass or couldn't be read on the dataset's item, because unloaded rows have no items. A batch that didn't
	 * run to its end says nothing about the other rows.
	 */
	#reportDataset({ summary, cancelled }: WindowBatch): void {
		const dataset = this.#items.getDatasetItem(this.#uri);
		if (!dataset || this.#rows + this.#unreadableRows === 0) {
			return;
		}
		const sentences = [
			...(this.#failedRows > 0
				? [vscode.l10n.t("Rows that didn't pass: {0} of {1}", formatNumber(this.#failedRows), formatNumber(this.#rows))]
				: []),
			...(this.#unreadableRows > 0 ? [vscode.l10n.t("Rows that couldn't be read: {0}", formatNumber(this.#unreadableRows))] : []),
		];
		if (sentences.length > 0) {
			this.#run.failed(
				dataset,
				sentences.map(sentence => new vscode.TestMessage(sentence)),
			);
		} else if (summary && !cancelled) {
			this.#run.passed(dataset);
		}
	}
}
