import fs from 'node:fs/promises';
import { formatRelativePath } from '#base/files/relativePath.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { CoverageSum } from '#suites/coverage/agentCoverage.ts';
import { formatLcov } from '#suites/coverage/lcov.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import type { ReportFile } from './reportFile.ts';
import type { SuiteReport } from './suiteReport.ts';

/** Writes the coverage of nodes and branches as an lcov file. */
export class CoverageReport implements SuiteReport {
	readonly #file: ReportFile;
	readonly #agents: readonly AgentSummary[];
	readonly #sum = new CoverageSum();

	/** @param agents the service's agents, with their files */
	constructor(file: ReportFile, agents: readonly AgentSummary[]) {
		this.#file = file;
		this.#agents = agents;
	}

	async startSuite(): Promise<void> {}

	async onResult({ coverage }: CaseResult): Promise<void> {
		if (coverage) {
			this.#sum.add(coverage);
		}
	}

	async endSuite(): Promise<void> {}

	async close(): Promise<void> {
		const covered = [];
		for (const agent of this.#sum.agents) {
			const file = this.#agents.find(({ name }) => name === agent)?.file;
			// agents of a remote service have no local file
			const text = file ? await fs.readFile(file, 'utf8').catch(() => undefined) : undefined;
			if (file && text !== undefined) {
				// use a relative path, because coverage tools compare it with a checkout
				covered.push(this.#sum.getAgentCoverage(agent, formatRelativePath(file), text));
			}
		}
		await this.#file.write(formatLcov(covered));
		await this.#file.close();
	}
}
