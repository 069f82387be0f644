import * as vscode from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import type { AgentCoverage, CoverageSum, CoveredNode } from '#suites/coverage/agentCoverage.ts';

/** Coverage of an agent file. Each node counts as a statement, and each of its output handles as a branch. */
class AgentFileCoverage extends vscode.FileCoverage {
	readonly details: vscode.StatementCoverage[];

	constructor({ file, nodes }: AgentCoverage) {
		const ways = nodes.flatMap(node => node.ways);
		super(
			vscode.Uri.file(file),
			new vscode.TestCoverageCount(nodes.filter(({ count }) => count > 0).length, nodes.length),
			new vscode.TestCoverageCount(ways.filter(({ count }) => count > 0).length, ways.length),
		);
		this.details = nodes.map(toStatementCoverage);
	}
}

function toStatementCoverage({ count, line, endLine, ways }: CoveredNode): vscode.StatementCoverage {
	const branches = ways.map(way => new vscode.BranchCoverage(way.count, new vscode.Position(way.line, 0), way.title));
	return new vscode.StatementCoverage(count, new vscode.Range(line, 0, endLine, Number.MAX_SAFE_INTEGER), branches);
}

/** Returns the coverage of agents that have a local file. */
export async function createFileCoverage(sum: CoverageSum, agents: readonly AgentSummary[] | undefined): Promise<vscode.FileCoverage[]> {
	const covered = sum.agents.map(async name => {
		const file = findAgent(agents ?? [], name)?.file;
		if (!file) {
			return [];
		}
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
		const covered = sum.getAgentCoverage(name, file, document.getText());
		// apps without a graph have no nodes to cover
		return covered.nodes.length === 0 ? [] : [new AgentFileCoverage(covered)];
	});
	return (await Promise.all(covered)).flat();
}

/** Returns the coverage of each node and output handle in a file. VS Code requests this when the file is opened. */
export function getCoverageDetails(coverage: vscode.FileCoverage): vscode.FileCoverageDetail[] {
	return coverage instanceof AgentFileCoverage ? coverage.details : [];
}
