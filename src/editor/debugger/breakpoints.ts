import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import type { NodeLines } from '#agentFile/agentLines.ts';
import type { DebugBreakpoint } from '#contract/debugging.ts';
import { hitConditionPattern, longestExpression } from '#contract/debugLimits.ts';
import type { RunningText, RunTexts } from './runTexts.ts';

/** Manages the breakpoints of a session. Maps lines in the editor to nodes of the run. */
export class EditorBreakpoints {
	readonly #byFile = new Map<string, readonly PlacedBreakpoint[]>();
	#next = 1;

	/** Replaces the breakpoints of a file. Returns one for each wanted breakpoint, in the same order. Lines count from 1. */
	set(source: DebugProtocol.Source, wanted: readonly DebugProtocol.SourceBreakpoint[], texts: RunTexts): DebugProtocol.Breakpoint[] {
		const running = texts.findTextByReference(source.sourceReference);
		const file = source.path ?? '';
		const placed = wanted.map(each => this.#createBreakpoint(file, running, each, texts));
		this.#byFile.set(`${running?.reference ?? ''} ${file}`, placed);
		return placed.map(({ answer }) => answer);
	}

	/** Returns the verified breakpoints in the gateway's format. */
	toGatewayBreakpoints(): DebugBreakpoint[] {
		return [...this.#byFile.values()].flat().flatMap(({ sent }) => (sent ? [sent] : []));
	}

	/** @param running the running text, if VS Code shows it instead of the file */
	#createBreakpoint(
		file: string,
		running: RunningText | undefined,
		wanted: DebugProtocol.SourceBreakpoint,
		texts: RunTexts,
	): PlacedBreakpoint {
		const { line, condition, hitCondition, logMessage } = wanted;
		const id = this.#next++;
		// VS Code moves breakpoints when the user edits, so the line refers to the current text
		const lines = running?.lines ?? texts.readCurrentLines(file);
		const node = lines?.findBreakpointNode(line);
		const agent = texts.run.tools.get(file);
		const message = lines
			? (explainUnreachable(node, lines.error, texts.findRunningText(agent)) ?? findInvalidField(wanted))
			: getOtherFileMessage();
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

function getOtherFileMessage(): string {
	return vscode.l10n.t('This file is neither the agent being debugged nor an agent that it can use as a tool.');
}

/** Returns why a breakpoint would never stop the run. `running` is the running text, if known. */
function explainUnreachable(node: NodeLines | undefined, error: string | undefined, running: RunningText | undefined): string | undefined {
	if (!node) {
		return error === undefined
			? vscode.l10n.t('Breakpoints only work on nodes and edges. Move this one to a line of a node or edge.')
			: vscode.l10n.t("Couldn't read the file: {0}", error);
	}
	if (running && !running.lines.findNode(node.id)) {
		return running.agent === undefined
			? vscode.l10n.t("'{0}' isn't part of this run because it was added later. Restart the run.", node.title)
			: vscode.l10n.t(
					"'{0}' isn't in the published version of '{1}', which runs as a tool. Publish the agent first.",
					node.title,
					running.agent,
				);
	}
	const ran = running?.lines.findNode(node.id) ?? node;
	return ran.reached ? undefined : vscode.l10n.t("Runs never reach '{0}' because no edge leads to it.", node.title);
}

/** Returns why a breakpoint isn't valid. The gateway would refuse all breakpoints because of it. */
function findInvalidField({ condition = '', hitCondition = '', logMessage = '' }: DebugProtocol.SourceBreakpoint): string | undefined {
	if (hitCondition.trim() !== '' && !hitConditionPattern.test(hitCondition)) {
		return vscode.l10n.t("The hit count isn't valid. Enter a number or a comparison such as `== 3`, `> 3` or `% 2`.");
	}
	return condition.length > longestExpression || logMessage.length > longestExpression
		? vscode.l10n.t('The condition or log message is too long. Use at most {0} characters.', longestExpression)
		: undefined;
}
