import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import type { NodeLines } from '#agentFile/agentLines.ts';
import type { DebugBreakpoint } from '#contract/debugging.ts';
import { hitConditionPattern, longestExpression } from '#contract/debugLimits.ts';
import type { RunningText, RunTexts } from './runTexts.ts';

/** The breakpoints of a session: from lines of the editor to nodes of the run, and what the editor is told of each. */
export class EditorBreakpoints {
	readonly #byFile = new Map<string, readonly PlacedBreakpoint[]>();
	#next = 1;

	/** Sets those of a file; the answer has one for each, in their order. Lines count from 1. */
	set(source: DebugProtocol.Source, wanted: readonly DebugProtocol.SourceBreakpoint[], texts: RunTexts): DebugProtocol.Breakpoint[] {
		const running = texts.byReference(source.sourceReference);
		const file = source.path ?? '';
		const placed = wanted.map(each => this.#place(file, running, each, texts));
		this.#byFile.set(`${running?.reference ?? ''} ${file}`, placed);
		return placed.map(({ answer }) => answer);
	}

	/** All that stop the run, as the gateway wants them. */
	forGateway(): DebugBreakpoint[] {
		return [...this.#byFile.values()].flat().flatMap(({ sent }) => (sent ? [sent] : []));
	}

	/** @param running the text that the editor shows in place of the file's */
	#place(file: string, running: RunningText | undefined, wanted: DebugProtocol.SourceBreakpoint, texts: RunTexts): PlacedBreakpoint {
		const { line, condition, hitCondition, logMessage } = wanted;
		const id = this.#next++;
		// breakpoints follow what is edited: a line is one of the text as it is now
		const lines = running?.lines ?? texts.linesNow(file);
		const node = lines?.stopAt(line);
		const agent = texts.run.tools.get(file);
		const message = lines ? (reasonAgainst(node, lines.error, texts.running(agent)) ?? unreadable(wanted)) : notMeant();
		if (!node || message !== undefined) {
			return { answer: { id, verified: false, line, reason: 'failed', ...(message !== undefined && { message }) } };
		}
		const sent: DebugBreakpoint = {
			id: String(id),
			node: node.id,
			...(agent !== undefined && { agent }),
			...(condition && { condition }),
			...(hitCondition?.trim() && { hit_condition: hitCondition }),
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

/** Why a breakpoint would stop nothing. `running`: the text that runs, where it is known. */
function reasonAgainst(node: NodeLines | undefined, error: string | undefined, running: RunningText | undefined): string | undefined {
	if (!node) {
		return error === undefined
			? vscode.l10n.t('A run stops before nodes. Set the breakpoint on a line of a node or of an edge.')
			: vscode.l10n.t('The file cannot be read: {0}', error);
	}
	if (running && !running.lines.of(node.id)) {
		return running.agent === undefined
			? vscode.l10n.t('“{0}” is not in the run, which began before it was written: start the run anew.', node.title)
			: vscode.l10n.t('“{0}” is not in the published version of {1}, which runs as a tool: publish it first.', node.title, running.agent);
	}
	const ran = running?.lines.of(node.id) ?? node;
	return ran.reached ? undefined : vscode.l10n.t('A run never comes to “{0}”: nothing leads to it.', node.title);
}

/** What of a breakpoint the gateway would refuse, and all others with it. */
function unreadable({ condition = '', hitCondition = '', logMessage = '' }: DebugProtocol.SourceBreakpoint): string | undefined {
	if (hitCondition.trim() !== '' && !hitConditionPattern.test(hitCondition)) {
		return vscode.l10n.t('The hit count cannot be read: expected a number, or a comparison such as == 3, > 3 or % 2.');
	}
	return condition.length > longestExpression || logMessage.length > longestExpression
		? vscode.l10n.t('The condition or the message is too long: expected at most {0} characters.', longestExpression)
		: undefined;
}
