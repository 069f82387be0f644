import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import type { AskedRecordingMode } from '#contract/recordings/recordings.ts';
import { readRecordingSettings } from '#runs/recordings/recordedFile.ts';
import { type DatasetCase, readDatasetCases } from '#suites/datasets/datasetCases.ts';
import type { SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite } from '#suites/suite.ts';
import type { FileRecordings } from '../runs/recordings/fileRecordings.ts';
import type { ResultStore } from './batches/resultStore.ts';
import { isNewCase, type NewCase, type PastRun } from './editing/runCase.ts';
import type { SuitesFromRuns } from './editing/suitesFromRuns.ts';
import type { TestExplorer } from './explorer/testExplorer.ts';
import { findLastRun } from './lastRun.ts';
import type { ResultActions } from './results/resultActions.ts';
import type { ResultsPages } from './results/resultsPages.ts';
import type { VariantActions } from './results/variantActions.ts';
import type { ReviewPages } from './review/reviewPages.ts';
import { chooseSuite } from './suiteChoice.ts';
import type { SuiteFiles } from './suiteFiles.ts';

/** Maximum number of dataset rows in the list of cases. */
const mostRows = 200;

interface SuiteCommandsParts {
	readonly files: SuiteFiles;
	readonly explorer: TestExplorer;
	readonly recordings: FileRecordings;
	readonly store: ResultStore;
	readonly actions: ResultActions;
	readonly variants: VariantActions;
	readonly results: ResultsPages;
	readonly review: ReviewPages;
	readonly fromRuns: SuitesFromRuns;
	/** Returns the run in a command's argument. If there is none, lets the user pick a run. */
	readonly choosePastRun: (argument: unknown) => Promise<PastRun | undefined>;
	readonly debug: (suite: vscode.Uri, ordinal: number) => Promise<void>;
}

/** Implements the commands for suites. Their first argument is the suite's URI, the second the number of a case. */
export class SuiteCommands {
	readonly #parts: SuiteCommandsParts;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.suite.run': (argument, ordinal) => this.#runSuite(argument, ordinal),
		'agentWorkbench.suite.record': (argument, mode) => this.#recordSuite(argument, mode),
		'agentWorkbench.suite.replay': argument => this.#runSuite(argument, undefined, 'none'),
		'agentWorkbench.suite.checkDrift': argument => this.#runSuite(argument, undefined, 'drift'),
		'agentWorkbench.suite.showRecording': argument => this.#showRecording(argument),
		'agentWorkbench.suite.debug': (argument, ordinal) => this.#debugTestCase(argument, ordinal),
		'agentWorkbench.suite.results': argument => this.#openResults(argument),
		'agentWorkbench.suite.showTrend': argument => this.#showTrend(argument),
		'agentWorkbench.suite.compareVariants': argument => this.#compareVariants(argument),
		'agentWorkbench.suite.review': (argument, batch) => this.#reviewResults(argument, batch),
		'agentWorkbench.suite.goToRun': argument => this.#goToRun(argument),
		'agentWorkbench.suite.newFromRun': argument => this.#applyToPastRun(argument, run => this.#parts.fromRuns.createSuite(run)),
		'agentWorkbench.suite.addRun': argument => this.#applyToPastRun(argument, run => this.#parts.fromRuns.addToSuite(run)),
	};

	constructor(parts: SuiteCommandsParts) {
		this.#parts = parts;
	}

	/** Returns the suite in the argument, or the one whose file or results the user looks at, or one that the user picks. */
	#chooseSuite(argument: unknown, title: string): Promise<vscode.Uri | undefined> {
		return chooseSuite(argument ?? this.#parts.results.activeSuite, this.#parts.files, title);
	}

	/** Returns the summary when the batch has finished, for callers of `executeCommand`. */
	async #runSuite(argument: unknown, ordinal: unknown, recordings?: AskedRecordingMode): Promise<SuiteSummary | undefined> {
		const uri = await this.#chooseSuite(argument, vscode.l10n.t('Run Suite'));
		const batch = uri && (await this.#parts.explorer.runSuite(uri, typeof ordinal === 'number' ? [{ ordinal }] : undefined, recordings));
		return batch?.summary;
	}

	async #recordSuite(argument: unknown, given: unknown): Promise<SuiteSummary | undefined> {
		const uri = await this.#chooseSuite(argument, vscode.l10n.t('Record Suite'));
		const document = uri && (await vscode.workspace.openTextDocument(uri));
		const settings = document && readRecordingSettings(document.getText());
		const mode = uri && (await this.#parts.recordings.chooseRecordMode(uri, settings, given));
		return mode && this.#runSuite(uri, undefined, mode);
	}

	async #showRecording(argument: unknown): Promise<void> {
		const uri = await this.#chooseSuite(argument, vscode.l10n.t('Show Recording'));
		if (uri) {
			await this.#parts.recordings.showRecording(await vscode.workspace.openTextDocument(uri));
		}
	}

	async #debugTestCase(argument: unknown, ordinal: unknown): Promise<void> {
		const uri = await this.#chooseSuite(argument, vscode.l10n.t('Debug Test Case'));
		const chosen = typeof ordinal === 'number' ? ordinal : uri && (await this.#chooseCase(uri));
		if (uri && chosen !== undefined) {
			await this.#parts.debug(uri, chosen);
		}
	}

	/** The argument can also be a case that was made from a prompt. */
	async #applyToPastRun(
		argument: unknown,
		act: (source: PastRun | NewCase) => Promise<vscode.Uri | undefined>,
	): Promise<vscode.Uri | undefined> {
		const run = isNewCase(argument) ? argument : await this.#parts.choosePastRun(argument);
		return run && act(run);
	}

	async #openResults(argument: unknown): Promise<void> {
		const item = toTestItem(argument);
		const meant = item && this.#parts.explorer.items.getItemSubject(item);
		const uri = meant?.uri ?? (await this.#chooseSuite(argument, vscode.l10n.t('Open Suite Results')));
		if (uri) {
			this.#parts.results.openResults(uri);
		}
	}

	async #showTrend(argument: unknown): Promise<void> {
		const uri = await this.#chooseSuite(argument, vscode.l10n.t('Show Suite Trend'));
		if (uri) {
			this.#parts.results.openResults(uri, 'trend');
		}
	}

	async #compareVariants(argument: unknown): Promise<void> {
		const uri = await this.#chooseSuite(argument, vscode.l10n.t('Compare Variants'));
		if (uri) {
			await this.#parts.variants.compareVariants(uri, () => this.#parts.results.openResults(uri));
		}
	}

	/** `batch` is the ID of a batch on the results page. */
	async #reviewResults(argument: unknown, batch: unknown): Promise<void> {
		const uri = await this.#chooseSuite(argument, vscode.l10n.t('Review Results'));
		if (uri) {
			await this.#parts.review.openReview(uri, typeof batch === 'string' ? batch : undefined);
		}
	}

	async #chooseCase(uri: vscode.Uri): Promise<number | undefined> {
		const items = this.#parts.files.readSuite(uri).then(async ({ suite }) => {
			const found = suite ? [...suite.cases.filter(({ attack }) => !attack), ...(await readFirstRows(suite))] : [];
			return found.map(({ name, ordinal }) => ({ label: name, iconPath: new vscode.ThemeIcon('debug'), ordinal }));
		});
		const picked = await vscode.window.showQuickPick(items, {
			title: vscode.l10n.t('Debug Test Case'),
			placeHolder: vscode.l10n.t('Select a test case'),
		});
		return picked?.ordinal;
	}

	/** Opens the last run of a case in the inspector. The argument is the case's item in the Test Explorer. */
	async #goToRun(argument: unknown): Promise<void> {
		const item = toTestItem(argument);
		const meant = item && this.#parts.explorer.items.getItemSubject(item);
		if (!item || (meant?.kind !== 'case' && meant?.kind !== 'row')) {
			throw new Problem('no-case', vscode.l10n.t('Select a test case to go to its run.'));
		}
		const found = await findLastRun(this.#parts.store, meant.uri.fsPath, {
			name: item.label,
			...(meant.row !== undefined && { row: meant.row }),
		});
		if (!found) {
			throw new Problem('no-run', vscode.l10n.t("No saved run of '{0}'. Run it first.", item.label));
		}
		await this.#parts.actions.goToRun(meant.uri, found.result, found.connection);
	}
}

/** Returns the rows to offer in the list. Other rows can be debugged from the Test Explorer. */
async function readFirstRows(suite: Suite): Promise<DatasetCase[]> {
	const rows: DatasetCase[] = [];
	for await (const row of readDatasetCases(suite)) {
		if (rows.push(row) === mostRows) {
			break;
		}
	}
	return rows;
}

/** Returns the test item that a menu of the Test Explorer or of a message passes to a command. */
function toTestItem(argument: unknown): vscode.TestItem | undefined {
	const item = typeof argument === 'object' && argument !== null && 'test' in argument ? argument.test : argument;
	return typeof item === 'object' && item !== null && 'children' in item && 'label' in item ? (item as vscode.TestItem) : undefined;
}
