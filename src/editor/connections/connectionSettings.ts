import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { Problem } from '#base/problems.ts';
import {
	type ConnectionEntries,
	type ConnectionEntry,
	type FaultyEntry,
	readEntries,
	removeEntries,
	upsertEntry,
} from './connectionEntries.ts';

const section = 'agentWorkbench';

/**
 * Reads and writes the connections in the user settings. Ignores workspace settings, so that no workspace can add or redirect a connection.
 */
export class ConnectionSettings extends DisposableBase {
	readonly #log: vscode.LogOutputChannel;
	readonly #changed = this.register(new vscode.EventEmitter<ConnectionEntries | undefined>());
	/** Fires when the setting changes. The event has the previous entries, if they were read. */
	readonly onDidChange = this.#changed.event;
	#known: ConnectionEntries | undefined;

	constructor(log: vscode.LogOutputChannel) {
		super();
		this.#log = log;
		this.register(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (event.affectsConfiguration(`${section}.connections`)) {
					const before = this.#known;
					this.#known = undefined;
					this.#changed.fire(before);
				}
			}),
		);
	}

	listEntries(): readonly ConnectionEntry[] {
		return this.#readSetting().entries;
	}

	/** Returns the invalid entries, which stay in the setting for the user to fix. */
	listInvalid(): readonly FaultyEntry[] {
		return this.#readSetting().faulty;
	}

	/** Adds an entry, or replaces the one with the same ID. Rejects with a {@link Problem} `wrong-settings` if the setting isn't a list. */
	async saveEntry(entry: ConnectionEntry): Promise<void> {
		await this.#writeSetting(upsertEntry(requireListSetting(), entry, vscode.l10n.t));
	}

	/** Removes entries. Rejects with the errors of {@link saveEntry}. */
	async removeEntries(ids: readonly string[]): Promise<void> {
		await this.#writeSetting(removeEntries(requireListSetting(), ids, vscode.l10n.t));
	}

	#readSetting(): ConnectionEntries {
		if (!this.#known) {
			this.#known = readEntries(readUserSetting(), vscode.l10n.t);
			for (const { index, fault } of this.#known.faulty) {
				this.#log.warn(`Skipped agentWorkbench.connections[${index}]: ${fault}`);
			}
		}
		return this.#known;
	}

	async #writeSetting(value: readonly unknown[]): Promise<void> {
		await vscode.workspace.getConfiguration(section).update('connections', value, vscode.ConfigurationTarget.Global);
	}
}

/** Reads only the user's value, as a safeguard: the setting's scope already excludes workspace values. */
function readUserSetting(): unknown {
	return vscode.workspace.getConfiguration(section).inspect('connections')?.globalValue;
}

/** Returns the setting's value. Throws if it isn't a list, so that a mistake of the user isn't overwritten. */
function requireListSetting(): unknown {
	const value = readUserSetting();
	if (value !== undefined && !Array.isArray(value)) {
		throw new Problem('wrong-settings', vscode.l10n.t("The setting 'agentWorkbench.connections' isn't a list. Fix it first."), {
			title: vscode.l10n.t('Open settings'),
			command: 'workbench.action.openSettingsJson',
			arguments: [{ revealSetting: { key: 'agentWorkbench.connections' } }],
		});
	}
	return value;
}
