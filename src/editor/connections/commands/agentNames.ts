import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { hasAgents } from '#contract/serviceKinds.ts';
import { type ConnectionEntry, withAgents } from '../connectionEntries.ts';
import { idOf } from './chooseConnection.ts';
import type { ActionContext } from './connectionActions.ts';
import { askAgents } from './connectionFields.ts';

/** Adds names of agents to a connection whose service cannot list them: those of run files in the workspace to choose from, or typed. */
export async function addAgents({ settings, runFileAgents }: ActionContext, entry: ConnectionEntry): Promise<void> {
	if (!hasAgents(entry.kind)) {
		throw new Problem('no-agents', vscode.l10n.t('“{0}” generates text; it has no agents.', entry.name));
	}
	const title = vscode.l10n.t('Add agents to “{0}”', entry.name);
	const known = entry.agents ?? [];
	const found = (await runFileAgents()).filter(name => !known.includes(name));
	const chosen = found.length > 0 ? await chooseFound(title, found) : 'type';
	const names = chosen === 'type' ? await askAgents(title, {}) : chosen;
	if (names && names.length > 0) {
		await settings.save(withAgents(entry, [...known, ...names.filter(name => !known.includes(name))]));
	}
}

/** Takes an agent's name out of the settings; at the service it stays. */
export async function removeAgent({ settings }: ActionContext, node: unknown): Promise<void> {
	const name = typeof node === 'object' && node !== null && 'agentName' in node ? node.agentName : undefined;
	const entry = settings.list().find(each => each.id === idOf(node));
	if (!entry?.agents?.some(each => each === name)) {
		throw new Problem('not-in-settings', vscode.l10n.t('The service itself lists this agent: there is no name to remove.'));
	}
	await settings.save(
		withAgents(
			entry,
			entry.agents.filter(each => each !== name),
		),
	);
}

async function chooseFound(title: string, found: readonly string[]): Promise<readonly string[] | 'type' | undefined> {
	const type = { label: `$(edit) ${vscode.l10n.t('Type names…')}`, picked: false };
	const items = [type, ...found.map(name => ({ label: name, description: vscode.l10n.t('named by a run file'), picked: true }))];
	const choice = await vscode.window.showQuickPick(items, { title, canPickMany: true, placeHolder: vscode.l10n.t('Agents to add') });
	if (!choice) {
		return undefined;
	}
	return choice.includes(type) ? 'type' : choice.map(item => item.label);
}
