import * as vscode from 'vscode';
import type { Connection } from '../connectionTypes.ts';
import { builtInId } from '../connectionTypes.ts';
import type { Keys } from '../keys/keyStore.ts';
import { clientSetups, codexSetup, getTerminalShell, openAiSetups, type ServiceAccess } from '../useIn/clientSetups.ts';
import { isPortFixed, showCopied } from '../useIn/fixedPort.ts';
import { getConnectionId } from './chooseConnection.ts';
import type { ActionContext } from './connectionActions.ts';

/** Copies the address, key and model of a connection in the format of a program that the user selects. */
export async function useConnectionIn(parts: ActionContext, argument: unknown): Promise<void> {
	const connection = await chooseConnection(parts, argument);
	const found = connection && (await fetchServiceAccess(parts, connection));
	if (!found) {
		return;
	}
	const setups =
		connection.kind === 'openai'
			? openAiSetups
			: [
					...clientSetups.filter(({ group, language }) => found.keys[group] !== undefined || language === 'dotenv'),
					...(connection.id === builtInId ? [codexSetup, ...openAiSetups] : []),
				];
	const items = setups.map(setup => ({ label: setup.label, description: describeLanguage(setup.language), setup }));
	const title = vscode.l10n.t("Use '{0}' in…", connection.name);
	const choice = await vscode.window.showQuickPick(items, {
		title,
		placeHolder: vscode.l10n.t('Select the program to copy the configuration for'),
	});
	if (!choice) {
		return;
	}
	await vscode.env.clipboard.writeText(
		choice.setup.format({ ...found, model: await findFirstModel(parts, connection.id) }, getTerminalShell()),
	);
	const { label, language } = choice.setup;
	const message = [vscode.l10n.t('Copied the configuration for {0}, including the key.', label), getPasteHint(language)];
	await showCopiedAccess(connection, found, message);
}

/** Copies the address and the keys of a connection, one per line. */
export async function copyEndpoint(parts: ActionContext, argument: unknown): Promise<void> {
	const connection = await chooseConnection(parts, argument);
	const found = connection && (await fetchServiceAccess(parts, connection));
	if (!found) {
		return;
	}
	const keys = [...new Set(Object.values(found.keys))];
	await vscode.env.clipboard.writeText([found.baseUrl, ...keys].join('\n'));
	await showCopiedAccess(connection, found, [vscode.l10n.t("Copied '{0}' and its key.", found.baseUrl)]);
}

async function showCopiedAccess(
	{ id }: Connection,
	{ baseUrl }: Pick<ServiceAccess, 'baseUrl'>,
	message: readonly string[],
): Promise<void> {
	const isBuiltIn = id === builtInId;
	const hint = isBuiltIn && !isPortFixed() ? vscode.l10n.t("The built-in gateway's port changes each time it starts.") : '';
	await showCopied([...message, hint], isBuiltIn ? baseUrl : undefined);
}

async function chooseConnection({ registry }: ActionContext, argument: unknown): Promise<Connection | undefined> {
	const id = getConnectionId(argument);
	if (id !== undefined) {
		return registry.get(id);
	}
	const items = registry.list().map(connection => ({ label: connection.name, description: connection.baseUrl ?? '', connection }));
	const [only] = items;
	return items.length === 1
		? only?.connection
		: (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Select a connection') }))?.connection;
}

/** Returns the address and keys. Starts the built-in gateway or asks for a missing key. `undefined` if the connection no longer exists. */
async function fetchServiceAccess(parts: ActionContext, connection: Connection): Promise<Omit<ServiceAccess, 'model'> | undefined> {
	if (connection.id === builtInId) {
		const { baseUrl, key } = await parts.builtIn();
		return { name: connection.name, baseUrl, keys: { agent: key, messages: key, content: key } };
	}
	const entry = parts.settings.listEntries().find(({ id }) => id === connection.id);
	if (!entry) {
		return undefined;
	}
	// this asks for a missing key, and rejects if the user doesn't enter one
	await parts.registry.getClient(entry.id);
	const keys: Keys = await parts.keys.get(entry);
	return { name: entry.name, baseUrl: entry.baseUrl, keys };
}

/** Returns the first model that the service lists, or a placeholder if it lists none. */
async function findFirstModel({ registry }: ActionContext, id: string): Promise<string> {
	const models = await registry.listMessagesModels(id).catch(() => []);
	return models[0] ?? (id === builtInId ? 'offline' : 'MODEL');
}

function describeLanguage(language: 'shell' | 'json' | 'dotenv'): string {
	switch (language) {
		case 'shell':
			return vscode.l10n.t('commands for a terminal');
		case 'json':
			return vscode.l10n.t('entry for chatLanguageModels.json');
		case 'dotenv':
			return vscode.l10n.t('variables for an environment file');
	}
}

function getPasteHint(language: 'shell' | 'json' | 'dotenv'): string {
	switch (language) {
		case 'shell':
			return vscode.l10n.t('Paste it into a terminal.');
		case 'json':
			return vscode.l10n.t(
				"Paste it into the file that opens when you run 'Chat: Manage Language Models' and select 'Add Models' > 'Custom Endpoint'.",
			);
		case 'dotenv':
			return vscode.l10n.t("Paste it into a file that isn't committed.");
	}
}
