import type { CaseCoverage } from '../results/caseResult.ts';

/** A statement of an agent file: a node, with how often it ran. */
export interface CoveredNode {
	readonly id: string;
	readonly title: string;
	/** Where it stands in the agent file, lines from 0 (as VS Code counts them), and how often it ran. */
	readonly line: number;
	readonly endLine: number;
	readonly count: number;
	/** Ways out, where it has several: each with how often it was taken. */
	readonly ways: readonly { readonly handle: string; readonly title: string; readonly line: number; readonly count: number }[];
}

/** What was covered of one agent file. */
export interface AgentCoverage {
	readonly agent: string;
	readonly file: string;
	readonly nodes: readonly CoveredNode[];
}

/** Adds up what results covered. */
export class CoverageSum {
	readonly #covered: CaseCoverage[] = [];

	add(coverage: CaseCoverage): void {
		this.#covered.push(coverage);
	}

	/** Agents that were run. */
	get agents(): readonly string[] {
		return [...new Set(this.#covered.map(({ agent }) => agent))];
	}

	/** What was covered of an agent, by the text of its file. */
	of(agent: string, file: string, text: string): AgentCoverage {
		throw new Error(`not written yet: ${agent} ${file} ${text.length}`);
	}
}

/** The same as an lcov file. */
export function lcovOf(files: readonly AgentCoverage[]): string {
	throw new Error(`not written yet: ${files.length}`);
}
