import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import { cutText } from '#base/text/cutText.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { acceptSnapshots } from '#suites/results/snapshots.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { ComparedTexts } from '../../platform/comparedTexts.ts';
import type { SuiteBatches } from '../batches/suiteBatches.ts';
import { formatTestValue } from '../explorer/failureMessages.ts';
import type { ChosenCase } from '../explorer/suiteItems.ts';
import type { TestExplorer } from '../explorer/testExplorer.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import { listSuiteAgents } from '../suiteServices.ts';
import type { ExportFormat } from './exportResults.ts';
import { saveResults } from './saveResults.ts';
import type { ShownBatch } from './shownBatch.ts';

/** Maximum length of a case's name in the title of a tab. */
const longestTitle = 40;

interface ResultActionsParts {
	readonly files: SuiteFiles;
	readonly batches: SuiteBatches;
	readonly explorer: TestExplorer;
	readonly connections: Connections;
	readonly compared: ComparedTexts;
}

/** Actions on results, shared by the results page and the Test Explorer. */
export class ResultActions {
	readonly #parts: ResultActionsParts;

	constructor(parts: ResultActionsParts) {
		this.#parts = parts;
	}

	/** Runs a suite or some of its cases in the Test Explorer. */
	async runSuite(suite: vscode.Uri, cases: readonly ChosenCase[] | undefined): Promise<void> {
		await this.#parts.explorer.runSuite(suite, cases);
	}

	/** Resumes an interrupted batch. */
	async resumeBatch(uri: vscode.Uri, file: string): Promise<void> {
		const { suite } = await this.#parts.files.readSuite(uri);
		if (!suite) {
			throw new Problem('wrong-suite', vscode.l10n.t('The suite has errors. Fix the errors listed in Problems first.'));
		}
		const batch = await this.#parts.batches.start(suite, { resume: file });
		if (!batch.comparesVariants) {
			await this.#parts.explorer.showBatch(batch);
		}
	}

	/** Opens the run of a case in the inspector. `connection` is the name of the connection that it ran on. */
	async goToRun(uri: vscode.Uri, { name, row, run }: CaseResult, connection: string | undefined): Promise<void> {
		const { suite } = await this.#parts.files.readSuiteForDisplay(uri);
		const target = suite?.cases.find(each => row === undefined && each.name === name)?.target ?? suite?.target;
		const agent = target?.kind === 'agent' ? target.model : suite && [...listSuiteAgents(suite)][0];
		const found = this.#parts.connections.list().find(each => each.name === connection);
		if (agent === undefined || !found || run?.id === undefined) {
			throw new Problem('no-run', vscode.l10n.t("No saved run of '{0}'. Run it first.", name));
		}
		const reference: ServiceRunReference = { connectionId: found.id, agentName: agent, runId: run.id };
		await vscode.commands.executeCommand('agentWorkbench.run.inspect' satisfies CommandId, reference);
	}

	/** Opens the file of a case at its line. */
	async goToCase({ place: { file, line } }: CaseResult): Promise<void> {
		const at = new vscode.Range(line - 1, 0, line - 1, 0);
		await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: at });
	}

	/** Compares the outputs of a case with those of the baseline. */
	async compareOutputs(result: CaseResult, before: CaseResult | undefined): Promise<void> {
		if (!before) {
			throw new Problem('no-baseline', vscode.l10n.t("The baseline has no test case '{0}'.", result.name));
		}
		const title = vscode.l10n.t('{0} (Baseline ↔ Current)', cutText(result.name, longestTitle));
		await this.#showDiff(title, before.outputs, result.outputs);
	}

	/** Compares the outputs of two results of a case. */
	async compareResults(first: CaseResult, second: CaseResult): Promise<void> {
		const describe = ({ name, variant }: CaseResult) => cutText(name === first.name && variant ? variant : name, longestTitle);
		const title = `${cutText(first.name, longestTitle)} (${describe(first)} ↔ ${describe(second)})`;
		await this.#showDiff(first.name === second.name ? title : `${describe(first)} ↔ ${describe(second)}`, first.outputs, second.outputs);
	}

	/** Compares the expected and actual value of a check. */
	async compareExpected({ name, checks }: CaseResult, at: number): Promise<void> {
		const check = checks[at];
		if (check) {
			const title = vscode.l10n.t('{0} (Expected ↔ Actual)', cutText(name, longestTitle));
			await this.#showDiff(title, check.expected, check.actual);
		}
	}

	async #showDiff(title: string, before: unknown, after: unknown): Promise<void> {
		const texts = [before, after].map(formatTestValue);
		const name = texts.every(text => /^\s*[[{]/.test(text)) ? 'value.json' : 'value.txt';
		const [left = '', right = ''] = texts;
		await this.#parts.compared.showDiff(title, { name, text: left }, { name, text: right });
	}

	/** Accepts the actual values of these results' snapshot checks as the new snapshots. */
	async acceptSnapshots(suite: vscode.Uri, results: readonly CaseResult[]): Promise<void> {
		await acceptSnapshots(suite.fsPath, results);
		vscode.window.setStatusBarMessage(vscode.l10n.t('Snapshot accepted. The next run will be compared with it.'), 5000);
	}

	/** Exports the listed results to a file that the user chooses. */
	async exportListedResults(name: string, format: ExportFormat, shown: ShownBatch): Promise<void> {
		await saveResults(name, format, shown.streamListedResults(), shown.count);
	}
}
