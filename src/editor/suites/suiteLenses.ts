import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { hasJudges } from '#suites/judges/hasJudges.ts';
import type { ReadSuite } from '#suites/suite.ts';
import { isEditableScheme } from '../platform/names.ts';

/** Code lenses above a suite (run, debug, results) and above each of its cases (run, debug). */
export class SuiteLenses extends DisposableBase implements vscode.CodeLensProvider {
	readonly #readSuite: (uri: vscode.Uri) => Promise<ReadSuite>;
	readonly #getResult: (uri: vscode.Uri) => string | undefined;
	readonly #hasHistory: (uri: vscode.Uri) => boolean;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChangeCodeLenses = this.#changed.event;

	/** `getResult` returns the result of the suite's last batch, if any. */
	constructor({
		readSuite,
		getResult,
		hasHistory,
	}: {
		readonly readSuite: (uri: vscode.Uri) => Promise<ReadSuite>;
		readonly getResult: (uri: vscode.Uri) => string | undefined;
		readonly hasHistory: (uri: vscode.Uri) => boolean;
	}) {
		super();
		this.#readSuite = readSuite;
		this.#getResult = getResult;
		this.#hasHistory = hasHistory;
	}

	refreshLenses(): void {
		this.#changed.fire();
	}

	async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
		if (!isEditableScheme(uri.scheme)) {
			return [];
		}
		const t = vscode.l10n.t;
		const { suite } = await this.#readSuite(uri);
		const top = [
			createCodeLens(0, t('$(play) Run Suite'), 'agentWorkbench.suite.run', t('Run all test cases of this suite'), uri),
			createCodeLens(
				0,
				t({ message: 'Debug', comment: ['verb: debugs a test case'] }),
				'agentWorkbench.suite.debug',
				t('Select a test case of this suite and debug it'),
				uri,
			),
			...(suite?.matrix
				? [
						createCodeLens(
							0,
							t('Compare Variants…'),
							'agentWorkbench.suite.compareVariants',
							t('Run each case with all variants of the suite, after you have seen the estimated cost'),
							uri,
						),
					]
				: []),
			createCodeLens(0, this.#getResult(uri) ?? t('Results'), 'agentWorkbench.suite.results', t('Open the results of this suite'), uri),
			...(this.#hasHistory(uri)
				? [
						createCodeLens(
							0,
							t({ message: 'Trend', comment: ['how the results of a suite changed over time'] }),
							'agentWorkbench.suite.showTrend',
							t('See how the results of this suite changed'),
							uri,
						),
					]
				: []),
			...(suite && hasJudges(suite)
				? [
						createCodeLens(
							0,
							t({ message: 'Review', comment: ['verb: opens the page on which a person labels outputs'] }),
							'agentWorkbench.suite.review',
							t('Label the outputs of judges, and see how far the judges agree with you'),
							uri,
						),
					]
				: []),
		];
		const here = suite?.cases.filter(({ place, attack }) => place.file === suite.file && !attack) ?? [];
		return [
			...top,
			...here.flatMap(({ place, name, ordinal }) => [
				createCodeLens(place.line - 1, t('$(play) Run'), 'agentWorkbench.suite.run', t("Run test case '{0}'", name), uri, ordinal),
				createCodeLens(
					place.line - 1,
					t({ message: 'Debug', comment: ['verb: debugs a test case'] }),
					'agentWorkbench.suite.debug',
					t("Debug test case '{0}'", name),
					uri,
					ordinal,
				),
			]),
		];
	}
}

function createCodeLens(line: number, title: string, command: CommandId, tooltip: string, ...args: unknown[]): vscode.CodeLens {
	return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, tooltip, arguments: args });
}
