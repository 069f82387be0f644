import type * as vscode from 'vscode';
import type { Disposable } from '#base/disposables.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';
import type { CommandRegistrar } from './commands.ts';

/** What every feature of the editor is registered with. */
export interface FeatureParts {
	readonly context: vscode.ExtensionContext;
	/** Folder of this workspace's data. */
	readonly dataFolder: string;
	/** The windows that share it. */
	readonly windows: WindowPresence;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
	/** Keeps a disposable until the extension is deactivated; returns it. */
	readonly own: <T extends Disposable>(disposable: T) => T;
}
