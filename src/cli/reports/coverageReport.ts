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
			const read = await readAgentText(this.#agents, agent);
			if (read) {
				// use a relative path, because coverage tools compare it with a checkout
				covered.push(this.#sum.getAgentCoverage(agent, formatRelativePath(read.file), read.text));
			}
		}
		await this.#file.write(formatLcov(covered));
		await this.#file.close();
	}
}

/** Reads the file of an agent. Resolves to `undefined` if there is none, as for agents of a remote service, or it can't be read. */
export async function readAgentText(
	agents: readonly AgentSummary[],
	name: string,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
	const file = agents.find(each => each.name === name)?.file;
	const text = file ? await fs.readFile(file, 'utf8').catch(() => undefined) : undefined;
	return file && text !== undefined ? { file, text } : undefined;
}
