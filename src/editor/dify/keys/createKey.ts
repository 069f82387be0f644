import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import { type ConnectionEntry, createConnectionId } from '../../connections/connectionEntries.ts';
import type { ConnectionSettings } from '../../connections/connectionSettings.ts';
import { builtInId } from '../../connections/connectionTypes.ts';
import type { KeyStore } from '../../connections/keys/keyStore.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import type { Deployments } from '../deployments.ts';
import { findEntryWithKey } from '../difyEntries.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { openInBrowser } from '../openInBrowser.ts';
import { ensureServiceApi } from './serviceApi.ts';

/** Dependencies of the actions for keys. */
export interface KeyParts {
	readonly deployments: Deployments;
	readonly settings: ConnectionSettings;
	readonly keys: KeyStore;
}

/** Maximum number of keys that Dify allows per app. */
const mostKeys = 10;

/** Actions in progress, by connection and app. Prevents a second click from creating a second key. */
const underWay = new Map<string, Promise<void>>();

/** Creates a key for an app. Saves it only in SecretStorage, and adds a connection that uses it. */
export function createKey(parts: KeyParts, of: AppOfDeployment): Promise<void> {
	const id = JSON.stringify([of.connectionId, of.app.id]);
	const begun = underWay.get(id) ?? addKey(parts, of).finally(() => underWay.delete(id));
	underWay.set(id, begun);
	return begun;
}

async function addKey(parts: KeyParts, of: AppOfDeployment): Promise<void> {
	const { deployments, settings, keys } = parts;
	const management = await deployments.getManagement(of.connectionId);
	const before = findEntryWithKey(settings, of);
	if (before && (await keys.get(before)).agent !== undefined) {
		void vscode.window.showInformationMessage(
			escapeLinks(vscode.l10n.t("'{0}' already has a key. Its runs, logs and conversations are listed under the app.", of.app.name)),
		);
		return;
	}
	if (!(await ensureServiceApi(parts, management, of))) {
		return;
	}
	const entry = before ?? createKeyedEntry(settings, deployments.getConnectionEntry(of.connectionId), of);
	if (management.offers.has('createKey')) {
		await createAndSaveKey(parts, management, entry, of);
	} else {
		await askForKey(parts, entry, of);
	}
}

async function createAndSaveKey(
	{ settings, keys }: KeyParts,
	management: DifyManagement,
	entry: ConnectionEntry,
	{ app }: AppOfDeployment,
): Promise<void> {
	const key = await management.createKey(app.id).catch(async (error: unknown) => {
		throw (await hasMaxKeys(management, app.id)) ? new Problem('too-many-keys', formatTooManyKeys(app.name)) : error;
	});
	const place = await keys.set(entry, { agent: key.token });
	try {
		await settings.saveEntry(entry);
	} catch (error) {
		// don't keep a key without its connection
		await keys.removeKeys(entry.id);
		await management.deleteKey(app.id, key.id);
		throw error;
	}
	if (place.kind === 'session') {
		void vscode.window.showWarningMessage(
			escapeLinks(
				vscode.l10n.t(
					"Couldn't save the key for '{0}' in the system keyring ({1}). It's kept until this window closes.",
					app.name,
					place.cause,
				),
			),
		);
	}
}

/** Asks the user to create a key on the app's page, because this sign-in can't create keys. */
async function askForKey(
	{ deployments, settings }: KeyParts,
	entry: ConnectionEntry,
	{ connectionId, app }: AppOfDeployment,
): Promise<void> {
	const page = (await deployments.getAppUrl(connectionId, app.id)).replace(/\/workflow$/, '/develop');
	const open = vscode.l10n.t('Open page and paste key');
	const paste = vscode.l10n.t('Paste key');
	const choice = await vscode.window.showInformationMessage(
		vscode.l10n.t("Add an API key for '{0}'", toOneLine(app.name)),
		{
			modal: true,
			detail: vscode.l10n.t(
				"This sign-in can't create keys, so create one in Dify:\n1. Open {0}\n2. Select 'API Key', then 'Create new Secret key', and copy the key.\n3. Paste it here. It's saved only in the system keyring.",
				page,
			),
		},
		open,
		paste,
	);
	if (choice === undefined) {
		return;
	}
	if (choice === open) {
		await openInBrowser(page);
	}
	const isNew = !settings.listEntries().some(({ id }) => id === entry.id);
	await settings.saveEntry(entry);
	const isSet = await vscode.commands.executeCommand<boolean | undefined>('agentWorkbench.connection.setKey', entry.id);
	if (!isSet && isNew) {
		await settings.removeEntries([entry.id]);
	}
}

async function hasMaxKeys(management: DifyManagement, appId: string): Promise<boolean> {
	return (await management.keys(appId).catch(() => [])).length >= mostKeys;
}

function formatTooManyKeys(name: string): string {
	return vscode.l10n.t("'{0}' already has {1} keys, the most that Dify allows. Delete a key in Dify first.", name, mostKeys);
}

/** Creates a connection that is named after the app. */
function createKeyedEntry(
	settings: ConnectionSettings,
	{ id: deployment, baseUrl }: ConnectionEntry,
	{ app }: AppOfDeployment,
): ConnectionEntry {
	const entries = settings.listEntries();
	const wanted = toOneLine(app.name, 60) || vscode.l10n.t('App');
	let name = wanted;
	for (let n = 2; entries.some(entry => entry.name === name); n++) {
		name = `${wanted} ${n}`;
	}
	const id = createConnectionId(name, [builtInId, ...entries.map(entry => entry.id)]);
	return { id, name, kind: 'dify', baseUrl, deployment, app: app.id };
}
