import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage, isCancellation } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { AskedRecordingMode } from '#contract/recordings/recordings.ts';
import { CoverageSum } from '#suites/coverage/agentCoverage.ts';
import type { ReadSuite } from '#suites/suite.ts';
import type { WindowBatch } from '../batches/batch.ts';
import type { SuiteBatches } from '../batches/suiteBatches.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import { createFileCoverage, getCoverageDetails } from './agentFileCoverage.ts';
import { findFirstOrdinal, groupBySuite, type RequestedSuite, resolveOrdinals } from './chosenCases.ts';
import { ContinuousRuns } from './continuousRuns.ts';
import { type ChosenCase, formatSuiteErrors, SuiteItems } from './suiteItems.ts';
import { SuiteTestRun } from './suiteTestRun.ts';

interface TestExplorerParts {
	readonly files: SuiteFiles;
	readonly batches: SuiteBatches;
	/** Returns the known agents of a suite's connection. */
	readonly getAgents: (suite: vscode.Uri) => Promise<readonly AgentSummary[] | undefined>;
	/** Debugs one case. */
	readonly debug: (suite: vscode.Uri, ordinal: number) => Promise<void>;
	/** Called with the content of a suite when it is read for a run. */
	readonly onDidRead: (suite: vscode.Uri, read: ReadSuite) => void;
	readonly log: vscode.LogOutputChannel;
}

/** What a run of suites does besides running their cases. */
interface RunHow {
	readonly coverage: boolean;
	/** Mode of the recording that the user asked for. */
	readonly recordings: AskedRecordingMode | undefined;
}

/** The test controller for suites. Lists and runs suites, and reports results. */
export class TestExplorer extends DisposableBase {
	readonly items: SuiteItems;
	readonly #parts: TestExplorerParts;
	readonly #controller: vscode.TestController;

	constructor(parts: TestExplorerParts) {
		super();
		this.#parts = parts;
		this.#controller = this.register(vscode.tests.createTestController('agentWorkbench.suites', vscode.l10n.t('Agents')));
		this.items = new SuiteItems(this.#controller);
		this.#controller.resolveHandler = item => this.#resolveItem(item);
		this.#controller.refreshHandler = () => this.listSuites();
		const { Run, Debug, Coverage } = vscode.TestRunProfileKind;
		const createProfile = (label: string, kind: vscode.TestRunProfileKind, isDefault: boolean) =>
			this.register(
				this.#controller.createRunProfile(label, kind, (request, token) => this.#handleRequest(request, token, kind), isDefault),
			);
		createProfile(vscode.l10n.t('Run'), Run, true).supportsContinuousRun = true;
		createProfile(vscode.l10n.t('Debug'), Debug, true);
		for (const mode of ['new', 'none'] as const) {
			const label =
				mode === 'none'
					? vscode.l10n.t('Replay')
					: vscode.l10n.t({ message: 'Record', comment: ['verb: records the replies of models and services'] });
			this.register(
				this.#controller.createRunProfile(label, Run, (request, token) => this.#handleRequest(request, token, Run, mode), false),
			);
		}
		const coverage = createProfile(vscode.l10n.t('Run with Coverage'), Coverage, true);
		coverage.supportsContinuousRun = true;
		coverage.loadDetailedCoverage = async (_run, of) => getCoverageDetails(of);
	}

	/** Lists the suite files of the workspace. */
	async listSuites(): Promise<void> {
		for (const uri of await this.#parts.files.findSuites()) {
			this.items.getSuiteItem(uri);
		}
	}

	/** True if the cases of a suite are listed. */
	isSuiteListed(uri: vscode.Uri): boolean {
		return this.items.getSuiteItem(uri).children.size > 0;
	}

	/**
	 * Runs a suite or some of its cases as a test run. Resolves when the batch has finished, or to `undefined` if no batch could be started.
	 */
	async runSuite(
		uri: vscode.Uri,
		cases: readonly ChosenCase[] | undefined,
		recordings?: AskedRecordingMode,
	): Promise<WindowBatch | undefined> {
		const item = this.items.getSuiteItem(uri);
		const chosen = cases?.map(each => ({ kind: each.row === undefined ? 'case' : 'row', uri, ...each }) as const) ?? [];
		const run = this.#controller.createTestRun(new vscode.TestRunRequest([item]), item.label);
		try {
			return await this.#runInTestRun(run, { uri, items: chosen, excluded: [] }, { coverage: false, recordings }, run.token);
		} finally {
			run.end();
		}
	}

	/** Shows a batch that was started elsewhere. */
	async showBatch(batch: WindowBatch): Promise<void> {
		const uri = vscode.Uri.file(batch.suite.file);
		const item = this.items.getSuiteItem(uri);
		const run = this.#controller.createTestRun(new vscode.TestRunRequest([item]), item.label);
		const cancelling = run.token.onCancellationRequested(() => batch.cancelBatch());
		await new SuiteTestRun(run, this.items, uri, batch.suite).followBatch(batch);
		cancelling.dispose();
		run.end();
	}

	async #resolveItem(item: vscode.TestItem | undefined): Promise<void> {
		if (!item) {
			await this.listSuites();
			return;
		}
		const meant = this.items.getItemSubject(item);
		if (!meant) {
			return;
		}
		const read = await this.#parts.files.readSuiteForDisplay(meant.uri);
		if (meant.kind === 'suite') {
			this.items.updateSuite(meant.uri, read);
		} else if (read.suite && meant.kind === 'dataset') {
			await this.items.resolveDataset(read.suite, meant.uri);
		} else if (read.suite) {
			await this.items.resolvePage(item, read.suite);
		}
	}

	async #handleRequest(
		request: vscode.TestRunRequest,
		token: vscode.CancellationToken,
		kind: vscode.TestRunProfileKind,
		recordings?: AskedRecordingMode,
	): Promise<void> {
		const asked = groupBySuite(request, this.items, await this.#listItems());
		if (kind === vscode.TestRunProfileKind.Debug) {
			await this.#debugFirstCase(request, asked);
			return;
		}
		const how = { coverage: kind === vscode.TestRunProfileKind.Coverage, recordings };
		if (request.continuous) {
			this.#startContinuousRun(request, asked, how, token);
			return;
		}
		await this.#runSuites(request, asked, how, token);
	}

	async #listItems(): Promise<vscode.TestItem[]> {
		await this.listSuites();
		return [...this.#controller.items].map(([, item]) => item);
	}

	async #runSuites(
		request: vscode.TestRunRequest,
		asked: readonly RequestedSuite[],
		how: RunHow,
		token: vscode.CancellationToken,
	): Promise<void> {
		const run = this.#controller.createTestRun(request);
		try {
			// start all suites in parallel, because the connection limits how many runs are active
			await Promise.all(asked.map(each => this.#runInTestRun(run, each, how, token)));
		} finally {
			run.end();
		}
	}

	async #runInTestRun(
		run: vscode.TestRun,
		asked: RequestedSuite,
		how: RunHow,
		token: vscode.CancellationToken,
	): Promise<WindowBatch | undefined> {
		const { uri } = asked;
		const { coverage, recordings } = how;
		const item = this.items.getSuiteItem(uri);
		const reportError = (message: string) => run.errored(item, new vscode.TestMessage(message));
		try {
			const read = await this.#parts.files.readSuite(uri);
			this.#parts.onDidRead(uri, read);
			this.items.updateSuite(uri, read);
			if (!read.suite) {
				reportError(formatSuiteErrors(read.faults));
				return undefined;
			}
			const { suite } = read;
			await this.items.resolveDataset(suite, uri);
			const ordinals = await resolveOrdinals(asked, suite);
			this.#enqueueItems(run, item, ordinals);
			const batch = await this.#parts.batches.start(suite, { coverage, ...(ordinals && { ordinals }), ...(recordings && { recordings }) });
			const cancelling = token.onCancellationRequested(() => batch.cancelBatch());
			if (token.isCancellationRequested) {
				batch.cancelBatch();
			}
			const sum = new CoverageSum();
			const covering = batch.onEvent(event => event.type === 'result' && event.result.coverage && sum.add(event.result.coverage));
			await new SuiteTestRun(run, this.items, uri, suite).followBatch(batch);
			cancelling.dispose();
			covering.dispose();
			if (coverage) {
				for (const file of await createFileCoverage(sum, await this.#parts.getAgents(uri))) {
					run.addCoverage(file);
				}
			}
			return batch;
		} catch (error) {
			if (isCancellation(error)) {
				run.skipped(item);
			} else {
				reportError(getErrorMessage(error));
			}
			return undefined;
		}
	}

	/** Marks the items that are about to run. */
	#enqueueItems(run: vscode.TestRun, suite: vscode.TestItem, ordinals: ReadonlySet<number> | undefined): void {
		const enqueueItem = (item: vscode.TestItem) => {
			const meant = this.items.getItemSubject(item);
			if ((meant?.kind === 'case' || meant?.kind === 'row') && (!ordinals || ordinals.has(meant.ordinal))) {
				run.enqueued(item);
			}
			item.children.forEach(enqueueItem);
		};
		enqueueItem(suite);
	}

	async #debugFirstCase(request: vscode.TestRunRequest, asked: readonly RequestedSuite[]): Promise<void> {
		for (const { uri, items } of asked) {
			try {
				const { suite } = await this.#parts.files.readSuite(uri);
				const ordinal = suite && (await findFirstOrdinal(items, suite));
				if (ordinal !== undefined) {
					await this.#parts.debug(uri, ordinal);
				}
			} catch (error) {
				// the Test Explorer doesn't show errors that its handlers reject with
				const run = this.#controller.createTestRun(request);
				run.errored(request.include?.[0] ?? this.items.getSuiteItem(uri), new vscode.TestMessage(getErrorMessage(error)));
				run.end();
			}
		}
	}

	/** Reruns suites when files that they depend on are saved, until the user stops this. */
	#startContinuousRun(
		request: vscode.TestRunRequest,
		asked: readonly RequestedSuite[],
		how: RunHow,
		token: vscode.CancellationToken,
	): void {
		const { getAgents: agents, files, log } = this.#parts;
		const run = (concerned: readonly RequestedSuite[]) => this.#runSuites(request, concerned, how, token);
		const runs = this.register(
			new ContinuousRuns({ requested: asked, readSuite: uri => files.readSuiteForDisplay(uri), agents, run, log }),
		);
		token.onCancellationRequested(() => runs.dispose());
	}
}
