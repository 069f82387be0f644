import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { Problem } from '#base/problems.ts';
import {
	type ConnectionEntries,
	type ConnectionEntry,
	type FaultyEntry,
	readEntries,
	withEntry,
	withoutEntries,
} from './connectionEntries.ts';

const section = 'agentWorkbench';

/** The connections that the user has set up, in the settings of this machine alone: no workspace can add or redirect one. */
export class ConnectionSettings extends DisposableBase {
	readonly #log: vscode.LogOutputChannel;
	readonly #changed = this.own(new vscode.EventEmitter<ConnectionEntries | undefined>());
	/** The setting changed; with what was read of it before, if it was. */
	readonly onDidChange = this.#changed.event;
	#known: ConnectionEntries | undefined;

	constructor(log: vscode.LogOutputChannel) {
		super();
		this.#log = log;
		this.own(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (event.affectsConfiguration(`${section}.connections`)) {
					const before = this.#known;
					this.#known = undefined;
					this.#changed.fire(before);
				}
			}),
		);
	}

	list(): readonly ConnectionEntry[] {
		return this.#read().entries;
	}

	/** Entries that are no connections: they stay in the setting, for the user to mend. */
	faulty(): readonly FaultyEntry[] {
		return this.#read().faulty;
	}

	/** Adds an entry, or puts it in the place of the one with its ID. Rejects with a {@link Problem} `wrong-settings` where the setting holds no list. */
	async save(entry: ConnectionEntry): Promise<void> {
		await this.#write(withEntry(rawList(), entry, vscode.l10n.t));
	}

	/** Removes entries. Rejects as {@link save} does. */
	async remove(ids: readonly string[]): Promise<void> {
		await this.#write(withoutEntries(rawList(), ids, vscode.l10n.t));
	}

	#read(): ConnectionEntries {
		if (!this.#known) {
			this.#known = readEntries(rawValue(), vscode.l10n.t);
			for (const { index, fault } of this.#known.faulty) {
				this.#log.warn(`agentWorkbench.connections[${index}] is left out: ${fault}`);
			}
		}
		return this.#known;
	}

	async #write(value: readonly unknown[]): Promise<void> {
		await vscode.workspace.getConfiguration(section).update('connections', value, vscode.ConfigurationTarget.Global);
	}
}

/** The setting's scope already keeps workspaces out; reading the user's value alone makes sure of it. */
function rawValue(): unknown {
	return vscode.workspace.getConfiguration(section).inspect('connections')?.globalValue;
}

/** The value to be changed: what is no list is the user's to mend, not ours to replace. */
function rawList(): unknown {
	const value = rawValue();
	if (value !== undefined && !Array.isArray(value)) {
		throw new Problem('wrong-settings', vscode.l10n.t('The setting “agentWorkbench.connections” holds no list: mend it first.'), {
			title: vscode.l10n.t('Open Settings'),
			command: 'workbench.action.openSettingsJson',
			arguments: [{ revealSetting: { key: 'agentWorkbench.connections' } }],
		});
	}
	return value;
}
