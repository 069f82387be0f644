import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { InspectorAction } from '#pages/inspector/inspectorMessages.ts';
import type { Timeline } from '#runs/events/timeline.ts';
import { serviceRunOfKey } from '#runs/serviceRun.ts';
import { withoutLinks } from '../../platform/wording.ts';
import type { NodeInFile, NoGraph } from './runGraphs.ts';

/** Does with a run what its inspector offers; what there is to read of a run of a service is a document of that service. */
export async function executeAction(key: string, action: InspectorAction): Promise<void> {
	const of = serviceRunOfKey(key);
	if (action === 'addToSuite') {
		await vscode.commands.executeCommand('agentWorkbench.suite.addRun' satisfies CommandId, key);
	} else if (!of || action === 'runAgain' || action === 'compare' || action === 'saveAsRunFile') {
		await vscode.commands.executeCommand(action === 'ask' ? 'agentWorkbench.chat.askAboutRun' : `agentWorkbench.run.${action}`, key);
	} else if (action === 'open' || action === 'openOutputs') {
		const target = { kind: 'run', connectionId: of.connectionId, agent: of.agentName, id: of.runId, full: false };
		await vscode.commands.executeCommand('agentWorkbench.document.open' satisfies CommandId, target);
	}
}

/** Does with the node of a row what its buttons offer, in the round in which the row is. */
export async function executeOnNode(
	key: string,
	action: 'run' | 'runFrom' | 'pin' | 'unpin',
	timeline: Timeline,
	id: string,
): Promise<void> {
	const row = timeline.row(id);
	const rounds: number[] = [];
	for (let each = row; each; each = each.parent === undefined ? undefined : timeline.row(each.parent)) {
		if (each.round !== undefined) {
			rounds.unshift(each.round - 1);
		}
	}
	if (row?.nodeId !== undefined) {
		const argument = { key, node: row.nodeId, rounds };
		await vscode.commands.executeCommand(`agentWorkbench.node.${action}` satisfies CommandId, argument);
	}
}

/** Opens an agent file at a node, in another column than the inspector where there is one. */
export async function showSource(place: NodeInFile | NoGraph, inspector: vscode.ViewColumn | undefined): Promise<void> {
	if ('why' in place) {
		void vscode.window.showInformationMessage(withoutLinks(vscode.l10n.t('The node cannot be shown in its file. {0}', place.why)));
		return;
	}
	const at = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
	const other = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn !== inspector)?.viewColumn;
	await vscode.window.showTextDocument(place.uri, { selection: at, viewColumn: other ?? vscode.ViewColumn.Active });
}
