import * as vscode from 'vscode';
import { AgentLines } from '#agentFile/agentLines.ts';
import type { ResolvedNode } from './resolveNode.ts';

/** Adds a breakpoint at a node's first line, or removes the breakpoints in its block. */
export function toggleBreakpoint({ document, node }: Pick<ResolvedNode, 'document' | 'node'>): void {
	const lines = new AgentLines(document.getText()).findNode(node.id);
	if (!lines) {
		return;
	}
	const set = vscode.debug.breakpoints.filter(
		each =>
			each instanceof vscode.SourceBreakpoint &&
			each.location.uri.toString() === document.uri.toString() &&
			lines.first <= each.location.range.start.line + 1 &&
			each.location.range.start.line + 1 <= lines.last,
	);
	if (set.length > 0) {
		vscode.debug.removeBreakpoints(set);
	} else {
		const at = new vscode.Position(lines.first - 1, 0);
		vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(new vscode.Location(document.uri, at))]);
	}
}
