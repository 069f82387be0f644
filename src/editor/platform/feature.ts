import type * as vscode from 'vscode';
import type { Disposable } from '#base/disposables.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';
import type { CommandRegistrar } from './commands.ts';

/** Common dependencies of all features of the editor. */
export interface FeatureParts {
	readonly context: vscode.ExtensionContext;
	/** Folder with this workspace's data. */
	readonly dataFolder: string;
	/** Windows that share {@link dataFolder}. */
	readonly windows: WindowPresence;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
	/** Disposes the argument when the extension is deactivated, and returns it. */
	readonly own: <T extends Disposable>(disposable: T) => T;
}
