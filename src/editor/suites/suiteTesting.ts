import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import { getHistoryFileName } from '#suites/gate/history.ts';
import { SuiteRunner } from '#suites/running/suiteRunner.ts';
import type { ReadSuite } from '#suites/suite.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import { runInBackground } from '../platform/background.ts';
import { ColumnMemory } from '../platform/columnMemory.ts';
import { ComparedTexts } from '../platform/comparedTexts.ts';
import { suiteFileSelector } from '../platform/names.ts';
import type { FileTargets } from '../runs/files/fileTargets.ts';
import type { RunFileService } from '../runs/files/runFileService.ts';
import type { RunReader } from '../runs/following/runReader.ts';
import type { FileRecordings } from '../runs/recordings/fileRecordings.ts';
import { ResultStore } from './batches/resultStore.ts';
import { SuiteBatches } from './batches/suiteBatches.ts';
import { debugCase } from './debugCase.ts';
import { ColumnCompletion } from './editing/columnCompletion.ts';
import { SuiteCompletion } from './editing/suiteCompletion.ts';
import { SuitesFromRuns } from './editing/suitesFromRuns.ts';
import { TestExplorer } from './explorer/testExplorer.ts';
import { LastResults } from './lastResults.ts';
import { ResultActions } from './results/resultActions.ts';
import { ResultsPages } from './results/resultsPages.ts';
import { VariantActions } from './results/variantActions.ts';
import { ReviewPages } from './review/reviewPages.ts';
import { SuiteCommands } from './suiteCommands.ts';
import { SuiteDiagnostics } from './suiteDiagnostics.ts';
import { SuiteDocuments } from './suiteDocuments.ts';
import { SuiteFiles } from './suiteFiles.ts';
import { SuiteLenses } from './suiteLenses.ts';
import { SuiteServices } from './suiteServices.ts';
import { SuiteTasks, taskType } from './suiteTasks.ts';

interface SuiteTestingParts {
	readonly extensionPath: string;
	/** Folder of this workspace's data. */
	readonly dataFolder: string;
	readonly memory: vscode.Memento;
	readonly connections: Connections;
	readonly runFiles: RunFileService;
	readonly targets: FileTargets;
	readonly prepare: PrepareAgent;
	readonly recordings: FileRecordings;
	readonly reader: RunReader;
	readonly log: vscode.LogOutputChannel;
}

/** Implements test suites in the editor. In a bundle chunk that is loaded with the first suite file. */
export class SuiteTesting extends DisposableBase {
	readonly results: ResultsPages;
	readonly review: ReviewPages;
	readonly handlers: CommandHandlers;

	constructor({ extensionPath, dataFolder, memory, connections, runFiles, targets, prepare, recordings, reader, log }: SuiteTestingParts) {
		super();
		const files = this.register(new SuiteFiles(runFiles));
		const lenses = this.register(
			new SuiteLenses({
				readSuite: uri => files.readSuiteForDisplay(uri),
				getResult: uri => lastResults.getResult(uri),
				hasHistory: uri => existsSync(getHistoryFileName(uri.fsPath)),
			}),
		);
		this.register(vscode.languages.registerCodeLensProvider(suiteFileSelector, lenses));
		this.register(vscode.languages.registerCompletionItemProvider(suiteFileSelector, new SuiteCompletion(runFiles), '"'));
		this.register(vscode.languages.registerCompletionItemProvider(suiteFileSelector, new ColumnCompletion(), '{'));
		this.register(vscode.tasks.registerTaskProvider(taskType, new SuiteTasks(files)));
		const store = new ResultStore(path.join(dataFolder, 'suites'));
		const runner = new SuiteRunner({ checkThread: pathToFileURL(path.join(extensionPath, 'dist', 'checkThread.js')), t: vscode.l10n.t });
		this.register({ dispose: () => runInBackground(runner.close(), log, 'Suites') });
		const services = new SuiteServices(connections, runFiles, prepare, recordings);
		const batches = this.register(new SuiteBatches({ services, store, runner, log }));
		const diagnostics = this.register(new SuiteDiagnostics());
		const debugSuiteCase = async (uri: vscode.Uri, ordinal: number) => {
			const { suite } = await files.readSuite(uri);
			if (suite) {
				await debugCase(suite, ordinal, () => services.openService(suite));
			}
		};
		const explorer = this.register(
			new TestExplorer({
				files,
				batches,
				getAgents: uri => runFiles.getKnownAgents(runFiles.getConnection(uri)),
				debug: debugSuiteCase,
				onDidRead: (uri, read) => diagnostics.showFaults(uri, read),
				log,
			}),
		);
		const showSuite = (uri: vscode.Uri, read: ReadSuite) => {
			diagnostics.showFaults(uri, read);
			explorer.items.updateSuite(uri, read);
			lenses.refreshLenses();
		};
		const documents = this.register(new SuiteDocuments({ files, show: showSuite, forget: uri => diagnostics.removeFaults(uri), log }));
		const onFileChanged = async (uri: vscode.Uri) => {
			if (explorer.isSuiteListed(uri)) {
				explorer.items.updateSuite(uri, await files.readSuiteForDisplay(uri));
			} else {
				explorer.items.getSuiteItem(uri);
			}
		};
		this.register(files.onDidChange(uri => runInBackground(onFileChanged(uri), log, 'Suites')));
		this.register(
			files.onDidRemove(uri => {
				explorer.items.removeSuites(uri);
				diagnostics.removeFaults(uri);
			}),
		);
		const recheckSuites = () => documents.recheckSuites();
		this.register(connections.onDidChange(recheckSuites));
		this.register(connections.onDidChangeAgents(recheckSuites));
		this.register(targets.onDidChoose(recheckSuites));
		const compared = this.register(new ComparedTexts('agent-workbench-result'));
		const actions = new ResultActions({ files, batches, explorer, connections, compared });
		const variants = new VariantActions({ files, batches, store, services });
		this.results = this.register(
			new ResultsPages(vscode.Uri.file(extensionPath), {
				files,
				batches,
				store,
				actions,
				variants,
				columns: new ColumnMemory(memory, 'results'),
				log,
			}),
		);
		this.review = this.register(new ReviewPages(vscode.Uri.file(extensionPath), { files, batches, store, actions, log }));
		const lastResults = this.register(
			new LastResults({
				onDidStart: batches.onDidStart,
				showInExplorer: (uri, result) => explorer.items.showResult(uri, result),
				isPageVisible: uri => this.results.isVisible(uri),
				openResults: uri => this.results.openResults(uri),
			}),
		);
		this.register(lastResults.onDidChange(() => lenses.refreshLenses()));
		const loadData = createLazyLoader(async () => {
			const loaded = await import('./data/suiteData.ts');
			return this.register(new loaded.SuiteData({ files, connections, runFiles, reader }));
		});
		const { handlers } = new SuiteCommands({
			files,
			recordings,
			explorer,
			store,
			actions,
			variants,
			results: this.results,
			review: this.review,
			fromRuns: new SuitesFromRuns(files),
			choosePastRun: argument => reader.choosePastRun(argument),
			debug: debugSuiteCase,
		});
		this.handlers = {
			...handlers,
			'agentWorkbench.suite.import': async argument => (await loadData()).importSuite(argument),
			'agentWorkbench.dataset.create': async argument => (await loadData()).createDataset(argument),
			'agentWorkbench.dataset.addRun': async argument => (await loadData()).addRun(argument),
		};
		runInBackground(explorer.listSuites(), log, 'Suites');
	}
}
