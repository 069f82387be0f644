import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { InspectorAction } from '#pages/inspector/inspectorMessages.ts';
import type { Timeline } from '#runs/events/timeline.ts';
import { parseServiceRunKey } from '#runs/serviceRun.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { NodeInFile, NoGraph } from './runGraphs.ts';

/**
 * Runs an action of the inspector on its run. `parent` is the key of the run that it's a fork of. The record and outputs of a service's run are opened as documents of the service.
 */
export async function executeRunAction(key: string, action: InspectorAction, parent: string | undefined): Promise<void> {
	const of = parseServiceRunKey(key);
	if (action === 'debugRecorded') {
		await vscode.commands.executeCommand('agentWorkbench.debug.recordedRun' satisfies CommandId, key);
	} else if (action === 'compareWithParent') {
		await vscode.commands.executeCommand('agentWorkbench.run.compare' satisfies CommandId, key, [key, parent]);
	} else if (action === 'addToSuite') {
		await vscode.commands.executeCommand('agentWorkbench.suite.addRun' satisfies CommandId, key);
	} else if (action === 'addToDataset') {
		await vscode.commands.executeCommand('agentWorkbench.dataset.addRun' satisfies CommandId, key);
	} else if (!of || action === 'runAgain' || action === 'compare' || action === 'saveAsRunFile') {
		await vscode.commands.executeCommand(action === 'ask' ? 'agentWorkbench.chat.askAboutRun' : `agentWorkbench.run.${action}`, key);
	} else if (action === 'open' || action === 'openOutputs') {
		const target = { kind: 'run', connectionId: of.connectionId, agent: of.agentName, id: of.runId, full: false };
		await vscode.commands.executeCommand('agentWorkbench.document.open' satisfies CommandId, target);
	}
}

/** Runs an action on the node of a row, in the iteration that the row belongs to. */
export async function executeNodeAction(
	key: string,
	action: 'run' | 'forkFrom' | 'prompt' | 'pin' | 'unpin',
	timeline: Timeline,
	id: string,
): Promise<void> {
	const row = timeline.getRow(id);
	const rounds: number[] = [];
	for (let each = row; each; each = each.parent === undefined ? undefined : timeline.getRow(each.parent)) {
		if (each.round !== undefined) {
			rounds.unshift(each.round - 1);
		}
	}
	if (row?.nodeId !== undefined && action === 'prompt') {
		await vscode.commands.executeCommand('agentWorkbench.prompt.open' satisfies CommandId, { key, node: row.nodeId, execution: id });
	} else if (row?.nodeId !== undefined) {
		const argument = { key, node: row.nodeId, rounds };
		await vscode.commands.executeCommand(`agentWorkbench.node.${action as Exclude<typeof action, 'prompt'>}` satisfies CommandId, argument);
	}
}

/** Opens an agent file at a node, if possible in a different column than the inspector. */
export async function showSource(place: NodeInFile | NoGraph, inspector: vscode.ViewColumn | undefined): Promise<void> {
	if ('why' in place) {
		void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t("Can't show the node in its file. {0}", place.why)));
		return;
	}
	const at = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
	const other = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn !== inspector)?.viewColumn;
	await vscode.window.showTextDocument(place.uri, { selection: at, viewColumn: other ?? vscode.ViewColumn.Active });
}
