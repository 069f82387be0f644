import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { DifyManagement, ManagementOperation } from '#client/dify/management.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { TargetApp } from './targetApp.ts';

/** True if a deployment supports all these operations. Otherwise shows which releases support them, and offers alternatives. */
export async function checkDraftSupport(
	{ offers, deployment }: DifyManagement,
	wanted: readonly ManagementOperation[],
	app: TargetApp,
	connections: Connections,
): Promise<boolean> {
	if (wanted.every(operation => offers.has(operation))) {
		return true;
	}
	const message =
		deployment.version === undefined
			? vscode.l10n.t('Drafts and draft runs require Dify 1.18 or later, or a sign-in to the console of a self-hosted server.')
			: vscode.l10n.t(
					'Drafts and draft runs require Dify 1.18 or later, or a sign-in to the console of a self-hosted server. This server runs Dify {0}.',
					deployment.version,
				);
	const published = vscode.l10n.t('Run published app');
	const browser = vscode.l10n.t('Open in Dify');
	const agents = await connections.listAgents(app.connectionId).catch(() => []);
	const agent = agents.find(({ name }) => name === app.name);
	void vscode.window.showWarningMessage(escapeLinks(message), ...(agent ? [published] : []), browser).then(async choice => {
		if (choice === published) {
			await vscode.commands.executeCommand('agentWorkbench.agent.runForm' satisfies CommandId, {
				connectionId: app.connectionId,
				summary: agent,
			});
		} else if (choice === browser) {
			await vscode.commands.executeCommand('agentWorkbench.difyApp.open' satisfies CommandId, {
				connectionId: app.connectionId,
				app: { id: app.id, name: app.name, description: '', mode: app.mode, updatedAt: undefined },
			});
		}
	});
	return false;
}
