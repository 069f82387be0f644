import * as vscode from 'vscode';
import { getErrorReason } from '#base/problems.ts';
import { type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import { markMilestone } from '../../platform/milestones.ts';
import { type ConnectionEntry, createConnectionId } from '../connectionEntries.ts';
import { builtInId } from '../connectionTypes.ts';
import { getKindFacts } from '../kindFacts.ts';
import type { ActionContext } from './connectionActions.ts';
import { askForBaseUrl, askForKind, askForName } from './connectionFields.ts';
import { testConnection } from './testConnection.ts';

/** Adds a connection in four steps: kind, base URL, name, key or sign-in. Resolves to its ID, or `undefined` if the user cancels. */
export async function addConnection(parts: ActionContext): Promise<string | undefined> {
	const formatStepTitle = (step: number) =>
		vscode.l10n.t({
			message: 'Add connection ({0}/{1})',
			args: [step, 4],
			comment: ['{0} is the number of the current step, {1} the number of all steps'],
		});
	const kind = await askForKind(formatStepTitle(1));
	const baseUrl = kind && (await askForBaseUrl(formatStepTitle(2), kind));
	if (!baseUrl) {
		return undefined;
	}
	const entries = parts.settings.listEntries();
	const names = entries.map(entry => entry.name);
	const name = await askForName(formatStepTitle(3), suggestName(kind, baseUrl, names), names);
	if (!name) {
		return undefined;
	}
	const entry = { id: createConnectionId(name, [builtInId, ...entries.map(each => each.id)]), name, kind, baseUrl };
	await parts.settings.saveEntry(entry);
	markMilestone('hasConnection');
	if (kind === 'dify' && (await askForPurpose(formatStepTitle(4))) === 'workspace') {
		await vscode.commands.executeCommand('agentWorkbench.dify.signIn', entry.id);
		return entry.id;
	}
	// keep the connection if the user cancels here, because the tree shows that its key is missing
	if (await isKeyNeeded(parts, entry)) {
		const keys = await parts.prompt.askForKeys(entry);
		if (keys?.isOfOtherKind === false) {
			await testConnection(parts, entry);
		}
	}
	return entry.id;
}

/** True if the service needs a key. A service that may not need one is tested without it, which shows the result. */
async function isKeyNeeded(parts: ActionContext, entry: ConnectionEntry): Promise<boolean> {
	if (!serviceKinds[entry.kind].keyOptional) {
		return true;
	}
	try {
		await testConnection(parts, entry);
		return false;
	} catch (error) {
		if (getErrorReason(error) !== 'key-missing') {
			throw error;
		}
		return true;
	}
}

/** Asks whether the connection is for one app (with its key) or for a workspace (with a sign-in). */
async function askForPurpose(title: string): Promise<'app' | 'workspace' | undefined> {
	const items = [
		{
			label: vscode.l10n.t('One app'),
			detail: vscode.l10n.t('Use an API key for the runs, logs and conversations of one app.'),
			value: 'app' as const,
		},
		{
			label: vscode.l10n.t('A whole workspace'),
			detail: vscode.l10n.t('Sign in to pull, push and publish all apps, and to create API keys for running them.'),
			value: 'workspace' as const,
		},
	];
	return (
		await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select what to connect to'), ignoreFocusOut: true })
	)?.value;
}

function suggestName(kind: ServiceKind, baseUrl: string, taken: readonly string[]): string {
	const { baseUrls } = getKindFacts()[kind];
	const name = baseUrls.find(known => known.url === baseUrl)?.label ?? new URL(baseUrl).host;
	let free = name;
	for (let n = 2; taken.includes(free); n++) {
		free = `${name} ${n}`;
	}
	return free;
}
