import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { hasAgents } from '#contract/serviceKinds.ts';
import { type ConnectionEntry, replaceAgents } from '../connectionEntries.ts';
import { getConnectionId } from './chooseConnection.ts';
import type { ActionContext } from './connectionActions.ts';
import { askForAgents } from './connectionFields.ts';

/** Adds agent names to a connection whose service can't list its agents. The user selects names from run files or types them. */
export async function addAgents({ settings, runFileAgents }: ActionContext, entry: ConnectionEntry): Promise<void> {
	if (!hasAgents(entry.kind)) {
		throw new Problem('no-agents', vscode.l10n.t("'{0}' only generates text. It doesn't have agents.", entry.name));
	}
	const title = vscode.l10n.t("Add agents to '{0}'", entry.name);
	const known = entry.agents ?? [];
	const found = (await runFileAgents()).filter(name => !known.includes(name));
	const chosen = found.length > 0 ? await chooseRunFileAgents(title, found) : 'type';
	const names = chosen === 'type' ? await askForAgents(title, {}) : chosen;
	if (names && names.length > 0) {
		await settings.saveEntry(replaceAgents(entry, [...known, ...names.filter(name => !known.includes(name))]));
	}
}

/** Removes an agent's name from the settings. Doesn't delete the agent. */
export async function removeAgent({ settings }: ActionContext, node: unknown): Promise<void> {
	const name = typeof node === 'object' && node !== null && 'agentName' in node ? node.agentName : undefined;
	const entry = settings.listEntries().find(each => each.id === getConnectionId(node));
	if (!entry?.agents?.some(each => each === name)) {
		throw new Problem('not-in-settings', vscode.l10n.t("This agent is listed by the service, so it can't be removed here."));
	}
	await settings.saveEntry(
		replaceAgents(
			entry,
			entry.agents.filter(each => each !== name),
		),
	);
}

async function chooseRunFileAgents(title: string, found: readonly string[]): Promise<readonly string[] | 'type' | undefined> {
	const type = { label: vscode.l10n.t('$(edit) Enter names…'), picked: false };
	const items = [
		type,
		...found.map(name => ({
			label: name,
			description: vscode.l10n.t({ message: 'used in a run file', comment: ['description of an agent'] }),
			picked: true,
		})),
	];
	const choice = await vscode.window.showQuickPick(items, { title, canPickMany: true, placeHolder: vscode.l10n.t('Select agents to add') });
	if (!choice) {
		return undefined;
	}
	return choice.includes(type) ? 'type' : choice.map(item => item.label);
}
