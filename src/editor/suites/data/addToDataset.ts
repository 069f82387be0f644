import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import { joinSentences } from '#base/text/joinSentences.ts';
import { appendDatasetRow, findEqualRow, readColumnsToFill } from '#suites/datasets/appendRow.ts';
import { DatasetError } from '#suites/datasets/datasetRow.ts';
import { placeRun } from '#suites/datasets/placeRun.ts';
import { PersonalDataMasker } from '#suites/generation/personalData.ts';
import { createRunRow, hasFile } from '#suites/generation/runSample.ts';
import type { SuiteDataset } from '#suites/suite.ts';
import { formatList } from '../../platform/format.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { createCaseFromRun, type PastRun, proposeCaseName } from '../editing/runCase.ts';
import { createSuitePickItem } from '../suiteChoice.ts';
import { describeMasked } from './datasetSources.ts';
import { hasSecretInput, toRunValues } from './localRuns.ts';
import type { SuiteDataParts } from './suiteData.ts';

/** Adds runs as rows to the datasets of suites. */
export class AddToDataset {
	readonly #files: SuiteDataParts['files'];

	constructor(files: SuiteDataParts['files']) {
		this.#files = files;
	}

	/**
	 * Asks for a suite of the run's agent, and adds the run to its dataset, with personal data masked. Throws a {@link Problem} if the dataset
	 * has the row, or can't contain it. Resolves to `undefined` if the user cancels.
	 */
	async addRun(run: PastRun): Promise<vscode.Uri | undefined> {
		requireRowInputs(run);
		const dataset = await this.#chooseDataset(run.agent);
		if (!dataset) {
			return undefined;
		}
		const uri = vscode.Uri.file(dataset.file);
		const name = vscode.workspace.asRelativePath(uri);
		if (vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString() && document.isDirty)) {
			throw new Problem('unsaved', vscode.l10n.t("'{0}' has unsaved changes. Save it first.", name));
		}
		try {
			const masked = await addRow(dataset, run, name);
			void showAdded(uri, name, masked);
			return uri;
		} catch (error) {
			throw error instanceof DatasetError ? new Problem('dataset', `${name}:${error.line}: ${error.message}`) : error;
		}
	}

	/** Asks for one of the suites of an agent that have a dataset. */
	async #chooseDataset(agent: string): Promise<SuiteDataset | undefined> {
		const items = [];
		for (const uri of await this.#files.findSuites()) {
			const { suite } = await this.#files.readSuiteForDisplay(uri);
			if (suite?.dataset && suite.target?.kind === 'agent' && suite.target.model === agent) {
				items.push({ ...createSuitePickItem(uri), detail: vscode.workspace.asRelativePath(suite.dataset.file), dataset: suite.dataset });
			}
		}
		if (items.length === 0) {
			throw new Problem('no-dataset', vscode.l10n.t("No suite of '{0}' has a dataset yet.", agent), {
				title: vscode.l10n.t('Create dataset…'),
				command: 'agentWorkbench.dataset.create' satisfies CommandId,
			});
		}
		const title = vscode.l10n.t("Add Run to a Dataset of '{0}'", agent);
		return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select a suite') }))?.dataset;
	}
}

/** Throws if the row would send something different from the run. */
function requireRowInputs(run: PastRun): void {
	if (hasSecretInput(run)) {
		throw new Problem('secret', vscode.l10n.t("Can't add the run to a dataset, because it has a secret as an input."));
	}
	if (hasFile(run.inputs) || JSON.stringify(run.inputs).includes('"$file":')) {
		throw new Problem('file-input', vscode.l10n.t("Can't add the run to a dataset, because it has files, which may be gone later."));
	}
}

/** Adds the row. Returns the number of masked values. */
async function addRow(dataset: SuiteDataset, run: PastRun, name: string): Promise<number> {
	const named = { ...createRunRow({ id: '', ...toRunValues(run) }, value => value, true), $name: proposeCaseName(createCaseFromRun(run)) };
	const columns = await readColumnsToFill(dataset, vscode.l10n.t);
	const { cells: open, inputColumns, unplaced } = placeRun(dataset, named, run.query !== undefined, columns);
	const masker = new PersonalDataMasker();
	const cells = masker.maskValue(open) as Readonly<Record<string, unknown>>;
	if (unplaced.length > 0) {
		const message =
			unplaced.length === 1
				? vscode.l10n.t("'{0}' has no column for the input '{1}'. Add it to the dataset first.", name, unplaced[0]!)
				: vscode.l10n.t("'{0}' has no columns for these inputs: {1}. Add them to the dataset first.", name, formatList(unplaced));
		throw new Problem('no-column', message);
	}
	const line = await findEqualRow(dataset, cells, inputColumns, vscode.l10n.t);
	if (line !== undefined) {
		throw new Problem('duplicate', vscode.l10n.t("'{0}' already has a row with these inputs, in line {1}.", name, line), {
			title: vscode.l10n.t('Open file'),
			command: 'vscode.open',
			arguments: [vscode.Uri.file(path.resolve(dataset.file))],
		});
	}
	await appendDatasetRow(dataset, cells, columns, vscode.l10n.t);
	return masker.count;
}

async function showAdded(uri: vscode.Uri, name: string, masked: number): Promise<void> {
	const open = vscode.l10n.t('Open file');
	const done = vscode.l10n.t("Added the run to '{0}'.", name);
	const message = masked > 0 ? joinSentences(done, describeMasked(masked)) : done;
	if ((await vscode.window.showInformationMessage(escapeLinks(message), open)) === open) {
		await vscode.window.showTextDocument(uri, { preview: false });
	}
}
