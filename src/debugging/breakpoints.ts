import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import type { DebugBreakpoint } from '../protocol/debugging.ts';
import type { AgentLines, NodeLines } from './agentLines.ts';

/** What breakpoints are placed in. */
export interface BreakpointTexts {
	/** Path of the agent file that is debugged. */
	readonly agentPath: string;
	/** Its text as it runs. */
	readonly runs: AgentLines;
	/** Its text as the editor has it now: breakpoints follow what is edited. */
	readonly now: AgentLines;
}

/** The breakpoints of a session: from lines of the editor to nodes of the run, and what the editor is told of each. */
export class Breakpoints {
	#byPath = new Map<string, readonly PlacedBreakpoint[]>();
	#next = 1;

	/** Sets those of a file; the answer has one for each, in their order. Lines count from 1. */
	set(path: string, wanted: readonly DebugProtocol.SourceBreakpoint[], texts: BreakpointTexts): DebugProtocol.Breakpoint[] {
		const placed = wanted.map(breakpoint => this.#place(path, breakpoint, texts));
		this.#byPath.set(path, placed);
		return placed.map(({ answer }) => answer);
	}

	/** All that stop the run, as the gateway wants them. */
	forGateway(): DebugBreakpoint[] {
		return [...this.#byPath.values()].flat().flatMap(({ sent }) => (sent ? [sent] : []));
	}

	#place(
		path: string,
		{ line, condition, hitCondition, logMessage }: DebugProtocol.SourceBreakpoint,
		texts: BreakpointTexts,
	): PlacedBreakpoint {
		const id = this.#next++;
		const node = path === texts.agentPath ? texts.now.at(line) : undefined;
		const why =
			path === texts.agentPath ? reasonAgainst(node, texts) : vscode.l10n.t('Another agent is debugged, not the one of this file.');
		if (!node || why !== undefined) {
			return { answer: { id, verified: false, line, reason: 'failed', ...(why !== undefined && { message: why }) } };
		}
		const sent: DebugBreakpoint = {
			id: String(id),
			node: node.id,
			...(condition && { condition }),
			...(hitCondition && { hit_condition: hitCondition }),
			...(logMessage && { log_message: logMessage }),
		};
		return { answer: { id, verified: true, line: node.first }, sent };
	}
}

interface PlacedBreakpoint {
	readonly answer: DebugProtocol.Breakpoint;
	readonly sent?: DebugBreakpoint;
}

/** Why a breakpoint would stop nothing. */
function reasonAgainst(node: NodeLines | undefined, { runs, now }: BreakpointTexts): string | undefined {
	if (!node) {
		return now.error === undefined
			? vscode.l10n.t('A run stops before nodes: expected a line in the block of a node.')
			: vscode.l10n.t('The file cannot be read: {0}', now.error);
	}
	const running = runs.of(node.id);
	if (!running) {
		return vscode.l10n.t('“{0}” is not in the run, which began before it was written: start the run anew.', node.title);
	}
	return running.reached ? undefined : vscode.l10n.t('A run never comes to “{0}”: nothing leads to it.', node.title);
}
