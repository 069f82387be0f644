import path from 'node:path';
import { getLocation, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { findProperty } from '#base/text/textFaults.ts';
import { readDatasetColumns } from '#suites/datasets/datasetColumns.ts';
import { DatasetError } from '#suites/datasets/datasetRow.ts';
import { detectDatasetFormat } from '#suites/datasets/datasetRows.ts';
import type { DatasetFormat } from '#suites/suite.ts';
import { getSuiteRoot } from '../suiteFiles.ts';

/** Matches an unfinished `{{column`. The group is the part of the name before the cursor. */
const begun = /\{\{([^{}"]*)$/;

/** Completes `{{column}}` in the templates of a suite with the columns of its dataset. */
export class ColumnCompletion implements vscode.CompletionItemProvider {
	async provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionItem[]> {
		const text = document.getText();
		const { path: at, isAtPropertyKey } = getLocation(text, document.offsetAt(position));
		const line = document.lineAt(position).text;
		const typed = begun.exec(line.slice(0, position.character))?.[1]?.trimStart();
		if (typed === undefined || isAtPropertyKey || at[0] !== 'dataset' || at.length < 2 || at[1] === 'file' || at[1] === 'format') {
			return [];
		}
		const [closing = ''] = /^[^{}"]*\}\}/.exec(line.slice(position.character)) ?? [];
		const range = new vscode.Range(position.translate(0, -typed.length), position.translate(0, closing.length));
		return (await readColumns(document.uri, text)).map((name, order) => {
			const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Field);
			item.insertText = `${name}}}`;
			// the replaced range includes the closing braces, so the filter text needs them to match
			item.filterText = `${name}}}`;
			item.range = range;
			item.detail = name === 'row' ? vscode.l10n.t('row number') : vscode.l10n.t('dataset column');
			item.sortText = String(order).padStart(6, '0');
			return item;
		});
	}
}

/** Returns the columns of the suite's dataset and `row`. Returns an empty list if the dataset can't be read. */
async function readColumns(suite: vscode.Uri, text: string): Promise<readonly string[]> {
	const dataset = findProperty(parseTree(text), 'dataset');
	const file: unknown = findProperty(dataset, 'file')?.value;
	const format =
		typeof file === 'string'
			? ((findProperty(dataset, 'format')?.value as DatasetFormat | undefined) ?? detectDatasetFormat(file))
			: undefined;
	if (typeof file !== 'string' || format === undefined) {
		return [];
	}
	try {
		const source = { file: path.resolve(path.dirname(suite.fsPath), file), root: getSuiteRoot(suite), format };
		const columns = await readDatasetColumns(source, vscode.l10n.t);
		return [...new Set([...(columns ?? []), 'row'])];
	} catch (error) {
		if (error instanceof DatasetError) {
			return [];
		}
		throw error;
	}
}
