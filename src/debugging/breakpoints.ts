import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import type { NodeLines } from '../agentFile/agentLines.ts';
import type { DebugBreakpoint } from '../protocol/debugging.ts';
import { type RunTexts, textOfRun } from './runTexts.ts';

/** The breakpoints of a session: from lines of the editor to nodes of the run, and what the editor is told of each. */
export class Breakpoints {
	readonly #byFile = new Map<string, readonly PlacedBreakpoint[]>();
	#next = 1;

	/** Sets those of a file; the answer has one for each, in their order. Lines count from 1. */
	set(source: DebugProtocol.Source, wanted: readonly DebugProtocol.SourceBreakpoint[], texts: RunTexts): DebugProtocol.Breakpoint[] {
		const isTextOfRun = source.sourceReference === textOfRun;
		const file = source.path ?? '';
		const placed = wanted.map(each => this.#place(file, isTextOfRun, each, texts));
		this.#byFile.set(`${isTextOfRun} ${file}`, placed);
		return placed.map(({ answer }) => answer);
	}

	/** All that stop the run, as the gateway wants them. */
	forGateway(): DebugBreakpoint[] {
		return [...this.#byFile.values()].flat().flatMap(({ sent }) => (sent ? [sent] : []));
	}

	#place(
		file: string,
		isTextOfRun: boolean,
		{ line, condition, hitCondition, logMessage }: DebugProtocol.SourceBreakpoint,
		texts: RunTexts,
	): PlacedBreakpoint {
		const id = this.#next++;
		// breakpoints follow what is edited: a line is one of the text as it is now
		const lines = isTextOfRun ? texts.lines : texts.linesNow(file);
		const node = lines?.at(line);
		const agent = texts.run.tools.get(file);
		const message = lines ? reasonAgainst(node, lines.error, agent === undefined ? texts : undefined) : notMeant();
		if (!node || message !== undefined) {
			return { answer: { id, verified: false, line, reason: 'failed', ...(message !== undefined && { message }) } };
		}
		const sent: DebugBreakpoint = {
			id: String(id),
			node: node.id,
			...(agent !== undefined && { agent }),
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

function notMeant(): string {
	return vscode.l10n.t('Not the agent that is debugged, and none of those that it can use.');
}

/** Why a breakpoint would stop nothing. `texts`: of the debugged agent itself. */
function reasonAgainst(node: NodeLines | undefined, error: string | undefined, texts: RunTexts | undefined): string | undefined {
	if (!node) {
		return error === undefined
			? vscode.l10n.t('A run stops before nodes: expected a line in the block of a node.')
			: vscode.l10n.t('The file cannot be read: {0}', error);
	}
	if (texts && !texts.lines.of(node.id)) {
		return vscode.l10n.t('“{0}” is not in the run, which began before it was written: start the run anew.', node.title);
	}
	return node.reached ? undefined : vscode.l10n.t('A run never comes to “{0}”: nothing leads to it.', node.title);
}
