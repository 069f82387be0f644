import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isCancellation, messageOf } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { CoverageSum } from '#suites/coverage/agentCoverage.ts';
import type { ReadSuite } from '#suites/suite.ts';
import type { WindowBatch } from '../batches/batch.ts';
import type { SuiteBatches } from '../batches/suiteBatches.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import { agentFileCoverage, detailsOf } from './agentFileCoverage.ts';
import { type AskedSuite, askedSuites, firstMeant, ordinalsOf } from './chosenCases.ts';
import { ContinuousRuns } from './continuousRuns.ts';
import { faultsText, SuiteItems } from './suiteItems.ts';
import { SuiteTestRun } from './suiteTestRun.ts';

interface TestExplorerParts {
	readonly files: SuiteFiles;
	readonly batches: SuiteBatches;
	/** Known agents of a suite's connection. */
	readonly agents: (suite: vscode.Uri) => Promise<readonly AgentSummary[] | undefined>;
	/** Debugs one case. */
	readonly debug: (suite: vscode.Uri, ordinal: number) => Promise<void>;
	/** Called with what was read when a suite is read for a run. */
	readonly onDidRead: (suite: vscode.Uri, read: ReadSuite) => void;
	readonly log: vscode.LogOutputChannel;
}

/** The test controller for suites: lists and runs them and reports results. */
export class TestExplorer extends DisposableBase {
	readonly items: SuiteItems;
	readonly #parts: TestExplorerParts;
	readonly #controller: vscode.TestController;

	constructor(parts: TestExplorerParts) {
		super();
		this.#parts = parts;
		this.#controller = this.own(vscode.tests.createTestController('agentWorkbench.suites', vscode.l10n.t('Agents')));
		this.items = new SuiteItems(this.#controller);
		this.#controller.resolveHandler = item => this.#resolve(item);
		this.#controller.refreshHandler = () => this.find();
		const { Run, Debug, Coverage } = vscode.TestRunProfileKind;
		const profile = (label: string, kind: vscode.TestRunProfileKind, isDefault: boolean) =>
			this.own(this.#controller.createRunProfile(label, kind, (request, token) => this.#handle(request, token, kind), isDefault));
		profile(vscode.l10n.t('Run'), Run, true).supportsContinuousRun = true;
		profile(vscode.l10n.t('Debug'), Debug, true);
		const coverage = profile(vscode.l10n.t('Run with Coverage'), Coverage, true);
		coverage.supportsContinuousRun = true;
		coverage.loadDetailedCoverage = async (_run, of) => detailsOf(of);
	}

	/** Lists the suite files of the workspace. */
	async find(): Promise<void> {
		for (const uri of await this.#parts.files.find()) {
			this.items.suite(uri);
		}
	}

	/** True if the cases of a suite are listed. */
	isOpen(uri: vscode.Uri): boolean {
		return this.items.suite(uri).children.size > 0;
	}

	/** Runs a suite or some of its cases as a test run. Resolves when it has finished; `undefined` if no batch could be started. */
	async run(uri: vscode.Uri, ordinals: readonly number[] | undefined): Promise<WindowBatch | undefined> {
		const item = this.items.suite(uri);
		const chosen = ordinals?.map(ordinal => ({ kind: 'case', uri, ordinal }) as const) ?? [];
		const run = this.#controller.createTestRun(new vscode.TestRunRequest([item]), item.label);
		try {
			return await this.#runSuite(run, { uri, items: chosen, without: [] }, false, run.token);
		} finally {
			run.end();
		}
	}

	/** Shows a batch that was started elsewhere. */
	async show(batch: WindowBatch): Promise<void> {
		const uri = vscode.Uri.file(batch.suite.file);
		const item = this.items.suite(uri);
		const run = this.#controller.createTestRun(new vscode.TestRunRequest([item]), item.label);
		const cancelling = run.token.onCancellationRequested(() => batch.cancel());
		await new SuiteTestRun(run, this.items, uri, batch.suite).follow(batch);
		cancelling.dispose();
		run.end();
	}

	async #resolve(item: vscode.TestItem | undefined): Promise<void> {
		if (!item) {
			await this.find();
			return;
		}
		const meant = this.items.meant(item);
		if (!meant) {
			return;
		}
		const read = await this.#parts.files.look(meant.uri);
		if (meant.kind === 'suite') {
			this.items.show(meant.uri, read);
		} else if (read.suite && meant.kind === 'dataset') {
			await this.items.resolveDataset(read.suite, meant.uri);
		} else if (read.suite) {
			await this.items.resolvePage(item, read.suite);
		}
	}

	async #handle(request: vscode.TestRunRequest, token: vscode.CancellationToken, kind: vscode.TestRunProfileKind): Promise<void> {
		const asked = askedSuites(request, this.items, await this.#all());
		if (kind === vscode.TestRunProfileKind.Debug) {
			await this.#debug(request, asked);
			return;
		}
		const coverage = kind === vscode.TestRunProfileKind.Coverage;
		if (request.continuous) {
			this.#runOnSave(request, asked, coverage, token);
			return;
		}
		await this.#run(request, asked, coverage, token);
	}

	async #all(): Promise<vscode.TestItem[]> {
		await this.find();
		return [...this.#controller.items].map(([, item]) => item);
	}

	async #run(
		request: vscode.TestRunRequest,
		asked: readonly AskedSuite[],
		coverage: boolean,
		token: vscode.CancellationToken,
	): Promise<void> {
		const run = this.#controller.createTestRun(request);
		try {
			// start all suites in parallel: the connection limits how many runs are active
			await Promise.all(asked.map(each => this.#runSuite(run, each, coverage, token)));
		} finally {
			run.end();
		}
	}

	async #runSuite(
		run: vscode.TestRun,
		asked: AskedSuite,
		coverage: boolean,
		token: vscode.CancellationToken,
	): Promise<WindowBatch | undefined> {
		const { uri } = asked;
		const item = this.items.suite(uri);
		const refuse = (message: string) => run.errored(item, new vscode.TestMessage(message));
		try {
			const read = await this.#parts.files.read(uri);
			this.#parts.onDidRead(uri, read);
			this.items.show(uri, read);
			if (!read.suite) {
				refuse(faultsText(read.faults));
				return undefined;
			}
			const { suite } = read;
			await this.items.resolveDataset(suite, uri);
			const ordinals = await ordinalsOf(asked, suite);
			this.#enqueue(run, item, ordinals);
			const batch = await this.#parts.batches.start(suite, { coverage, ...(ordinals && { ordinals }) });
			const cancelling = token.onCancellationRequested(() => batch.cancel());
			if (token.isCancellationRequested) {
				batch.cancel();
			}
			const sum = new CoverageSum();
			const covering = batch.onEvent(event => event.type === 'result' && event.result.coverage && sum.add(event.result.coverage));
			await new SuiteTestRun(run, this.items, uri, suite).follow(batch);
			cancelling.dispose();
			covering.dispose();
			if (coverage) {
				for (const file of await agentFileCoverage(sum, await this.#parts.agents(uri))) {
					run.addCoverage(file);
				}
			}
			return batch;
		} catch (error) {
			if (isCancellation(error)) {
				run.skipped(item);
			} else {
				refuse(messageOf(error));
			}
			return undefined;
		}
	}

	/** Marks the items that are about to run. */
	#enqueue(run: vscode.TestRun, suite: vscode.TestItem, ordinals: ReadonlySet<number> | undefined): void {
		const visit = (item: vscode.TestItem) => {
			const meant = this.items.meant(item);
			if ((meant?.kind === 'case' || meant?.kind === 'row') && (!ordinals || ordinals.has(meant.ordinal))) {
				run.enqueued(item);
			}
			item.children.forEach(visit);
		};
		visit(suite);
	}

	async #debug(request: vscode.TestRunRequest, asked: readonly AskedSuite[]): Promise<void> {
		for (const { uri, items } of asked) {
			try {
				const { suite } = await this.#parts.files.read(uri);
				const ordinal = suite && firstMeant(items, suite);
				if (ordinal !== undefined) {
					await this.#parts.debug(uri, ordinal);
				}
			} catch (error) {
				// the Test Explorer doesn't show errors that its handlers reject with
				const run = this.#controller.createTestRun(request);
				run.errored(request.include?.[0] ?? this.items.suite(uri), new vscode.TestMessage(messageOf(error)));
				run.end();
			}
		}
	}

	/** Reruns suites when files that they depend on are saved, until the user stops it. */
	#runOnSave(request: vscode.TestRunRequest, asked: readonly AskedSuite[], coverage: boolean, token: vscode.CancellationToken): void {
		const { agents, files, log } = this.#parts;
		const run = (concerned: readonly AskedSuite[]) => this.#run(request, concerned, coverage, token);
		const runs = this.own(new ContinuousRuns({ asked, look: uri => files.look(uri), agents, run, log }));
		token.onCancellationRequested(() => runs.dispose());
	}
}
