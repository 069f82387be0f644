import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isSameFile } from '#base/files/sameFile.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { ReadSuite, Suite } from '#suites/suite.ts';
import { runInBackground } from '../../platform/background.ts';
import { listSuiteAgents } from '../suiteServices.ts';
import type { RequestedSuite } from './chosenCases.ts';

interface ContinuousRunsParts {
	/** The watched suites and cases. */
	readonly requested: readonly RequestedSuite[];
	readonly readSuite: (suite: vscode.Uri) => Promise<ReadSuite>;
	/** Returns the known agents of a suite's connection. */
	readonly agents: (suite: vscode.Uri) => Promise<readonly AgentSummary[] | undefined>;
	/** Runs the affected suites. Resolves when they have finished. */
	readonly run: (concerned: readonly RequestedSuite[]) => Promise<void>;
	readonly log: vscode.LogOutputChannel;
}

/**
 * Reruns suites when a file that they depend on is saved, until this is disposed. Saves during a run are collected and cause one more run
 * after it.
 */
export class ContinuousRuns extends DisposableBase {
	readonly #parts: ContinuousRunsParts;
	#saved = new Set<string>();
	#isRunning = false;

	constructor(parts: ContinuousRunsParts) {
		super();
		this.#parts = parts;
		this.register(
			vscode.workspace.onDidSaveTextDocument(({ uri }) => {
				if (uri.scheme === 'file') {
					this.#saved.add(uri.fsPath);
					runInBackground(this.#runAffectedSuites(), parts.log, 'Running suites on save');
				}
			}),
		);
	}

	async #runAffectedSuites(): Promise<void> {
		if (this.#isRunning) {
			return;
		}
		this.#isRunning = true;
		try {
			while (this.#saved.size > 0 && !this.disposed) {
				const files = [...this.#saved];
				this.#saved = new Set();
				const concerned = await this.#findAffectedSuites(files);
				if (concerned.length > 0 && !this.disposed) {
					await this.#parts.run(concerned);
				}
			}
		} finally {
			this.#isRunning = false;
		}
	}

	async #findAffectedSuites(files: readonly string[]): Promise<RequestedSuite[]> {
		const concerned: RequestedSuite[] = [];
		for (const each of this.#parts.requested) {
			const { suite } = await this.#parts.readSuite(each.uri);
			if (suite && (await isSuiteAffected(suite, await this.#parts.agents(each.uri), files))) {
				concerned.push(each);
			}
		}
		return concerned;
	}
}

/**
 * True if a saved file affects a suite. Such a file is the suite file, one of its run files, its dataset, or an agent file that it runs.
 */
async function isSuiteAffected(suite: Suite, agents: readonly AgentSummary[] | undefined, saved: readonly string[]): Promise<boolean> {
	const names = listSuiteAgents(suite);
	const files = [
		suite.file,
		...(suite.dataset ? [suite.dataset.file] : []),
		...suite.cases.flatMap(({ runFile }) => runFile ?? []),
		...(agents ?? []).flatMap(agent => (agent.file !== null && names.has(agent.name) ? [agent.file] : [])),
	];
	for (const each of new Set(files)) {
		for (const file of saved) {
			if (await isSameFile(each, file)) {
				return true;
			}
		}
	}
	return false;
}
