import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { DifyManagement, ManagementOperation } from '#client/dify/management.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { withoutLinks } from '../../platform/wording.ts';
import type { MeantApp } from './meantApp.ts';

/** Whether a deployment has all of these; where not, the user is told which release has, and offered what there is in its place. */
export async function offersDraft(
	{ offers, deployment }: DifyManagement,
	wanted: readonly ManagementOperation[],
	what: string,
	app: MeantApp,
	connections: Connections,
): Promise<boolean> {
	if (wanted.every(operation => offers.has(operation))) {
		return true;
	}
	const version = deployment.version ?? vscode.l10n.t('an older release');
	const sentence = vscode.l10n.t(
		'{0} from Dify 1.18 on, or signed in to the console of a deployment of your own; this one is {1}.',
		what,
		version,
	);
	const published = vscode.l10n.t('Run What Is Published');
	const browser = vscode.l10n.t('Open in Dify');
	const agents = await connections.agents(app.connectionId).catch(() => []);
	const agent = agents.find(({ name }) => name === app.name);
	void vscode.window.showWarningMessage(withoutLinks(sentence), ...(agent ? [published] : []), browser).then(async choice => {
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
