import * as vscode from 'vscode';
import { difyCommands } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';
import { loadedOnce } from '#base/timing/loadedOnce.ts';
import type { ConnectionSettings } from '../connections/connectionSettings.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { KeyStore } from '../connections/keys/keyStore.ts';
import type { CommandRegistrar } from '../platform/commands.ts';
import type { Workflows } from '../workflows/workflows.ts';
import type { DifyCore } from './difyCore.ts';
import type { DifyParts, DifyRoom } from './difyTypes.ts';

/** What managing Dify deployments needs of the extension. */
export interface DifyFeatureParts {
	readonly context: vscode.ExtensionContext;
	/** Folder of this workspace's data. */
	readonly dataFolder: string;
	/** The windows that share it. */
	readonly windows: WindowPresence;
	readonly connections: Connections;
	readonly settings: ConnectionSettings;
	readonly keys: KeyStore;
	/** Absolute paths of the agents folders; none in a workspace that is not trusted. */
	readonly agentFolders: () => readonly string[];
	readonly workflows: Workflows;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
}

/** Deployments of Dify and their apps: commands are registered at once; what carries them out is loaded on first use ({@link DifyCore}). */
export class DifyFeature extends DisposableBase implements DifyRoom {
	readonly #changed = this.own(new vscode.EventEmitter<string>());
	readonly onDidChange = this.#changed.event;
	readonly #load: () => Promise<DifyCore>;
	#core: DifyCore | undefined;

	constructor(parts: DifyFeatureParts) {
		super();
		this.#load = loadedOnce(async () => {
			const loaded = await import('./difyCore.ts');
			const core = this.own(new loaded.DifyCore(parts));
			this.own(core.onDidChange(id => this.#changed.fire(id)));
			await core.ready;
			this.#core = core;
			return core;
		});
		for (const id of difyCommands) {
			this.own(
				parts.commands.register(id, async (argument?: unknown, selected?: unknown) => (await this.#load()).execute(id, argument, selected)),
			);
		}
	}

	get known(): DifyParts | undefined {
		return this.#core;
	}

	load(): Promise<DifyParts> {
		return this.#load();
	}
}
