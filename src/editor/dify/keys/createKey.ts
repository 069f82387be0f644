import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import { type ConnectionEntry, newId } from '../../connections/connectionEntries.ts';
import type { ConnectionSettings } from '../../connections/connectionSettings.ts';
import { builtInId } from '../../connections/connectionTypes.ts';
import type { KeyStore } from '../../connections/keys/keyStore.ts';
import { oneLine, withoutLinks } from '../../platform/wording.ts';
import type { Deployments } from '../deployments.ts';
import { keyedEntry } from '../difyEntries.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { openInBrowser } from '../openInBrowser.ts';
import { haveServiceApi } from './serviceApi.ts';

/** What making and deleting keys works with. */
export interface KeyParts {
	readonly deployments: Deployments;
	readonly settings: ConnectionSettings;
	readonly keys: KeyStore;
}

/** Keys of an app that Dify allows. */
const mostKeys = 10;

/** What is under way, by connection and app: a second click makes no second key. */
const underWay = new Map<string, Promise<void>>();

/** Gives an app a key for its runs, in SecretStorage alone, and a connection of its own that has it. */
export function createKey(parts: KeyParts, of: AppOfDeployment): Promise<void> {
	const id = JSON.stringify([of.connectionId, of.app.id]);
	const begun = underWay.get(id) ?? giveKey(parts, of).finally(() => underWay.delete(id));
	underWay.set(id, begun);
	return begun;
}

async function giveKey(parts: KeyParts, of: AppOfDeployment): Promise<void> {
	const { deployments, settings, keys } = parts;
	const management = await deployments.management(of.connectionId);
	const before = keyedEntry(settings, of);
	if (before && (await keys.get(before)).agent !== undefined) {
		void vscode.window.showInformationMessage(
			withoutLinks(vscode.l10n.t('“{0}” has a key already: its runs, logs and conversations are below it.', of.app.name)),
		);
		return;
	}
	if (!(await haveServiceApi(parts, management, of))) {
		return;
	}
	const entry = before ?? newEntry(settings, deployments.entry(of.connectionId), of);
	if (management.offers.has('createKey')) {
		await makeKey(parts, management, entry, of);
	} else {
		await askForKey(parts, entry, of);
	}
}

async function makeKey(
	{ settings, keys }: KeyParts,
	management: DifyManagement,
	entry: ConnectionEntry,
	{ app }: AppOfDeployment,
): Promise<void> {
	const key = await management.createKey(app.id).catch(async (error: unknown) => {
		throw (await isFull(management, app.id)) ? new Problem('too-many-keys', tooMany(app.name)) : error;
	});
	const place = await keys.set(entry, { agent: key.token });
	try {
		await settings.save(entry);
	} catch (error) {
		// nobody would know of the key
		await keys.forget(entry.id);
		await management.deleteKey(app.id, key.id);
		throw error;
	}
	if (place.kind === 'session') {
		void vscode.window.showWarningMessage(
			withoutLinks(
				vscode.l10n.t(
					'The system’s keyring did not take the key of “{0}” ({1}). It is kept until this window closes.',
					app.name,
					place.cause,
				),
			),
		);
	}
}

/** Where this sign-in cannot make keys, the app's own page can. */
async function askForKey(
	{ deployments, settings }: KeyParts,
	entry: ConnectionEntry,
	{ connectionId, app }: AppOfDeployment,
): Promise<void> {
	const page = (await deployments.consoleUrl(connectionId, app.id)).replace(/\/workflow$/, '/develop');
	const open = vscode.l10n.t('Open Page and Paste Key');
	const paste = vscode.l10n.t('Paste Key');
	const choice = await vscode.window.showInformationMessage(
		vscode.l10n.t("Add a key for runs of '{0}'", oneLine(app.name)),
		{
			modal: true,
			detail: vscode.l10n.t(
				"This sign-in can't create keys, so Dify has to:\n1. Open {0}\n2. Choose 'API Key', then 'Create new Secret key', and copy the key.\n3. Paste it here. It's stored in the system's keyring only.",
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
	const isNew = !settings.list().some(({ id }) => id === entry.id);
	await settings.save(entry);
	const isSet = await vscode.commands.executeCommand<boolean | undefined>('agentWorkbench.connection.setKey', entry.id);
	if (!isSet && isNew) {
		await settings.remove([entry.id]);
	}
}

async function isFull(management: DifyManagement, appId: string): Promise<boolean> {
	return (await management.keys(appId).catch(() => [])).length >= mostKeys;
}

function tooMany(name: string): string {
	return vscode.l10n.t('“{0}” has {1} keys, and Dify allows no more: delete one of them in Dify.', name, mostKeys);
}

/** A connection named after the app, below its deployment. */
function newEntry(settings: ConnectionSettings, { id: deployment, baseUrl }: ConnectionEntry, { app }: AppOfDeployment): ConnectionEntry {
	const entries = settings.list();
	const wanted = oneLine(app.name, 60) || vscode.l10n.t('App');
	let name = wanted;
	for (let n = 2; entries.some(entry => entry.name === name); n++) {
		name = `${wanted} ${n}`;
	}
	const id = newId(name, [builtInId, ...entries.map(entry => entry.id)]);
	return { id, name, kind: 'dify', baseUrl, deployment, app: app.id };
}
