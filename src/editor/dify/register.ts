import * as vscode from 'vscode';
import { difyCommands } from '#base/commandIds.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { ConnectionSettings } from '../connections/connectionSettings.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { KeyStore } from '../connections/keys/keyStore.ts';
import type { FeatureParts } from '../platform/feature.ts';
import type { RunsFeature } from '../runs/register.ts';
import type { DifyFeature } from './difyTypes.ts';

export interface DifyFeatureParts extends FeatureParts {
	readonly connections: Connections;
	readonly settings: ConnectionSettings;
	readonly keys: KeyStore;
	/** Returns the absolute paths of the agent folders, or none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
	readonly runs: RunsFeature;
}

/** Registers the commands for Dify deployments and their apps. Their implementation (`DifyCore`) is loaded on first use. */
export function registerDify(parts: DifyFeatureParts): DifyFeature {
	const { commands, own } = parts;
	const changed = own(new vscode.EventEmitter<string>());
	const load = createLazyLoader(async () => {
		const loaded = await import('./difyCore.ts');
		const core = own(new loaded.DifyCore(parts));
		own(core.onDidChange(id => changed.fire(id)));
		await core.ready;
		return core;
	});
	for (const id of difyCommands) {
		own(commands.register(id, async (argument?: unknown, selected?: unknown) => (await load()).executeCommand(id, argument, selected)));
	}
	return {
		onDidChange: changed.event,
		get known() {
			return load.loaded;
		},
		load,
	};
}
