import path from 'node:path';
import * as vscode from 'vscode';
import { readDatasetCases } from '#suites/datasets/datasetCases.ts';
import type { ReadSuite, Suite, SuiteCase } from '#suites/suite.ts';
import { formatNumber } from '../../platform/format.ts';
import { countRows } from '../batches/countCases.ts';

/** Number of rows per page. Smaller datasets list their rows without pages. */
const pageSize = 200;

/** A case or row, as listed or run earlier. Its name, and `row` for a row, find it again after the suite was edited. */
export interface ChosenCase {
	readonly ordinal: number;
	readonly name?: string;
	readonly row?: number;
}

/** The thing that an item in the Test Explorer represents. */
export type ItemSubject =
	| { readonly kind: 'suite' | 'dataset'; readonly uri: vscode.Uri }
	| ({ readonly kind: 'case'; readonly uri: vscode.Uri } & ChosenCase)
	| ({ readonly kind: 'row'; readonly uri: vscode.Uri } & ChosenCase)
	/** A range of row numbers. Both ends are inclusive. */
	| { readonly kind: 'page'; readonly uri: vscode.Uri; readonly from: number; readonly to: number };

interface RowCase {
	readonly ordinal: number;
	readonly row: number;
	readonly name: string;
	/** Line in the dataset, starting at 1. */
	readonly line: number;
}

/**
 * Manages suites, cases and rows as items of the Test Explorer. Items are reused if their names don't change, so that results are kept when
 * a file is read again. Rows are loaded page by page, when they are expanded or have a result.
 */
export class SuiteItems {
	readonly #controller: vscode.TestController;
	readonly #subjects = new WeakMap<vscode.TestItem, ItemSubject>();

	constructor(controller: vscode.TestController) {
		this.#controller = controller;
	}

	getItemSubject(item: vscode.TestItem): ItemSubject | undefined {
		return this.#subjects.get(item);
	}

	/** Returns the item of a suite file, creating it if necessary. */
	getSuiteItem(uri: vscode.Uri): vscode.TestItem {
		const { items } = this.#controller;
		const id = uri.toString();
		const item = items.get(id) ?? this.#createTestItem(id, path.posix.basename(uri.path, '.suite.json'), uri, { kind: 'suite', uri });
		if (!items.get(id)) {
			item.canResolveChildren = true;
			item.description = formatFolder(uri);
			items.add(item);
		}
		return item;
	}

	/** Shows the result of a suite's last batch on its item. */
	showResult(uri: vscode.Uri, result: string): void {
		this.getSuiteItem(uri).description = `${result} · ${formatFolder(uri)}`;
	}

	/** Removes the suites in a deleted file or folder. */
	removeSuites(gone: vscode.Uri): void {
		const { items } = this.#controller;
		const uri = gone.toString();
		for (const [id] of [...items]) {
			if (id === uri || id.startsWith(`${uri}/`)) {
				items.delete(id);
			}
		}
	}

	/** Updates the item of a suite. If the suite has errors, the item shows them, and keeps the cases and their results. */
	updateSuite(uri: vscode.Uri, { suite, faults }: ReadSuite): void {
		const item = this.getSuiteItem(uri);
		item.error = suite ? undefined : formatSuiteErrors(faults);
		if (!suite) {
			return;
		}
		const cases = suite.cases.map(each => this.#updateCase(item, uri, each));
		item.children.replace(suite.dataset ? [...cases, this.#updateDataset(item, uri, suite)] : cases);
	}

	/** Lists the rows of a dataset: in pages, or directly if there are few. */
	async resolveDataset(suite: Suite, uri: vscode.Uri): Promise<void> {
		const dataset = this.getSuiteItem(uri).children.get(getDatasetId(uri));
		if (!dataset) {
			return;
		}
		const { last } = await countRows(suite);
		if (last <= pageSize) {
			dataset.children.replace(await this.#readRows(dataset, suite, uri, 1, pageSize));
			return;
		}
		const pages = [];
		for (let from = 1; from <= last; from += pageSize) {
			pages.push(this.#updatePage(dataset, uri, from, Math.min(last, from + pageSize - 1)));
		}
		dataset.children.replace(pages);
	}

	async resolvePage(item: vscode.TestItem, suite: Suite): Promise<void> {
		const meant = this.#subjects.get(item);
		if (meant?.kind === 'page') {
			item.children.replace(await this.#readRows(item, suite, meant.uri, meant.from, meant.to));
		}
	}

	/** Returns the item of a case, or `undefined` if the case isn't listed. */
	getCaseItem(uri: vscode.Uri, name: string): vscode.TestItem | undefined {
		return this.getSuiteItem(uri).children.get(getCaseId(uri, name));
	}

	getDatasetItem(uri: vscode.Uri): vscode.TestItem | undefined {
		return this.getSuiteItem(uri).children.get(getDatasetId(uri));
	}

	/** Returns the item of a row. If `make` is true, creates an item that isn't loaded yet. */
	getRowItem(uri: vscode.Uri, row: RowCase, file: string, make: boolean): vscode.TestItem | undefined {
		const dataset = this.getDatasetItem(uri);
		const parent = dataset?.children.get(getPageId(uri, row.row - ((row.row - 1) % pageSize))) ?? dataset;
		const known = parent?.children.get(getRowId(uri, row));
		if (known || !parent || !make) {
			return known;
		}
		const item = this.#updateRow(parent, uri, file, row);
		parent.children.add(item);
		return item;
	}

	async #readRows(parent: vscode.TestItem, suite: Suite, uri: vscode.Uri, from: number, to: number): Promise<vscode.TestItem[]> {
		const rows = [];
		for await (const row of readDatasetCases(suite, from)) {
			if (row.row > to) {
				break;
			}
			rows.push(this.#updateRow(parent, uri, suite.dataset!.file, row));
		}
		return rows;
	}

	#updateCase(parent: vscode.TestItem, uri: vscode.Uri, { name, place, ordinal }: SuiteCase): vscode.TestItem {
		const id = getCaseId(uri, name);
		const known = parent.children.get(id);
		const file = vscode.Uri.file(place.file);
		const isThere = known?.uri?.toString() === file.toString();
		const item = isThere && known ? known : this.#controller.createTestItem(id, name, file);
		item.range = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
		item.sortText = String(ordinal).padStart(9, '0');
		this.#subjects.set(item, { kind: 'case', uri, ordinal, name });
		return item;
	}

	#updateDataset(parent: vscode.TestItem, uri: vscode.Uri, { dataset, cases }: Suite): vscode.TestItem {
		const id = getDatasetId(uri);
		const { file, place } = dataset!;
		const item = parent.children.get(id) ?? this.#createTestItem(id, path.basename(file), uri, { kind: 'dataset', uri });
		item.label = path.basename(file);
		item.canResolveChildren = true;
		item.range = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
		item.sortText = String(cases.length).padStart(9, '0');
		return item;
	}

	#updatePage(parent: vscode.TestItem, uri: vscode.Uri, from: number, to: number): vscode.TestItem {
		const id = getPageId(uri, from);
		const label = vscode.l10n.t('Rows {0}–{1}', formatNumber(from), formatNumber(to));
		const item = parent.children.get(id) ?? this.#controller.createTestItem(id, label, uri);
		item.label = label;
		item.canResolveChildren = true;
		item.sortText = String(from).padStart(9, '0');
		this.#subjects.set(item, { kind: 'page', uri, from, to });
		return item;
	}

	#updateRow(parent: vscode.TestItem, uri: vscode.Uri, file: string, { row, name, line, ordinal }: RowCase): vscode.TestItem {
		const id = getRowId(uri, { row, name });
		const item = parent.children.get(id) ?? this.#controller.createTestItem(id, name, vscode.Uri.file(file));
		item.label = name;
		item.range = new vscode.Range(line - 1, 0, line - 1, 0);
		item.sortText = String(row).padStart(9, '0');
		this.#subjects.set(item, { kind: 'row', uri, ordinal, name, row });
		return item;
	}

	#createTestItem(id: string, label: string, uri: vscode.Uri, meant: ItemSubject): vscode.TestItem {
		const item = this.#controller.createTestItem(id, label, uri);
		this.#subjects.set(item, meant);
		return item;
	}
}

/** Summarizes a suite's errors for its item. */
export function formatSuiteErrors(faults: ReadSuite['faults']): string {
	const errors = faults.filter(({ severity }) => severity === 'error');
	const [first] = errors;
	const where = first ? `${path.basename(first.file)}:${first.line}: ${first.message}` : '';
	return errors.length > 1
		? vscode.l10n.t({
				message: '{0} ({1} more in Problems)',
				args: [where, errors.length - 1],
				comment: ['{0} is an error message, {1} is the number of other errors'],
			})
		: where;
}

const formatFolder = (uri: vscode.Uri) => vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..'), false);
const getCaseId = (uri: vscode.Uri, name: string) => `${uri}#case:${name}`;
const getDatasetId = (uri: vscode.Uri) => `${uri}#dataset`;
const getPageId = (uri: vscode.Uri, from: number) => `${uri}#rows:${from}`;
const getRowId = (uri: vscode.Uri, { row, name }: Pick<RowCase, 'row' | 'name'>) => `${uri}#row:${row}:${name}`;
