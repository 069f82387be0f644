import * as vscode from 'vscode';
import { messageOf } from '#base/problems.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { Suite } from '#suites/suite.ts';
import { formatNumber } from '../../platform/format.ts';
import type { WindowBatch } from '../batches/batch.ts';
import { failureMessages } from './failureMessages.ts';
import { resultText, summaryText } from './resultText.ts';
import type { SuiteItems } from './suiteItems.ts';

/** Rows that did not pass and get an item though nobody has looked at them: the results list all of them. */
const mostNewItems = 500;

/** Tells a run of the Test Explorer what becomes of one batch. */
export class SuiteTestRun {
	readonly #run: vscode.TestRun;
	readonly #items: SuiteItems;
	readonly #uri: vscode.Uri;
	readonly #suite: Suite;
	#newItems = 0;
	#rows = 0;
	#failedRows = 0;

	constructor(run: vscode.TestRun, items: SuiteItems, uri: vscode.Uri, suite: Suite) {
		this.#run = run;
		this.#items = items;
		this.#uri = uri;
		this.#suite = suite;
	}

	/** Follows a batch to its end. */
	async follow(batch: WindowBatch): Promise<void> {
		const listening = batch.onEvent(event => this.#take(event));
		await batch.ended;
		listening.dispose();
		this.#tellRows();
		this.#run.appendOutput(summaryText(batch), undefined, this.#items.suite(this.#uri));
		if (batch.error !== undefined) {
			this.#run.errored(this.#items.suite(this.#uri), new vscode.TestMessage(messageOf(batch.error)));
		}
	}

	#take(event: SuiteEvent): void {
		switch (event.type) {
			case 'case': {
				const { ordinal, name, row } = event;
				const item = row === undefined ? this.#items.case(this.#uri, name) : this.#rowItem({ ordinal, name, row, line: 1 }, false);
				if (item) {
					this.#run.started(item);
				}
				break;
			}
			case 'result':
				this.#tell(event.result);
				break;
			case 'fault': {
				const { message, file, line, column } = event.fault;
				const place = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, column - 1));
				this.#run.appendOutput(`${message}\r\n`, place, this.#items.dataset(this.#uri));
				break;
			}
			case 'waiting': {
				const seconds = Math.max(0, Math.ceil((event.until - Date.now()) / 1000));
				this.#run.appendOutput(`${vscode.l10n.t('{0}: waiting {1} s', event.why, seconds)}\r\n`);
			}
		}
	}

	#tell(result: CaseResult): void {
		const { row, name, ordinal, place, outcome, seconds } = result;
		const ms = Math.round(seconds * 1000);
		if (row !== undefined) {
			this.#rows++;
			this.#failedRows += outcome === 'passed' ? 0 : 1;
		}
		const item =
			row === undefined ? this.#items.case(this.#uri, name) : this.#rowItem({ ordinal, name, row, line: place.line }, outcome !== 'passed');
		if (!item) {
			return;
		}
		this.#run.appendOutput(resultText(result), undefined, item);
		if (outcome === 'passed') {
			this.#run.passed(item, ms);
		} else if (outcome === 'failed') {
			this.#run.failed(item, failureMessages(result), ms);
		} else {
			this.#run.errored(item, failureMessages(result), ms);
		}
	}

	#rowItem(row: { ordinal: number; name: string; row: number; line: number }, wanted: boolean): vscode.TestItem | undefined {
		const file = this.#suite.dataset?.file ?? this.#suite.file;
		const known = this.#items.row(this.#uri, row, file, false);
		if (known || !wanted || this.#newItems >= mostNewItems) {
			return known;
		}
		this.#newItems++;
		return this.#items.row(this.#uri, row, file, true);
	}

	/** Rows that nobody has looked at are told of by their dataset. */
	#tellRows(): void {
		const dataset = this.#items.dataset(this.#uri);
		if (!dataset || this.#rows === 0) {
			return;
		}
		if (this.#failedRows === 0) {
			this.#run.passed(dataset);
		} else {
			const sentence = vscode.l10n.t('{0} of {1} rows did not pass', formatNumber(this.#failedRows), formatNumber(this.#rows));
			this.#run.failed(dataset, new vscode.TestMessage(sentence));
		}
	}
}
